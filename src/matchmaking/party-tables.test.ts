import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { versionName } from '../arena/account.ts'
import { guests } from '../arena/guests.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { hubProtocol } from '../arena/player.ts'
import { tableSetupOf } from '../arena/table-setup.ts'
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

const orderOf = (order: Partial<PartyOrder> = {}): PartyOrder => ({
  ...{ game, name: 'Reef', seats: 4, speed: 'normal', protocol: 'test' },
  ...order,
})

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
    const table = parties.create(orderOf(order))
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
    expect(parties.create(orderOf({ seats }))).toEqual({
      code: 'bad-table',
      detail: `seats: round has 2 to 6; got ${seats}`,
    })
  })

  it('has a name of one line, without words that the operator does not allow, as has a guest', () => {
    const { parties, create, player } = setUp({
      parties: { blocks: text => text.includes('walrus') },
    })
    const table = create({ name: ` A\nreef\u0007 ${'so long '.repeat(20)}` })
    expect(table.name).toMatch(/^A reef so long/)
    expect(table.name).toHaveLength(60)
    expect(parties.create(orderOf({ name: 'a walrus' }))).toMatchObject({
      code: 'bad-table',
      detail: expect.stringMatching(/^name: blocked/),
    })
    expect(parties.sit(player(0), table.code, { guestName: 'walrus' })).toMatchObject({
      code: 'content-blocked',
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
      detail: `too few players: round needs 2, and 1 sits at the table ${table.code}`,
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

  it('waits for guests to be ready, and for players whose account is being looked up', async () => {
    const { matchStore, parties, player, create, sit } = setUp()
    const table = create({ seats: 2 })
    const [one, guest] = [player(1), player(0)]
    const { hold } = matchStore
    matchStore.hold = async accounts => void hold.call(matchStore, accounts)
    sit(one, table)
    parties.ready(one)
    sit(guest, table, { guestName: 'Coral' })
    await settled()
    FakeClock.finishTick()
    await settled()
    expect([names(table), table.status]).toEqual([['Agent-1', 'Coral'], 'waiting'])
    parties.ready(guest)
    await settled()
    expect(table.status).toBe('playing')
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
    expect([parties.table(empty.code), parties.table(empty.id)]).toEqual([undefined, undefined])
    expect(kinds().filter(kind => kind === 'removed')).toHaveLength(2)
  })

  it('vanishes with its house players where no player has come', async () => {
    const { clock, parties, create } = setUp()
    const table = create()
    clock.pass(600_000)
    await parties.addHouse(table.code, 'level-1')
    clock.pass(300_000)
    expect(parties.tables()).toEqual([])
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
    // Their sessions are not kept.
    expect(table.sitters[0]!.player).not.toBe(players[0])
    expect(kinds().slice(-2)).toEqual(['started', 'finished'])
    clock.pass(299_000)
    expect(parties.tables()).toEqual([table])
    clock.pass(1_000)
    expect(parties.tables()).toEqual([])
  })
})

it('of tables whose match is over the newest 100 are kept', async () => {
  const { parties, player, create, sit, start, events } = setUp()
  const tables: PartyTable[] = []
  for (let i = 0; i < 101; i++) {
    const table = create()
    const players = [player(0), player(0)]
    for (const one of players) sit(one, table, { guestName: 'Coral' })
    await start(table)
    for (const one of players) one.handle.move('go')
    await settled()
    tables.push(table)
  }
  expect(parties.tables()).toEqual(tables.slice(1))
  expect(events.at(-1)).toMatchObject({ kind: 'removed', table: tables[0] })
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

describe('a match of such a table', () => {
  it('is rated among the players with an account, and shows what a guest calls itself', async () => {
    const { arena, player, create, sit, start, matchStore } = setUp()
    const table = create()
    const [one, two, guest] = [player(1), player(2), player(0)]
    expect(sit(guest, table, { guestName: 'Coral' })).toEqual({ slot: 0 })
    sit(one, table)
    sit(two, table)
    expect(names(table)).toEqual(['Coral', 'Agent-1', 'Agent-2', null])
    const match = (await start(table)) as number
    const { setup, players } = arena.tables.get(match)!.deal
    expect(tableSetupOf(setup)?.guests).toEqual(['Coral', null, null])
    expect(players[0]!.account).toEqual(guests[0])
    expect(guest.seated).toMatchObject({ seat: 0, unrated: null })
    for (const player of [guest, one, two]) player.handle.move('go')
    await settled()
    expect(matchStore.standing(2, agentsLadder('round')).rating).toBeGreaterThan(1500)
  })

  it('gives each guest the account of its seat, whatever slot it had', async () => {
    const { player, create, sit, start } = setUp()
    const table = create({ seats: 6 })
    const [one, two] = [player(0), player(0)]
    sit(one, table, { slot: 2, guestName: 'One' })
    sit(two, table, { slot: 5, guestName: 'Two' })
    await start(table)
    expect(one.seated?.accounts.map(({ id, name }) => [id, name])).toEqual([
      [guests[0]!.id, 'One (guest)'],
      [guests[1]!.id, 'Two (guest)'],
    ])
    expect(two.seated).toMatchObject({
      seat: 1,
      unrated: 'fewer than two players with an account',
    })
  })

  it('is practice where a house player sits', async () => {
    const { parties, player, create, sit, start } = setUp()
    const table = create()
    const one = player(1)
    sit(one, table)
    expect(await parties.addHouse(table.code, 'level-9')).toEqual({
      code: 'no-such-level',
      detail: 'no house player "level-9" plays round; there are level-1',
    })
    expect(await parties.addHouse(table.code, 'level-1', 4)).toMatchObject({ code: 'seat-taken' })
    expect(await parties.addHouse(table.code, 'level-1', 2)).toEqual([1, 2])
    expect(parties.removeHouse(table.code, 1)).toBe(true)
    expect(parties.removeHouse(table.code, 0)).toBe(false)
    await start(table)
    expect(one.seated).toMatchObject({ unrated: 'practice against the house' })
    expect(names(table)).toEqual(['Agent-1', null, 'house-level-1', null])
  })

  it('does not begin with house players for one that practises as much as it may', async () => {
    const { arena, parties, player, create, sit, start } = setUp({ practicePerAccount: 1 })
    const one = player(1).seek({ game, practice: 'level-1' })
    expect(one.seated?.unrated).toBe('practice against the house')
    const table = create()
    sit(player(1), table)
    await parties.addHouse(table.code, 'level-1')
    expect(await start(table)).toMatchObject({
      code: 'too-many-matches',
      detail: expect.stringMatching(/^Agent-1: this account plays 1 practice matches/),
    })
    expect(arena.tables.size).toBe(1)
  })

  it('is unrated among agents of one owner', async () => {
    const { matchStore, player, create, sit, start } = setUp()
    matchStore.owners.set(1, 7).set(2, 7)
    const table = create()
    const players = [player(1), player(2), player(3)]
    for (const one of players) sit(one, table)
    await start(table)
    expect(players[2]!.seated?.unrated).toBe('agents of one owner')
  })

  it('frees all seats if it cannot begin, and all are told', async () => {
    const { matchStore, parties, player, create, sit, start, failures } = setUp()
    const table = create()
    const [one, guest] = [player(1), player(0)]
    sit(one, table)
    sit(guest, table, { guestName: 'Coral' })
    matchStore.reserve = () => {
      throw new Error('the disk is full')
    }
    expect(await start(table)).toMatchObject({ code: 'internal' })
    await settled()
    expect([one.kinds, guest.kinds]).toEqual([['dismissed'], ['dismissed']])
    expect(names(table)).toEqual([null, null, null, null])
    expect(parties.tableOf(one)).toBeUndefined()
    expect(table).toMatchObject({ status: 'waiting', match: null })
    expect(failures).not.toEqual([])
    expect(sit(one, table)).toEqual({ slot: 0 })
  })

  it('goes on when the connection of one is lost, by its terms', async () => {
    const { parties, player, create, sit, start } = setUp()
    const table = create()
    const players = [player(1), player(0)]
    sit(players[0]!, table)
    sit(players[1]!, table, { guestName: 'Coral' })
    await start(table)
    parties.leave(players[1]!)
    await settled()
    expect(players[0]!.ended?.outcome.ending).toBe('gone')
    expect(table.status).toBe('finished')
  })
})

describe('a seat at such a table', () => {
  it('is not for a paused account, and is free again when one is paused', () => {
    const { matchStore, arena, player, create, sit } = setUp()
    const table = create()
    matchStore.pauses.set(1, { by: 'operator', reason: 'lost ten times' })
    const [paused, later] = [player(1), player(2)]
    expect(sit(paused, table)).toEqual({ slot: 0 })
    expect(paused.messages).toMatchObject([{ kind: 'dismissed', code: 'paused' }])
    sit(later, table)
    matchStore.pauses.set(2, { by: 'operator', reason: 'lost ten times' })
    arena.review()
    expect(later.kinds).toEqual(['dismissed'])
    expect(names(table)).toEqual([null, null, null, null])
  })

  it('counts as a seat of the account', () => {
    const { player, create, sit } = setUp({ seatsPerAccount: 2 })
    for (let i = 0; i < 2; i++) sit(player(1), create())
    const third = player(1)
    sit(third, create())
    expect(third.messages).toMatchObject([{ kind: 'dismissed', code: 'too-many-matches' }])
  })

  it('is kept for a player whose account is being looked up', async () => {
    const { matchStore, parties, player, create, sit } = setUp()
    const table = create({ seats: 2 })
    const { hold } = matchStore
    matchStore.hold = async accounts => void hold.call(matchStore, accounts)
    const one = player(1)
    expect(sit(one, table)).toEqual({ slot: 0 })
    expect(names(table)).toEqual([null, null])
    expect(sit(player(1), table)).toMatchObject({ code: 'already-seated' })
    expect(sit(player(2), table)).toEqual({ slot: 1 })
    expect(sit(player(3), table)).toMatchObject({ code: 'seat-taken' })
    parties.leave(one)
    await settled()
    FakeClock.finishTick()
    expect(names(table)).toEqual([null, 'Agent-2'])
    expect(sit(player(3), table)).toEqual({ slot: 0 })
  })

  it('of a guest that has left is told to nobody', () => {
    const { parties, player, create } = setUp()
    const table = create()
    const told: string[] = []
    const guest = { ...player(0), tell: ({ kind }: { kind: string }) => void told.push(kind) }
    parties.sit(guest, table.code, { guestName: 'Coral' })
    parties.leave(guest)
    FakeClock.finishTick()
    expect(told).toEqual([])
    parties.sit(guest, table.code, { guestName: 'Coral' })
    FakeClock.finishTick()
    expect(told).toEqual(['queued'])
  })

  it('of one that does not wait without end is free when its wait times out', () => {
    const { clock, player, create } = setUp()
    const table = create()
    const agent = player(1).seek({ game, table: table.code })
    clock.pass(120_000)
    expect(agent.kinds).toEqual(['unmatched'])
    expect(names(table)).toEqual([null, null, null, null])
  })

  it('ends with the host, which sets up no more tables', async () => {
    const { arena, parties, player, create, sit, start } = setUp()
    const table = create()
    const [one, guest] = [player(1), player(0)]
    sit(one, table)
    sit(guest, table, { guestName: 'Coral' })
    void arena.close(0)
    expect([one.kinds, guest.kinds]).toEqual([['closing'], ['closing']])
    expect(await start(table)).toMatchObject({ code: 'shutting-down' })
    expect(parties.sit(player(2), table.code)).toMatchObject({ code: 'shutting-down' })
    expect(parties.create(orderOf())).toMatchObject({ code: 'shutting-down' })
  })

  it('no account sets up more than three tables that wait', () => {
    const { parties, create } = setUp()
    for (let i = 0; i < 3; i++) create({ by: 1 })
    create({ by: 2 })
    expect(parties.create(orderOf({ by: 1 }))).toMatchObject({
      code: 'too-many-tables',
    })
  })
})
