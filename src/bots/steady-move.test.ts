import { expect, it } from 'vitest'
import { bazaar } from '../games/bazaar.ts'
import { blotto } from '../games/blotto.ts'
import { Dice } from '../games/dice.ts'
import { type Game, isFinal, type Json, stateAfter } from '../games/game.ts'
import { randomMove } from './random-move.ts'
import { steadyMove } from './steady-move.ts'

const trading = bazaar as Game

it('in bazaar the steady player trades better than the random player', () => {
  const results = [0, 0, 0]
  for (let seed = 0; seed < 100; seed++) {
    const dice = Dice.fromSeed(seed)
    const own = seed % 2
    let state = trading.start(seed, 2)
    for (let status = trading.status(state); ; status = trading.status(state)) {
      if (isFinal(status)) {
        results[1 + Math.sign(status.places[own]! - status.places[1 - own]!)]!++
        break
      }
      const seat = status.toMove[0]!
      const choose = seat === own ? steadyMove : randomMove
      state = stateAfter(trading, state, seat, choose(trading, state, seat, dice))
    }
  }
  const [won = 0, , lost = 0] = results
  expect(won).toBeGreaterThan(2 * lost)
})

it('a good offer is accepted, and a bad one is rejected', () => {
  const start = trading.start(1, 2)
  const [writer = 0] = (trading.status(start) as { toMove: number[] }).toMove
  const answer = (offer: Json, request: Json) => {
    const proposed = stateAfter(trading, start, 1 - writer, {
      action: 'propose_trade',
      offer,
      request,
    })
    return steadyMove(trading, proposed, writer, Dice.fromSeed(1))
  }
  expect(answer({ gold: 1, iron: 1, food: 1, wood: 1 }, {})).toEqual({ action: 'accept_trade' })
  expect(answer({}, { gold: 1, iron: 1, food: 1, wood: 1 })).not.toEqual({ action: 'accept_trade' })
})

it('in a game without a guess the steady player makes the fallback move', () => {
  const war = blotto as Game
  expect(steadyMove(war, war.start(1, 2), 0, Dice.fromSeed(1))).toEqual({
    allocation: [2, 2, 2, 2, 2],
  })
})
