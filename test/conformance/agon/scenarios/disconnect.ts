import { sleep } from '../agent.ts'
import type { Connection } from '../connection.ts'
import { type Frame, ROOMS, type Room } from '../frames.ts'
import { Match, pick, refused, type Side } from '../match.ts'
import { TOLERANCE } from '../options.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { checkElapsed, playLine } from './chess.ts'

export const disconnectScenarios: readonly Scenario[] = [
  { name: 'drop-short', agents: 2, run: shortDrop },
  { name: 'drop-long', agents: 2, run: longDrop },
  { name: 'drop-for-good', agents: 2, run: forGood },
  { name: 'drop-both', agents: 2, run: both },
  { name: 'drop-both-return', agents: 2, run: bothReturn },
  { name: 'drop-remaining-moves', agents: 2, run: remainingMoves },
  { name: 'drop-six-times', agents: 2, run: sixTimes },
  { name: 'drop-without-entering', agents: 2, run: withoutEntering },
  { name: 'drop-replaced', agents: 2, run: replaced },
  { name: 'drop-bazaar', agents: 2, run: bazaar },
  { name: 'drop-countdown', agents: 2, run: countdown },
]

/** The side opens a new connection and enters the match's room. Takes what it is answered, up to a `turn_timer` that is due. */
async function comeBack(match: Match, side: Side, left: number): Promise<Frame> {
  const { stage } = match
  const conn = await stage.connect(side.agent)
  conn.resume(match.id)
  await stage.enter(conn, match.room)
  return resumed(match, side, conn, left)
}

/** `reconnect_state`, then in the Bazaar the trade state, then the timer to the side to move. */
async function resumed(match: Match, side: Side, conn: Connection, left: number): Promise<Frame> {
  const { report } = match.stage
  const state = await conn.expect('reconnect_state')
  side.conn = conn
  const { opponent, recent_messages } = state
  report.equal(
    '§5 reconnect_state: match, turn, count of messages',
    [state.match_id, state.status, state.your_turn, state.total_messages],
    [match.id, 'active', match.toMove === side, match.count],
  )
  report.equal('§5 reconnect_state: opponent as in match_start', opponent, side.start.opponent)
  report.equal(
    '§5 reconnect_state: recent_messages is the whole history',
    recent_messages.map((m: Frame) => [
      m.participant_id,
      m.participant_name,
      m.content,
      m.message_number,
    ]),
    historyOf(match),
  )
  checkLeft(
    match,
    '§7 the turn timer pauses from the drop to the return: turn_timer_remaining',
    state.turn_timer_remaining,
    left,
  )
  const age = (Date.now() - match.startedAt) / 1000
  report.ok(
    '§5 reconnect_state: match_duration_seconds',
    Math.abs(state.match_duration_seconds - age) <= 1 + TOLERANCE.late / 1000,
    `about ${age.toFixed(1)}`,
    state.match_duration_seconds,
  )
  if (match.room === 'trade_deal') await takeTrade(match, side)
  const timer = await match.toMove.conn.expectAt('turn_timer')
  checkLeft(
    match,
    '§7 after the return, turn_timer to the side to move with the time left',
    timer.frame.seconds_remaining,
    left,
  )
  match.turnBegins(timer.at, left)
  return state
}

async function takeTrade(match: Match, side: Side): Promise<void> {
  const trade = await side.conn.expect('trade_state_update')
  match.stage.report.equal(
    '§7 in the Bazaar trade_state_update follows reconnect_state',
    [pick(trade.your_resources), trade.your_goal],
    [pick(side.goods), side.goal],
  )
}

function historyOf(match: Match): unknown[] {
  return match.history.map(({ by, content }, i) => [by.agent.id, by.agent.name, content, i + 1])
}

/** Seconds left, as an exact or rounded figure, within the tolerance. */
function checkLeft(match: Match, name: string, got: number, left: number): void {
  const fits = got >= left - 1 - TOLERANCE.late / 1000 && got <= left + 1 + TOLERANCE.early / 1000
  match.stage.report.ok(name, fits, `about ${left.toFixed(1)} s`, got)
}

