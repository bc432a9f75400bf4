import type { AccountId } from '../arena/account.ts'
import type { Opening } from '../arena/opening.ts'
import type { Player } from '../arena/player.ts'
import { openingsOf } from '../games/openings.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { Waiting } from './waiting.ts'

/** How many pairs of players are remembered. */
const remembered = 10_000

/** The last opening of a pair of players. */
interface Last {
  /** Its place in the suite. */
  readonly at: number
  /** Who had the first seat in the first match from it; null once both matches have begun. */
  readonly first: AccountId | null
}

/**
 * Gives openings to two players that both ask for them: two matches from each, the second one with exchanged seats. A pair
 * begins anywhere in the suite and goes round it, so no opening comes again before all have been played.
 */
export class OpeningPairs {
  readonly #roll: (n: number) => number
  readonly #last = new BoundedMap<string, Last>(remembered)

  constructor(roll: (n: number) => number) {
    this.#roll = roll
  }

  /** The opening of a match of these two, and the players by seat; null where not both ask for one. */
  next(party: readonly Waiting[], inOrder: () => readonly Player[]): Opened | null {
    const [one, two] = party
    if (one === undefined || two === undefined || party.length > 2) return null
    if (!one.openings || !two.openings) return null
    const suite = openingsOf(one.game.id)
    if (suite.length === 0) return null
    const ids = [one, two].map(({ player }) => player.account.id).sort((a, b) => a - b)
    const key = `${one.ladder.id} ${ids.join(' ')}`
    const last = this.#last.get(key)
    if (last !== undefined && last.first !== null) {
      this.#last.set(key, { at: last.at, first: null })
      const players = [one.player, two.player]
      if (players[0]!.account.id === last.first) players.reverse()
      return { opening: suite[last.at]!, players }
    }
    const players = inOrder()
    const at = last === undefined ? this.#roll(suite.length) : (last.at + 1) % suite.length
    this.#last.set(key, { at, first: players[0]!.account.id })
    return { opening: suite[at]!, players }
  }
}

interface Opened {
  readonly opening: Opening
  readonly players: readonly Player[]
}
