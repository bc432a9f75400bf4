import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { versionName } from '../arena/account.ts'
import { hubProtocol } from '../arena/player.ts'
import { chess } from '../games/chess.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
import type { PartyEvent, PartyOrder, PartyTable } from './party-tables.ts'

/** Every seat moves once, in turn; the last seat wins. */
const round: Game<{ readonly seats: number; readonly made: number }> = {
  id: 'round',
  title: 'Round',
  summary: 'Say go.',
  seats: { min: 2, max: 6 },
  facts: { turns: 'alternate', luck: false, secrets: false },
  start: (_, seats) => ({ seats, made: 0 }),
  status: ({ seats, made }) =>
    made < seats
      ? { toMove: [made] }
      : {
          places: Array.from({ length: seats }, (_, seat) => (seat === seats - 1 ? 1 : 2)),
          because: 'the last word',
        },
  moves: () => ['go'],
  play: ({ seats, made }) => ({ seats, made: made + 1 }),
  view: state => ({ ...state }),
  look: () => ({}),
}
const game = round as Game

const setUp = (options: Partial<TestArenaOptions> = {}) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const failures: unknown[] = []
  const house = (_: Game, level: string) =>
    level === 'level-1'
      ? () => ({
          account: { id: 900, name: `house-${level}`, kind: 'house' as const },
          terms: strictTerms,
          tell: () => {},
        })
      : undefined
  const arena = new TestArena({
    ...{ clock, matchStore, house, queueWait: 120_000 },
    failed: error => failures.push(error),
    parties: { roll: n => dice.roll(n), levels: () => ['level-1'] },
    ...options,
  })
  const { parties } = arena
  const events: PartyEvent[] = []
  parties.watch(event => events.push(event))
  const player = (id: number, how: ConstructorParameters<typeof TestPlayer>[2] = {}) =>
    new TestPlayer(arena, id, how)
  const create = (order: Partial<PartyOrder> = {}): PartyTable => {
    const table = parties.create({
      ...{ game, name: 'Reef', seats: 4, speed: 'normal', protocol: 'test' },
      ...order,
    })
    if ('detail' in table) throw new Error(table.detail)
    return table
  }
  const sit = (player: TestPlayer, table: PartyTable, how?: Parameters<typeof parties.sit>[2]) => {
    const answer = parties.sit(player, table.code, how)
    FakeClock.finishTick()
    return answer
  }
  const start = async (table: PartyTable) => {
    const answer = parties.start(table.code)
    FakeClock.finishTick()
    return answer
  }
  const kinds = () => events.map(({ kind }) => kind)
  return { clock, matchStore, arena, parties, events, kinds, failures, player, create, sit, start }
}

const names = ({ sitters }: PartyTable) => sitters.map(sitter => sitter?.name ?? null)
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

