import type { Socket } from 'node:net'
import type { Connection, ServerChannel, Session } from 'ssh2'
import { internalError } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Limits } from '../config.ts'
import { TokenBucket } from '../limits/token-bucket.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Accounts, Login, Roster } from './accounts.ts'
import type { Shared } from './client-connection.ts'
import { type ConnectionSlot, madeRoom } from './connection-limiter.ts'
import type { ConnectionEntry, ConnectionLog } from './connection-log.ts'
import type { Rejections } from './rejections.ts'
import { sourceOf } from './source.ts'
import type { ChannelHost, SshChannel } from './ssh-channel.ts'
import { disconnect } from './ssh-disconnect.ts'
import { SshLineChannel } from './ssh-line-channel.ts'
import { type LoginResult, type PersonLogin, SshLogin, type Users } from './ssh-login.ts'
import { SshPty } from './ssh-pty.ts'
import { SshTerminalChannel } from './ssh-terminal-channel.ts'

/** What all SSH connections share. */
export interface SshShared {
  readonly accounts: Accounts
  readonly roster: Roster
  readonly users: Users
  readonly clock: Clock
  readonly channels: Shared
  readonly connectionLog: ConnectionLog
  readonly limits: Limits
}

/** How many milliseconds a client may take to read the last message and to close. */
const closeWithin = 3_000
/** In bytes: far more than a login takes. */
const mostBeforeLogin = 128 * 1024
/** What may be typed in so many seconds may be pasted at once. */
const burstSeconds = 16
/** Key exchanges: clients make one an hour. */
const rekeyRate = { perSecond: 1 / 60, burst: 10 }

/** One SSH connection, from its first byte to its last. */
export class SshConnection implements ChannelHost {
  readonly #options: SshShared
  readonly entry: ConnectionEntry
  readonly socket: Socket
  readonly #slot: ConnectionSlot
  readonly #address: string
  readonly #channels: SshChannel<never>[] = []
  #opened = 0
  /** Channels whose login is being looked at again. */
  #beginning = 0
  #loginResult: LoginResult | null = null
  /** Runs until the client has started a command, and again when it is expected to close. */
  #timer: Timer | null
  #isClosing = false
  #met = false
  #isEncrypted = false
  /** A rejection is being sent, which closes the socket. */
  #isRejected = false
  /** The client has sent something other than SSH, or has tried to log in: if it leaves now, that is a failed login. */
  #suspect = false
  /** Made when the client first wants new keys. */
  #rekeyings: TokenBucket | null = null
  #reason: string | null = null

