import type { AccountId } from '../../arena/account.ts'
import type { LadderId } from '../../arena/ladder.ts'
import type { MatchId, Played } from '../../arena/match-store.ts'
import type { EloChange } from '../../arena/room-elo.ts'
import type { RoomId } from '../../arena/room-setup.ts'
import type { MatchRecord } from '../../record/match-record.ts'

/** What AGON asks of the database. The store answers, from another thread. */
export interface AgonRecords {
  /** The ratings of an account, in each room where it has one. */
  elo(account: AccountId): Promise<readonly RoomNumber[]>
  /** How an account has fared against another one on a ladder. */
  versus(account: AccountId, other: AccountId, ladder: LadderId): Promise<Versus>
  /** A match with its moves; undefined where there is none. */
  match(id: MatchId): Promise<KeptMatch | undefined>
}

interface RoomNumber {
  readonly room: RoomId
  readonly rating: number
}

export interface Versus {
  readonly wins: number
  readonly losses: number
  readonly draws: number
}

export interface KeptMatch {
  readonly record: MatchRecord
  readonly moves: readonly Played[]
  /** The ratings in its room, by seat; null where it changed none, or is voided. */
  readonly elo: readonly EloChange[] | null
  /** The points that each account has earned by it; empty where it earned none. */
  readonly earned: readonly { readonly account: AccountId; readonly amount: number }[]
}
