import { describe, expect, it } from 'vitest'
import { echo } from '../../src/games/echo.ts'
import { type Game, illegal, type Json } from '../../src/games/game.ts'
import { isRecord } from '../../src/games/json.ts'
import { checkCanonical, checkRefusals } from './move-laws.ts'
import { randomGames } from './random-games.ts'

const sound = echo as Game
const played = randomGames(sound)

describe('a game passes the laws of moves', () => {
  it('if it obeys them', () => {
    checkRefusals(sound, played)
    checkCanonical(sound, played)
  })
})

describe('a game fails the laws of moves', () => {
  const has = (move: Json, name: string) => isRecord(move) && Object.hasOwn(move, name)

  it.each<[string, Partial<Game>]>([
    [
      'that refuses by an object which JSON can forge',
      {
        play: (state, seat, move) =>
          has(move, 'number') ? sound.play(state, seat, move) : { illegal: 'no' },
      },
    ],
    [
      'that puts what a player sent in place of its state',
      {
        read: (_, __, move) => move,
        play: (state, seat, move) => (has(move, 'toMove') ? move : sound.play(state, seat, move)),
      },
    ],
    [
      'that throws',
      {
        read: (_, __, move) => {
          if (has(move, 'constructor')) throw new Error('a bug')
          return move
        },
      },
    ],
  ])('%s', (_, broken) => {
    expect(() => checkRefusals({ ...sound, ...broken }, played)).toThrow()
  })

  it.each<[string, Partial<Game>]>([
    ['that keeps what is no part of a move', { read: (_, __, move) => move }],
    [
      'that refuses a move for a field it does not know',
      {
        play: (state, seat, move) =>
          has(move, 'illegal') ? illegal('no') : sound.play(state, seat, move),
      },
    ],
    ['that has no bound', { facts: { turns: 'together', luck: false, secrets: false } }],
    ['whose moves are longer than it says', { facts: { ...sound.facts, moveBytes: 11 } }],
  ])('%s', (_, broken) => {
    expect(() => checkCanonical({ ...sound, ...broken }, played)).toThrow()
  })
})
