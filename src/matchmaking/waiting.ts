import { type AccountId, agentOf } from '../arena/account.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { Player } from '../arena/player.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Game } from '../games/game.ts'
import { Counter } from '../limits/counter.ts'

/** One player waiting for one game. */
export interface Waiting {
  readonly player: Player
  readonly game: Game
  /** The strength when the wait began; the rating where no fit has it yet. */
  readonly strength: number
  /** The only account that this player will meet: its name in lower case. An agent may come in any version. */
  readonly opponent: string | null
  /** The ladder of agents that it waits for. Players that wait for another one do not meet it. */
  readonly ladder: Ladder
  /** Where it wants the match to be rated: there, on the people's ladder, or nowhere. */
  readonly rated: 'agents' | 'people' | 'none'
  /** Meets others of this kind in the order in which they came, and waits as long as it takes. */
  readonly inOrder: boolean
  /** Meets others of this kind in matches that begin with openings. */
  readonly openings: boolean
  /** The id or the code of the table at which it has asked to sit down; null for a wait elsewhere. */
  readonly table: string | null
  readonly since: number
}

/** All that wait, longest wait first, whichever matchmaker they wait for. */
export class WaitingList {
  readonly #clock: Clock
  readonly #maxWait: number
  /** Null for a wait that has no end. */
  readonly #timers = new Map<Waiting, Timer | null>()
  readonly #agents = new Counter<AccountId>()

  /** After `maxWait` milliseconds a wait times out. */
  constructor(clock: Clock, maxWait: number) {
    this.#clock = clock
    this.#maxWait = maxWait
  }

  add(waiting: Waiting, timedOut: () => void): void {
    this.#agents.add(agentOf(waiting.player.account))
    this.#timers.set(waiting, waiting.inOrder ? null : this.#clock.after(this.#maxWait, timedOut))
  }

  has(waiting: Waiting): boolean {
    return this.#timers.has(waiting)
  }

  /** This wait, which has timed out, goes on as long again. */
  extend(waiting: Waiting, timedOut: () => void): void {
    this.#timers.set(waiting, this.#clock.after(this.#maxWait, timedOut))
  }

  /** Returns whether it was there. */
  remove(waiting: Waiting): boolean {
    const timer = this.#timers.get(waiting)
    if (timer === undefined) return false
    timer?.cancel()
    this.#timers.delete(waiting)
    this.#agents.remove(agentOf(waiting.player.account))
    return true
  }

  /** How many waits this agent has, in whatever versions. */
  of(agent: AccountId): number {
    return this.#agents.of(agent)
  }

  all(): readonly Waiting[] {
    return [...this.#timers.keys()]
  }
}
