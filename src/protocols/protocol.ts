// A protocol translates between the messages of a client and those of the arena. It may refuse a message that it cannot
// read; only the referee decides what that costs.

import type { IncomingHttpHeaders } from 'node:http'
import type { Account } from '../arena/account.ts'
import type { Arena } from '../arena/arena.ts'
import type { Points } from '../arena/wagers.ts'
import type { Clock } from '../clock.ts'
import type { Director } from '../events/director.ts'
import type { Matchmaking } from '../matchmaking/matchmaking.ts'
import type { PartyTables } from '../matchmaking/party-tables.ts'
import type { Rooms } from '../matchmaking/rooms.ts'
import type { HttpClient } from '../outgoing/http-client.ts'
import type { AgonRecords } from './agon/records.ts'
import type { ClawpolyStore } from './clawpoly/agents.ts'
import type { WireRefusal } from './codes.ts'
import type { Close, Connection, Message, Session } from './connection.ts'
import type { Introduction, Registrar } from './credentials.ts'
import type { Gate } from './gate.ts'
import type { LeagueAgent, LeagueStore } from './league/agents.ts'
import type { Play } from './play/play.ts'
import type { Mount } from './routes.ts'

/**
 * A protocol, with what it mounts: an SSH user name, WebSocket paths, HTTP routes. The wire keeps limits, lockouts, bans
 * and keep-alives for all of them, and asks the protocol for the words.
 *
 * - A session over SSH or WebSocket lives as long as its connection (`Session`).
 * - A client that polls has no connection between two requests. Its protocol makes a session of its own, keeps it at the gate
 *   (`Gate.keep`), and ends it when the client has left: when a poll is cut (`c.req.raw.signal`), and when none has come for
 *   a while, by a timer of the protocol. Each request logs in, and is checked to be of the account of the session.
 * - Either is a `Player`. If its client is lost, it ends its wait (`Leave`), or says `lost` on its handle. A client that is back gets a new
 *   session, which attaches to the seat: one of `Arena.seatsOf` that is of this protocol.
 * - A guest has no account: a session says so by `Gate.admitGuest`. It may watch, or play in a seat with an account that only the
 *   protocol knows.
 */
export interface Protocol {
  /** Its name in AGENTBBS_PROTOCOLS, which is also the door of its own API keys and session tokens. */
  readonly id: string
  /**
   * How the wire ends a connection of this protocol: too long a message, a ban, the end of the host, and so on. Null cuts
   * it without a word. Also asked for a client that is refused as soon as it has logged in over SSH.
   */
  lastWords(refusal: WireRefusal): LastWords | null
  /** The same where HTTP is spoken: before a handshake, and on the routes. */
  httpAnswer(refusal: WireRefusal): HttpAnswer
  readonly ssh?: SshUser
  readonly webSockets?: readonly WebSocketPath[]
  readonly routes?: Mount
  /** Ends the streams to which clients without a login listen: the host has no matches any more, and stops. */
  endStreams?(): void
  /** Ends what it has started besides, such as a thread. No client is left. */
  close?(): Promise<void>
}

export interface LastWords {
  /** A last message; left out for none. */
  readonly text?: string
  /** How a WebSocket closes: by code 1008 unless given. SSH has exit status 1. */
  readonly close?: Close
}

/** Answers the commands and shells of one SSH user name, to clients with a registered key. */
export interface SshUser {
  readonly user: string
  open(connection: Connection, account: Account, command: string): Session<Message>
}

/** Answers WebSockets at one path: each text frame is a message. */
export interface WebSocketPath {
  readonly path: string
  /** What a request gets that asks for no WebSocket. */
  readonly plain: HttpAnswer
  /** Other keep-alives than those of the wire, which pings every 15 s and cuts after two pings without an answer. */
  readonly keepAlive?: Pings
  /** Refuses a client in HTTP, or answers with what opens its session after the handshake. Either may use the gate. */
  enter(request: UpgradeRequest): Entrance | Promise<Entrance>
}

/**
 * Keep-alives: a ping every so many milliseconds. When the next one is due and so many have found no sign of life, the
 * connection is cut.
 */
export interface Pings {
  readonly every: number
  readonly unanswered: number
}

export type Entrance = HttpAnswer | ((connection: Connection) => Session<Message>)

