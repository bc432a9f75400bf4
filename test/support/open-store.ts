import type { AccountId } from '../../src/arena/account.ts'
import type { Ladder } from '../../src/arena/ladder.ts'
import type { MatchId, NewMatch, OwnedPause, Standing } from '../../src/arena/match-store.ts'
import type { Clock } from '../../src/clock.ts'
import { MatchBook } from '../../src/store/match-book.ts'
import type { Tables } from '../../src/store/tables.ts'
import { openWriter, type Writer, type WriterOptions } from '../../src/store/writer.ts'

/** The store of a server, all in this thread. */
export interface Store extends Tables, Pick<Writer, 'write'> {
  readonly matchStore: MatchBook
  /** Closes the store once all waiting writes are on disk. */
  close(): Promise<void>
}

/** Opens a data folder as a server does, for tests that look at the tables beside it. */
export const openStore = async (
  folder: string,
  clock: Clock,
  options: WriterOptions = {},
): Promise<Store> => {
  const writer = await openWriter(folder, clock, options)
  const { tables, writing, numbers, eventLadders: ladders } = writer
  const matchStore = new TestMatchBook({ clock, writing, numbers, ladders })
  return {
    ...tables,
    matchStore,
    write: run => writer.write(run),
    close: () => writer.close(matchStore.close()),
  }
}

/** Fetches facts when a test asks for them. In this thread they come at once. */
class TestMatchBook extends MatchBook {
  override standing(account: AccountId, ladder: Ladder): Standing {
    this.#fetch([account], ladder.game)
    return super.standing(account, ladder)
  }

  override firsts(ladder: Ladder, account: AccountId, against: AccountId): number {
    this.#fetch([account, against], ladder.game)
    return super.firsts(ladder, account, against)
  }

  override ratedToday(ladder: Ladder, a: AccountId, b: AccountId): number {
    this.#fetch([a, b], ladder.game)
    return super.ratedToday(ladder, a, b)
  }

  override family(account: AccountId): AccountId {
    this.#fetch([account])
    return super.family(account)
  }

  override pause(account: AccountId): OwnedPause | null {
    this.#fetch([account])
    return super.pause(account)
  }

  override begin(match: NewMatch): MatchId {
    this.#fetch(match.accounts, match.game)
    return super.begin(match)
  }

  #fetch(accounts: readonly AccountId[], game = 'ttt'): void {
    void this.hold(accounts, game)
    this.release(accounts)
  }
}
