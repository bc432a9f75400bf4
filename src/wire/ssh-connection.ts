import type { Socket } from 'node:net'
import type { Connection, ServerChannel, Session } from 'ssh2'
import type { Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Limits } from '../config.ts'
import { TokenBucket } from '../limits/token-bucket.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import type { Shared } from './client-connection.ts'
import { type ConnectionSlot, madeRoom } from './connection-limiter.ts'
import type { ConnectionEntry, ConnectionLog } from './connection-log.ts'
import type { Rejections } from './rejections.ts'
import { sourceOf } from './source.ts'
import type { ChannelHost, SshChannel } from './ssh-channel.ts'
import { disconnect } from './ssh-disconnect.ts'
import { SshLineChannel } from './ssh-line-channel.ts'
import { type Person, SshLogin, type Users, type Visitor } from './ssh-login.ts'
import { SshPty } from './ssh-pty.ts'
import { SshTerminalChannel } from './ssh-terminal-channel.ts'

/** What all SSH connections share. */
export interface SshHouse {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly users: Users
  readonly clock: Clock
  readonly channels: Shared
  readonly book: ConnectionLog
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
export class SshConnection implements ChannelHost {
  readonly #house: SshHouse
  readonly entry: ConnectionEntry
  readonly socket: Socket
  readonly #guest: ConnectionSlot
  readonly #address: string
  readonly #channels: SshChannel<never>[] = []
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