export interface UpgradeRequest {
  readonly params: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly gate: Gate
}

/** A short answer in plain HTTP. */
export interface HttpAnswer {
  readonly status: number
  readonly body: string
  readonly type?: 'text/plain' | 'text/plain; version=0.0.4' | 'application/json'
  readonly headers?: { readonly [name: string]: string }
}

/** A protocol before it is opened, as src/protocols/index.ts lists it. */
export interface ProtocolModule {
  readonly id: string
  /** The codes of its own with which it calls `Connection.refused`. */
  readonly codes: readonly string[]
  open(host: ProtocolHost): Protocol
}

/** What a protocol is made of. */
export interface ProtocolHost {
  readonly arena: Arena
  readonly matchmaking: Matchmaking
  /** Where players sit down at tables. */
  readonly rooms: Rooms
  /** Tables that players set up, at which they meet by a code. */
  readonly parties: PartyTables
  /** Where players ask for a place in an event. */
  readonly director: Director
  /** The operations by which models play. */
  readonly play: Play
  /** Makes accounts, and secrets to log in with. */
  readonly registrar: Registrar
  /** When an account came, and what it said of itself to this protocol. */
  introduction(account: Account, protocol: string): Promise<Introduction>
  /** What the API answers to a GET of this path, for a client at this address; null where that is long. */
  api(path: string, source: string | undefined): Promise<ApiAnswer | null>
  /** Where the host is, as its instructions show it. Known once it listens. */
  readonly addresses: { readonly site: string }
  readonly version: string
  readonly clock: Clock
  /** Logs an internal error that is of no connection. */
  failed(error: unknown): void
  /** Milliseconds that an agent has for a move, where the protocol leaves that to the host. */
  readonly moveTimeout: number
  readonly loa: LoaSettings
  readonly league: LeagueSettings
  readonly agon: AgonSettings
  readonly clawpoly: ClawpolySettings
  /** The accounts of seats that have none of their own, by seat. */
  readonly guests: readonly Account[]
  /** What agents have earned, and what they stake. */
  readonly points: Points
  /** Calls other servers. */
  readonly http: HttpClient
  readonly limits: MessageLimits
}

export interface ApiAnswer {
  readonly status: number
  /** JSON. */
  readonly body: string
}

/** The settings of League of Agents. */
export interface LoaSettings {
  /** The path under which it is, such as /loa. */
  readonly prefix: string
  /** The host name at which a reverse proxy has it at the root; empty for none. */
  readonly host: string
  /** Milliseconds that an agent has for its first move of a match, and for each later one. */
  readonly firstMove: number
  readonly move: number
  /** From whom fog hides what the spectators of other protocols do not see either. */
  readonly fog: 'players' | 'all'
}

/** What league.v2 is made of. */
interface LeagueSettings {
  /** The path under which it is, such as /league. */
  readonly prefix: string
  /** The host name at which a reverse proxy has it at the root; empty for none. */
  readonly host: string
  /** The data folder, which has its logs. */
  readonly folder: string
  readonly store: LeagueStore
  /** The servers that have registered before this start. */
  readonly agents: readonly LeagueAgent[]
}

/** What AGON is made of. */
interface AgonSettings {
  /** The path under which it is, such as /agon. */
  readonly prefix: string
  /** The host name at which a reverse proxy has it at the root; empty for none. */
  readonly host: string
  /** Actions that a connection may send in 10 s. */
  readonly actions: number
  /** Whether agents may wager points. */
  readonly wagers: boolean
  /** Signs session tokens. */
  readonly key: Uint8Array
  readonly records: AgonRecords
}

/** What Clawpoly is made of. */
interface ClawpolySettings {
  /** The path under which it is, such as /clawpoly. */
  readonly prefix: string
  /** The host name at which a reverse proxy has it at the root; empty for none. */
  readonly host: string
  /** Whether agents without an account may sit down. */
  readonly isOpen: boolean
  /** How many rooms one address may set up, and how many seats it may take, within a minute. */
  readonly rooms: number
  readonly joins: number
  readonly agents: ClawpolyStore
}

/** The rate limit on messages of an agent. */
export interface MessageLimits {
  /** Messages a second, besides the moves that are owed; the burst is five times as many. */
  readonly messages: number
  /** How many messages beyond the limit are refused before the connection is closed. */
  readonly tooFast: number
}