  constructor(options: SshShared, socket: Socket, slot: ConnectionSlot, gone: () => void) {
    this.#options = options
    this.socket = socket
    this.#slot = slot
    this.#address = socket.remoteAddress ?? ''
    this.entry = options.connectionLog.open(this.#address)
    this.#timer = options.clock.after(options.limits.loginTime, () => {
      this.#suspect = true
      this.destroy('took too long to log in')
    })
    // Each hub session waits for it to drain, and an operator may allow many.
    socket.setMaxListeners(0)
    socket.on('error', error => this.#setReason(error.message))
    // A client that has closed its side is gone, even if there is something left for it to read.
    socket.on('end', () => socket.destroy())
    // ssh2 closes its side to a client that does not speak SSH, and would wait for the client to close.
    socket.on('finish', () => {
      if (!this.#isRejected) socket.destroy()
    })
    socket.on('close', () => {
      this.#closed()
      gone()
    })
  }

  get shared(): Shared {
    return this.#options.channels
  }

  get reason(): string | null {
    return this.#reason
  }

  /** Undefined for a client that has not logged in. */
  get kind(): 'agent' | 'person' | undefined {
    const kind = this.#loginResult?.kind
    return kind === 'refused' ? undefined : kind
  }

  /** To be called for every chunk that comes in, before ssh2 reads it. */
  heard(): void {
    // All that is sent is an answer to something that came in, also what ssh2 answers by itself.
    if (this.socket.writableLength > this.shared.mostUnsent) this.#tooSlow()
    else if (this.#loginResult === null && this.socket.bytesRead > mostBeforeLogin) {
      this.#suspect = true
      this.destroy('too much before the login')
    }
  }

  /** ssh2 announces the connection: the client has sent something. */
  meet(client: Connection): void {
    const { accounts, users, limits } = this.#options
    this.#met = true
    // An error of ssh2 is the client's: internal errors are caught before they get there.
    client.on('error', (error: ClientError) => {
      this.#suspect ||= isNonsense(error)
      this.destroy(harmless(error.message))
    })
    new SshLogin(client, accounts, users, limits.loginTries, {
      isOver: () => !this.socket.writable,
      admit: result => this.#admit(result),
      rejected: () => {
        this.#suspect = true
      },
      forged: () => this.#slot.loginFailed(),
      giveUp: () => this.destroy('too many tries to log in'),
      failed: error => this.#fail(error),
    })
    client.once('handshake', () => {
      this.#isEncrypted = true
    })
    client.on('rekey', () => this.#rekeyed())
    // ssh2 refuses all that has no listener: terminals, variables, subsystems, forwarding of any kind.
    client.on('session', (accept, reject) =>
      this.#guard(() => {
        if (this.#isClosing || this.#opened === limits.channels) reject()
        else {
          this.#opened++
          this.#attend(accept())
        }
      }),
    )
  }

  /** The host stops: clients that have had their last message may take a moment to close, the others are closed now. */
  close(): void {
    if (!this.#isClosing) this.dismiss('the host stopped')
  }

  /** Closed to make room for others, before the login. */
  makeRoom(rejections: Rejections): void {
    this.#slot.left()
    this.#setReason('had to make room for others')
    // After the key exchange packets are encrypted by ssh2, whose disconnect messages have no text.
    if (this.#isEncrypted) this.socket.destroy()
    else {
      this.#isRejected = true
      rejections.send(this.socket, disconnect(madeRoom.detail))
    }
  }

  /** Closed through no fault of the client, so that it does not count as a failed login. */
  dismiss(reason: string): void {
    this.#slot.left()
    this.destroy(reason)
  }

  destroy(reason: string): void {
    this.#setReason(reason)
    // What has been answered leaves first.
    this.socket.uncork()
    this.socket.destroy()
  }

  over(channel: SshChannel<never>, reason: string): void {
    if (channel.present !== null) this.#options.roster.leave(channel.present)
    if (this.#beginning > 0 || this.#channels.some(other => !other.isEnding)) return
    this.#setReason(reason)
    this.#isClosing = true
    this.#setTimer(closeWithin, () => this.socket.destroy())
  }

  #tooSlow(): void {
    this.entry.refused('too-slow')
    this.destroy('too-slow')
  }

  /** A key exchange costs more than a millisecond; nothing else that ssh2 does by itself takes a hundredth of that. */
  #rekeyed(): void {
    this.#rekeyings ??= new TokenBucket(this.#options.clock, rekeyRate)
    if (this.#rekeyings.take() === 0) return
    this.entry.refused('too-fast')
    this.destroy('too many key exchanges')
  }

  #admit(result: LoginResult): void {
    this.#loginResult = result
    if (result.kind === 'refused') {
      this.#slot.loginFailed()
      this.entry.refused(result.refusal.code)
    } else if (result.login !== null) {
      this.entry.account = result.login.account.name
      this.#options.accounts.proven(result.login)
      this.#slot.loginSucceeded()
    }
  }

  #attend(session: Session): void {
    // Agents get no terminal, because its line discipline would change what they send.
    const pty = this.#loginResult?.kind === 'person' ? new SshPty(session) : null
    const begin = (accept: () => ServerChannel, command: string) =>
      void this.#begin(accept(), pty, command).catch(error => this.#fail(error))
    session.on('exec', (accept, _, { command }) => begin(accept, command))
    session.on('shell', accept => begin(accept, ''))
  }

  async #begin(
    stream: ServerChannel | undefined,
    pty: SshPty | null,
    command: string,
  ): Promise<void> {
    // A session has one command; ssh2 hands out nothing for another.
    if (stream === undefined) return
    if (this.#isClosing) {
      stream.close()
      return
    }
    if (largestPacket(stream) < leastPacket) {
      this.destroy(`takes no packets of ${leastPacket} bytes`)
      return
    }
    const result = this.#loginResult!
    const login = result.kind === 'refused' ? null : result.login
    let refusal: WireRefusal | undefined
    if (login !== null) {
      // What the client sends meanwhile is not read yet.
      this.#beginning++
      const objection = await this.#objection(login)
      this.#beginning--
      if (this.socket.destroyed) return
      refusal = objection ?? this.#options.roster.objection(login.account)
    }
    this.#setTimer(null)
    this.#slot.authenticated()
    if (result.kind === 'person') this.#openHub(stream, result, refusal, pty!, command)
    else this.#openProtocol(stream, result, refusal, command)
  }

