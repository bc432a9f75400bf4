import type { ServerChannel } from 'ssh2'
import type { TokenBucket } from '../limits/token-bucket.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Session } from '../protocols/connection.ts'
import type { LastWords } from '../protocols/protocol.ts'
import { type ChannelHost, SshChannel } from './ssh-channel.ts'
import type { SshPty } from './ssh-pty.ts'

/** A person, or a program of theirs, in a channel of SSH: bytes as they come, at the size of a terminal. */
export class SshTerminalChannel extends SshChannel<Buffer> {
  readonly #drained = () => {
    if (this.unsent === 0) this.guard(() => this.session?.drained?.())
  }

  constructor(stream: ServerChannel, pty: SshPty, inputRate: TokenBucket, host: ChannelHost) {
    super(stream, host)
    stream.on('data', (chunk: Buffer) => {
      const retryAfter = inputRate.take(chunk.length)
      if (retryAfter === 0) this.receive(chunk)
      else if (!this.isEnding) this.guard(() => this.session?.dismiss(tooFast(retryAfter)))
    })
    stream.on('end', () => this.inOrder(() => this.guard(() => this.session?.inputEnded?.())))
    pty.on('resize', size => this.guard(() => this.session?.resized?.(size)))
    host.socket.on('drain', this.#drained)
  }

  get present(): Session<Buffer> | null {
    return this.session
  }

  /** What a socket holds before it asks for a pause counts as sent. */
  get unsent(): number {
    const { socket } = this.host
    const held = socket.writableNeedDrain ? socket.writableLength : 0
    return this.stream.writableLength + held
  }

  /** At once: the hub sends whole frames of a screen, and counts what is unsent after each. */
  override send(text: string): void {
    if (!this.isEnding && this.stream.writable) this.stream.write(text, this.#drained)
  }

  override end(status: number): void {
    this.finish(status, 'done')
  }

  override closed(): void {
    this.host.socket.off('drain', this.#drained)
    super.closed()
  }

  protected encode(text: string): string {
    return text
  }

  /** Only the end is written from the outbox. */
  protected write(outbox: string): void {
    if (this.isEnding && this.stream.writable) this.writeLast(outbox)
  }

  protected lastWords({ detail }: WireRefusal): LastWords {
    this.note(`${detail}\r\n`)
    return {}
  }
}

const tooFast = (retryAfter: number): WireRefusal => ({
  code: 'too-fast',
  detail: `That was more than is taken at once; try again in ${retryAfter} s.`,
  retryAfter,
})
