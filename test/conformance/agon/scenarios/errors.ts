import { refused } from '../match.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { playLine } from './chess.ts'

export const errorScenarios: readonly Scenario[] = [
  { name: 'errors-send-message', agents: 3, run: sendMessage },
  { name: 'errors-elsewhere', agents: 3, run: elsewhere },
]

/** The check order of send_message: each step with all the faults that come later in the order. */
async function sendMessage(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const [mover, other] = [match.toMove, match.other(match.toMove)]
  const long = `${'x'.repeat(11)}\x07`
  const order = '§10 send_message order: '
  await match.refused(
    other,
    `${order}MISSING_FIELD first`,
    'send_message',
    { match_id: 'no-such-match' },
    'MISSING_FIELD',
    'Missing field: content',
  )
  await match.refused(
    other,
    `${order}EMPTY_CONTENT before NOT_IN_MATCH`,
    'send_message',
    { match_id: 'no-such-match', content: '' },
    'EMPTY_CONTENT',
    'Message content is empty',
  )
  await match.refused(
    other,
    `${order}EMPTY_CONTENT before NOT_YOUR_TURN`,
    'send_message',
    { content: ' \t' },
    'EMPTY_CONTENT',
    'Message content is empty',
  )
  await match.refused(
    other,
    `${order}NOT_IN_MATCH before NOT_YOUR_TURN`,
    'send_message',
    { match_id: 'no-such-match', content: long },
    'NOT_IN_MATCH',
    'Match not found.',
  )
  await match.refused(
    other,
    `${order}NOT_YOUR_TURN before MESSAGE_TOO_LONG`,
    'send_message',
    { content: long },
    'NOT_YOUR_TURN',
    'It is not your turn',
  )
  await match.refused(
    mover,
    `${order}MESSAGE_TOO_LONG before CONTENT_BLOCKED`,
    'send_message',
    { content: long },
    'MESSAGE_TOO_LONG',
    'Message too long: 12 chars, limit 10',
  )
  await match.refused(
    mover,
    `${order}CONTENT_BLOCKED before VALIDATION_FAILED`,
    'send_message',
    { content: 'e5\x07' },
    'CONTENT_BLOCKED',
    'Message blocked',
  )
  await match.refused(
    mover,
    `${order}VALIDATION_FAILED last`,
    'send_message',
    { content: 'e5' },
    'VALIDATION_FAILED',
    'Illegal move: e5',
  )
  await match.refused(
    mover,
    '§0 A7 chess: over the limit is refused, not cut; code points count',
    'send_message',
    { content: '🐟'.repeat(11) },
    'MESSAGE_TOO_LONG',
    'Message too long: 11 chars, limit 10',
  )
  await match.refused(
    mover,
    '§0 A7 chess: 10 code points are not too long',
    'send_message',
    { content: '🐟'.repeat(10) },
    'VALIDATION_FAILED',
    `Illegal move: ${'🐟'.repeat(10)}`,
  )
  await outsiders(stage, match.id)
  await other.conn.quiet('§4.6 a rejected action changes neither turn nor timer', 50)
  await playLine(match, 'e4 e5', false)
  await match.leave(other)
  await match.end({ winner: mover, reason: 'leave' })
}

/** A connection in the room that does not play in the match. */
async function outsiders(stage: Stage, matchId: string): Promise<void> {
  const conn = await stage.spectate(stage.agent(2), 'chess')
  conn.watch(matchId)
  for (const [action, fields] of [
    ['send_message', { content: 'e4' }],
    ['leave_match', {}],
  ] as const) {
    await refused(
      stage,
      conn,
      `§10 NOT_IN_MATCH \`Match not found.\`: not a participant, ${action}`,
      action,
      { match_id: matchId, ...fields },
      'NOT_IN_MATCH',
      'Match not found.',
    )
  }
  await conn.close()
}

/** Trades outside the Bazaar, votes outside a vote, seats during a match. */
async function elsewhere(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  const { one, two } = match
  const text = 'Trades are only available in trade_deal'
  const name = '§10 VALIDATION_FAILED `Trades are only available in trade_deal`'
  await match.refused(
    one,
    name,
    'propose_trade',
    { offer: { gold: 1 }, request: {} },
    'VALIDATION_FAILED',
    text,
  )
  await match.refused(
    two,
    '§10 propose_trade order: not Bazaar before resources',
    'propose_trade',
    { offer: { silver: 1 }, request: {} },
    'VALIDATION_FAILED',
    text,
  )
  await match.refused(one, name, 'accept_trade', {}, 'VALIDATION_FAILED', text)
  await match.refused(two, name, 'reject_trade', {}, 'VALIDATION_FAILED', text)
  await match.refused(
    one,
    '§10 VALIDATION_FAILED `Already seated`: during a match',
    'sit_table',
    { room: 'go', table_id: match.tableId },
    'VALIDATION_FAILED',
    'Already seated',
  )
  const watcher = await stage.spectate(stage.agent(2), 'go')
  watcher.watch(match.id)
  await refused(
    stage,
    watcher,
    '§10 VALIDATION_FAILED `Voting is not open` outside debates',
    'vote',
    { match_id: match.id, participant_id: one.agent.id },
    'VALIDATION_FAILED',
    'Voting is not open',
  )
  await refused(
    stage,
    watcher,
    '§10 VALIDATION_FAILED `Unknown reaction`',
    'react',
    { match_id: match.id, reaction: '💀' },
    'VALIDATION_FAILED',
    'Unknown reaction',
  )
  await refused(
    stage,
    watcher,
    '§10 NOT_IN_MATCH `Match not found.`: unknown match, react',
    'react',
    { match_id: 'no-such-match', reaction: '🔥' },
    'NOT_IN_MATCH',
    'Match not found.',
  )
  await one.conn.act('heartbeat')
  await match.say('A1')
  await match.leave(two)
  await match.end({ winner: one, reason: 'leave' })
}
