import type { Socket } from 'node:net'
import type { PseudoTtyInfo, ServerChannel, Session, WindowChangeInfo } from 'ssh2'
import type { Code, Refusal } from '../arena/codes.ts'
import type { TokenBucket } from '../limits/token-bucket.ts'
import type { Presence, Screen, Size, Way } from './people.ts'

/** What a visit leaves to its connection. */
export interface VisitHost {
  refused(code: Code): void
  failed(error: unknown): void
  tooSlow(): void
  /** The last word has been said, and why. */
  over(visit: SshVisit, reason: string): void
}

/** One command or shell of a person: bytes, the size of a screen, and when it changes. */
export class SshVisit implements Way {
  presence: Presence | null = null
  readonly #stream: ServerChannel
  readonly #socket: Socket
  readonly #host: VisitHost
  #status: number | null = null
  readonly #drained = () => {
    if (this.unsent === 0) this.presence?.drained()
  }

  constructor(stream: ServerChannel, socket: Socket, input: TokenBucket, host: VisitHost) {
    this.#stream = stream
    this.#socket = socket
    this.#host = host
    stream.on('error', ignore)
    stream.stderr.on('error', ignore)
    stream.on('data', (chunk: Buffer) =>
      this.#guard(() => {
        const retryAfter = input.take(chunk.length)
        if (retryAfter === 0) this.presence?.data(chunk)
        else if (this.#status === null) this.presence?.dismiss(tooFast(retryAfter))
      }),
    )
    stream.on('end', () => this.#guard(() => this.presence?.ended()))
    stream.on('close', () => this.closed())
    socket.on('drain', this.#drained)
  }

  /** Whether the last word has been said. */
  get ended(): boolean {
    return this.#status !== null
  }

  /** What a socket holds until it asks for a pause is on its way. */
  get unsent(): number {
    const waiting = this.#socket.writableNeedDrain ? this.#socket.writableLength : 0
    return this.#stream.writableLength + waiting
  }

  write(text: string): void {
    if (this.#status === null && this.#stream.writable) this.#stream.write(text, this.#drained)
  }

  note(text: string): void {
    if (this.#status === null && this.#stream.stderr.writable) this.#stream.stderr.write(text)
  }

  refused(code: Code): void {
    this.#host.refused(code)
  }

  end(status: number): void {
    if (this.#status !== null) return
    this.#status = status
    this.#host.over(this, 'done')
    const part = () => {
      if (!this.#stream.writable) return
      this.#stream.exit(status)
      this.#stream.close()
    }
    if (this.#stream.writableLength > 0) this.#stream.write('', part)
    else part()
  }

  cut(): void {
    this.#host.tooSlow()
  }

  failed(error: unknown): void {
    this.#host.failed(error)
  }

  /** The client is gone. */
  closed(): void {
    this.#socket.off('drain', this.#drained)
    if (this.#status === null) {
      this.#status = 1
      this.#host.over(this, 'the client went')
    }
    const { presence } = this
    this.presence = null
    this.#guard(() => presence?.closed())
  }

  #guard(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.#host.failed(error)
    }
  }
}

/** The screen of a session, as far as its client has told of it. */
export class SshScreen {
  screen: Screen | null = null
  readonly #variables = new Map<string, string>()
  /** Told when the client has another size. */
  resized: (size: Size) => void = () => {}

  constructor(session: Session) {
    session.on('pty', (accept, _, info) => {
      this.screen = { ...sizeOf(info), term: info.term.slice(0, 64), variables: this.#variables }
      accept?.()
    })
    session.on('env', (accept, reject, { key, val }) => {
      if (!variables.includes(key) || val.length > 64) return reject?.()
      this.#variables.set(key, val)
      accept?.()
    })
    session.on('window-change', (accept, _, info) => {
      if (this.screen !== null) this.screen = { ...this.screen, ...sizeOf(info) }
      this.resized(sizeOf(info))
      accept?.()
    })
  }
}

const ignore = () => {}

const tooFast = (retryAfter: number): Refusal => ({
  code: 'too-fast',
  detail: `That was more than is taken at once; try again in ${retryAfter} s.`,
  retryAfter,
})

const variables = ['NO_COLOR', 'COLORTERM']

const sizeOf = ({ cols, rows }: WindowChangeInfo | PseudoTtyInfo): Size => ({
  columns: cols,
  rows,
})
