import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena, type TestArenaOptions } from '../../test/support/test-arena.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { bazaar } from '../games/bazaar.ts'
import { debate } from '../games/debate.ts'
import { Dice } from '../games/dice.ts'
import type { Game, Json } from '../games/game.ts'
import type { Account } from './account.ts'
import type { ArenaEvent } from './arena-event.ts'
import { isReaction, reactions } from './reactions.ts'
import { replay } from './replay.ts'
import { replayOutcome } from './replay-outcome.ts'
import { noAudience } from './voting.ts'

const setUp = (options: Partial<TestArenaOptions> = {}, game: Game = debate as Game) => {
  const clock = new FakeClock()
  const matchStore = new MemoryMatchStore()
  const dice = Dice.fromSeed(1)
  const arena = new TestArena({
    clock,
    matchStore,
    house: () => undefined,
    queueWait: 120_000,
    failed: error => {
      throw error
    },
    roll: n => dice.roll(n),
    ...options,
  })
  const seen: ArenaEvent[] = []
  arena.watch(event => seen.push(event))
  const both = [new TestPlayer(arena, 1), new TestPlayer(arena, 2)]
  for (const player of both) player.seek({ game })
  const seats = [...both].sort((a, b) => a.seated!.seat - b.seated!.seat) as [
    TestPlayer,
    TestPlayer,
  ]
  const [id = 0] = arena.tables.keys()
  const say = (seat: 0 | 1, move: Json, note?: string) => {
    seats[seat].handle.move(move, undefined, note)
    FakeClock.finishTick()
  }
  /** All twenty messages. */
  const argue = () => {
    for (let n = 0; n < 20; n++) say((n % 2) as 0 | 1, `Argument ${n}.`)
  }
  const vote = (voter: number | Account, seat: number) =>
    arena.vote(
      id,
      typeof voter === 'number' ? { id: voter, name: `Agent-${voter}`, kind: 'player' } : voter,
      seat,
    )
  return { arena, argue, clock, id, matchStore, say, seats, seen, vote }
}

const settled = () => new Promise<void>(resolve => setImmediate(resolve))

describe('a vote in the arena', () => {
  it('decides a debate', async () => {
    const { argue, clock, matchStore, seats, vote } = setUp()
    argue()
    expect(await vote(7, 1)).toBeNull()
    expect(await vote(8, 1)).toBeNull()
    expect(await vote(9, 0)).toBeNull()
    clock.pass(60_000)
    await settled()
    expect(seats[1].ended?.outcome).toMatchObject({
      ending: 'rules',
      places: [2, 1],
      scores: [1, 2],
      detail: '2 votes to 1',
    })
    expect(matchStore.matches[0]?.moves.at(-1)).toEqual([0, { votes: [1, 2] }, 0])
    expect(clock.pending).toBe(0)
  })

  it('is told to the seats and to spectators when it begins', () => {
    const { arena, argue, id, seats, seen } = setUp()
    argue()
    for (const player of seats) {
      expect(player.kinds.slice(-2)).toEqual(['shown', 'voting'])
      expect(player.messages.at(-1)).toEqual({
        kind: 'voting',
        match: id,
        opensIn: 0,
        closesIn: 60_000,
      })
    }
    expect(seen.slice(-2).map(({ kind }) => kind)).toEqual(['moved', 'voting'])
    expect(arena.tables.get(id)?.vote).toEqual({
      between: [0, 1],
      opensIn: 0,
      closesIn: 60_000,
      count: 0,
    })
  })

  it('shows no seat to move', () => {
    const { arena, argue, id, seats } = setUp()
    argue()
    const shown = seats[0].messages.findLast(({ kind }) => kind === 'shown')
    expect(shown).toMatchObject({
      observation: { toMove: -1, voting: true, votes: null },
      yourTurn: false,
      mayAct: false,
      timeLeft: null,
      clocks: [null, null],
    })
    expect(arena.tables.get(id)?.observation.toMove).toBe(-1)
  })

  it('opens 5 s after a debater has left, and is told then, too', async () => {
    const { clock, say, seats, seen, vote } = setUp()
    say(0, 'I begin.')
    say(0, { action: 'leave', words: 'Well argued.' })
    const told = () => seats[1].messages.filter(({ kind }) => kind === 'voting')
    expect(told()).toMatchObject([{ opensIn: 5_000, closesIn: 65_000 }])
    expect(await vote(7, 0)).toMatchObject({ code: 'no-vote' })
    clock.pass(5_000)
    expect(told()[1]).toMatchObject({ opensIn: 0, closesIn: 60_000 })
    expect(seen.filter(({ kind }) => kind === 'voting')).toHaveLength(2)
    expect(await vote(7, 0)).toBeNull()
    clock.pass(60_000)
    await settled()
    expect(seats[1].ended?.outcome.scores).toEqual([1, 0])
  })

  it('is told of as it is counted, without the seat that it is for', async () => {
    const { arena, argue, id, seen, vote } = setUp()
    argue()
    await vote(7, 1)
    await vote(7, 0)
    await vote(8, 0)
    expect(seen.filter(({ kind }) => kind === 'voted')).toHaveLength(2)
    expect(arena.tables.get(id)?.vote).toMatchObject({ count: 2 })
    expect(arena.tables.get(id)?.observation.votes).toBeNull()
  })

  it('is told to a player that comes back meanwhile', () => {
    const { arena, argue, clock, seats } = setUp()
    argue()
    const [seat] = arena.seatsOf(1)
    clock.pass(20_000)
    const again = new TestPlayer(arena, 1)
    seat!.attach(again)
    expect(again.kinds).toEqual(['seated', 'shown', 'voting'])
    expect(again.messages.at(-1)).toMatchObject({ opensIn: 0, closesIn: 40_000 })
    expect(seats.some(player => player.kinds.at(-1) === 'replaced')).toBe(true)
  })

  it('goes on when both debaters have lost their connections', async () => {
    const { argue, clock, matchStore, seats, vote } = setUp()
    argue()
    for (const { handle } of seats) handle.lost()
    await vote(7, 0)
    clock.pass(60_000)
    await settled()
    expect(matchStore.matches[0]?.outcome).toMatchObject({ ending: 'rules', places: [1, 2] })
  })

  it('ends at once where there is no audience', async () => {
    const { argue, clock, seats } = setUp({ voting: noAudience })
    argue()
    await settled()
    expect(seats[0].ended?.outcome).toMatchObject({ places: [1, 1], detail: 'no votes' })
    expect(clock.pending).toBe(0)
  })

  it('is as long as the options say', async () => {
    const { argue, clock, seats } = setUp({ voting: { time: 500, leaving: 100 } })
    argue()
    clock.pass(500)
    await settled()
    expect(seats[0].ended).toBeDefined()
  })

  it('is played again to the same result', async () => {
    const { argue, clock, matchStore, vote } = setUp()
    argue()
    await vote(7, 1)
    clock.pass(60_000)
    await settled()
    const { moves, outcome, seed, setup = null } = matchStore.matches[0]!
    const source = { game: debate as Game, seed, setup, moves }
    const { detail, ...again } = replayOutcome(source, [null, null])!
    expect({ ...again, detail }).toEqual(outcome)
    expect([...replay({ ...source, seats: 2 })].at(-1)?.status).toMatchObject({ scores: [0, 1] })
  })
})

