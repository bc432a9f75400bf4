import { describe, expect, it } from 'vitest'
import { agentGames } from '../../../test/support/driven.ts'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../../test/support/memory-match-store.ts'
import { TestArena } from '../../../test/support/test-arena.ts'
import { TestConnection } from '../../../test/support/test-connection.ts'
import { TestPlayer } from '../../../test/support/test-player.ts'
import type { Opening } from './join.ts'
import { readJoin, readOpening } from './join.ts'
import type { JoinWords } from './messages.ts'

const setUp = () => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const arena = new TestArena({ clock, matchStore, house: () => undefined, queueWait: 120_000 })
  const protocol = agentGames(arena, arena.matchmaking, clock, 15_000)
  const dial = (id: number, opening: Opening) => {
    const line = new TestConnection()
    const session = protocol.open(line, { id, name: `agent-${id}`, kind: 'player' }, opening)
    return { line, session }
  }
  return { clock, arena, dial, table: arena.rooms.tables('chess')[1]! }
}

const command = (text: string): Opening => ({ kind: 'command', text })
const query = (text: string): Opening => ({ kind: 'query', params: new URLSearchParams(text) })

describe('a join with a table', () => {
  it('is read alike from a message, a command and a query', () => {
    const words = { game: 'chess', table: 't-abcdefgh' }
    expect(readOpening(command('chess --table t-abcdefgh'))).toEqual(words)
    expect(readOpening(query('game=chess&table=t-abcdefgh'))).toEqual(words)
    expect(readJoin({ type: 'join', ...words })).toMatchObject({
      ...{ table: 't-abcdefgh', matches: 1 },
      ...{ game: { id: 'chess' }, ladder: { id: 'chess' } },
    })
  })

  it.each<readonly [JoinWords, string]>([
    [{ table: 7 }, 'table: the id or the code of a table, such as "t-kmwqzabc" or "REEF42", got 7'],
    [
      { table: '' },
      'table: the id or the code of a table, such as "t-kmwqzabc" or "REEF42", got ""',
    ],
    [{ practice: 'level-2' }, 'table and practice exclude each other, got practice "level-2"'],
    [{ opponent: 'bob' }, 'table and opponent exclude each other, got opponent "bob"'],
    [{ speed: 'fast' }, 'table and speed exclude each other, got speed "fast"'],
    [{ ladder: 'open' }, 'table and ladder exclude each other, got ladder "open"'],
    [{ openings: true }, 'table and openings exclude each other, got openings true'],
    [{ matches: 3 }, 'table and matches exclude each other: one is played there, got 3'],
  ])('is refused with %j', (words, detail) => {
    expect(readJoin({ game: 'chess', table: 't-abcdefgh', ...words })).toEqual({
      code: 'bad-join',
      detail,
    })
  })

  it('is refused with an event', () => {
    expect(readJoin({ event: 'spring-cup', table: 't-abcdefgh' })).toEqual({
      code: 'bad-join',
      detail: 'event and table exclude each other: the event says it',
    })
  })

  it('takes options that say no, as clients send them', () => {
    const words = { game: 'chess', table: 't-abcdefgh', practice: false, openings: false }
    expect(readJoin({ ...words, matches: 1 })).toMatchObject({ table: 't-abcdefgh' })
  })

  it('meets the player that sits there, and has its own time for a move', () => {
    const { clock, arena, dial, table } = setUp()
    const other = new TestPlayer(arena, 2, { terms: table.prompt.terms })
    arena.rooms.sit(other, table.id)
    const { line } = dial(1, command(`chess --table ${table.id}`))
    expect(line.messages).toEqual([{ type: 'queued', game: 'chess' }])
    clock.pass(3_000)
    expect(line.messages[1]).toMatchObject({
      ...{ type: 'hello', game: 'chess', opponent: 'Agent-2', moveTimeout: 15, rated: true },
      timeouts: expect.arrayContaining([
        { first: 120, move: 15 },
        { first: 15, move: 15 },
      ]),
    })
  })

  it('leaves the seat with its connection', () => {
    const { dial, table } = setUp()
    const { line, session } = dial(1, query(`game=chess&table=${table.id}`))
    expect(line.last).toEqual({ type: 'queued', game: 'chess' })
    expect(table.seats[0]?.player.account.name).toBe('agent-1')
    session.closed()
    expect(table.seats).toEqual([null, null])
  })

  it.each([
    ['chess --table t-nowhere', 'no-such-table', 'there is no table "t-nowhere"'],
    ['go9 --table TABLE', 'no-such-table', 'TABLE is a table for chess, not for go9'],
    ['chess --table TABLE', 'seat-taken', 'both seats of the table TABLE are taken'],
  ])('is refused where it cannot sit down: %s', (text, code, detail) => {
    const { arena, dial, table } = setUp()
    for (const id of [2, 3]) arena.rooms.sit(new TestPlayer(arena, id), table.id)
    FakeClock.finishTick()
    const { line } = dial(1, command(text.replace('TABLE', table.id)))
    expect(line.last).toEqual({ type: 'error', error: detail.replace('TABLE', table.id), code })
    expect(line.ended).toBe(false)
  })
})
