import { describe, expect, it } from 'vitest'
import { seedOf } from '../../test/support/random-games.ts'
import { danceBattle } from '../games/dance-battle.ts'
import { Dice } from '../games/dice.ts'
import { type Game, isFinal, type Json, type Seat, seatRange } from '../games/game.ts'
import { go9 } from '../games/go.ts'
import { games } from '../games/index.ts'
import { ttt } from '../games/ttt.ts'
import { lag } from './clocks.ts'
import type { Outcome } from './ending.ts'
import type { Match } from './live-match.ts'
import type { Played } from './match-store.ts'
import { open, step } from './referee.ts'
import type { RefereeEvent, Step } from './referee-step.ts'
import { ReplayError, replay } from './replay.ts'
import { replayOutcome } from './replay-outcome.ts'
import type { Terms } from './terms.ts'

describe.each(games)('a match of $id', game => {
  const setup = game.setup ?? null

  it('a replay from seed, setup and moves has the same outcome, whatever faults its seats had', () => {
    for (let n = 1; n <= 40; n++) {
      const { seed, moves, outcome, match } = play(game, n)
      const source = { game, seed, setup, seats: outcome.places.length, moves }
      const steps = [...replay(source)]
      expect(steps.map(({ played }) => played)).toEqual([null, ...moves])
      expect(seen(game, steps.at(-1)!.state)).toEqual(seen(game, match.state))
      const again = replayOutcome(source, outcome.faults)
      expect(again).toMatchObject({
        ending: outcome.ending === 'late' ? 'gone' : outcome.ending,
        places: outcome.places,
        ...(outcome.ending === 'rules' ? { detail: outcome.detail } : {}),
      })
    }
  })

  it('a replay with an illegal move in the record throws', () => {
    const { seed, moves, outcome } = play(game, 1, 0)
    const forged = moves.with(1, [moves[1]![0], { forged: true }, 0])
    const { faults } = outcome
    const source = { game, seed, setup, seats: faults.length, moves: forged }
    for (const again of [() => [...replay(source)], () => replayOutcome(source, faults)]) {
      expect(again).toThrow(ReplayError)
      expect(again).toThrow(/^move 2 cannot be played: /)
    }
  })
})

describe('a match that reached its limit', () => {
  const limited = (result: 'standings' | 'forfeit'): Terms => ({
    ...terms,
    limit: { time: 500, result },
  })

  const plan = danceBattle.fallback!(danceBattle.start(1, 4), 0)

  it.each([
    ['a draw', ttt, 'standings', ['4'], 'limit', [1, 1]],
    ['decided by the standings', go9, 'standings', ['E5'], 'limit', [1, 2]],
    ['lost by the seat to move', ttt, 'forfeit', ['4'], 'late', [1, 2]],
    ['lost by all seats', danceBattle, 'forfeit', [], 'late', [1, 1, 1, 1]],
    [
      'lost by the seats that owe a move',
      danceBattle,
      'forfeit',
      [plan, plan],
      'late',
      [1, 1, 3, 3],
    ],
  ] as const)('is %s again when it is replayed', (_, game, result, moves, ending, places) => {
    let outcome: Outcome | undefined
    let [match] = open(game as Game, 1, Array(seatRange(game).max).fill(limited(result)), 0)
    const events: RefereeEvent[] = [
      ...moves.map((move, seat) => ({ kind: 'move', seat, move, at: 1 }) as const),
      { kind: 'tick', at: 500 + lag },
    ]
    for (const event of events) {
      const [next, effects] = step(match, event)
      match = next
      for (const effect of effects) if (effect.kind === 'end') outcome = effect.outcome
    }
    expect(outcome).toMatchObject({ ending, places })
    const played = moves.map((move, seat): Played => [seat, move, 1])
    const source = { game: game as Game, seed: 1, setup: null, moves: played }
    expect(replayOutcome(source, outcome!.faults, ending)).toMatchObject({
      ending: ending === 'late' ? 'gone' : ending,
      places,
    })
    if (ending === 'limit') expect(replayOutcome(source, outcome!.faults)).toBeNull()
  })
})

/** The whole state; for a game that does not record its moves whole, what spectators see of it. */
const seen = (game: Game, state: unknown) =>
  game.kept === undefined ? state : [game.status(state), game.view(state, 'audience')]

/** A random match under the referee, recorded as the table does it, with this chance of a fault at each turn. */
const play = (game: Game, n: number, chance = 0.1) => {
  const dice = Dice.fromSeed(n)
  const seed = seedOf(game, n)
  const { max: seats } = seatRange(game)
  const moves: Played[] = []
  let match: Match
  let outcome: Outcome | undefined
  let at = 0
  const take = ([next, effects]: Step) => {
    match = next
    for (const effect of effects) {
      if (effect.kind === 'record') moves.push([effect.seat, effect.move, effect.ms])
      if (effect.kind === 'drop') moves.push([effect.seat, null, 0, effect.fault])
      if (effect.kind === 'end') outcome = effect.outcome
    }
  }
  take(open(game, seed, Array(seats).fill(terms), at, game.setup))
  while (outcome === undefined) {
    const { status, state, seatStates, vote } = match!
    if (isFinal(status)) throw new Error('it is over without an outcome')
    if (vote !== null) {
      at = vote.closesAt - 1
      const isBan = dice.next() < chance
      const voters = Array.from({ length: dice.roll(4) }, (_, voter) => voter)
      for (const voter of voters)
        take(step(match!, { kind: 'vote', voter, seat: dice.roll(2), at }))
      take(
        step(
          match!,
          isBan
            ? { kind: 'lost', seat: dice.roll(2), cause: 'banned', at }
            : { kind: 'tick', at: at + 1 },
        ),
      )
      continue
    }
    const seat = dice.pick(status.toMove)
    at += 1
    const fall = dice.next() < chance
    const kind = dice.pick(['resign', 'lost', 'tick', 'move'] as const)
    const event: RefereeEvent = !fall
      ? { kind: 'move', seat, move: anyMove(game, state, seat, dice), at }
      : kind === 'tick'
        ? { kind, at: Math.max(...seatStates.flatMap(({ owes }) => owes?.until ?? [])) + lag }
        : kind === 'move'
          ? { kind, seat, move: undefined, at }
          : { kind, seat, at }
    at = event.at
    take(step(match!, event))
  }
  return { seed, moves, outcome, match: match! }
}

const anyMove = (game: Game, state: unknown, seat: Seat, dice: Dice): Json =>
  game.moves === undefined ? game.anyMove!(state, seat, dice) : dice.pick(game.moves(state, seat))

const terms: Terms = {
  move: 1_000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}
