import { expect, it } from 'vitest'
import { sums } from '../../test/support/referee-play.ts'
import { Dice } from '../games/dice.ts'
import { type Game, seatRange } from '../games/game.ts'
import { go9 } from '../games/go.ts'
import { ttt } from '../games/ttt.ts'
import { timeLeft, wakeAt } from './clocks.ts'
import { isOver, type Match } from './live-match.ts'
import { open, step } from './referee.ts'
import type { Effect, RefereeEvent } from './referee-step.ts'
import type { AwayStage, Terms } from './terms.ts'

const randomTerms = (dice: Dice): Terms => ({
  move: 10 + dice.roll(1_000),
  ...(dice.roll(2) === 0 && {
    first: { of: dice.pick(['seat', 'match']), time: 10 + dice.roll(2_000) },
  }),
  ...(dice.roll(2) === 0 && { bank: dice.roll(2_000) }),
  illegal: dice.pick([
    'forfeit',
    'retry',
    {
      retries: dice.roll(3),
      counted: dice.pick(['in a row', 'in all']),
      penalty: dice.pick(['forfeit', 'late', 'fallback']),
    },
  ] as const),
  late: dice.pick([
    'forfeit',
    {
      strikes: 2 + dice.roll(3),
      counted: dice.pick(['in a row', 'in all']),
      next: dice.pick(['fallback', { clock: 10 + dice.roll(500) }] as const),
    },
  ] as const),
  away: dice.pick([
    'forfeit',
    'ignored',
    {
      stages: [randomStage(dice), ...Array.from({ length: dice.roll(3) }, () => randomStage(dice))],
      times: 1 + dice.roll(5),
      ...(dice.roll(2) === 0 && { together: true }),
    },
  ] as const),
  ...(dice.roll(2) === 0 && { fullTimeAfterStop: true }),
  ...(dice.roll(3) === 0 && {
    limit: { time: 5_000 + dice.roll(5_000), result: dice.pick(['standings', 'forfeit']) },
  }),
})

const randomStage = (dice: Dice): AwayStage => ({
  time: 10 + dice.roll(1_000),
  ...(dice.roll(2) === 0 && { told: true }),
  ...dice.pick([
    { play: 'runs' },
    { play: 'runs', within: dice.roll(300) },
    { play: 'falls back', within: dice.roll(300) },
    { play: 'stands' },
    { play: 'paused' },
  ] as const),
})

const randomEvent = (
  dice: Dice,
  { game, state, status, paused }: Match,
  at: number,
): RefereeEvent => {
  const seat = dice.roll(seatRange(game).max)
  const kind = dice.pick([
    'move',
    'move',
    'move',
    'lost',
    'back',
    'pause',
    'tick',
    'illegal',
  ] as const)
  if (kind === 'lost' || kind === 'back') return { kind, seat, at }
  if (kind === 'tick') return { kind, at }
  if (kind === 'pause' || paused !== null) return { kind: paused === null ? 'pause' : 'resume', at }
  if (kind === 'illegal' || 'places' in status) return { kind: 'move', seat, move: 'x', at }
  const mover = dice.pick(status.toMove)
  const move = game.moves === undefined ? dice.roll(9) : dice.pick(game.moves(state, mover))
  return { kind: 'move', seat: mover, move, at }
}

it.each([ttt, go9, sums])(
  'by random terms, each tick at its time does something and each match of $id ends',
  game => {
    for (let seed = 1; seed <= 400; seed++) {
      const dice = Dice.fromSeed(seed)
      const terms = Array.from({ length: seatRange(game).max }, () => randomTerms(dice))
      let [match] = open(game as Game, seed, terms, 0)
      let ends: Effect[] = []
      const take = (event: RefereeEvent) => {
        const [next, effects] = step(match, event)
        ends = [...ends, ...effects.filter(({ kind }) => kind === 'end')]
        match = next
        for (const [seat, { owes, fault }] of match.seatStates.entries()) {
          expect(timeLeft(match, seat, event.at) ?? 0).toBeGreaterThanOrEqual(0)
          if (fault !== null) expect(owes).toBeNull()
        }
      }
      let at = 0
      for (let n = 0; n < 60 && !isOver(match); n++) {
        const wake = wakeAt(match)
        at = dice.roll(2) === 0 && wake < Infinity ? Math.max(at, wake) : at + dice.roll(400)
        const before = match
        if (at >= wake) {
          take({ kind: 'tick', at })
          expect(match).not.toBe(before)
        } else take(randomEvent(dice, match, at))
      }
      // Left alone, it ends by its clocks.
      for (let n = 0; n < 2_000 && !isOver(match); n++) {
        if (match.paused !== null) take({ kind: 'resume', at })
        at = Math.max(at, wakeAt(match))
        expect(at).toBeLessThan(Infinity)
        take({ kind: 'tick', at })
      }
      expect(isOver(match)).toBe(true)
      expect(ends).toHaveLength(1)
    }
  },
)
