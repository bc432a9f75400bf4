import { sleep } from '../agent.ts'
import { type Goods, RESOURCES, type Resource } from '../frames.ts'
import { type Match, pick, type Side } from '../match.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { forfeits, waitTimeout } from './chess.ts'

export const bazaarScenarios: readonly Scenario[] = [
  { name: 'bazaar-example', agents: 2, run: example },
  { name: 'bazaar-errors', agents: 2, run: errors },
  { name: 'bazaar-pending', agents: 2, run: pending },
  { name: 'bazaar-draw', agents: 2, run: draw },
  { name: 'bazaar-more-units', agents: 2, run: moreUnits },
  { name: 'bazaar-proposals', agents: 2, run: proposals },
  { name: 'bazaar-timeouts', agents: 2, run: timeouts },
]

const PENDING = 'A trade is already pending — accept, reject, or wait'

/** Sends a proposal; both sides must get it. Zero entries are dropped from what both get. */
async function propose(match: Match, side: Side, offer: Goods, request: Goods): Promise<void> {
  await side.conn.act('propose_trade', { match_id: match.id, offer, request })
  await proposed(match, side, offer, request)
}

async function proposed(match: Match, side: Side, offer: Goods, request: Goods): Promise<void> {
  for (const to of [match.one, match.two]) {
    const frame = await to.conn.expect('trade_proposed')
    match.stage.report.equal('§5 trade_proposed: to both, zero entries dropped', frame, {
      event: 'trade_proposed',
      match_id: match.id,
      proposer_name: side.agent.name,
      offer: positive(offer),
      request: positive(request),
    })
  }
}

/** The other side accepts; both get their own new holdings. */
async function accept(match: Match, proposer: Side, offer: Goods, request: Goods): Promise<void> {
  const accepter = match.other(proposer)
  await accepter.conn.act('accept_trade', { match_id: match.id })
  for (const r of RESOURCES) {
    const moved = (request[r] ?? 0) - (offer[r] ?? 0)
    proposer.goods[r] += moved
    accepter.goods[r] -= moved
  }
  for (const to of [match.one, match.two]) {
    const frame = await to.conn.expect('trade_executed')
    match.stage.report.equal(
      '§6 accept_trade moves the goods, each side gets its own holdings',
      pick(frame.your_resources),
      pick(to.goods),
    )
  }
}

async function reject(match: Match, by: Side): Promise<void> {
  await by.conn.act('reject_trade', { match_id: match.id })
  for (const to of [match.one, match.two]) {
    const frame = await to.conn.expect('trade_rejected')
    match.stage.report.equal(
      '§5 trade_rejected: to both, with rejector_name (proposer = cancel)',
      frame,
      {
        event: 'trade_rejected',
        match_id: match.id,
        rejector_name: by.agent.name,
      },
    )
  }
}

/** Talks up to message 10, which ends the match, and checks the result against the holdings. */
async function talkToEnd(match: Match): Promise<void> {
  while (match.count < 10)
    await match.say(`I would like to trade. (${match.count + 1})`, { ends: match.count === 9 })
  const [one, two] = [traderResult(match.one), traderResult(match.two)]
  const sign =
    Math.sign(one.score - two.score) || Math.sign(one.report.total_units - two.report.total_units)
  await match.end({
    winner: sign > 0 ? match.one : sign < 0 ? match.two : null,
    reason: 'trade_scored',
    scores: [one.score, two.score],
    tradeResult: { participant_1: one.report, participant_2: two.report },
  })
}

/** progress = min(1, held/amount); score = round(points×progress). */
function traderResult(side: Side): {
  score: number
  report: { goal: unknown; held: number; progress: number; goal_met: boolean; total_units: number }
} {
  const goal = side.goal
  if (goal === null) throw new Error('a side of the Bazaar has a goal')
  const held = side.goods[goal.resource]
  const progress = Math.min(1, held / goal.amount)
  const total_units = pick(side.goods).reduce((sum, n) => sum + n, 0)
  return {
    score: Math.round(goal.points * progress),
    report: { goal, held, progress, goal_met: held >= goal.amount, total_units },
  }
}

/** a and b are the goals of the two sides, c and d the other resources in their order. */
function letters(match: Match): { a: Resource; b: Resource; c: Resource; d: Resource } {
  const [a, b] = [match.one.goal!.resource, match.two.goal!.resource]
  const [c, d] = RESOURCES.filter(r => r !== a && r !== b) as [Resource, Resource]
  return { a, b, c, d }
}

