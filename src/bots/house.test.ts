import { describe, expect, it } from 'vitest'
import { Arena } from '../arena/arena.ts'
import type { News, Player, Seated, Shown } from '../arena/player.ts'
import { Dice } from '../games/dice.ts'
import { type Game, illegal, type Json } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import { FakeClock } from '../testing/fake-clock.ts'
import { MemoryKeeper } from '../testing/memory-keeper.ts'
import { bestMove, type Question } from './best-move.ts'
import { house, strengthsOf } from './house.ts'

const setUp = (ask = async (question: Question) => bestMove(gameOf(question.game)!, question)) => {
  const clock = new FakeClock()
  const keeper = new MemoryKeeper()
  const dice = Dice.fromSeed(1)
  const names: string[] = []
  const account = (name: string) => {
    if (!names.includes(name)) names.push(name)
    return { id: names.indexOf(name), name, kind: 'house' as const }
  }
  const seat = house(account, ask, 20)
  const arena = new Arena({ clock, keeper, house: seat, queueWait: 1000, roll: n => dice.roll(n) })
  const begin = (game: Game, strength: string) =>
    expect(arena.seek(seat(game, 'easy')!, { game, practice: strength }, () => {})).toBeTypeOf(
      'function',
    )
  const play = async (game: Game, strength: string) => {
    begin(game, strength)
    await over(arena)
    expect(clock.pending).toBe(0)
    return keeper.matches.at(-1)!
  }
  return { arena, begin, clock, keeper, names, play, seat }
}

const over = async (arena: Arena) => {
  while (arena.tables.size > 0) await new Promise(setImmediate)
}

describe.each(games)('$id', game => {
  it.each(strengthsOf(game))('is played to the end by the rules against %s', async strength => {
    const { play } = setUp()
    const { aborted, outcome, unrated } = await play(game, strength)
    expect({ aborted, ending: outcome?.ending, unrated }).toEqual({
      aborted: null,
      ending: 'rules',
      unrated: 'practice against the house',
    })
  })
})

describe('a house player', () => {
  it('is the easy one when nobody says which', async () => {
    const { names, play } = setUp()
    await play(connectFour, 'default')
    expect(names).toEqual(['house-easy'])
  })

  it('is not there in strengths that a game does not offer', () => {
    const { seat } = setUp()
    expect(seat(connectFour, 'steady')).toBeUndefined()
    expect(seat(connectFour, 'constructor')).toBeUndefined()
  })

  it('does not move while it is being told something', async () => {
    const { arena, begin, keeper } = setUp()
    begin(connectFour, 'easy')
    const [table] = arena.tables.values()
    expect(table!.sight.board).toEqual(Array(6).fill(Array(7).fill('.')))
    await over(arena)
    expect(keeper.matches[0]!.moves.length).toBeGreaterThan(6)
  })

  it('moves at random when nobody can think for it', async () => {
    const { play } = setUp(() => Promise.reject(new Error('the thread ended')))
    expect((await play(connectFour, 'hard')).outcome?.ending).toBe('rules')
  })

  it('moves at random when what was thought of is refused', async () => {
    const { play } = setUp(() => Promise.resolve('9'))
    expect((await play(connectFour, 'hard')).outcome?.ending).toBe('rules')
  })

  it('moves at random when it has thought for too long, and forgets what comes of it', async () => {
    const late: ((move: string) => void)[] = []
    const { arena, begin, clock, keeper } = setUp(() => new Promise(resolve => late.push(resolve)))
    begin(connectFour, 'hard')
    while (arena.tables.size > 0) {
      await new Promise(setImmediate)
      clock.pass(1000)
      late.shift()?.('0')
    }
    expect(keeper.matches[0]!.outcome?.ending).toBe('rules')
  })

  it('gives up rather than try for ever where no move is taken', async () => {
    const stuck: Game = { ...connectFour, play: () => illegal('never') }
    const { play } = setUp()
    expect((await play(stuck, 'easy')).outcome?.ending).toBe('resigned')
  })

  it('thinks again when the other side has changed the board meanwhile', async () => {
    const asked: ((move: Json) => void)[] = []
    const { arena, seat } = setUp(() => new Promise(resolve => asked.push(resolve)))
    const bazaar = gameOf('bazaar')!
    const news: News[] = []
    const visitor = { ...seat(bazaar, 'easy')!, tell: (one: News) => news.push(one) } as Player
    arena.seek(visitor, { game: bazaar, practice: 'steady' }, () => {})
    const { chair } = news[0] as Seated
    const answer = async (move: Json) => {
      await new Promise(setImmediate)
      await new Promise(setImmediate)
      asked.shift()!(move)
      await new Promise(setImmediate)
    }
    const isMine = () => (news.at(-1) as Shown).yourTurn
    if (!isMine()) await answer({ action: 'message', content: 'Hello.' })
    expect(isMine()).toBe(true)
    chair.move({ action: 'propose_trade', offer: {}, request: { gold: 1 } })
    chair.move({ action: 'message', content: 'Take it.' })
    chair.move({ action: 'reject_trade' })
    await answer({ action: 'accept_trade' })
    expect(isMine()).toBe(false)
    await answer({ action: 'message', content: 'What?' })
    expect(isMine()).toBe(true)
    expect((chair.position() as { messages: unknown[] }).messages.at(-1)).toMatchObject({
      content: 'What?',
    })
    chair.resign()
  })

  it('decides on what it saw before others made their moves of the round', async () => {
    const sealed: unknown[] = []
    const { play } = setUp(async question => {
      sealed.push((question.state as { sealed: unknown }).sealed)
      return { number: 5 }
    })
    await play(gameOf('echo')!, 'hard')
    expect(sealed).toEqual(Array(5).fill([null, null]))
  })
})

const connectFour = gameOf('c4')!
