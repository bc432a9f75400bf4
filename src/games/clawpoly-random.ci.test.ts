import { expect, it } from 'vitest'
import {
  checkPosition,
  observationBytes,
  randomPlay,
  replayed,
} from '../../test/support/clawpoly-laws.ts'
import { clawpoly } from './clawpoly.ts'
import { type Clawpoly, moverOf } from './clawpoly-state.ts'
import { isIllegal } from './game.ts'

const chunk = 1000

/** The move that is made for a late seat, and all that is listed, are legal. */
const checkMoves = (state: Clawpoly): void => {
  if (state.phase === 'over') return
  const seat = moverOf(state)
  for (const move of [clawpoly.fallback!(state, seat), ...clawpoly.listed!(state, seat)])
    expect([move, isIllegal(clawpoly.play(state, seat, move))]).toEqual([move, false])
}

it.each(Array.from({ length: 10 }, (_, i) => i * chunk))(
  'games %i and the 999 after it keep all rules at every ply, and are played again to the same end',
  first => {
    for (let n = first; n < first + chunk; n++) {
      const game = randomPlay(n, (state, ply) => {
        checkPosition(state)
        if (ply % 100 === n % 100) checkMoves(state)
      })
      expect(replayed(game)).toEqual(game.end)
    }
  },
  600_000,
)

it('the observation with the listed moves stays under 8 KiB in every position of 1,000 games', () => {
  let largest = 0
  for (let n = 20_000; n < 21_000; n++)
    randomPlay(n, state => {
      largest = Math.max(largest, observationBytes(state))
    })
  expect(largest).toBeLessThan(8192)
  expect(largest).toBeGreaterThan(4000)
}, 600_000)