/** 4 of the opponent's goal for 5 of one's own: 100 against 88. A trade pending at message 10 is void. */
async function example(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { a, b, d } = letters(match)
  await propose(match, match.one, { [b]: 4 }, { [a]: 5 })
  await accept(match, match.one, { [b]: 4 }, { [a]: 5 })
  stage.report.equal(
    '§6 worked example: 8 and 1, 0 and 7 are held',
    [match.one.goods[a], match.one.goods[b], match.two.goods[a], match.two.goods[b]],
    [8, 1, 0, 7],
  )
  await propose(match, match.two, { [d]: 1 }, { [b]: 1 })
  await talkToEnd(match)
}

async function errors(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { two } = match
  await errorsOfProposing(match)
  for (const action of ['accept', 'reject']) {
    await match.refused(
      two,
      `§10 VALIDATION_FAILED \`No pending trade to ${action}\``,
      `${action}_trade`,
      {},
      'VALIDATION_FAILED',
      `No pending trade to ${action}`,
    )
  }
  await errorsOfOrder(match)
  const leaver = match.other(match.toMove)
  await match.leave(leaver, 'No deal.')
  await match.end({ winner: match.other(leaver), reason: 'leave' })
}

async function pending(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { one, two } = match
  await match.say('Proposals are not bound to the turn, and talk moves no goods.')
  await match.say('I give you all my gold.')
  // More than the other side has may be asked for; that is checked at acceptance, and leaves the proposal pending.
  const { a, b, c, d } = letters(match)
  const request = { [a]: two.goods[a] + 1, [b]: 99, [c]: 1, [d]: 0 }
  await propose(match, one, { [b]: 1, [d]: 0 }, request)
  const lacking = RESOURCES.find(r => (request[r] ?? 0) > two.goods[r]) as Resource
  await match.refused(
    two,
    '§10 CONTENT_BLOCKED `Insufficient …`: the accepter lacks the request (first in the order gold, iron, food, wood)',
    'accept_trade',
    {},
    'CONTENT_BLOCKED',
    `Insufficient ${lacking}: have ${two.goods[lacking]}, need ${request[lacking]}`,
  )
  await match.refused(
    one,
    '§10 VALIDATION_FAILED `Cannot accept your own trade proposal`',
    'accept_trade',
    {},
    'VALIDATION_FAILED',
    'Cannot accept your own trade proposal',
  )
  for (const side of [one, two]) {
    await match.refused(
      side,
      '§10 VALIDATION_FAILED: a second propose_trade, by either side',
      'propose_trade',
      { offer: { [c]: 1 }, request: {} },
      'VALIDATION_FAILED',
      PENDING,
    )
  }
  await match.refused(
    two,
    '§10 propose_trade order: pending before resources',
    'propose_trade',
    { offer: { silver: 1 }, request: {} },
    'VALIDATION_FAILED',
    PENDING,
  )
  await reject(match, two)
  await propose(match, two, {}, { [c]: 1 })
  await reject(match, two)
  // A gift, and a request for nothing in return.
  await propose(match, two, { [c]: 1 }, {})
  await accept(match, two, { [c]: 1 }, {})
  await propose(match, one, {}, { [d]: 2 })
  await accept(match, one, {}, { [d]: 2 })
  await talkToEnd(match)
}

async function errorsOfProposing(match: Match): Promise<void> {
  const { one, two } = match
  const bad = (
    name: string,
    offer: unknown,
    request: unknown,
    code: string,
    text: string,
    side = one,
  ): Promise<unknown> => match.refused(side, name, 'propose_trade', { offer, request }, code, text)
  const invalid = '§10 VALIDATION_FAILED `Invalid trade resources`: '
  await bad(
    `${invalid}unknown key`,
    { silver: 1 },
    { gold: 1 },
    'VALIDATION_FAILED',
    'Invalid trade resources',
  )
  await bad(
    `${invalid}negative amount`,
    { gold: -1 },
    { iron: 1 },
    'VALIDATION_FAILED',
    'Invalid trade resources',
    two,
  )
  await bad(
    `${invalid}non-integer amount`,
    { gold: 1 },
    { iron: 0.5 },
    'VALIDATION_FAILED',
    'Invalid trade resources',
  )
  await bad(
    `${invalid}amount of another type`,
    { gold: '1' },
    { iron: 1 },
    'VALIDATION_FAILED',
    'Invalid trade resources',
    two,
  )
  await bad(
    '§10 CONTENT_BLOCKED `Empty trade proposal`',
    { gold: 0 },
    {},
    'CONTENT_BLOCKED',
    'Empty trade proposal',
  )
  await bad(
    '§10 propose_trade order: resources before empty',
    { silver: 0 },
    {},
    'VALIDATION_FAILED',
    'Invalid trade resources',
    two,
  )
  const lacking = { gold: one.goods.gold, iron: 90, food: 90, wood: 90 }
  await bad(
    '§10 CONTENT_BLOCKED `Insufficient …`: the proposer lacks the offer (first in the order gold, iron, food, wood)',
    lacking,
    {},
    'CONTENT_BLOCKED',
    `Insufficient iron: have ${one.goods.iron}, need 90`,
  )
}