/** Cuts the connection of a side and lets the whole window pass. */
export async function dropForGood(match: Match, side: Side): Promise<void> {
  const dropped = Date.now()
  side.conn.cut()
  const other = match.other(side)
  await toldOfDrop(match, other, dropped)
  const { grace } = match.stage.options
  await match.end({ winner: other, reason: 'disconnect', told: [other], within: grace * 1000 })
  checkElapsed(match, '§7 t=30 s: match_end, disconnect', match.endedAt - dropped, 2 * grace)
}

async function toldOfDrop(match: Match, other: Side, dropped: number): Promise<void> {
  const { grace } = match.stage.options
  const { frame, at } = await other.conn.expectAt('opponent_disconnected', grace * 1000)
  match.stage.report.equal(
    '§7 opponent_disconnected: grace_seconds:15',
    [frame.match_id, frame.grace_seconds],
    [match.id, grace],
  )
  checkElapsed(match, '§7 t=15 s: opponent_disconnected', at - dropped, grace)
}

/** Back within the silent half: the other side hears nothing. The clock then goes on with the time left. */
async function shortDrop(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const side = match.toMove
  await sleep(300)
  const { left } = match
  side.conn.cut()
  await match
    .other(side)
    .conn.quiet('§7 in the first 15 s of a drop nothing is sent', stage.options.grace * 600)
  await comeBack(match, side, left)
  await match
    .other(side)
    .conn.quiet('§7 opponent_reconnected only if opponent_disconnected went out', 100)
  await match.refused(
    side,
    '§10 ALREADY_IN_ROOM `Finish your match first`: another room during a match',
    'enter_room',
    { room: 'go' },
    'ALREADY_IN_ROOM',
    'Finish your match first',
  )
  await match.refused(
    side,
    '§10 ALREADY_IN_ROOM `Already in this room`: during a match',
    'enter_room',
    { room: 'chess' },
    'ALREADY_IN_ROOM',
    'Already in this room',
  )
  const { frame, at } = await side.conn.expectAt('turn_timer', left * 1000)
  stage.report.equal(
    '§6 after a timeout the timer restarts at the plain limit, for the same side',
    frame.seconds_remaining,
    match.limits.turn,
  )
  checkElapsed(match, '§7 the turn goes on with the time left', at - match.turnBegan, left)
  await playLine(match, 'e4', false)
  await match.leave(side)
  await match.end({ winner: match.other(side), reason: 'leave' })
}

/** Back in the second half, both as the side to move and as the other. The timer was paused all along. */
async function longDrop(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  const { grace } = stage.options
  const first = match.toMove
  await match.say('E5')
  for (const side of [match.toMove, first]) {
    const other = match.other(side)
    const { left } = match
    const dropped = Date.now()
    side.conn.cut()
    await toldOfDrop(match, other, dropped)
    await sleep(grace * 400)
    const conn = await stage.connect(side.agent)
    conn.resume(match.id)
    await refused(
      stage,
      conn,
      '§10 ALREADY_IN_ROOM `Finish your match first`: a new connection enters another room',
      'enter_room',
      { room: 'chess' },
      'ALREADY_IN_ROOM',
      'Finish your match first',
    )
    await stage.enter(conn, match.room)
    await other.conn.expect('opponent_reconnected')
    stage.report.ok('§7 opponent_reconnected after opponent_disconnected', true, '', '')
    await resumed(match, side, conn, left)
  }
  await match.say('d4', { as: 'D4' })
  await match.leave(match.toMove)
  const leaver = match.toMove
  await match.end({ winner: match.other(leaver), reason: 'leave' })
}

/** Never back in time: the remaining side wins; the other is told once, whatever room it enters. */
async function forGood(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Blitz')
  await playLine(match, 'e4', false)
  const side = match.other(match.toMove)
  await dropForGood(match, side)
  await expired(stage, match, side)
}

/** RECONNECT_EXPIRED once, then room_state. */
async function expired(stage: Stage, match: Match, side: Side): Promise<void> {
  const { report } = stage
  const conn = await stage.connect(side.agent)
  await conn.act('enter_room', { room: match.room })
  const error = await conn.expectAny(['error', 'room_state'])
  report.equal(
    '§7 too late: enter_room answers RECONNECT_EXPIRED, then room_state',
    [error.event, error.code, error.message],
    ['error', 'RECONNECT_EXPIRED', 'Reconnect window expired'],
  )
  if (error.event === 'error') await conn.expect('room_state')
  side.agent.mayBeExpired = false
  await stage.enter(conn, ROOMS.find(room => room !== match.room) ?? 'go')
  await conn.act('enter_room', { room: match.room })
  const again = await conn.expectAny(['error', 'room_state'])
  report.equal('§7 RECONNECT_EXPIRED once per match', again.event, 'room_state')
  await conn.close()
}

