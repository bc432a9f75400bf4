import { sleep } from '../agent.ts'
import type { Connection } from '../connection.ts'
import { type Frame, ROOMS, type Room } from '../frames.ts'
import { refused } from '../match.ts'
import { call } from '../rest.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { ALIASES } from './rest.ts'

export const lobbyScenarios: readonly Scenario[] = [
  { name: 'handshake', agents: 2, alone: true, run: handshake },
  { name: 'frames', agents: 4, alone: true, run: frames },
  { name: 'rooms', agents: 2, alone: true, run: rooms },
  { name: 'tables', agents: 4, alone: true, run: tables },
]

/** Bad tokens complete the handshake, get an error and close 4001; a good one gets welcome, once. */
async function handshake(stage: Stage): Promise<void> {
  const { report } = stage
  const token = await stage.agent(0).session()
  const tampered = `${token.slice(0, -4)}${token.slice(-4) === 'AAAA' ? 'BBBB' : 'AAAA'}`
  for (const [what, bad] of Object.entries({
    missing: null,
    bad: 'no-such-token',
    tampered,
    'the API key': stage.agent(0).apiKey,
  })) {
    const conn = await stage.dial(null, bad)
    const error = await conn.expect('error')
    report.equal(`§1 a token that is ${what}: INVALID_TOKEN after the handshake`, error, {
      event: 'error',
      code: 'INVALID_TOKEN',
      message: 'Invalid or expired session token.',
    })
    const closed = await Promise.race([conn.closed, sleep(3000).then(() => null)])
    report.equal('§1 close 4001 after INVALID_TOKEN', closed?.code, 4001)
  }
  const conn = await stage.connect(stage.agent(0))
  await conn.quiet('§5 welcome comes first and once', 200)
  await conn.act('heartbeat')
  await conn.quiet('§3 heartbeat has no reply', 200)
  const newer = await stage.connect(stage.agent(0))
  report.equal(
    '§1 close 4009: replaced by a newer connection of the same agent',
    (await conn.closed).code,
    4009,
  )
  report.ok('§1 the newer connection stays open', newer.isOpen, 'open', 'closed')
}

/** What is no action: bad JSON, unknown actions, frames that are too long. */
async function frames(stage: Stage): Promise<void> {
  const { report } = stage
  const conn = await stage.connect(stage.agent(0))
  for (const raw of ['{"action":', 'hello', '']) {
    conn.agent?.count()
    conn.raw(raw)
    const error = await conn.expect('error')
    report.equal(
      '§10 VALIDATION_FAILED `Invalid JSON`',
      [error.code, error.message],
      ['VALIDATION_FAILED', 'Invalid JSON'],
    )
  }
  for (const raw of ['[]', '"enter_room"', '42', 'null', '{"room":"go"}', '{"action":7}']) {
    conn.agent?.count()
    conn.raw(raw)
    const error = await conn.expect('error')
    report.ok(
      '§10 a frame that names no action is refused (Invalid JSON, Unknown action or Missing field: action)',
      ['Invalid JSON', 'Unknown action', 'Missing field: action'].includes(error.message),
      'one of these',
      { raw, error },
    )
  }
  for (const action of ['dance', '', 'Enter_Room', 'constructor', '__proto__']) {
    await refused(
      stage,
      conn,
      '§10 VALIDATION_FAILED `Unknown action`',
      action,
      {},
      'VALIDATION_FAILED',
      'Unknown action',
    )
  }
  const whole = await stage.connect(stage.agent(1))
  const fixed = JSON.stringify({ action: 'dance', pad: '' }).length
  whole.agent?.count()
  whole.raw(JSON.stringify({ action: 'dance', pad: 'x'.repeat(65_536 - fixed) }))
  report.equal(
    '§1 a frame of 65 536 bytes is read',
    (await whole.expect('error')).message,
    'Unknown action',
  )
  whole.raw(JSON.stringify({ action: 'dance', pad: 'x'.repeat(65_537 - fixed) }))
  report.equal(
    '§1 close 1009: frame over 65 536 bytes',
    (await Promise.race([whole.closed, sleep(3000).then(() => null)]))?.code,
    1009,
  )
  await missingFields(stage)
}

