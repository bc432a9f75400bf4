import type { ServerChannel } from 'ssh2'
import type { Account } from '../arena/account.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Message } from '../protocols/connection.ts'
import type { LastWords, Protocol } from '../protocols/protocol.ts'
import { Lines } from './lines.ts'
import { type ChannelHost, SshChannel } from './ssh-channel.ts'

/** An agent in a channel of SSH: each line on stdin and stdout is a message, and stderr is for people. */
export class SshLineChannel extends SshChannel<Message> {
  readonly #protocol: Protocol
  readonly #lines = new Lines(message => this.#read(message))

  constructor(stream: ServerChannel, protocol: Protocol, host: ChannelHost) {
    super(stream, host)
    this.#protocol = protocol
    stream.on('data', (chunk: Buffer) => {
      if (!this.isEnding) this.#lines.feed(chunk)
    })
    stream.on('end', () => this.inOrder(() => this.#halfClosed()))
  }

  get present(): this {
    return this
  }

  get unsent(): number {
    return this.stream.writableLength + this.host.socket.writableLength
  }

  loggedIn(account: Account, command: string): void {
    this.logFor(account, null, `SSH, ${this.#protocol.id}`, command)
  }

  override note(text: string): void {
    super.note(`${text}\n`)
  }

  protected encode(text: string): string {
    return `${text}\n`
  }

  protected write(outbox: string): void {
    if (!this.stream.writable) return
    if (this.isEnding) this.writeLast(outbox)
    else this.stream.write(outbox)
    if (this.unsent > this.shared.mostUnsent) this.cut()
  }

  protected lastWords(refusal: WireRefusal): LastWords | null {
    return this.#protocol.lastWords(refusal)
  }

  #read(message: Message): void {
    this.receive(message)
    // Nothing that follows is read.
    if (typeof message !== 'string' && message.code === 'line-too-long')
      this.inOrder(() => this.refuse(message))
  }

  /** A client that closes its side has left: it may be dead, and no move can come from it. */
  #halfClosed(): void {
    if (this.isEnding) return
    this.#lines.end()
    if (this.isEnding) return
    this.note('Your side of the connection was closed, which counts as leaving.')
    this.post('')
    this.closed()
  }
}
