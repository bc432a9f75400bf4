import { expect, it } from 'vitest'
import { PlayHouse } from '../../../test/support/play-house.ts'
import { gameOf } from '../../games/index.ts'
import type { PlayProtocol } from './call-text.ts'
import { operations, type Verb } from './operations.ts'

const house = () => {
  const made = new PlayHouse()
  const call = (name: string | null, protocol: PlayProtocol, verb: Verb, body: unknown) =>
    made.play.call(
      {
        account: name === null ? null : made.account(name),
        protocol,
        source: undefined,
        signal: new AbortController().signal,
        keep: () => () => {},
      },
      verb,
      body,
    )
  return { made, call }
}

it('a seat that one protocol has joined goes on by another, which names its own calls', async () => {
  const { made, call } = house()
  const joining = call('ada', 'mcp', 'join', { game: 'ttt', ladder: 'blind' })
  await made.pass(0)
  const other = call('bert', 'http', 'join', { game: 'ttt', ladder: 'blind' })
  await made.pass(0)
  await made.pass(0)
  const [{ body: ada }, { body: bert }] = await Promise.all([joining, other])
  const words = [ada, bert].map(({ next }) => next).sort()
  expect(words).toEqual([
    expect.stringMatching(/^POST \/api\/v1\/play\/(wait|move) with seat/),
    expect.stringMatching(/^(wait|move) with seat/),
  ])
  const [first, protocol] = ada.you === 0 ? [ada, 'mcp' as const] : [bert, 'http' as const]
  const name = first === ada ? 'ada' : 'bert'
  const swapped = protocol === 'mcp' ? 'http' : 'mcp'
  const { body } = await call(name, swapped, 'move', { seat: first.seat, ply: 1, move: '9' })
  expect(body).toMatchObject({
    code: 'illegal-move',
    next: expect.stringMatching(swapped === 'mcp' ? /^move with/ : /^POST \/api\/v1\/play\/move/),
  })
  const protocols = made.arena.tables.get(1)!.deal.players.map(({ protocol }) => protocol)
  expect(protocols.toSorted()).toEqual(['http', 'mcp'])
})

it('a call without an account, or one that cannot be read, is refused with what can be done', async () => {
  const { call } = house()
  expect((await call(null, 'mcp', 'join', { game: 'ttt' })).body).toMatchObject({
    ...{ status: 'refused', code: 'bad-token' },
    next: expect.stringContaining('/api/v1/accounts'),
  })
  expect((await call('ada', 'mcp', 'wait', {})).body).toMatchObject({
    ...{ code: 'unreadable', error: 'seat is missing; expected: a seat, as join has answered it' },
    next: 'the same call with its arguments put right',
  })
})

it('a seat at a table has the time of a thinking match, on the standard ladder, and lobby tells of the table', async () => {
  const { made, call } = house()
  const { rooms } = made.arena
  const [, table] = rooms.tables('chess')
  const joining = call('ada', 'mcp', 'join', { game: 'chess', table: table!.id })
  await made.pass(0)
  const { body: lobby } = await call('bert', 'http', 'lobby', { game: 'chess' })
  expect(operations.lobby.answer.safeParse(lobby).error?.issues ?? []).toEqual([])
  expect(lobby.tables).toEqual([
    { id: rooms.tables('chess')[0]!.id, room: 'chess', title: 'Classical', seated: [] },
    { id: table!.id, room: 'chess', title: 'Blitz', seated: ['ada'] },
  ])
  expect((lobby.games as { ladders: unknown[] }[])[0]!.ladders[0]).toMatchObject({ waiting: 0 })
  const other = call('bert', 'http', 'join', { game: 'chess', table: table!.id })
  await made.pass(0)
  await made.pass(3_000)
  for (const { body } of await Promise.all([joining, other]))
    expect(body).toMatchObject({
      ...{ game: 'chess', ladder: 'chess', rated: true },
      clock: { move_s: 20, bank_s: 600 },
    })
})

it('a seat at a table that players have set up is asked for by its code, which lobby lists', async () => {
  const { made, call } = house()
  const table = made.arena.parties.create({
    ...{
      game: gameOf('dance-battle')!,
      name: 'Reef',
      seats: 4,
      speed: 'instant',
      protocol: 'test',
    },
  })
  if ('detail' in table) throw new Error(table.detail)
  const join = (name: string, protocol: PlayProtocol) =>
    call(name, protocol, 'join', { game: 'dance-battle', table: table.code.toLowerCase() })
  const joining = [join('ada', 'mcp')]
  await made.pass(0)
  const { body: lobby } = await call('bert', 'http', 'lobby', { game: 'dance-battle' })
  expect(operations.lobby.answer.safeParse(lobby).error?.issues ?? []).toEqual([])
  expect(lobby.tables).toEqual([
    { id: table.code, room: null, title: 'Reef', free: 3, seated: ['ada'] },
  ])
  for (const [name, protocol] of [
    ['bert', 'http'],
    ['cleo', 'http'],
    ['dirk', 'mcp'],
  ] as const) {
    joining.push(join(name, protocol))
    await made.pass(0)
  }
  for (const { body } of await Promise.all(joining))
    expect(body).toMatchObject({ game: 'dance-battle', match: 1, rated: true })
  expect((await join('emil', 'http')).body).toMatchObject({ code: 'table-state' })
})

it.each([
  [{ practice: true }, 'table and practice exclude each other'],
  [{ opponent: 'bert' }, 'table and opponent exclude each other'],
  [{ openings: true }, 'table and openings exclude each other'],
  [{ event: 'spring-cup' }, 'table and event exclude each other'],
  [{ speed: 'fast' }, 'table and speed exclude each other: leave speed out'],
  [{ ladder: 'blind' }, 'table and ladder exclude each other: leave ladder out'],
])('a join with a table is refused with %j', async (others, error) => {
  const { call } = house()
  const { body } = await call('ada', 'http', 'join', { game: 'chess', table: 't-1', ...others })
  expect(body).toMatchObject({ code: 'unreadable', error })
})

it('a table that is not there is refused in the words of the host', async () => {
  const { made, call } = house()
  const joining = call('ada', 'http', 'join', { game: 'chess', table: 't-nowhere' })
  await made.pass(0)
  expect((await joining).body).toMatchObject({
    ...{ status: 'refused', code: 'no-such-table', error: 'there is no table "t-nowhere"' },
    next: 'POST /api/v1/play/lobby with game lists the tables with a free seat',
  })
})
