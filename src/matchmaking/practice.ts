import { agentOf } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Player } from '../arena/player.ts'
import { isPractice } from '../arena/unrated.ts'
import { type Game, seatRange } from '../games/game.ts'
import { quoted } from '../games/words.ts'

/** How to make house players of the level of this name; undefined when the game has no such level. */
export type House = (game: Game, level: string) => MakePlayer | undefined | Promise<MakePlayer>

export type MakePlayer = () => Player

export interface PracticeOptions {
  readonly house: House
  /** How many practice matches one account may play at once; no limit unless given. */
  readonly practicePerAccount?: number
  /** The names of the levels of a game, for a refusal that lists them. */
  readonly levels?: (game: Game) => readonly string[]
}

/** Finds the house players for a practice match, which begins at once. */
export class Practice {
  readonly #arena: Arena
  readonly #house: House
  readonly #perAccount: number
  readonly #levels: (game: Game) => readonly string[]

  constructor(arena: Arena, { house, practicePerAccount, levels }: PracticeOptions) {
    this.#arena = arena
    this.#house = house
    this.#perAccount = practicePerAccount ?? Number.POSITIVE_INFINITY
    this.#levels = levels ?? (() => [])
  }

  opponents(game: Game, level: string): ReturnType<House> {
    return this.#house(game, level)
  }

  /** Why this player may not meet house players now; null where it may. */
  refusal({ account }: Player): Refusal | null {
    return this.#arena.countSeats(agentOf(account), isPractice) < this.#perAccount
      ? null
      : {
          code: 'too-many-matches',
          detail: `this account plays ${this.#perAccount} practice matches: try again when one is over`,
          retryAfter: 10,
        }
  }

  /** The player and its opponents, which `make` makes, or why it cannot practise now. */
  party(
    player: Player,
    game: Game,
    level: string,
    make: MakePlayer | undefined,
  ): readonly Player[] | Refusal {
    const refusal = this.refusal(player)
    if (refusal !== null) return refusal
    if (make === undefined)
      return {
        code: 'no-such-level',
        detail: `no house player ${quoted(level)} plays ${game.id}; there are ${this.#levels(game).join(', ')}`,
      }
    return [player, ...Array.from({ length: seatRange(game).min - 1 }, make)]
  }
}
