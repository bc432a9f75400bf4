import type { Socket } from 'node:net'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { Code } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Limits } from '../config.ts'
import { TokenBucket } from '../limits/token-bucket.ts'
import type { Accounts, Roster } from './accounts.ts'
import type { Book, Entry } from './entry.ts'
import type { Farewells } from './farewells.ts'
import type { Patience } from './patience.ts'
import { type Guest, madeRoom } from './porter.ts'
import { sourceOf } from './source.ts'
import { disconnect } from './ssh-disconnect.ts'
import { type Person, SshLogin, type Users, type Visitor } from './ssh-login.ts'
import { type SessionHost, SshSession } from './ssh-session.ts'
import { SshScreen, SshVisit } from './ssh-visit.ts'

/** What all connections share. */
export interface SshHouse {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly users: Users
  readonly clock: Clock
  readonly patience: Patience
  readonly book: Book
  readonly limits: Limits
}

/** How long a client may take to read the last words and to go. */
const partWithin = 3_000
/** Far more than logging in takes. */
const mostBeforeLogin = 128 * 1024
/** What may be typed in so many seconds may be pasted at once. */
const burstSeconds = 16
/** Key exchanges: clients make one an hour. */
const rekeyRate = { perSecond: 1 / 60, burst: 10 }

/** One client, from its first byte to its last. */
export class SshConnection implements SessionHost {
  readonly #house: SshHouse
  readonly #entry: Entry
  readonly #socket: Socket
  readonly #guest: Guest
  readonly #address: string
  readonly #sessions: (SshSession | SshVisit)[] = []
  #opened = 0
  #visitor: Visitor | null = null
  /** Runs while the client has not settled yet, and again while it is to go. */
  #timer: Timer | null
  #parting = false
  #met = false
  #isEncrypted = false
  /** Its last words are being said, and the socket is no longer ours to end. */
  #hasFarewell = false
  /** What came is no SSH, or the client has tried to log in: enough to hold it against who then goes. */
  #suspect = false
  /** Only for those who want new keys. */
  #rekeyings: TokenBucket | null = null
  #reason: string | null = null

