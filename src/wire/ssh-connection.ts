import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { Clock, Timer } from '../clock.ts'
import type { Accounts, Roster } from './accounts.ts'
import type { Patience } from './patience.ts'
import { type Person, SshLogin, type Users, type Visitor } from './ssh-login.ts'
import { mostUnsent, type SessionHost, SshSession } from './ssh-session.ts'
import { SshScreen, SshVisit } from './ssh-visit.ts'

/** What all connections share. */
export interface SshHouse {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly users: Users
  readonly clock: Clock
  readonly patience: Patience
  readonly log: Logger
  /** How long a client may take from connecting to its command. */
  readonly settleWithin: number
}

export interface ConnectionEvents {
  /** The client has said what it came for. */
  settled(): void
  gone(): void
}

/** How long a client may take to read the last words and to go. */
export const partWithin = 3_000
/** Far more than logging in takes. */
const mostBeforeLogin = 128 * 1024
const mostSessions = 2

/** One client, from its first byte to its last. */
export class SshConnection implements SessionHost {
  readonly #house: SshHouse
  readonly #id: number
  readonly #socket: Socket
  readonly #events: ConnectionEvents
  readonly #address: string
  readonly #sessions: (SshSession | SshVisit)[] = []
  #opened = 0
  #visitor: Visitor | null = null
  /** Runs while the client has not settled yet, and again while it is to go. */
  #timer: Timer | null
  #parting = false
  #reason: string | null = null

