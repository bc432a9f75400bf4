import { describe, expect, it } from 'vitest'
import { isFinal, stateAfter } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import { openingsOf } from '../games/openings.ts'
import { openingOf, startOf, takesOpenings, withOpening } from './opening.ts'
import { replay } from './replay.ts'

const c4 = gameOf('c4')!

describe('an opening', () => {
  it('is played before the match begins, and a replay goes on from there', () => {
    const setup = withOpening(null, ['3', '3'])
    const [start, step] = [...replay({ game: c4, seed: 1, setup, seats: 2, moves: [[0, '3', 5]] })]
    expect(start!.state).toEqual(startOf(c4, 1, 2, setup))
    expect(start!.status).toEqual({ toMove: [0] })
    expect(step!.played).toEqual([0, '3', 5])
    expect(JSON.stringify(step!.state)).not.toBe(JSON.stringify(start!.state))
  })

  it('keeps the other options of the rules', () => {
    expect(withOpening({ komi: 7 }, ['E5'])).toEqual({ komi: 7, opening: ['E5'] })
    expect(openingOf({ komi: 7, opening: ['E5'] })).toEqual(['E5'])
    expect([openingOf({ komi: 7 }), openingOf(null), openingOf({ opening: [5] })]).toEqual([
      null,
      null,
      null,
    ])
  })

  it('that the rules refuse is an internal error', () => {
    expect(() => startOf(c4, 1, 2, { opening: ['9'] })).toThrow(
      'the opening 9 cannot be played in c4',
    )
    const full = { opening: ['0', '1', '0', '1', '0', '1', '0', '1'] }
    expect(() => startOf(c4, 1, 2, full)).toThrow('cannot be played in c4')
  })
})

it.each(games.map(game => [game.id, game] as const))(
  'the suite of %s can be played, leads to different positions, and is of a game for two without luck',
  (id, game) => {
    const states = openingsOf(id).map(opening => {
      const state = startOf(game, 1, 2, withOpening(game.setup, opening))
      expect(isFinal(game.status(state))).toBe(false)
      return JSON.stringify(state)
    })
    expect(new Set(states).size).toBe(states.length)
    if (states.length > 0) expect(takesOpenings(game)).toBe(true)
  },
)

it('every opening of tic-tac-toe is drawn by best play', () => {
  const game = gameOf('ttt')!
  /** 1 where the seat to move wins, 0 for a draw. */
  const worth = (state: unknown, seat: number): number => {
    const status = game.status(state)
    if (isFinal(status)) return status.places[0] === status.places[1] ? 0 : -1
    return Math.max(
      ...game.moves!(state, seat).map(
        move => -worth(stateAfter(game, state, seat, move), 1 - seat),
      ),
    )
  }
  for (const opening of openingsOf('ttt'))
    expect(worth(startOf(game, 1, 2, { opening }), 0), opening.join(' ')).toBeCloseTo(0)
})
