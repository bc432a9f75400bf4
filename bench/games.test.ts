import { expect, it } from 'vitest'
import type { Game } from '../src/games/game.ts'
import { ttt } from '../src/games/ttt.ts'
import { benchGames, printGameCosts } from './games.ts'

it('measures a game and prints one line for it', () => {
  const costs = benchGames([ttt as Game])
  const [{ seats, playouts, playout, step, slowest, observation }] = costs as [(typeof costs)[0]]
  expect(seats).toBe(2)
  expect(playouts * playout).toBeCloseTo(1000)
  expect(step).toBeGreaterThan(0)
  expect(slowest).toBeGreaterThanOrEqual(step)
  // After the first move: eight of nine cells are free.
  expect(observation).toBe(
    JSON.stringify({ board: Array(9).fill('.'), toMove: 1, legal: Array(8).fill('0') }).length,
  )
  expect(printGameCosts(costs).split('\n')).toHaveLength(2)
})