  constructor(house: SshHouse, id: number, socket: Socket, events: ConnectionEvents) {
    this.#house = house
    this.#id = id
    this.#socket = socket
    this.#events = events
    this.#address = socket.remoteAddress ?? ''
    this.#timer = house.clock.after(house.settleWithin, () => this.cut('took too long to log in'))
    socket.on('error', error => this.#because(error.message))
    // A client that has said its last word is gone, even while there is something left for it to read.
    socket.on('end', () => socket.destroy())
    // ssh2 has said its last word, to something that speaks no SSH, and would wait for an answer.
    socket.on('finish', () => socket.destroy())
    socket.on('close', () => {
      this.#closed()
      events.gone()
    })
  }

  get patience(): Patience {
    return this.#house.patience
  }

  /** To be called for all that comes in, before anything is made of it. */
  heard(): void {
    // Whatever is sent is sent for something that came, the answers that ssh2 gives by itself too.
    if (this.#socket.writableLength > mostUnsent) this.tooSlow()
    else if (this.#visitor === null && this.#socket.bytesRead > mostBeforeLogin)
      this.cut('too much before the login')
  }

  /** The client speaks SSH. */
  meet(client: Connection): void {
    const { accounts, users } = this.#house
    // What ssh2 cannot make sense of, the client has sent: faults of ours are caught before they come to it.
    client.on('error', error => this.cut(shortly(error.message)))
    new SshLogin(client, accounts, users, {
      admit: visitor => {
        this.#visitor = visitor
      },
      giveUp: () => this.cut('too many tries to log in'),
      failed: error => this.#fail(error),
    })
    // What nobody listens for, ssh2 refuses: terminals, variables, subsystems, forwarding of any kind.
    client.on('session', (accept, reject) =>
      this.#guard(() => {
        if (this.#parting || this.#opened === mostSessions) reject()
        else {
          this.#opened++
          this.#attend(accept())
        }
      }),
    )
  }

  /** The host stops: whoever has been told may take a moment to go, the others go now. */
  close(): void {
    if (!this.#parting) this.cut('the host stopped')
  }

  cut(reason: string): void {
    this.#because(reason)
    this.#socket.destroy()
  }

  tooSlow(): void {
    this.cut('too-slow')
  }

  failed(session: SshSession, error: unknown): void {
    this.#report(error)
    if (this.#visitor!.kind !== 'person') session.send(this.#visitor!.dialect.refuse(internal))
    session.end(false)
    session.closed()
  }

  over(session: SshSession | SshVisit, reason: string): void {
    const present = session instanceof SshVisit ? session.presence : session.listener
    if (present !== null) this.#house.roster.leave(present)
    if (this.#sessions.some(session => !session.ended)) return
    this.#because(reason)
    this.#parting = true
    this.#setTimer(partWithin, () => this.#socket.destroy())
  }

  #attend(session: Session): void {
    // Agents get no terminal: its line discipline would be in the way.
    const screen = this.#visitor?.kind === 'person' ? new SshScreen(session) : null
    const begin = (accept: () => ServerChannel, command: string) =>
      this.#guard(() => this.#begin(accept(), screen, command))
    session.on('exec', (accept, _, { command }) => begin(accept, command))
    session.on('shell', accept => begin(accept, ''))
  }

  #begin(stream: ServerChannel | undefined, screen: SshScreen | null, command: string): void {
    // A session has one command; ssh2 hands out nothing for another.
    if (stream === undefined) return
    if (this.#parting) {
      stream.close()
      return
    }
    this.#setTimer(null)
    this.#events.settled()
    const visitor = this.#visitor!
    if (visitor.kind === 'person') this.#receive(stream, visitor, screen!, command)
    else this.#serve(stream, visitor, command)
  }

  #receive(stream: ServerChannel, person: Person, screen: SshScreen, command: string): void {
    const { accounts, roster } = this.#house
    const { user, key, login, people } = person
    const visit = new SshVisit(stream, this.#socket, {
      failed: error => this.#report(error),
      tooSlow: () => this.tooSlow(),
      over: (visit, reason) => this.over(visit, reason),
    })
    this.#sessions.push(visit)
    const refusal = login === null ? undefined : accounts.objection(login)
    if (refusal !== undefined) {
      visit.note(`${refusal.detail}\r\n`)
      visit.end(1)
      return
    }
    const address = this.#address
    const presence = people.open(
      { user, address, login, key, command, screen: screen.screen },
      visit,
    )
    visit.presence = presence
    screen.resized = size => presence.resized(size)
    if (login !== null && !visit.ended) roster.enter(login, presence)
  }

  #serve(stream: ServerChannel, visitor: Exclude<Visitor, Person>, text: string): void {
    const { accounts, roster } = this.#house
    const session = new SshSession(stream, this.#socket, this)
    this.#sessions.push(session)
    const refusal =
      visitor.kind === 'stranger' ? visitor.refusal : accounts.objection(visitor.login)
    if (visitor.kind === 'stranger' || refusal !== undefined) {
      session.send(visitor.dialect.refuse(refusal!))
      session.end(false)
      return
    }
    const { login, dialect } = visitor
    session.open(() => dialect.open(session, login.account, { kind: 'command', text }))
    if (session.listener !== null && !session.ended) roster.enter(login, session.listener)
  }

  #closed(): void {
    for (const session of this.#sessions) session.closed()
    this.#setTimer(null)
    const { log } = this.#house
    const account =
      this.#visitor === null || this.#visitor.kind === 'stranger'
        ? null
        : (this.#visitor.login?.account.name ?? null)
    log.info(
      { ...this.#label(), account, end: this.#reason ?? 'the client went' },
      'a connection ended',
    )
  }

  /** The first reason is the one that counts: what follows is only what comes of it. */
  #because(reason: string): void {
    this.#reason ??= reason
  }

  #setTimer(ms: number, run: () => void): void
  #setTimer(ms: null): void
  #setTimer(ms: number | null, run?: () => void): void {
    this.#timer?.cancel()
    this.#timer = ms === null ? null : this.#house.clock.after(ms, run!)
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    this.#report(error)
    this.cut('a fault of ours')
  }

  #report(error: unknown): void {
    this.#house.log.error({ ...this.#label(), err: error }, 'a connection failed')
  }

  #label() {
    return { wire: 'ssh', connection: this.#id, address: this.#address }
  }
}

/** The words of a client that goes are part of what it says. */
const shortly = (text: string): string => text.slice(0, 120).replace(/\p{Cc}/gu, '?')

const internal = { code: 'internal', detail: 'a fault of ours; it has been noted' } as const