describe('a vote is refused', () => {
  it('while the debaters still argue, and after the end', async () => {
    const { argue, clock, vote } = setUp()
    expect(await vote(7, 0)).toEqual({
      code: 'no-vote',
      detail: 'no vote is open in this match',
    })
    argue()
    clock.pass(60_000)
    expect(await vote(7, 0)).toMatchObject({ code: 'no-vote' })
  })

  it('when its time is over, although the host is late to close it', async () => {
    const { argue, clock, id, arena, vote } = setUp()
    argue()
    clock.stall(60_000)
    expect(await vote(7, 0)).toMatchObject({ code: 'no-vote' })
    expect(arena.tables.get(id)?.vote).toMatchObject({ closesIn: 0, count: 0 })
  })

  it('of a debater, in whatever version', async () => {
    const { argue, vote } = setUp()
    argue()
    expect(await vote(2, 1)).toMatchObject({ code: 'plays-here' })
    const version: Account = { id: 50, name: 'Agent-2~v2', kind: 'player', parent: 2 }
    expect(await vote(version, 1)).toMatchObject({ code: 'plays-here' })
  })

  it('of an agent that has one owner with a debater, and of that owner', async () => {
    const { arena, argue, id, matchStore, vote } = setUp()
    matchStore.owners.set(1, 30)
    matchStore.owners.set(7, 30)
    matchStore.owners.set(8, 31)
    argue()
    expect(await vote(7, 0)).toMatchObject({ code: 'of-one-owner' })
    expect(await vote(7, 1)).toMatchObject({ code: 'of-one-owner' })
    expect(await vote(30, 0)).toMatchObject({ code: 'of-one-owner' })
    expect(await vote(8, 0)).toBeNull()
    expect(arena.tables.get(id)?.vote?.count).toBe(1)
  })

  it('for a seat that does not debate', async () => {
    const { argue, vote } = setUp()
    argue()
    for (const seat of [-1, 2, 0.5])
      expect(await vote(7, seat)).toMatchObject({ code: 'no-such-seat' })
  })

  it('if it ends while the owner of the voter is looked up', async () => {
    const { argue, clock, matchStore, seats, vote } = setUp()
    argue()
    let found = () => {}
    const hold = matchStore.hold.bind(matchStore)
    matchStore.hold = accounts => {
      hold(accounts)
      return new Promise(resolve => {
        found = resolve
      })
    }
    const answer = vote(7, 1)
    clock.pass(60_000)
    await settled()
    found()
    expect(await answer).toMatchObject({ code: 'no-vote' })
    expect(seats[0].ended?.outcome.scores).toEqual([0, 0])
    expect(matchStore.held).toBe(0)
  })

  it('and leaves nothing held', async () => {
    const { argue, clock, matchStore, vote } = setUp()
    argue()
    await vote(7, 0)
    await vote(7, 5)
    clock.pass(60_000)
    await settled()
    expect(matchStore.held).toBe(0)
  })
})