  constructor(house: SshHouse, socket: Socket, guest: ConnectionSlot, gone: () => void) {
    this.#house = house
    this.socket = socket
    this.#guest = guest
    this.#address = socket.remoteAddress ?? ''
    this.entry = house.book.open(this.#address)
    this.#timer = house.clock.after(house.limits.loginTime, () => {
      this.#suspect = true
      this.destroy('took too long to log in')
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

  get shared(): Shared {
    return this.#house.channels
  }

  /** Undefined for whoever has not come in. */
  get kind(): 'agent' | 'person' | undefined {
    if (this.#visitor === null || this.#visitor.kind === 'stranger') return undefined
    return this.#visitor.kind === 'person' ? 'person' : 'agent'
  }

  /** To be called for all that comes in, before anything is made of it. */
  heard(): void {
    // Whatever is sent is sent for something that came, the answers that ssh2 gives by itself too.
    if (this.socket.writableLength > this.shared.mostUnsent) this.#tooSlow()
    else if (this.#visitor === null && this.socket.bytesRead > mostBeforeLogin) {
      this.#suspect = true
      this.destroy('too much before the login')
    }
  }

  /** The client speaks SSH. */
  meet(client: Connection): void {
    const { accounts, users, limits } = this.#house
    this.#met = true
    // What ssh2 cannot make sense of, the client has sent: faults of ours are caught before they come to it.
    client.on('error', (error: ClientError) => {
      this.#suspect ||= isNonsense(error)
      this.destroy(harmless(error.message))
    })
    new SshLogin(client, accounts, users, limits.loginTries, {
      isOver: () => this.socket.writableEnded,
      admit: visitor => this.#admit(visitor),
      rejected: () => {
        this.#suspect = true
      },
      forged: () => this.#guest.loginFailed(),
      giveUp: () => this.destroy('too many tries to log in'),
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
  makeRoom(farewells: Rejections): void {
    this.#guest.left()
    this.#because('had to make room for others')
    // From then on what is said is encrypted, by ssh2, which has no words for a disconnect message.
    if (this.#isEncrypted) this.socket.destroy()
    else {
      this.#hasFarewell = true
      farewells.tell(this.socket, disconnect(madeRoom.detail))
    }
  }

  /** Cut through no fault of the client. */
  dismiss(reason: string): void {
    this.#guest.left()
    this.destroy(reason)
  }

  destroy(reason: string): void {
    this.#because(reason)
    this.socket.destroy()
  }

  over(channel: SshChannel<never>, reason: string): void {
    if (channel.session !== null) this.#house.roster.leave(channel.session)
    if (this.#channels.some(other => !other.isEnding)) return
    this.#because(reason)
    this.#parting = true
    this.#setTimer(partWithin, () => this.socket.destroy())
  }

  #tooSlow(): void {
    this.entry.refused('too-slow')
    this.destroy('too-slow')
  }

  /** New keys cost us more than a millisecond; nothing else that ssh2 does by itself takes a hundredth of that. */
  #rekeyed(): void {
    this.#rekeyings ??= new TokenBucket(this.#house.clock, rekeyRate)
    if (this.#rekeyings.take() === 0) return
    this.entry.refused('too-fast')
    this.destroy('too many key exchanges')
  }

  #admit(visitor: Visitor): void {
    this.#visitor = visitor
    if (visitor.kind === 'stranger') {
      this.#guest.loginFailed()
      this.entry.refused(visitor.refusal.code)
    } else if (visitor.login !== null) {
      this.entry.account = visitor.login.account.name
      this.#house.accounts.proven(visitor.login)
      this.#guest.loginSucceeded()
    }
  }

  #attend(session: Session): void {
    // Agents get no terminal: its line discipline would be in the way.
    const pty = this.#visitor?.kind === 'person' ? new SshPty(session) : null
    const begin = (accept: () => ServerChannel, command: string) =>
      this.#guard(() => this.#begin(accept(), pty, command))
    session.on('exec', (accept, _, { command }) => begin(accept, command))
    session.on('shell', accept => begin(accept, ''))
  }

  #begin(stream: ServerChannel | undefined, pty: SshPty | null, command: string): void {
    // A session has one command; ssh2 hands out nothing for another.
    if (stream === undefined) return
    if (this.#parting) {
      stream.close()
      return
    }
    if (largestPacket(stream) < leastPacket) {
      this.destroy(`takes no packets of ${leastPacket} bytes`)
      return
    }
    this.#setTimer(null)
    this.#guest.authenticated()
    const visitor = this.#visitor!
    if (visitor.kind === 'person') this.#openHub(stream, visitor, pty!, command)
    else this.#openProtocol(stream, visitor, command)
  }

  #openHub(
    stream: ServerChannel,
    { user, key, login, people }: Person,
    pty: SshPty,
    command: string,
  ): void {
    const { clock, limits } = this.#house
    const inputRate = new TokenBucket(clock, {
      perSecond: limits.keys,
      burst: burstSeconds * limits.keys,
    })
    const channel = new SshTerminalChannel(stream, pty, inputRate, this)
    this.#channels.push(channel)
    const refusal = login === null ? undefined : this.#objection(login)
    if (refusal !== undefined) {
      channel.refused(refusal.code)
      channel.refuse(refusal)
      return
    }
    const address = this.#address
    const source = sourceOf(address) ?? address
    const visit = { user, address, source, login, key, command, screen: pty.screen }
    channel.open(() => people.open({ ...visit, connection: channel.id }, channel))
    if (login !== null) this.#enter(login, channel)
  }

  #openProtocol(stream: ServerChannel, visitor: Exclude<Visitor, Person>, text: string): void {
    const channel = new SshLineChannel(stream, visitor.dialect, this)
    this.#channels.push(channel)
    if (visitor.kind === 'stranger') {
      channel.refuse(visitor.refusal)
      return
    }
    const { login, dialect } = visitor
    const refusal = this.#objection(login)
    if (refusal !== undefined) {
      channel.refused(refusal.code)
      channel.refuse(refusal)
      return
    }
    channel.open(() => dialect.open(channel, login.account, { kind: 'command', text }))
    this.#enter(login, channel)
  }

  #objection(login: Login): Refusal | undefined {
    return this.#house.accounts.objection(login) ?? this.#house.roster.objection(login.account)
  }

  /** A session may have ended while it was opened. */
  #enter(login: Login, { session, isEnding }: SshChannel<never>): void {
    if (session !== null && !isEnding) this.#house.roster.enter(login, session)
  }

  #closed(): void {
    for (const channel of this.#channels) channel.closed()
    this.#setTimer(null)
    this.#judge()
    this.#guest.left()
    this.entry.ended(this.#reason ?? 'the client went', this.socket)
  }

  /** Whoever goes without having logged in may have been at something, or has cost us a handshake. */
  #judge(): void {
    if (this.#visitor !== null) return
    const isNoise = !this.#met && this.socket.bytesRead > 0
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
    this.entry.failed(error)
    this.destroy('a fault of ours')
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
