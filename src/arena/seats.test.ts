import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strictTerms } from '../../test/support/played.ts'
import { c4 } from '../games/c4.ts'
import { danceBattle } from '../games/dance-battle.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { Arena } from './arena.ts'
import { lag } from './clocks.ts'
import type { News, Player, SeatHandle } from './player.ts'
import type { Terms } from './terms.ts'

/** A seat may be absent for a minute. */
const patient: Terms = {
  ...strictTerms,
  away: { stages: [{ time: 60_000, play: 'stands', told: true }], times: 3 },
}

const setUp = () => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const arena = new Arena({ clock, matchStore, failed: error => expect(error).toBeNull() })
  const player = (id: number, terms = patient) => new Session(id, terms)
  const open = async (game: Game, ...players: readonly Session[]) => {
    const match = await arena.open({ game, players, unrated: null })
    if (typeof match !== 'number') throw new Error(match.detail)
    return match
  }
  return { clock, matchStore, arena, player, open }
}

/** A session of an account: a player for a first match, or a listener for a seat that it comes back to. */
class Session implements Player {
  readonly account
  readonly terms: Terms
  readonly news: News[] = []

  constructor(id: number, terms: Terms) {
    this.account = { id, name: `agent-${id}`, kind: 'player' as const }
    this.terms = terms
  }

  handle!: SeatHandle

  tell(news: News): void {
    this.news.push(news)
    if (news.kind === 'seated') this.handle = news.handle
  }

  /** The kinds of the news since the last call, once this tick is done. */
  heard(): readonly string[] {
    FakeClock.finishTick()
    return this.news.splice(0).map(({ kind }) => kind)
  }
}

const game = ttt as Game
const settled = () => new Promise<void>(resolve => setImmediate(resolve))

describe('the seats of an account', () => {
  it('are those of its live matches, with what is needed to go on', async () => {
    const { arena, player, open } = setUp()
    await open(game, player(1), player(2))
    await open(c4 as Game, player(3), player(1))
    expect(arena.seatsOf(1)).toMatchObject([
      { match: 1, game: { id: 'ttt' }, seat: 0, accounts: [{ id: 1 }, { id: 2 }] },
      { match: 2, game: { id: 'c4' }, seat: 1, isAttached: true, unrated: null },
    ])
    expect(arena.seatsOf(1).map(({ startedAt }) => startedAt)).toEqual(
      [...arena.tables.values()].map(({ startedAt }) => startedAt),
    )
    const terms = { ...patient }
    await open(game, player(4, terms), player(5))
    expect(arena.seatsOf(4)[0]!.terms).toBe(terms)
    expect(arena.seatsOf(6)).toEqual([])
  })

  it('outlive its connections: a newer session goes on where the lost one was', async () => {
    const { arena, clock, player, open } = setUp()
    const [a, b] = [player(1), player(2)]
    await open(game, a, b)
    a.handle.lost()
    b.heard()
    clock.pass(59_000)
    expect(b.heard()).toEqual([])
    expect(arena.seatsOf(1)).toMatchObject([{ isAttached: false }])
    const again = player(1)
    arena.seatsOf(1)[0]!.attach(again)
    expect(again.heard()).toEqual(['seated', 'clocks', 'shown'])
    expect(b.heard()).toEqual(['back', 'clocks'])
    clock.pass(14_000)
    const newest = player(1)
    arena.seatsOf(1)[0]!.attach(newest)
    expect([again.heard(), newest.heard(), b.heard()]).toEqual([
      ['replaced'],
      ['seated', 'shown'],
      [],
    ])
    newest.handle.move('4')
    expect(b.heard()).toEqual(['shown'])
  })

  it('are lost when nobody comes back in time, and how the match ended is told to who asks', async () => {
    const { arena, clock, player, open } = setUp()
    const [a, b] = [player(1), player(2)]
    const match = await open(game, a, b)
    a.handle.lost()
    clock.pass(60_000 + lag)
    await settled()
    expect(arena.seatsOf(1)).toEqual([])
    const news = arena.lastNews(match, 1)
    expect(news).toMatchObject({ kind: 'ended', match, seat: 0, outcome: { ending: 'gone' } })
    expect(arena.lastNews(match, 2)).toEqual(b.news.at(-1))
    expect([arena.lastNews(match, 3), arena.lastNews(match + 1, 1)]).toEqual([undefined, undefined])
    expect(a.heard().slice(2)).toEqual([])
    clock.pass(600_001)
    expect(arena.lastNews(match, 1)).toBeUndefined()
  })

  it('are told of an abort as well, but not kept where no seat has time to come back', async () => {
    const { arena, player, open } = setUp()
    const ignored: Terms = { ...strictTerms, away: 'ignored' }
    const match = await open(game, player(1), player(2))
    const strict = await open(game, player(3, strictTerms), player(4, strictTerms))
    const unkept = await open(game, player(5, ignored), player(6, ignored))
    const mixed = await open(game, player(7, ignored), player(8))
    for (const id of [match, strict, unkept, mixed]) await arena.tables.get(id)!.abort('a test')
    expect(arena.lastNews(match, 1)).toMatchObject({ kind: 'aborted', detail: 'a test' })
    expect([arena.lastNews(strict, 3), arena.lastNews(unkept, 5)]).toEqual([undefined, undefined])
    expect(arena.lastNews(mixed, 7)).toMatchObject({ kind: 'aborted' })
  })

  it('that are out of a match are shown the board, and hear how it ends', async () => {
    const { arena, player, open } = setUp()
    const players = [1, 2, 3, 4].map(id => player(id))
    await open(danceBattle as Game, ...players)
    players[0]!.handle.resign()
    const again = player(1)
    arena.seatsOf(1)[0]!.attach(again)
    expect(again.heard()).toEqual(['seated', 'shown'])
    for (const { handle } of players.slice(1, 3)) handle.resign()
    await settled()
    expect(again.heard().at(-1)).toBe('ended')
  })

  it('that are attached to after the end hear the end again', async () => {
    const { arena, player, open } = setUp()
    const [a, b] = [player(1), player(2)]
    await open(game, a, b)
    const [seat] = arena.seatsOf(1)
    b.handle.resign()
    await settled()
    const late = player(1)
    seat!.attach(late)
    expect(late.heard()).toEqual(['seated', 'ended'])
  })
})
