import type { Account } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { Deal } from '../arena/table.ts'
import type { Clock } from '../clock.ts'
import type { Director } from '../events/director.ts'
import type { Game } from '../games/game.ts'
import type { Matchmaking } from '../matchmaking/matchmaking.ts'
import type { PartyTables } from '../matchmaking/party-tables.ts'
import type { Rooms } from '../matchmaking/rooms.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { HubCommands } from '../queries/hub-commands.ts'
import type { HubReplays } from '../queries/hub-replays.ts'
import type { FairScheduler } from '../scheduling/fair-scheduler.ts'
import type { PageTime, TextStreamer } from '../scheduling/text-stream.ts'
import type { Acts } from '../store/acts.ts'
import type { Questions } from '../store/questions.ts'
import type { LimitedRegistrar } from '../store/registrar.ts'
import type { RegistrationPolicy } from '../store/registration.ts'
import type { Remote } from '../threads/calls.ts'
import type { Login } from '../wire/accounts.ts'
import type { HubSession } from '../wire/hub-session.ts'
import type { Art } from './art/art.ts'
import type { HostAddresses } from './host-addresses.ts'
import type { Results } from './results.ts'

/** What all sessions of the hub share. */
export interface HubContext extends HubOptions {
  readonly guestCount: () => number
  /** Counts a spectator of a match, until the function that it returns is called. */
  readonly addSpectator: () => () => void
  /** Whole seconds until this person may react to a match again; 0 for now, which counts as a reaction. */
  readonly reactionWait: (account: Account) => number
}

/** What the hub is opened with. */
export interface HubOptions {
  readonly clock: Clock
  readonly arena: Arena
  readonly matchmaking: Pick<Matchmaking, 'seek' | 'waiting'>
  readonly rooms: Pick<Rooms, 'tables' | 'table' | 'tableOf' | 'watch'>
  /** Tables that players set up. */
  readonly parties: Pick<
    PartyTables,
    'tables' | 'table' | 'create' | 'addHouse' | 'removeHouse' | 'start' | 'watch'
  >
  /** The events that are not over. */
  readonly events: Pick<Director, 'get' | 'watch' | 'attend' | 'enter' | 'checkIn' | 'withdraw'>
  readonly questions: Remote<Questions>
  readonly acts: Remote<Acts>
  readonly commands: Remote<HubCommands>
  readonly replays: Remote<HubReplays>
  readonly addresses: HostAddresses
  readonly registration: RegistrationPolicy
  readonly art: Art
  /** How many sessions one account may have, or all guests from one address together. */
  readonly sessionsPerClient: number
  /** Milliseconds without a key after which a session ends. */
  readonly idleTimeout: number
  /** Milliseconds that a person has for a move. */
  readonly personTimeout: number
  /** Whether matches of people against others are rated, on ladders of their own. */
  readonly peopleRated: boolean
  /** What the seats of a match have on its ladder, as `seatRatings` says. */
  readonly ratings: (deal: Deal) => readonly (number | null)[]
  /** The levels of house players that a game has. */
  readonly levels: (game: Game) => readonly string[]
  /** The accounts that are connected, to the hub or as agents. */
  readonly online: { readonly accounts: readonly Account[]; readonly accountCount: number }
  /** The login by a key that has just been registered. */
  readonly loginOf: (key: Buffer) => Promise<Login | undefined>
  /** The guest of this session has registered, and is logged in from now on. */
  readonly onRegistered: (login: Login, session: HubSession) => void
  /** A key or a secret of the account of this name has been revoked, or its pause has been ended. */
  readonly onAccountChanged: (name: string) => Promise<void>
  /** Gives a link that signs a person in to the pages, and leads to a path of them. */
  readonly signIns: { linkFor(login: Pick<Login, 'account' | 'by'>, path: string): string }
  readonly results: Results
  readonly scheduler: FairScheduler
  /** Makes long texts in slices. */
  readonly textStreamer: TextStreamer
  /** The time that commands take of the event loop. It is counted for each address, together with that of web pages. */
  readonly pageTime: PageTime
  /** Why commands from this address are refused at present. */
  readonly commandRefusal: (source: string) => WireRefusal | undefined
  readonly registrar: Pick<LimitedRegistrar, 'registerKey'>
}