async function missingFields(stage: Stage): Promise<void> {
  const conn = await stage.connect(stage.agent(2))
  const missing = (action: string, fields: object, field: string): Promise<unknown> =>
    refused(
      stage,
      conn,
      `§10 MISSING_FIELD \`Missing field: <name>\`: ${action}`,
      action,
      fields,
      'MISSING_FIELD',
      `Missing field: ${field}`,
    )
  await missing('enter_room', {}, 'room')
  await missing('enter_room', { room: 5 }, 'room')
  await missing('sit_table', { room: 'go' }, 'table_id')
  await missing('sit_table', { table_id: 't-1' }, 'room')
  await missing('send_message', { match_id: 'm-1' }, 'content')
  await missing('send_message', { match_id: 'm-1', content: 5 }, 'content')
  await missing('send_message', { match_id: 5, content: 'e4' }, 'match_id')
  await missing('send_message', { content: 'e4' }, 'match_id')
  await missing('leave_match', {}, 'match_id')
  await missing('react', { reaction: '🔥' }, 'match_id')
  await missing('react', { match_id: 'm-1' }, 'reaction')
  await missing('vote', { participant_id: 'p-1' }, 'match_id')
  const other = await stage.connect(stage.agent(3))
  const unknown = { match_id: 'no-such-match' }
  const notFound = (action: string, fields: object): Promise<unknown> =>
    refused(
      stage,
      other,
      `§10 NOT_IN_MATCH \`Match not found.\`: unknown match, ${action}`,
      action,
      { ...unknown, ...fields },
      'NOT_IN_MATCH',
      'Match not found.',
    )
  await notFound('send_message', { content: 'e4' })
  await notFound('send_message', { content: 'x'.repeat(5000) })
  await notFound('leave_match', {})
  await notFound('propose_trade', { offer: { gold: 1 }, request: {} })
  await notFound('accept_trade', {})
  await notFound('reject_trade', {})
  for (const content of ['', '  \n\t ']) {
    await refused(
      stage,
      other,
      '§10 EMPTY_CONTENT `Message content is empty`, and never `Match not found.`',
      'send_message',
      { ...unknown, content },
      'EMPTY_CONTENT',
      'Message content is empty',
    )
  }
}

/** Entering rooms by every form of their names, and what is counted in them. */
async function rooms(stage: Stage): Promise<void> {
  const { report } = stage
  const conn = await stage.connect(stage.agent(0))
  let left: { room: Room; before: number } | null = null
  for (const room of ROOMS) {
    const before = await present(stage, room)
    const state = await stage.enter(conn, room)
    report.equal(
      '§2 agents_present counts the agents in the room, the one that entered included',
      [state.agents_present, await present(stage, room)],
      [before + 1, before + 1],
    )
    if (left !== null)
      report.equal(
        '§2 entering another room leaves the one before',
        await present(stage, left.room),
        left.before,
      )
    left = { room, before }
    checkPrompts(stage, state)
  }
  for (const alias of ['regular-debate', 'trade-deal', 'debate', 'trade', 'spicy-debate']) {
    await conn.act('enter_room', { room: alias })
    report.equal(
      '§0 A10 enter_room accepts hyphens and aliases, and room_state has the underscore form',
      (await conn.expect('room_state')).room,
      ALIASES[alias],
    )
  }
  await refused(
    stage,
    conn,
    '§10 ALREADY_IN_ROOM `Already in this room`',
    'enter_room',
    { room: 'spicy_debate' },
    'ALREADY_IN_ROOM',
    'Already in this room',
  )
  await refused(
    stage,
    conn,
    '§10 ALREADY_IN_ROOM `Already in this room`: by another form of its name',
    'enter_room',
    { room: 'spicy-debate' },
    'ALREADY_IN_ROOM',
    'Already in this room',
  )
  await refused(
    stage,
    conn,
    '§10 VALIDATION_FAILED `Unknown room`',
    'enter_room',
    { room: 'checkers' },
    'VALIDATION_FAILED',
    'Unknown room',
  )
  const before = await present(stage, 'spicy_debate')
  await conn.close()
  await sleep(200)
  report.equal(
    '§2 closing the socket leaves the room',
    await present(stage, 'spicy_debate'),
    before - 1,
  )
}

async function present(stage: Stage, room: Room): Promise<number> {
  const { body } = await call(stage.options.base, 'GET', '/api/v1/rooms')
  return body.rooms.find((r: Frame) => r.room === room).agents_present
}

function checkPrompts(stage: Stage, state: Frame): void {
  const { report } = stage
  const waiting = (state.tables as Frame[]).filter(
    t => t.status === 'waiting' && (t.seat_1 === null || t.seat_2 === null),
  )
  const titles = [...new Set(waiting.map(t => t.prompt_title as string))].sort()
  const name = `§2 ${state.room} keeps a waiting table of each prompt`
  if (state.room.endsWith('debate')) report.equal(`${name}: three topics`, titles.length, 3)
  else
    report.equal(
      name,
      titles,
      { chess: ['Blitz', 'Classical'], go: ['Go 9x9'], trade_deal: ['Bazaar'] }[
        state.room as string
      ],
    )
}

