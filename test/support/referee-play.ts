import type { Outcome } from '../../src/arena/ending.ts'
import type { Match } from '../../src/arena/live-match.ts'
import type { Pace } from '../../src/arena/pace.ts'
import { open, step } from '../../src/arena/referee.ts'
import type { Effect, RefereeEvent } from '../../src/arena/referee-step.ts'
import type { Terms } from '../../src/arena/terms.ts'
import { votingTimes } from '../../src/arena/voting.ts'
import { type Game, illegal, type Seat } from '../../src/games/game.ts'
import { ttt } from '../../src/games/ttt.ts'

/** The first fault loses. */
export const strict: Terms = {
  move: 15_000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}

/**
 * Each seat names a number once a round. After three rounds the highest sum wins. A round does not wait for seats that
 * have left.
 */
export type Sums = {
  readonly sums: readonly number[]
  readonly named: readonly (number | null)[]
  readonly out: readonly Seat[]
  readonly round: number
}
export const sums: Game<Sums> = {
  id: 'sums',
  title: 'Sums',
  summary: 'Name the highest numbers.',
  seats: 4,
  facts: { turns: 'together', luck: false, secrets: false },
  start: (_, seats) => ({
    sums: Array(seats).fill(0),
    named: Array(seats).fill(null),
    out: [],
    round: 0,
  }),
  status: ({ sums, named, out, round }) =>
    round === 3
      ? { places: sums.map(sum => 1 + sums.filter(other => other > sum).length), because: 'summed' }
      : { toMove: named.flatMap((n, seat) => (n === null && !out.includes(seat) ? [seat] : [])) },
  play: (state, seat, move) =>
    typeof move === 'number'
      ? resolve({ ...state, named: state.named.with(seat, move) })
      : illegal('a move is a number'),
  view: ({ sums, round }) => ({ sums, round }),
  look: () => ({}),
  fallback: () => 0,
  drop: (state, seat) => resolve({ ...state, out: [...state.out, seat] }),
}
const resolve = (state: Sums): Sums =>
  state.named.some((n, seat) => n === null && !state.out.includes(seat))
    ? state
    : {
        ...state,
        sums: state.sums.map((sum, seat) => sum + (state.named[seat] ?? 0)),
        named: state.named.map(() => null),
        round: state.round + 1,
      }

/** Applies the events and collects their effects. */
export class Play {
  match: Match
  readonly effects: Effect[]

  constructor(game: Game, terms: readonly Terms[], pace: Pace | null = null) {
    const [match, effects] = open(game, 1, terms, 0, null, votingTimes, pace)
    this.match = match
    this.effects = [...effects]
  }

  do(...events: RefereeEvent[]): this {
    for (const event of events) {
      const [match, effects] = step(this.match, event)
      this.match = match
      this.effects.push(...effects)
    }
    return this
  }

  get outcome(): Outcome | undefined {
    return this.effects.flatMap(effect => (effect.kind === 'end' ? [effect.outcome] : []))[0]
  }

  get kinds(): string[] {
    return this.effects.map(effect => effect.kind)
  }
}

export const move = (
  seat: Seat,
  move: never | string | number | null | undefined,
  at = 1,
): RefereeEvent => ({
  kind: 'move',
  seat,
  move,
  at,
})
export const duel = (terms: Terms = strict) => new Play(ttt, [terms, terms])

export const tick = (at: number): RefereeEvent => ({ kind: 'tick', at })
export const lost = (seat: Seat, at: number, connection = 0): RefereeEvent => ({
  kind: 'lost',
  seat,
  connection,
  at,
})
export const back = (seat: Seat, at: number, connection = 0): RefereeEvent => ({
  kind: 'back',
  seat,
  connection,
  at,
})