async function errorsOfOrder(match: Match): Promise<void> {
  const { one, two } = match
  const missing = (side: Side, fields: object, text: string | RegExp): Promise<unknown> =>
    match.refused(
      side,
      '§10 MISSING_FIELD `Missing field: <name>`: propose_trade',
      'propose_trade',
      fields,
      'MISSING_FIELD',
      text,
    )
  await missing(one, { request: { gold: 1 } }, 'Missing field: offer')
  await missing(two, { offer: { gold: 1 } }, 'Missing field: request')
  await missing(one, { offer: [], request: { gold: 1 } }, 'Missing field: offer')
  await missing(two, { offer: { gold: 1 }, request: 'gold' }, 'Missing field: request')
  await missing(one, { match_id: 'no-such-match', offer: { gold: 1 } }, 'Missing field: request')
  await missing(
    two,
    { match_id: undefined, offer: { gold: 1 }, request: {} },
    'Missing field: match_id',
  )
  await match.refused(
    one,
    '§10 propose_trade order: NOT_IN_MATCH before resources',
    'propose_trade',
    { match_id: 'no-such-match', offer: { silver: 1 }, request: {} },
    'NOT_IN_MATCH',
    'Match not found.',
  )
  for (const action of ['accept_trade', 'reject_trade']) {
    await match.refused(
      two,
      `§10 MISSING_FIELD \`Missing field: <name>\`: ${action}`,
      action,
      { match_id: undefined },
      'MISSING_FIELD',
      'Missing field: match_id',
    )
    await match.refused(
      one,
      `§10 NOT_IN_MATCH \`Match not found.\`: ${action}`,
      action,
      { match_id: 'no-such-match' },
      'NOT_IN_MATCH',
      'Match not found.',
    )
  }
}

/** An even swap of 5 for 5 is a draw. */
async function draw(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { a, b } = letters(match)
  await propose(match, match.two, { [a]: 5 }, { [b]: 5 })
  await accept(match, match.two, { [a]: 5 }, { [b]: 5 })
  await cut(match)
  await talkToEnd(match)
}

/** 1000 code points pass, up to 2000 are cut, more is refused. */
async function cut(match: Match): Promise<void> {
  await match.say('b'.repeat(1000))
  await match.say('b'.repeat(1001), { as: 'b'.repeat(1000), truncated: true })
  await match.refused(
    match.toMove,
    '§10 MESSAGE_TOO_LONG: over 2× the limit is refused in trade (A7)',
    'send_message',
    { content: 'b'.repeat(2001) },
    'MESSAGE_TOO_LONG',
    'Message too long: 2001 chars, limit 1000',
  )
}

/** Equal scores: more total units held wins. */
async function moreUnits(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { a, b, c } = letters(match)
  await propose(match, match.one, { [b]: 5 }, { [a]: 5, [c]: 1 })
  await accept(match, match.one, { [b]: 5 }, { [a]: 5, [c]: 1 })
  await talkToEnd(match)
}

/** Twenty proposals a side; the twenty-first is refused, and the other side still may propose. */
async function proposals(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { one, two } = match
  const { c } = letters(match)
  await one.agent.budget(10)
  for (let i = 0; i < 20; i++) {
    await propose(match, one, {}, { [c]: 1 })
    await reject(match, two)
    // Talk keeps the turns from running out.
    if (i % 2 === 1 && match.count < 9) await match.say(`Still no deal (${i}).`)
    await sleep(580)
  }
  await match.refused(
    one,
    '§6 at most 20 proposals per side per match, then RATE_LIMITED',
    'propose_trade',
    { offer: {}, request: { [c]: 1 } },
    'RATE_LIMITED',
    null,
  )
  await match.refused(
    one,
    '§10 propose_trade order: resources before RATE_LIMITED',
    'propose_trade',
    { offer: { silver: 1 }, request: {} },
    'VALIDATION_FAILED',
    'Invalid trade resources',
  )
  await propose(match, two, {}, { [c]: 1 })
  await reject(match, two)
  await talkToEnd(match)
}

/** Two timeouts in a row lose; a trade in between does not count as a message. */
async function timeouts(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  const { first, turn } = match.limits
  const side = match.toMove
  await waitTimeout(match, side, first)
  const { c } = letters(match)
  await propose(match, side, { [c]: 1 }, {})
  await accept(match, side, { [c]: 1 }, {})
  await forfeits(match, side, turn)
}

function positive(goods: Goods): Goods {
  return Object.fromEntries(Object.entries(goods).filter(([, n]) => n > 0))
}
