import type { Match, Side } from '../match.ts'
import { call } from '../rest.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { checkElapsed, playLine } from './chess.ts'

export const wagerScenarios: readonly Scenario[] = [
  { name: 'wagers-off', agents: 2, late: true, run: off },
  { name: 'wagers-won', agents: 3, late: true, run: won },
  { name: 'wagers-drawn', agents: 2, late: true, run: drawn },
  { name: 'wagers-errors', agents: 2, late: true, run: errors },
  { name: 'wagers-expire', agents: 2, late: true, run: expire },
  { name: 'wagers-elsewhere', agents: 2, late: true, run: elsewhere },
]

const ACTIONS = ['propose_wager', 'accept_wager', 'decline_wager', 'cancel_wager'] as const
const STAKE = 10

/** The operator switch is off: every wager action is refused. */
async function off(stage: Stage): Promise<void> {
  if (stage.run.wagers) return
  const match = await stage.pair('chess', 'Classical')
  for (const action of ACTIONS) {
    await match.refused(
      match.one,
      '§8 wagers off: every wager action answers `Wagering is disabled.`',
      action,
      action === 'propose_wager' ? { amount: STAKE } : {},
      'VALIDATION_FAILED',
      'Wagering is disabled.',
    )
  }
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

async function won(stage: Stage): Promise<void> {
  if (!stage.run.wagers) return
  const watcher = await stage.spectate(stage.agent(2), 'chess')
  await earn(stage)
  const match = await stage.pair('chess', 'Classical')
  watcher.watch(match.id)
  // Declined by the other side, cancelled by the proposer, then accepted.
  await propose(match, match.one)
  await toBoth(match, match.two, 'decline_wager', 'wager_declined')
  await propose(match, match.two)
  await toBoth(match, match.two, 'cancel_wager', 'wager_cancelled')
  await propose(match, match.one)
  await match.two.conn.act('accept_wager', { match_id: match.id })
  for (const side of [match.one, match.two]) {
    stage.report.equal('§8 wager_accepted: to both', await side.conn.expect('wager_accepted'), {
      event: 'wager_accepted',
      match_id: match.id,
      amount: STAKE,
      currency: 'AP',
    })
  }
  await match.refused(
    match.one,
    '§8 one accepted wager per match',
    'propose_wager',
    { amount: STAKE },
    'VALIDATION_FAILED',
    null,
  )
  await playLine(match, 'f3 e5 g4 Qh4', true)
  const winner = match.other(match.one.start.you_go_first ? match.one : match.two)
  const result = await match.end({ winner, reason: 'checkmate', wager: STAKE })
  for (let i = 0; i < 4; i++) await watcher.expect('spectator_message')
  const [first, second] = [
    await watcher.expectAny(['match_end', 'wager_result']),
    await watcher.expectAny(['match_end', 'wager_result']),
  ]
  stage.report.equal(
    '§8 wager_result: to spectators',
    [first, second].find(f => f.event === 'wager_result'),
    {
      event: 'wager_result',
      match_id: match.id,
      winner_id: result.winner_id,
      amount: STAKE,
      currency: 'AP',
    },
  )
  for (const side of [match.one, match.two])
    await checkHistory(stage, match, side, side === winner ? 'win' : 'loss')
}

/** Any draw refunds the stakes. */
async function drawn(stage: Stage): Promise<void> {
  if (!stage.run.wagers) return
  await earn(stage)
  const match = await stage.pair('chess', 'Blitz')
  await propose(match, match.two)
  await match.one.conn.act('accept_wager', { match_id: match.id })
  for (const side of [match.one, match.two]) await side.conn.expect('wager_accepted')
  await playLine(match, 'Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8', true)
  await match.end({ winner: null, reason: 'draw', wager: STAKE })
  for (const side of [match.one, match.two]) await checkHistory(stage, match, side, 'refund')
}

/** Amounts, balances, who may do what, and the end of the time for it. */
async function errors(stage: Stage): Promise<void> {
  if (!stage.run.wagers) return
  await earn(stage)
  const match = await stage.pair('chess', 'Classical')
  const bad = (name: string, side: Side, action: string, fields: object = {}): Promise<unknown> =>
    match.refused(side, `§8 VALIDATION_FAILED: ${name}`, action, fields, 'VALIDATION_FAILED', null)
  await bad('an amount below 10', match.one, 'propose_wager', { amount: 9 })
  await bad('an amount above 1000', match.two, 'propose_wager', { amount: 1001 })
  await bad('an amount that is no integer', match.one, 'propose_wager', { amount: 10.5 })
  for (const action of ['accept_wager', 'decline_wager', 'cancel_wager'])
    await bad(`${action} without a proposal`, match.two, action)
  const richest = Math.min(match.one.pointsBefore, match.two.pointsBefore)
  if (richest < 1000)
    await bad('a balance that does not suffice', match.one, 'propose_wager', {
      amount: richest + 1,
    })
  await match.refused(
    match.one,
    '§10 MISSING_FIELD: propose_wager without amount',
    'propose_wager',
    {},
    'MISSING_FIELD',
    'Missing field: amount',
  )
  await match.refused(
    match.two,
    '§10 NOT_IN_MATCH: propose_wager in an unknown match',
    'propose_wager',
    { match_id: 'no-such-match', amount: STAKE },
    'NOT_IN_MATCH',
    'Match not found.',
  )
  await propose(match, match.one)
  await bad('a second proposal', match.two, 'propose_wager', { amount: STAKE })
  await bad("to accept one's own proposal", match.one, 'accept_wager')
  await bad('to cancel the proposal of the other side', match.two, 'cancel_wager')
  await playLine(match, 'e4 e5', false)
  match.sayUnseen('Nf3')
  await expiry(match)
  await bad('a proposal after message 3', match.one, 'propose_wager', { amount: STAKE })
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

/** At message 3 the proposal expires, to both; the order matchst opponent_message is left open. */
async function expiry(match: Match): Promise<void> {
  const [from, to] = [match.other(match.toMove), match.toMove]
  const own = await from.conn.expect('wager_expired')
  const seen = []
  for (let i = 0; i < 3; i++)
    seen.push(await to.conn.expectAny(['wager_expired', 'opponent_message', 'turn_timer']))
  match.stage.report.equal(
    '§8 a proposal expires at message 3: wager_expired to both',
    [own.match_id, seen.find(f => f.event === 'wager_expired')?.match_id],
    [match.id, match.id],
  )
}

/** A proposal that is not answered expires after 60 s, if the first turn is long enough to see it. */
async function expire(stage: Stage): Promise<void> {
  if (!stage.run.wagers) return
  if (stage.options.firstTurn < 65)
    return stage.report.note(
      '§8 the 60 s of a wager proposal are not checked: the first turn is too short for it',
    )
  await earn(stage)
  const match = await stage.pair('chess', 'Classical')
  await propose(match, match.one)
  const since = Date.now()
  for (const side of [match.one, match.two]) {
    const { at } = await side.conn.expectAt('wager_expired', 60_000)
    checkElapsed(match, '§8 a proposal expires after 60 s', at - since, 60)
  }
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

/** Debates and trade have no wagers. */
async function elsewhere(stage: Stage): Promise<void> {
  if (!stage.run.wagers) return
  const match = await stage.pair('trade_deal', 'Bazaar')
  await match.refused(
    match.one,
    '§8 wagers in chess and go only',
    'propose_wager',
    { amount: STAKE },
    'VALIDATION_FAILED',
    null,
  )
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

async function propose(match: Match, side: Side): Promise<void> {
  await side.conn.act('propose_wager', { match_id: match.id, amount: STAKE })
  for (const to of [match.one, match.two]) {
    match.stage.report.equal('§8 wager_proposed: to both', await to.conn.expect('wager_proposed'), {
      event: 'wager_proposed',
      match_id: match.id,
      proposer_name: side.agent.name,
      amount: STAKE,
      currency: 'AP',
      expires_in_seconds: 60,
    })
  }
}

async function toBoth(match: Match, by: Side, action: string, event: string): Promise<void> {
  await by.conn.act(action, { match_id: match.id })
  for (const to of [match.one, match.two])
    match.stage.report.equal(`§8 ${event}: to both`, await to.conn.expect(event), {
      event,
      match_id: match.id,
    })
}

async function checkHistory(
  stage: Stage,
  match: Match,
  side: Side,
  outcome: string,
): Promise<void> {
  const { body } = await call(stage.options.base, 'GET', '/api/v1/wagers/history', {
    bearer: await side.agent.session(),
  })
  const entry = (body.wagers ?? []).find((w: { match_id: string }) => w.match_id === match.id)
  const { settled_at, ...rest } = entry ?? {}
  stage.report.equal(
    '§8 history: {match_id, opponent_name, amount, currency, outcome, settled_at}',
    [rest, settled_at !== undefined],
    [
      {
        match_id: match.id,
        opponent_name: match.other(side).agent.name,
        amount: STAKE,
        currency: 'AP',
        outcome,
      },
      true,
    ],
  )
}

/** A match that is left at once gives even the loser 25 AP. */
async function earn(stage: Stage): Promise<void> {
  const points = [(await stage.agent(0).me()).points, (await stage.agent(1).me()).points]
  if (Math.min(...points) >= STAKE) return
  const match = await stage.pair('go', 'Go 9x9')
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
  for (const side of [match.one, match.two]) await side.conn.close()
}
