import type { AccountId } from '../arena/account.ts'
import type { Ladder } from '../arena/ladder.ts'
import type { MatchStore } from '../arena/match-store.ts'
import type { Player } from '../arena/player.ts'

/** Who meets whom, and who has seat 0: by past matches and by the owners of accounts. */
export class PairingPolicy {
  readonly #matchStore: MatchStore
  readonly #pairCap: number
  readonly #roll: (n: number) => number

  /** `pairCap`: how many rated matches two accounts may play in a day on one ladder; 0 for no limit. */
  constructor(matchStore: MatchStore, pairCap: number, roll: (n: number) => number) {
    this.#matchStore = matchStore
    this.#pairCap = pairCap
    this.#roll = roll
  }

  /** The owner of an account. Accounts of one owner never meet in a rated match. */
  owner(account: AccountId): AccountId {
    return this.#matchStore.family(account)
  }

  /** Whether two accounts have played all the rated matches that they may play in a day. */
  capReached(ladder: Ladder, a: AccountId, b: AccountId): boolean {
    return this.#pairCap > 0 && this.#matchStore.ratedToday(ladder, a, b) >= this.#pairCap
  }

  anyCapReached(ladder: Ladder, players: readonly Player[]): boolean {
    return players.some(({ account }, i) =>
      players.slice(i + 1).some(other => this.capReached(ladder, account.id, other.account.id)),
    )
  }

  anyOfOneOwner(players: readonly Player[]): boolean {
    return new Set(players.map(({ account }) => this.owner(account.id))).size < players.length
  }

  /** The penalty, in rating points, for a pairing in which both players have had seat 0 too often, or too rarely. */
  penalty(a: Player, b: Player, ladder: Ladder): number {
    const [first, second] = this.#seatPriority(ladder, a, b) <= 0 ? [a, b] : [b, a]
    // How much the sum of the squares of both leads grows beyond the least that one match adds.
    return 200 * Math.max(0, this.#lead(ladder, first) - this.#lead(ladder, second))
  }

  /** Seat 0 goes to the player that has had it less often: against this opponent, then against all. */
  seatOrder(ladder: Ladder, players: readonly Player[]): readonly Player[] {
    const shuffled = this.shuffled(players)
    return players.length === 2
      ? shuffled.sort((a, b) => this.#seatPriority(ladder, a, b))
      : shuffled.sort((a, b) => this.#lead(ladder, a) - this.#lead(ladder, b))
  }

  shuffled<T>(items: readonly T[]): T[] {
    const result = [...items]
    for (let i = result.length - 1; i > 0; i--) {
      const j = this.#roll(i + 1)
      ;[result[i], result[j]] = [result[j]!, result[i]!]
    }
    return result
  }

  /** Below zero where seat 0 is due to the first player, above zero where it is due to the second. */
  #seatPriority(ladder: Ladder, { account: a }: Player, { account: b }: Player): number {
    const matchStore = this.#matchStore
    return (
      matchStore.firsts(ladder, a.id, b.id) - matchStore.firsts(ladder, b.id, a.id) ||
      matchStore.standing(a.id, ladder).lead - matchStore.standing(b.id, ladder).lead
    )
  }

  /** How much more often this player has had seat 0 than other seats. */
  #lead(ladder: Ladder, { account }: Player): number {
    return this.#matchStore.standing(account.id, ladder).lead
  }
}