describe('a reaction', () => {
  it('is told to spectators, and to no seat', () => {
    const { arena, id, seats, seen } = setUp()
    const before = seats[0].kinds.length
    expect(arena.react(id, '🔥')).toBe(true)
    expect(seen.at(-1)).toMatchObject({ kind: 'reacted', reaction: '🔥', table: { id } })
    expect(seats[0].kinds).toHaveLength(before)
  })

  it('to a match that is not live has no effect', async () => {
    const { arena, id, seats } = setUp()
    seats[0].handle.resign()
    await settled()
    expect([arena.react(id, '👏'), arena.react(99, '👏')]).toEqual([false, false])
  })

  it.each([...reactions])('may be %s', reaction => {
    expect(isReaction(reaction)).toBe(true)
  })

  it.each(['', '💣', '🔥🔥', 5, null])('may not be %j', reaction => {
    expect(isReaction(reaction)).toBe(false)
  })
})

describe('a blocked word', () => {
  const blocks = (text: string) => /\bgrumble\b/i.test(text)

  it('has a message refused, which costs nothing while the clock runs on', () => {
    const { arena, clock, id, say, seats } = setUp({ blocks })
    clock.pass(4_000)
    say(0, 'All they do is grumble.')
    expect(seats[0].messages.at(-1)).toMatchObject({ kind: 'refused', code: 'content-blocked' })
    expect(arena.tables.get(id)?.moves).toEqual([])
    expect(arena.tables.get(id)?.clocks).toEqual([11_000, null])
    say(0, 'All they do is complain.')
    expect(arena.tables.get(id)?.moves).toHaveLength(1)
  })

  it('is found behind characters that the game removes', () => {
    const { say, seats } = setUp({ blocks })
    say(0, 'grum\u202eble')
    expect(seats[0].messages.at(-1)).toMatchObject({ code: 'content-blocked' })
  })

  it('is found in last words', () => {
    const { arena, id, say, seats } = setUp({ blocks })
    say(1, { action: 'leave', words: 'Grumble!' })
    expect(seats[1].messages.at(-1)).toMatchObject({ code: 'content-blocked' })
    expect(arena.tables.get(id)?.vote).toBeNull()
  })

  it('is found in a message of Bazaar', () => {
    const { arena, id, say, seats } = setUp({ blocks }, bazaar as Game)
    const writer = arena.tables.get(id)!.clocks[0] === null ? 1 : 0
    say(writer, { action: 'message', content: 'grumble' })
    expect(seats[writer].messages.at(-1)).toMatchObject({ code: 'content-blocked' })
    say(writer, { action: 'message', content: 'What do you need?' })
    expect(arena.tables.get(id)?.moves).toHaveLength(1)
  })

  it('is not looked for in a move that is refused anyway', () => {
    const { say, seats } = setUp({ blocks })
    say(1, 'grumble')
    expect(seats[1].messages.at(-1)).toMatchObject({ code: 'illegal-move' })
  })

  it('has a late move be late', () => {
    const { clock, say, seats } = setUp({ blocks })
    clock.stall(16_000)
    say(0, 'grumble')
    expect(seats[0].messages.some(({ kind }) => kind === 'refused')).toBe(false)
  })

  it('leaves out a note, and not the move beside it', () => {
    const { arena, id, say } = setUp({ blocks })
    say(0, 'I begin.', 'I grumble')
    say(1, 'I reply.', 'I smile')
    say(0, 'I go on.')
    expect(arena.tables.get(id)?.moves).toHaveLength(3)
    expect(arena.tables.get(id)?.notes).toEqual({ 2: 'I smile' })
  })

  it('leaves out what a player says as it resigns', () => {
    const told: unknown[] = []
    const { arena, seats } = setUp({ blocks })
    const [seat] = arena.seatsOf(seats[1].account.id)
    seat!.attach({ followsMoves: true, tell: news => told.push(news) })
    FakeClock.finishTick()
    seats[0].handle.resign('You grumble')
    FakeClock.finishTick()
    const fell = told.find(news => (news as { kind: string }).kind === 'fell')
    expect(fell).toMatchObject({ fault: 'resigned' })
    expect(fell).not.toHaveProperty('words')
  })
})