/** Both gone when the first window ends: a draw, 0–0. */
async function both(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const { grace } = stage.options
  await playLine(match, 'd4 d5', false)
  match.one.conn.cut()
  await sleep(grace * 300)
  match.two.conn.cut()
  await sleep(2 * grace * 1000 - grace * 300 + TOLERANCE.late)
  await match.end({ winner: null, reason: 'both_disconnect', scores: [0, 0], told: [] })
  await expired(stage, match, match.one)
}

/** Both drop, and return one after the other; the first finds the other gone, and the clock waits for both. */
async function bothReturn(stage: Stage): Promise<void> {
  const { report, options } = stage
  const match = await stage.pair('go', 'Go 9x9')
  await match.say('C3')
  const { left } = match
  for (const side of [match.one, match.two]) side.conn.cut()
  await sleep(300)
  const conn = await stage.connect(match.one.agent)
  conn.resume(match.id)
  await stage.enter(conn, 'go')
  const state = await conn.expect('reconnect_state')
  report.equal('§5 reconnect_state: opponent is not connected while it is gone', state.opponent, {
    ...match.one.start.opponent,
    connected: false,
  })
  match.one.conn = conn
  await sleep(options.grace * 300)
  // Whether the first to return gets a timer that stands still is left open.
  while (conn.has(({ event }) => event === 'turn_timer')) await conn.expect('turn_timer')
  await comeBack(match, match.two, left)
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
}

/** The remaining side may still move if it is its turn; then the timer of the absent side stands still. */
async function remainingMoves(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  await playLine(match, 'e4', false)
  const [mover, absent] = [match.toMove, match.other(match.toMove)]
  absent.conn.cut()
  await sleep(200)
  match.sayUnseen('e5')
  await mover.conn.quiet('§7 the remaining side may still move if it is its turn', 200)
  await sleep(stage.options.grace * 500)
  const state = await comeBack(match, absent, match.limits.turn)
  stage.report.ok(
    '§5 reconnect_state: each message has its server_timestamp',
    state.recent_messages.every((m: Frame) => Number.isInteger(m.server_timestamp)),
    'numbers',
    state.recent_messages,
  )
  await match.say('Nf3')
  await match.leave(mover)
  await match.end({ winner: absent, reason: 'leave' })
}

/** Five drops are forgiven; the sixth ends the match at once. */
async function sixTimes(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  const side = match.other(match.toMove)
  for (let drops = 1; drops <= 5; drops++) {
    const { left } = match
    side.conn.cut()
    await sleep(50)
    await comeBack(match, side, left)
  }
  stage.report.ok('§7 five drops per side per match are allowed', true, '', '')
  const dropped = Date.now()
  side.conn.cut()
  const other = match.other(side)
  await match.end({ winner: other, reason: 'disconnect', told: [other] })
  checkElapsed(match, '§7 the sixth drop ends the match at once', match.endedAt - dropped, 0)
  await expired(stage, match, side)
}

/** Connecting alone does not stop the clock. */
async function withoutEntering(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Blitz')
  const side = match.toMove
  const other = match.other(side)
  const dropped = Date.now()
  side.conn.cut()
  const conn = await stage.connect(side.agent)
  conn.resume(match.id)
  await toldOfDrop(match, other, dropped)
  const { grace } = stage.options
  await match.end({ winner: other, reason: 'disconnect', told: [other], within: grace * 1000 })
  checkElapsed(
    match,
    '§7 connecting alone does not stop the clock',
    match.endedAt - dropped,
    2 * grace,
  )
  await conn.close()
  await expired(stage, match, side)
}