describe('a table that players have set up', () => {
  it('has a code of six letters and digits, and is found by it in any case, or by its id', () => {
    const { parties, create } = setUp()
    const table = create()
    expect(table.code).toMatch(/^[A-HJ-NP-Z2-9]{6}$/)
    expect(parties.table(table.code.toLowerCase())).toBe(table)
    expect(parties.table(table.id)).toBe(table)
    expect(table).toMatchObject({ name: 'Reef', seats: 4, status: 'waiting', match: null })
  })

  it.each([1, 7, 2.5])('cannot have %d seats in a game for 2 to 6', seats => {
    const { parties } = setUp()
    expect(parties.create({ game, name: '', seats, speed: 'normal', protocol: 'test' })).toEqual({
      code: 'bad-table',
      detail: `seats: round has 2 to 6; got ${seats}`,
    })
  })

  it('seats players in the first free slot, or in the one that they ask for', () => {
    const { player, create, sit, kinds } = setUp()
    const table = create()
    expect(sit(player(1), table, { slot: 2 })).toEqual({ slot: 2 })
    expect(sit(player(2), table)).toEqual({ slot: 0 })
    expect(sit(player(3), table, { slot: 2 })).toEqual({
      code: 'seat-taken',
      detail: `seat 2 of the table ${table.code} is not free; free are 1, 3`,
    })
    expect(sit(player(3), table)).toEqual({ slot: 1 })
    expect(names(table)).toEqual(['Agent-2', 'Agent-3', 'Agent-1', null])
    expect(kinds()).toEqual(['created', 'seated', 'seated', 'seated'])
  })

  it('starts with those that sit there, in the order of their slots, and leaves empty slots out', async () => {
    const { player, create, sit, start, arena, kinds } = setUp()
    const table = create()
    const [one, two, three] = [player(1), player(2), player(3)]
    sit(one, table, { slot: 3 })
    sit(two, table, { slot: 0 })
    sit(three, table, { slot: 1 })
    const match = await start(table)
    expect(table).toMatchObject({ status: 'playing', match })
    expect(two.seated?.accounts.map(({ id }) => id)).toEqual([2, 3, 1])
    expect(table.sitters.map(sitter => sitter?.seat ?? null)).toEqual([0, 1, null, 2])
    expect(one.seated).toMatchObject({ seat: 2, unrated: null, ladder: { id: 'round' } })
    expect(arena.tables.get(match as number)!.deal.setup).toMatchObject({
      table: { id: table.id, code: table.code, name: 'Reef', speed: 'normal' },
    })
    expect(kinds().slice(-1)).toEqual(['started'])
  })

  it('does not start with one player, twice, or by a code that is none', async () => {
    const { parties, player, create, sit, start } = setUp()
    const table = create()
    sit(player(1), table)
    expect(await start(table)).toEqual({
      code: 'table-state',
      detail: `round needs 2 players, and 1 sits at the table ${table.code}`,
    })
    sit(player(2), table)
    const first = start(table)
    expect(await start(table)).toMatchObject({ code: 'table-state' })
    expect(await first).toBeTypeOf('number')
    expect(sit(player(3), table)).toEqual({
      code: 'table-state',
      detail: `the match of the table ${table.code} has begun`,
    })
    expect(await parties.start('AAAAAA')).toMatchObject({ code: 'no-such-table' })
  })

  it('starts by itself when all slots are taken and all are ready', async () => {
    const { parties, player, create, sit } = setUp()
    const table = create({ seats: 2 })
    const [one, two] = [player(1), player(2)]
    sit(one, table)
    sit(two, table, { ready: true })
    await settled()
    expect(table.status).toBe('waiting')
    parties.ready(one)
    await settled()
    expect(table.status).toBe('playing')
    expect(one.seated?.seat).toBe(0)
  })

  it('starts by itself as it was asked to, or never', async () => {
    const { player, create, sit } = setUp()
    const early = create({ autoStart: ({ sitters }) => sitters.filter(Boolean).length === 2 })
    const never = create({ seats: 2, autoStart: () => false })
    for (const id of [1, 2]) {
      sit(player(id), early)
      sit(player(id), never, { ready: true })
    }
    await settled()
    expect([early.status, never.status]).toEqual(['playing', 'waiting'])
  })

  it('has a free slot again when one leaves', () => {
    const { parties, player, create, sit, events } = setUp()
    const table = create()
    const one = player(1)
    sit(one, table)
    expect(parties.tableOf(one)).toBe(table)
    parties.leave(one)
    expect(parties.tableOf(one)).toBeUndefined()
    expect(names(table)).toEqual([null, null, null, null])
    expect(events.at(-1)).toMatchObject({ kind: 'freed', slot: 0, sitter: { name: 'Agent-1' } })
    expect(sit(one, table)).toEqual({ slot: 0 })
  })

  it('vanishes 15 minutes after the last player has left, house players or not', async () => {
    const { clock, parties, player, create, sit, kinds } = setUp()
    const [empty, left, kept] = [create(), create(), create()]
    const one = player(1)
    sit(one, left)
    sit(player(2), kept)
    await parties.addHouse(left.code, 'level-1')
    clock.pass(800_000)
    parties.leave(one)
    clock.pass(100_000)
    expect(parties.tables()).toEqual([left, kept])
    clock.pass(800_000)
    expect(parties.tables()).toEqual([kept])
    expect(parties.table(empty.code)).toBeUndefined()
    expect(kinds().filter(kind => kind === 'removed')).toHaveLength(2)
  })

  it('is listed for 5 minutes after its match', async () => {
    const { clock, parties, player, create, sit, start, kinds } = setUp()
    const table = create()
    const players = [player(1), player(2)]
    for (const one of players) sit(one, table)
    await start(table)
    for (const one of players) one.handle.move('go')
    await settled()
    expect(table.status).toBe('finished')
    expect(names(table)).toEqual(['Agent-1', 'Agent-2', null, null])
    expect(kinds().slice(-2)).toEqual(['started', 'finished'])
    clock.pass(299_000)
    expect(parties.tables()).toEqual([table])
    clock.pass(1_000)
    expect(parties.tables()).toEqual([])
  })
})

describe('those at a table that players have set up', () => {
  it('come from other protocols by its code, as they ask for a match', async () => {
    const { arena, player, create, sit, kinds } = setUp()
    const table = create({ seats: 3 })
    const [one, two, three] = [player(1), player(2), player(3, { protocol: hubProtocol })]
    sit(one, table, { ready: true })
    two.seek({ game, table: table.code.toLowerCase() })
    three.seek({ game, table: table.code, ladder: 'none' })
    await settled()
    expect(kinds()).toEqual(['created', 'seated', 'seated', 'seated', 'started'])
    expect(two.seated).toMatchObject({ seat: 1, unrated: 'a casual match' })
    expect(arena.waiting).toEqual([])
  })

  it('are refused at a table of another game, twice at one table, and where there is none', () => {
    const { player, create, sit } = setUp()
    const table = create()
    const refused = (player: TestPlayer) => player.messages[0]
    expect(refused(player(1).seek({ game: chess, table: table.code }))).toEqual({
      kind: 'dismissed',
      code: 'no-such-table',
      detail: `${table.code} is a table for round, not for chess`,
    })
    expect(refused(player(1).seek({ game, table: 'REEF42' }))).toMatchObject({
      code: 'no-such-table',
    })
    const one = player(1)
    expect(sit(one, table)).toEqual({ slot: 0 })
    expect(sit(player(1), table)).toEqual({
      code: 'already-seated',
      detail: `this account sits at the table ${table.code} already`,
    })
    const version = {
      id: 11,
      name: versionName('Agent-1', 'v2'),
      kind: 'player',
      parent: 1,
    } as const
    expect(
      refused(player(11, { account: version }).seek({ game, table: table.code })),
    ).toMatchObject({ code: 'already-seated' })
  })

  it('are no more than it has slots', () => {
    const { player, create, sit } = setUp()
    const table = create({ seats: 2 })
    for (const id of [1, 2]) sit(player(id), table)
    expect(sit(player(3), table)).toEqual({
      code: 'seat-taken',
      detail: `all seats of the table ${table.code} are taken`,
    })
  })
})