/** Sitting down, and what frees a seat. Two agents stay apart so that no match starts. */
async function tables(stage: Stage): Promise<void> {
  const { report } = stage
  const [one, two] = [await stage.connect(stage.agent(0)), await stage.connect(stage.agent(1))]
  const no = (name: string, fields: object, text: string): Promise<unknown> =>
    refused(
      stage,
      one,
      `§10 VALIDATION_FAILED \`${name}\``,
      'sit_table',
      fields,
      'VALIDATION_FAILED',
      text,
    )
  await no(
    'Enter the room first',
    { room: 'go', table_id: 'no-such-table' },
    'Enter the room first',
  )
  const state = await stage.enter(one, 'regular_debate')
  await no(
    'Enter the room first',
    { room: 'chess', table_id: state.tables[0]?.id },
    'Enter the room first',
  )
  await no(
    'Table not found',
    { room: 'regular_debate', table_id: 'no-such-table' },
    'Table not found',
  )
  const table = stage.freeTable(state, null)
  const other = state.tables.find((t: Frame) => t.id !== table.id && t.status === 'waiting')
  await one.act('sit_table', { room: 'debate', table_id: table.id })
  report.equal('§0 A10 sit_table accepts an alias', (await one.expect('seated')).table_id, table.id)
  await no('Already seated', { room: 'regular_debate', table_id: table.id }, 'Already seated')
  await no('Already seated', { room: 'regular_debate', table_id: other?.id }, 'Already seated')
  const seen = seatOf(await stage.enter(two, 'regular_debate'), table)
  report.equal('§2 a seat is {id,type,name,elo}', seen && { ...seen, elo: 0 }, {
    id: stage.agent(0).id,
    type: 'agent',
    name: stage.agent(0).name,
    elo: 0,
  })
  await stage.enter(one, 'go')
  await stage.enter(two, 'go')
  report.equal(
    '§2 entering another room frees the seat',
    seatOf(await stage.enter(two, 'regular_debate'), table),
    null,
  )
  const again = stage.freeTable(await stage.enter(one, 'regular_debate'), null)
  await stage.sit(one, 'regular_debate', again)
  const newer = await stage.connect(stage.agent(0))
  await one.closed
  await stage.enter(two, 'go')
  report.equal(
    '§2 closing the socket frees the seat: replaced by a newer connection',
    seatOf(await stage.enter(two, 'regular_debate'), again),
    null,
  )
  await stage.sit(
    newer,
    'regular_debate',
    stage.freeTable(await stage.enter(newer, 'regular_debate'), null),
  )
  await newer.close()
  await sleep(200)
  await stage.enter(two, 'go')
  const left = await stage.enter(two, 'regular_debate')
  report.ok(
    '§2 closing the socket frees the seat',
    left.tables.every(
      (t: Frame) => t.seat_1?.id !== stage.agent(0).id && t.seat_2?.id !== stage.agent(0).id,
    ),
    'no seat of that agent',
    left.tables,
  )
  await two.close()
  await seatTaken(stage)
}

/** A third agent finds both seats of a table taken; a match with it starts, and is left. */
async function seatTaken(stage: Stage): Promise<void> {
  const third = await stage.connect(stage.agent(2))
  await stage.enter(third, 'go')
  const [one, two] = [await stage.connect(stage.agent(3)), await stage.connect(stage.agent(1))]
  const match = await stage.pair('go', 'Go 9x9', await inRoom(stage, [one, two], 'go'))
  await refused(
    stage,
    third,
    '§10 VALIDATION_FAILED `Seat taken`',
    'sit_table',
    { room: 'go', table_id: match.tableId },
    'VALIDATION_FAILED',
    'Seat taken',
  )
  await refused(
    stage,
    one,
    '§10 VALIDATION_FAILED `Already seated`',
    'sit_table',
    { room: 'go', table_id: match.tableId },
    'VALIDATION_FAILED',
    'Already seated',
  )
  const state = await freshState(stage, third)
  const table = state.tables.find((t: Frame) => t.id === match.tableId)
  stage.report.equal(
    '§2 the table of a running match is in_match, seat_1 is participant_1',
    [table?.status, table?.seat_1?.id, table?.seat_2?.id],
    ['in_match', match.one.agent.id, match.two.agent.id],
  )
  stage.freeTable(state, 'Go 9x9')
  await match.leave(match.one)
  await match.end({ winner: match.two, reason: 'leave' })
  await stage.sit(match.one.conn, 'go', stage.freeTable(await freshState(stage, third), 'Go 9x9'))
  stage.report.ok('§4.4 after a match both can sit down again', true, '', '')
}

async function inRoom(
  stage: Stage,
  pair: readonly [Connection, Connection],
  room: Room,
): Promise<readonly [Connection, Connection]> {
  for (const conn of pair) await stage.enter(conn, room)
  return pair
}

async function freshState(stage: Stage, conn: Connection): Promise<Frame> {
  await stage.enter(conn, 'chess')
  return stage.enter(conn, 'go')
}

function seatOf(state: Frame, table: Frame): Frame | null | undefined {
  const found = state.tables.find((t: Frame) => t.id === table.id)
  return found === undefined ? null : found.seat_1
}
