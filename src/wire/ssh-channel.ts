import type { Socket } from 'node:net'
import type { ServerChannel } from 'ssh2'
import type { Present } from './accounts.ts'
import { ClientConnection, type Shared } from './client-connection.ts'
import type { ConnectionEntry } from './connection-log.ts'

/** The SSH connection that a channel belongs to. */
export interface ChannelHost {
  readonly entry: ConnectionEntry
  readonly shared: Shared
  readonly socket: Socket
  /** Why the connection has ended; null if it has not, or for a client that went. */
  readonly reason: string | null
  /** A channel has ended, and why. */
  over(channel: SshChannel<never>, reason: string): void
  /** Closes the connection with all its channels. */
  destroy(reason: string): void
}

/** One command or shell of an SSH client. */
export abstract class SshChannel<Input> extends ClientConnection<Input> {
  protected readonly stream: ServerChannel
  protected readonly host: ChannelHost
  #status: number | null = null

  constructor(stream: ServerChannel, host: ChannelHost) {
    super(host.entry, host.shared)
    this.stream = stream
    this.host = host
    // The connection is told of errors as well, or the client has left before it was sent its last message.
    stream.on('error', ignore)
    stream.stderr.on('error', ignore)
    stream.on('close', () => this.closed())
  }

  /** What a login in this channel has opened: of an agent the connection, of a person the session in the hub. */
  abstract get present(): Present | null

  get isEnding(): boolean {
    return this.#status !== null
  }

  note(text: string): void {
    if (!this.isEnding && this.stream.stderr.writable) this.stream.stderr.write(text)
  }

  finish(status: number, reason: string): void {
    if (this.isEnding) return
    this.#status = status
    this.post('')
    this.transcript?.closed(reason)
    this.host.over(this, reason)
  }

  destroy(reason: string): void {
    this.host.destroy(reason)
  }

  /** The client is gone. */
  closed(): void {
    if (!this.isEnding) {
      this.#status = 1
      this.transcript?.closed(this.host.reason ?? 'the client went')
      this.host.over(this, 'the client went')
    }
    this.closeSession()
  }

  protected pause(): void {
    this.stream.pause()
  }

  protected resume(): void {
    this.stream.resume()
  }

  /** The last text, the exit status and the close leave in one packet, unless the client is slow to read. */
  protected writeLast(text: string): void {
    const { stream, host } = this
    host.socket.cork()
    stream.write(text, () => this.#exit())
    if (stream.writableLength === 0) this.#exit()
    host.socket.uncork()
  }

  #exit(): void {
    // Only the first time counts: ssh2 sends nothing on a channel that is closed.
    this.stream.exit(this.#status!)
    this.stream.close()
  }
}

const ignore = () => {}
