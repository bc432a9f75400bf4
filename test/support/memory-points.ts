import type { AccountId } from '../../src/arena/account.ts'
import type { MatchId, NewMatch, Played } from '../../src/arena/match-store.ts'
import { messagesIn, pointsFor, type SeatPoints, wagerOutcome } from '../../src/arena/points.ts'
import { roomOf } from '../../src/arena/room-setup.ts'
import type { Escrowed, PastWager, Points } from '../../src/arena/wagers.ts'

/** The points of agents in memory, for the matches of a `MemoryMatchStore`. */
export class MemoryPoints implements Points {
  readonly #matchOf: MatchOf
  readonly #familyOf: (account: AccountId) => AccountId
  readonly #stakes = new Map<MatchId, number>()
  readonly #past: (PastWager & { readonly account: AccountId })[] = []
  /** What each account has: a test may give some. */
  readonly balances = new Map<AccountId, number>()

  constructor(matchOf: MatchOf, familyOf: (account: AccountId) => AccountId) {
    this.#matchOf = matchOf
    this.#familyOf = familyOf
  }

  escrow(id: MatchId, amount: number): Promise<Escrowed> {
    return Promise.resolve(this.#escrow(id, amount))
  }

  balance(account: AccountId): Promise<number> {
    return Promise.resolve(this.#has(account))
  }

  wagers(account: AccountId): Promise<readonly PastWager[]> {
    const mine = this.#past.filter(past => past.account === account)
    return Promise.resolve(mine.map(({ account: _, ...past }) => past).reverse())
  }

  finish(id: MatchId, places: readonly number[], moves: readonly Played[]) {
    const match = this.#matchOf(id)
    const stake = this.#stakes.get(id) ?? null
    if (!this.#earns(match) && stake === null) return null
    const earned = this.#earns(match) ? pointsFor(places, messagesIn(moves)) : places.map(() => 0)
    return match.accounts.map((account, seat): SeatPoints => {
      this.#add(account, earned[seat]!)
      if (stake === null) return { earned: earned[seat]!, balance: this.#has(account), wager: null }
      const outcome = wagerOutcome(places, seat)
      this.#add(account, { win: 2 * stake, refund: stake, loss: 0 }[outcome])
      const opponent = `agent-${match.accounts[1 - seat]}`
      this.#past.push({ account, match: id, opponent, amount: stake, outcome, settledAt: 0 })
      return {
        earned: earned[seat]!,
        balance: this.#has(account),
        wager: { amount: stake, outcome },
      }
    })
  }

  abort(id: MatchId): void {
    const stake = this.#stakes.get(id)
    if (stake !== undefined)
      for (const account of this.#matchOf(id).accounts) this.#add(account, stake)
  }

  #escrow(id: MatchId, amount: number): Escrowed {
    const match = this.#matchOf(id)
    if (match.isOver) return { refused: 'over' }
    if (!this.#earns(match)) return { refused: 'no-points' }
    if (this.#stakes.has(id)) return { refused: 'wagered' }
    const poor = match.accounts.find(account => this.#has(account) < amount)
    if (poor !== undefined) return { poor }
    for (const account of match.accounts) this.#add(account, -amount)
    this.#stakes.set(id, amount)
    return { ok: true }
  }

  #earns({ setup, accounts, practice = false }: NewMatch): boolean {
    const families = new Set(accounts.map(this.#familyOf))
    return roomOf(setup ?? null) !== null && !practice && families.size === accounts.length
  }

  #has(account: AccountId): number {
    return this.balances.get(account) ?? 0
  }

  #add(account: AccountId, amount: number): void {
    this.balances.set(account, this.#has(account) + amount)
  }
}

type MatchOf = (id: MatchId) => NewMatch & { readonly isOver: boolean }
