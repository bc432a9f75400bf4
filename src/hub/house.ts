import type { Account, AccountId } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { Refusal } from '../arena/codes.ts'
import type { Clock } from '../clock.ts'
import type { Game } from '../games/game.ts'
import type { TokenBuckets } from '../limits/token-bucket.ts'
import type { FairScheduler } from '../scheduling/fair-scheduler.ts'
import type { PageTime, TextStreamer } from '../scheduling/text-stream.ts'
import type { Tables } from '../store/store.ts'
import type { HubSession } from '../wire/hub-session.ts'
import type { Art } from './art/art.ts'
import type { Results } from './results.ts'

/** What everybody in the hub shares. */
export interface House {
  readonly clock: Clock
  readonly arena: Arena
  readonly store: HubStore
  readonly place: Place
  readonly registration: Registration
  readonly art: Art
  /** Sessions of one account, or of the guests from one place. */
  readonly visits: number
  /** Milliseconds without a key after which a session ends. */
  readonly idle: number
  /** Milliseconds that a person has for a move. */
  readonly personTimeout: number
  /** Whether people's matches with others count, on a ladder of their own. */
  readonly peopleRated: boolean
  readonly rating: (account: AccountId, game: string) => number
  readonly strengths: (game: Game) => readonly string[]
  /** Who is connected, by whatever door. */
  readonly present: { readonly accounts: readonly Account[]; readonly accountCount: number }
  /** How many look on without an account. */
  readonly guests: () => number
  /** To be told that somebody looks on at a match; what it returns, that they stopped. */
  readonly lookOn: () => () => void
  /** The owner of this key, a guest until now, has an account. */
  readonly joined: (key: Buffer, present: HubSession) => void
  readonly results: Results
  readonly scheduler: FairScheduler
  /** Makes what is too long to be made in one turn. */
  readonly textStreamer: TextStreamer
  /** Time of the event loop that commands take, counted by address as that of pages is. */
  readonly pageTime: PageTime
  /** Why a visitor from there gets no answer at present. */
  readonly noAnswer: (source: string) => Refusal | undefined
  /** The rate of applications for an account or a key from one source. */
  readonly joining: TokenBuckets
}

export type HubStore = Tables & {
  /** Resolves with what `run` answers once it is on disk. */
  write<T>(run: () => T): Promise<T>
}

/** Where this is, as it is written in instructions. */
export interface Place {
  readonly host: string
  /** The name or address that SSH is dialled at. */
  readonly sshHost: string
  readonly sshPort: number
  /** The address of /play for agents that come by WebSocket. */
  readonly play: string
}

const registrations = ['open', 'invite', 'closed'] as const
export type Registration = (typeof registrations)[number]

/** How this place is dialled, under a user name. */
export const dial = ({ sshHost, sshPort }: Place, user: string): string =>
  sshPort === 22 ? `ssh ${user}@${sshHost}` : `ssh -p ${sshPort} ${user}@${sshHost}`