  /** Why this login is not valid any more. */
  async #objection(login: Login): Promise<WireRefusal | undefined> {
    try {
      return (await this.#options.accounts.objections([login])).get(0)
    } catch (error) {
      this.entry.failed(error)
      return internalError
    }
  }

  #openHub(
    stream: ServerChannel,
    { user, key, login, people }: PersonLogin,
    refusal: WireRefusal | undefined,
    pty: SshPty,
    command: string,
  ): void {
    const { clock, limits } = this.#options
    const inputRate = new TokenBucket(clock, {
      perSecond: limits.inputRate,
      burst: burstSeconds * limits.inputRate,
    })
    const channel = new SshTerminalChannel(stream, pty, inputRate, this)
    this.#channels.push(channel)
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

  #openProtocol(
    stream: ServerChannel,
    result: Exclude<LoginResult, PersonLogin>,
    refusal: WireRefusal | undefined,
    command: string,
  ): void {
    const channel = new SshLineChannel(stream, result.service.protocol, this)
    this.#channels.push(channel)
    if (result.kind === 'refused') {
      channel.refuse(result.refusal)
      return
    }
    const { login, service } = result
    if (refusal !== undefined) {
      channel.refused(refusal.code)
      channel.refuse(refusal)
      return
    }
    channel.loggedIn(login.account, command)
    channel.open(() => service.ssh.open(channel, login.account, command))
    this.#enter(login, channel)
  }

  /** A session may have ended while it was opened. */
  #enter(login: Login, { present, isEnding }: SshChannel<never>): void {
    if (present !== null && !isEnding) this.#options.roster.enter(login, present)
  }

  #closed(): void {
    for (const channel of this.#channels) channel.closed()
    this.#setTimer(null)
    this.#countLogin()
    this.#slot.left()
    this.entry.ended(this.#reason ?? 'the client went', this.socket)
  }

  /** A client that leaves without having logged in counts as a failed login, or as a small one if it only cost a handshake. */
  #countLogin(): void {
    if (this.#loginResult !== null) return
    const isNoise = !this.#met && this.socket.bytesRead > 0
    if (this.#suspect || isNoise) this.#slot.loginFailed()
    else if (this.#met) this.#slot.loginSkipped()
  }

  /** Only the first reason counts: the others follow from it. */
  #setReason(reason: string): void {
    // Some of it is text from the client, of any length.
    this.#reason ??= reason.slice(0, 200)
  }

  #setTimer(ms: number, run: () => void): void
  #setTimer(ms: null): void
  #setTimer(ms: number | null, run?: () => void): void {
    this.#timer?.cancel()
    this.#timer = ms === null ? null : this.#options.clock.after(ms, run!)
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
    this.dismiss('internal error')
  }
}

/**
 * The client sets the largest packet of a channel. With 0 bytes ssh2 would send for ever, and with few bytes sending
 * costs too much; all clients in use take some 16 KiB.
 */
const largestPacket = (stream: ServerChannel): number =>
  (stream as unknown as { outgoing: { packetSize: number } }).outgoing.packetSize
const leastPacket = 1024

/** The error of ssh2 has the text of a client's disconnect message. */
const harmless = (text: string): string => text.replace(/\p{Cc}/gu, '?')
/** ssh2 gives some errors a level, and those of a client's disconnect message the reason code of that message. */
type ClientError = Error & { readonly level?: string; readonly code?: number | string }

/** Whether the client has sent something other than SSH. A lost or closed connection is not held against it. */
const isNonsense = ({ level, code }: ClientError) =>
  level === 'protocol' || (level === undefined && code === undefined)