/** A newer connection of the same agent closes the older one with 4009; it enters the room and goes on. */
async function replaced(stage: Stage): Promise<void> {
  const match = await stage.pair('chess', 'Classical')
  const side = match.toMove
  await playLine(match, 'c4', false)
  const { left } = match
  const old = side.conn
  const conn = await stage.connect(side.agent)
  const { code } = await old.closed
  stage.report.equal('§1 close 4009: replaced by a newer connection of the same agent', code, 4009)
  conn.resume(match.id)
  await stage.enter(conn, 'chess')
  await resumed(match, side, conn, left)
  await match.say('c5')
  await match.leave(side)
  await match.end({ winner: match.other(side), reason: 'leave' })
}

/** A pending proposal is told again to the side that returns; the goods are as they were. */
async function bazaar(stage: Stage): Promise<void> {
  const match = await stage.pair('trade_deal', 'Bazaar')
  await match.say('Hello.')
  const side = match.toMove
  const other = match.other(side)
  const resource = other.goal!.resource
  await other.conn.act('propose_trade', {
    match_id: match.id,
    offer: {},
    request: { [resource]: 1 },
  })
  const proposal = await side.conn.expect('trade_proposed')
  await other.conn.expect('trade_proposed')
  const { left } = match
  side.conn.cut()
  await sleep(300)
  const conn = await stage.connect(side.agent)
  conn.resume(match.id)
  await stage.enter(conn, match.room)
  const state = await conn.expect('reconnect_state')
  stage.report.equal(
    '§5 reconnect_state: match, turn, count of messages',
    [state.match_id, state.your_turn, state.total_messages],
    [match.id, true, 1],
  )
  side.conn = conn
  await takeTrade(match, side)
  stage.report.equal(
    '§7 in the Bazaar a pending trade_proposed follows',
    await conn.expect('trade_proposed'),
    proposal,
  )
  const timer = await conn.expect('turn_timer')
  checkLeft(
    match,
    '§7 after the return, turn_timer to the side to move with the time left',
    timer.seconds_remaining,
    left,
  )
  await conn.act('accept_trade', { match_id: match.id })
  await other.conn.expect('trade_executed')
  await conn.expect('trade_executed')
  await match.say('Take it.')
  await dropForGood(match, other)
  await expired(stage, match, other)
}

/** A drop during the countdown cancels it; the other side gets `seated` again, and is joined anew. */
async function countdown(stage: Stage): Promise<void> {
  const room = 'go'
  const [one, two] = [await stage.connect(stage.agent(0)), await stage.connect(stage.agent(1))]
  const match = await stage.locked(room, async () => {
    const free = stage.freeTable(await stage.enter(one, room), 'Go 9x9')
    await stage.sit(one, room, free)
    await stage.enter(two, room)
    await two.act('sit_table', { room, table_id: free.id })
    await two.expect('seated')
    for (const conn of [one, two]) await conn.expect('match_countdown')
    one.cut()
    const again = await two.expect('seated')
    stage.report.equal(
      '§2 a drop during the countdown cancels it; the other side gets seated again',
      [again.table_id, again.prompt_title, again.prompt_body],
      [free.id, free.prompt_title, free.prompt_body],
    )
    await two.quiet(
      '§2 after a cancelled countdown no match starts',
      stage.options.countdown * 1000 + 200,
    )
    return rejoin(stage, room, free, two)
  })
  await match.leave(match.two)
  await match.end({ winner: match.one, reason: 'leave' })
}

/** The agent that was dropped sits down again; the sides of the match are those of the seats. */
async function rejoin(stage: Stage, room: Room, table: Frame, waiting: Connection): Promise<Match> {
  const back = await stage.connect(stage.agent(0))
  const state = await stage.enter(back, room)
  const seen = state.tables.find((t: Frame) => t.id === table.id)
  const seats = [seen?.seat_1?.id ?? null, seen?.seat_2?.id ?? null]
  stage.report.ok(
    '§2 after a cancelled countdown the table waits with one seat taken',
    seen?.status === 'waiting' && seats.includes(stage.agent(1).id) && seats.includes(null),
    `waiting, with ${stage.agent(1).id}`,
    seen,
  )
  const countdownAt = Date.now()
  await stage.sit(back, room, table)
  const pair = seats[0] === null ? ([back, waiting] as const) : ([waiting, back] as const)
  for (const conn of pair) await conn.expect('match_countdown')
  return Match.begin(stage, room, table.id, pair[0], pair[1], countdownAt)
}
