import { describe, expect, it } from 'vitest'
import { Arena } from '../arena/arena.ts'
import { Dice } from '../games/dice.ts'
import type { Game } from '../games/game.ts'
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
  const play = async (game: Game, strength: string) => {
    const refusal = arena.seek(seat(game, 'easy')!, { game, practice: strength }, () => {})
    expect(refusal).toBeTypeOf('function')
    await over(arena)
    expect(clock.pending).toBe(0)
    return keeper.matches.at(-1)!
  }
  return { arena, clock, keeper, names, play, seat }
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
