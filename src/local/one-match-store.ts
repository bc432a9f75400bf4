import type { AccountId } from '../arena/account.ts'
import type { Finished, MatchId, MatchStore, NewMatch, Standing } from '../arena/match-store.ts'
import { initialRating } from '../arena/rating.ts'
import { initialElo } from '../arena/room-elo.ts'
import type { Unrated } from '../arena/unrated.ts'

/** What the arena asks of the database, for one match that is kept elsewhere and changes no rating. */
export class OneMatchStore implements MatchStore {
  readonly #id: MatchId
  #begun: NewMatch | null = null

  constructor(id: MatchId) {
    this.#id = id
  }

  reserve(): MatchId {
    return this.#id
  }

  begin(match: NewMatch): MatchId {
    this.#begun = match
    return this.#id
  }

  finish(
    _match: MatchId,
    _outcome: unknown,
    _moves: unknown,
    unrated: Unrated | null = null,
  ): Promise<Finished> {
    const { accounts, unrated: from } = this.#begun!
    return Promise.resolve({
      changes: accounts.map(() => ({ rating: initialRating, change: 0 })),
      unrated: unrated ?? from,
      points: null,
      elo: null,
    })
  }

  progress(): void {}

  abort(): Promise<void> {
    return Promise.resolve()
  }

  hold(): null {
    return null
  }

  release(): void {}

  standing(): Standing {
    return { rating: initialRating, strength: null, lead: 0 }
  }

  elo(): number {
    return initialElo
  }

  firsts(): number {
    return 0
  }

  ratedToday(): number {
    return 0
  }

  family(account: AccountId): AccountId {
    return account
  }

  pause(): null {
    return null
  }
}