  constructor(house: SshHouse, socket: Socket, guest: Guest, gone: () => void) {
    this.#house = house
    this.#socket = socket
    this.#guest = guest
    this.#address = socket.remoteAddress ?? ''
    this.#entry = house.book.open(this.#address)
    this.#timer = house.clock.after(house.limits.loginTime, () => {
      this.#suspect = true
      this.cut('took too long to log in')
    })
    // Each visit waits for it to drain, and an operator may allow many.
    socket.setMaxListeners(0)
    socket.on('error', error => this.#because(error.message))
    // A client that has said its last word is gone, even while there is something left for it to read.
    socket.on('end', () => socket.destroy())
    // ssh2 has said its last word, to something that speaks no SSH, and would wait for an answer.
    socket.on('finish', () => {
      if (!this.#hasFarewell) socket.destroy()
    })
    socket.on('close', () => {
      this.#closed()
      gone()
    })
  }

  get patience(): Patience {
    return this.#house.patience
  }

  get connection(): string {
    return this.#entry.connection
  }

  /** Undefined for whoever has not come in. */
  get kind(): 'agent' | 'person' | undefined {
    if (this.#visitor === null || this.#visitor.kind === 'stranger') return undefined
    return this.#visitor.kind === 'person' ? 'person' : 'agent'
  }

  get mostUnsent(): number {
    return this.#house.limits.unread
  }

  /** To be called for all that comes in, before anything is made of it. */
  heard(): void {
    // Whatever is sent is sent for something that came, the answers that ssh2 gives by itself too.
    if (this.#socket.writableLength > this.mostUnsent) this.tooSlow()
    else if (this.#visitor === null && this.#socket.bytesRead > mostBeforeLogin) {
      this.#suspect = true
      this.cut('too much before the login')
    }
  }

  /** The client speaks SSH. */
  meet(client: Connection): void {
    const { accounts, users, limits } = this.#house
    this.#met = true
    // What ssh2 cannot make sense of, the client has sent: faults of ours are caught before they come to it.
    client.on('error', (error: ClientError) => {
      this.#suspect ||= isNonsense(error)
      this.cut(harmless(error.message))
    })
    new SshLogin(client, accounts, users, limits.loginTries, {
      isOver: () => this.#socket.writableEnded,
      admit: visitor => this.#admit(visitor),
      rejected: () => {
        this.#suspect = true
      },
      forged: () => this.#guest.loginFailed(),
      giveUp: () => this.cut('too many tries to log in'),
      failed: error => this.#fail(error),
    })
    client.once('handshake', () => {
      this.#isEncrypted = true
    })
    client.on('rekey', () => this.#rekeyed())
    // What nobody listens for, ssh2 refuses: terminals, variables, subsystems, forwarding of any kind.
    client.on('session', (accept, reject) =>
      this.#guard(() => {
        if (this.#parting || this.#opened === limits.channels) reject()
        else {
          this.#opened++
          this.#attend(accept())
        }
      }),
    )
  }

  /** The host stops: whoever has been told may take a moment to go, the others go now. */
  close(): void {
    if (!this.#parting) this.dismiss('the host stopped')
  }

  /** Cut for others, while it had not logged in yet. */
  makeRoom(farewells: Farewells): void {
    this.#guest.left()
    this.#because('had to make room for others')
    // From then on what is said is encrypted, by ssh2, which has no words for a disconnect message.
    if (this.#isEncrypted) this.#socket.destroy()
    else {
      this.#hasFarewell = true
      farewells.tell(this.#socket, disconnect(madeRoom.detail))
    }
  }

  /** Cut through no fault of the client. */
  dismiss(reason: string): void {
    this.#guest.left()
    this.cut(reason)
  }

  cut(reason: string): void {
    this.#because(reason)
    this.#socket.destroy()
  }

  refused(code: Code): void {
    this.#entry.refused(code)
  }

  tooSlow(): void {
    this.refused('too-slow')
    this.cut('too-slow')
  }

  failed(session: SshSession, error: unknown): void {
    this.#entry.failed(error)
    this.refused('internal')
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

  /** New keys cost us more than a millisecond; nothing else that ssh2 does by itself takes a hundredth of that. */
  #rekeyed(): void {
    this.#rekeyings ??= new TokenBucket(this.#house.clock, rekeyRate)
    if (this.#rekeyings.take() === 0) return
    this.refused('too-fast')
    this.cut('too many key exchanges')
  }

  #admit(visitor: Visitor): void {
    this.#visitor = visitor
    if (visitor.kind === 'stranger') {
      this.#guest.loginFailed()
      this.refused(visitor.refusal.code)
    } else if (visitor.login !== null) {
      this.#entry.account = visitor.login.account.name
      this.#house.accounts.proven(visitor.login)
      this.#guest.loginSucceeded()
    }
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
    if (largestPacket(stream) < leastPacket) {
      this.cut(`takes no packets of ${leastPacket} bytes`)
      return
    }
    this.#setTimer(null)
    this.#guest.authenticated()
    const visitor = this.#visitor!
    if (visitor.kind === 'person') this.#receive(stream, visitor, screen!, command)
    else this.#serve(stream, visitor, command)
  }

  #receive(stream: ServerChannel, person: Person, screen: SshScreen, command: string): void {
    const { accounts, roster, clock, limits } = this.#house
    const { user, key, login, people } = person
    const input = new TokenBucket(clock, {
      perSecond: limits.keys,
      burst: burstSeconds * limits.keys,
    })
    const visit = new SshVisit(stream, this.#socket, input, {
      refused: code => this.refused(code),
      failed: error => this.#entry.failed(error),
      tooSlow: () => this.tooSlow(),
      over: (visit, reason) => this.over(visit, reason),
    })
    this.#sessions.push(visit)
    const refusal =
      login === null ? undefined : (accounts.objection(login) ?? roster.objection(login.account))
    if (refusal !== undefined) {
      this.refused(refusal.code)
      visit.note(`${refusal.detail}\r\n`)
      visit.end(1)
      return
    }
    const { connection } = this
    const address = this.#address
    const source = sourceOf(address) ?? address
    const presence = people.open(
      { connection, user, address, source, login, key, command, screen: screen.screen },
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
      visitor.kind === 'stranger'
        ? visitor.refusal
        : (accounts.objection(visitor.login) ?? roster.objection(visitor.login.account))
    if (visitor.kind === 'known' && refusal !== undefined) this.refused(refusal.code)
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
    this.#judge()
    this.#guest.left()
    this.#entry.ended(this.#reason ?? 'the client went', this.#socket)
  }

  /** Whoever goes without having logged in may have been at something, or has cost us a handshake. */
  #judge(): void {
    if (this.#visitor !== null) return
    const isNoise = !this.#met && this.#socket.bytesRead > 0
    if (this.#suspect || isNoise) this.#guest.loginFailed()
    else if (this.#met) this.#guest.loginSkipped()
  }

  /** The first reason is the one that counts: what follows is only what comes of it. */
  #because(reason: string): void {
    // Some of it is in the client's own words, as many as it likes.
    this.#reason ??= reason.slice(0, 200)
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
    this.#entry.failed(error)
    this.cut('a fault of ours')
  }
}

/**
 * A client says how much it takes at a time. Of nothing at a time ssh2 would send for ever, and what is sent byte by byte
 * costs more than it is worth; every client takes some 16 KiB.
 */
const largestPacket = (stream: ServerChannel): number =>
  (stream as unknown as { outgoing: { packetSize: number } }).outgoing.packetSize
const leastPacket = 1024

/** The words of a client that goes are part of what ssh2 says. */
const harmless = (text: string): string => text.replace(/\p{Cc}/gu, '?')
/** ssh2 tells of some faults at what level they are, and of a client's own farewell which number it gave as a reason. */
type ClientError = Error & { readonly level?: string; readonly code?: number | string }

/** What came is no SSH, while a broken line or a parting may happen to anybody. */
const isNonsense = ({ level, code }: ClientError) =>
  level === 'protocol' || (level === undefined && code === undefined)

const internal = { code: 'internal', detail: 'a fault of ours; it has been noted' } as const
