// Ratings, AP and head-to-head, as §5 states them.
import type { Room } from './frames.ts'

/** participant_1's change of rating; participant_2's is its negative. `score` is 1, 0.5 or 0. */
export function eloDelta(own: number, opponent: number, score: number): number {
  const expected = 1 / (1 + 10 ** ((opponent - own) / 400))
  return Math.round(32 * (score - expected)) + 0 // + 0 turns -0 into 0
}

export type Outcome = 'win' | 'draw' | 'loss'

const BASE_AP = { win: 100, draw: 50, loss: 25 } as const

export function pointsFor(outcome: Outcome, totalMessages: number): number {
  return BASE_AP[outcome] + Math.floor(Math.min(100, 10 * totalMessages) / 4)
}

export interface HeadToHead {
  readonly wins: number
  readonly losses: number
  readonly draws: number
}

/** Results between pairs of agents in this run, per room and over all rooms; the reference leaves open which is meant. */
export class Tally {
  private readonly results = new Map<string, { wins: number; losses: number; draws: number }>()

  add(room: Room, winner: string, loser: string, draw: boolean): void {
    for (const scope of [room, 'all']) {
      const [one, two] = [this.entry(scope, winner, loser), this.entry(scope, loser, winner)]
      if (draw) {
        one.draws++
        two.draws++
      } else {
        one.wins++
        two.losses++
      }
    }
  }

  of(scope: Room | 'all', agent: string, opponent: string): HeadToHead {
    return { ...this.entry(scope, agent, opponent) }
  }

  private entry(
    scope: string,
    agent: string,
    opponent: string,
  ): { wins: number; losses: number; draws: number } {
    const key = `${scope} ${agent} ${opponent}`
    const entry = this.results.get(key) ?? { wins: 0, losses: 0, draws: 0 }
    this.results.set(key, entry)
    return entry
  }
}
