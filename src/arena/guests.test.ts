import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { sums } from '../../test/support/referee-play.ts'
import { type Game, moved } from '../games/game.ts'
import type { Account } from './account.ts'
import { Arena, type MatchOrder } from './arena.ts'
import type { ArenaEvent } from './arena-event.ts'
import { guests } from './guests.ts'
import type { News, Player, SeatHandle } from './player.ts'
import { shownAccounts, tableSetupOf } from './table-setup.ts'
import type { Terms } from './terms.ts'

const terms: Terms = {
  ...{ move: 15_000, illegal: 'retry', late: 'forfeit' },
  away: { stages: [{ time: 60_000, play: 'stands', told: true }], times: 3 },
}
const table = {
  ...{ id: 'table', code: 'REEF42', name: 'Reef', speed: 'normal' },
  guests: ['Nemo', null, null, 'Dory'],
}

class Sitter implements Player {
  readonly account: Account
  readonly terms = terms
  readonly news: News[] = []
  handle!: SeatHandle

  constructor(account: Account) {
    this.account = account
  }

  tell(news: News): void {
    this.news.push(news)
    if (news.kind === 'seated') this.handle = news.handle
  }

  /** The kinds of the news since the last call. */
  heard(): readonly string[] {
    FakeClock.finishTick()
    return this.news.splice(0).map(({ kind }) => kind)
  }
}

const agent = (id: number) => new Sitter({ id, name: `agent-${id}`, kind: 'player' })
const guest = (seat: number) => new Sitter(guests[seat]!)

const setUp = () => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const arena = new Arena({ clock, matchStore, failed: error => expect(error).toBeNull() })
  const open = async (players: readonly Player[], more: Partial<MatchOrder> = {}) => {
    const setup = { table }
    const game = sums as Game
    const match = await arena.open({ game, players, unrated: null, setup, ...more })
    if (typeof match !== 'number') throw new Error(match.detail)
    return match
  }
  return { clock, arena, open }
}

describe('guests', () => {
  it('are shown by the names they give, to players, in records and at the table', async () => {
    const { arena, open } = setUp()
    const players = [guest(0), agent(1), agent(2), guest(3)]
    const match = await open(players)
    const names = ['Nemo (guest)', 'agent-1', 'agent-2', 'Dory (guest)']
    const [seated] = players[1]!.news
    expect(seated).toMatchObject({ kind: 'seated', accounts: names.map(name => ({ name })) })
    expect(arena.tables.get(match)!.accounts.map(({ name }) => name)).toEqual(names)
    expect(arena.seatIn(match, -1)!.accounts.map(({ name }) => name)).toEqual(names)
    expect(arena.tables.get(match)!.deal.unrated).toBeNull()
  })

  it.each([
    ['one agent', [agent(1), guest(1), guest(2), guest(3)]],
    ['none', [guest(0), guest(1), guest(2), guest(3)]],
  ])('play an unrated match where there is %s besides', async (_, players) => {
    const { arena, open } = setUp()
    const match = await open(players)
    const unrated = 'fewer than two players with an account'
    expect(arena.tables.get(match)!.deal.unrated).toBe(unrated)
    expect(players[0]!.news[0]).toMatchObject({ kind: 'seated', unrated })
  })

  it('keep a reason that a match has already', async () => {
    const { arena, open } = setUp()
    const match = await open([agent(1), guest(1), guest(2), guest(3)], {
      unrated: 'practice against the house',
    })
    expect(arena.tables.get(match)!.deal.unrated).toBe('practice against the house')
  })

  it('of one account hold seats of different matches, and each loses its own', async () => {
    const { arena, open } = setUp()
    const [one, other] = [guest(0), guest(0)]
    const first = await open([one, agent(1), agent(2), guest(3)])
    const second = await open([other, agent(3), agent(4), guest(3)])
    expect(arena.seatsOf(-1).map(({ match }) => match)).toEqual([first, second])
    expect([first, second].map(match => arena.seatIn(match, -1)!.isAttached)).toEqual([true, true])
    arena.leave(one)
    FakeClock.finishTick()
    expect([first, second].map(match => arena.seatIn(match, -1)!.isAttached)).toEqual([false, true])
    other.heard()
    const back = guest(0)
    arena.seatIn(first, -1)!.attach(back)
    expect(back.heard()).toContain('seated')
    expect(other.heard()).toEqual([])
    expect([first, second].map(match => arena.seatIn(match, -1)!.isAttached)).toEqual([true, true])
    expect(arena.seatIn(first, -2)).toBeUndefined()
    expect(arena.seatIn(99, -1)).toBeUndefined()
  })

  it('are told how their own match has ended, not that of another guest', async () => {
    const { arena, open } = setUp()
    const matches = [
      await open([guest(0), agent(1), agent(2), agent(5)]),
      await open([guest(0), agent(3), agent(4), agent(6)]),
    ]
    await arena.tables.get(matches[0]!)!.abort('a test')
    expect(arena.lastNews(matches[0]!, -1)).toMatchObject({ kind: 'aborted', detail: 'a test' })
    expect(arena.lastNews(matches[1]!, -1)).toBeUndefined()
    expect(arena.seatsOf(-1).map(({ match }) => match)).toEqual([matches[1]])
  })

  it('have the account of their seat and no other', async () => {
    const { arena, open } = setUp()
    await expect(open([guest(1), agent(1), agent(2), agent(3)])).rejects.toThrow(
      'guest:1 cannot have seat 0',
    )
    expect(arena.tables.size).toBe(0)
    expect(arena.seatsOf(-2)).toEqual([])
  })
})

describe('the table in a setup', () => {
  it('is read as it was written', () => {
    expect(tableSetupOf({ turnLimit: 9, table })).toEqual(table)
  })

  it.each([
    null,
    {},
    { table: null },
    { table: 'REEF42' },
    { table: { ...table, code: 7 } },
    { table: { ...table, speed: 'toString' } },
    { table: { ...table, guests: 'Nemo' } },
    { table: { ...table, guests: [7] } },
  ])('is none where it is not whole: %j', setup => {
    expect(tableSetupOf(setup)).toBeNull()
  })

  it.each([
    ['Nemo', 'Nemo (guest)'],
    [' Ne\u202emo\n\u001b[2J ', 'Nemo [2J (guest)'],
    ['x'.repeat(99), `${'x'.repeat(32)} (guest)`],
    ['\u200b', 'guest in seat 0'],
    [null, 'guest in seat 0'],
  ])('shows a guest that calls itself %j as %s', (name, shown) => {
    const [first] = shownAccounts([guests[0]!], { table: { ...table, guests: [name] } })
    expect(first).toEqual({ ...guests[0], name: shown })
  })

  it('changes the name of no account', () => {
    const account: Account = { id: 1, name: 'ann', kind: 'player' }
    expect(shownAccounts([account], { table })[0]).toBe(account)
  })
})

it('a match with a pace shows its boards by the clock of the host', async () => {
  const { clock, arena, open } = setUp()
  const [ann, bob] = [agent(1), agent(2)]
  const events: ArenaEvent['kind'][] = []
  arena.watch(({ kind }) => events.push(kind))
  await open([ann, bob], { game: noisy, setup: null, pace: { event: 800, turn: 1_500 } })
  expect(ann.heard()).toEqual(['seated', 'shown'])
  ann.handle.move('a')
  bob.handle.move('b')
  expect([ann.heard(), bob.heard()]).toEqual([[], ['seated', 'shown', 'refused']])
  expect(events).toEqual(['began', 'moved'])
  clock.pass(2_299)
  expect(bob.heard()).toEqual([])
  clock.pass(1)
  const [shown] = bob.news
  expect(shown).toMatchObject({ kind: 'shown', yourTurn: true, timeLeft: 15_000 })
  bob.handle.move('b')
  FakeClock.finishTick()
  expect(events).toEqual(['began', 'moved', 'moved'])
})

/** Each move is one event, and passes the turn. */
const noisy: Game = {
  ...(sums as Game),
  seats: 2,
  facts: { turns: 'alternate', luck: false, secrets: false },
  start: () => 0,
  status: state => ({ toMove: [(state as number) % 2] }),
  play: state => moved((state as number) + 1, [{ kind: 'turn_start' }]),
  view: () => ({}),
}
