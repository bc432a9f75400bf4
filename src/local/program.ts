import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Clock } from '../clock.ts'
import type { Connection, Message, Session } from '../protocols/connection.ts'
import { Lines } from '../wire/lines.ts'

export interface ProgramOptions {
  readonly name: string
  /** The program and its arguments. */
  readonly words: readonly string[]
  readonly clock: Clock
  readonly open: (connection: Connection) => Session<Message>
  readonly stderr: (name: string, text: string) => void
  readonly ended: (how: ProgramEnd) => void
}

export type ProgramEnd =
  /** It has ended before it said anything, or could not be started. */
  | { readonly kind: 'never began'; readonly why: string }
  /** It has ended in the middle of a match, or its session was ended for an error. */
  | { readonly kind: 'failed'; readonly why: string }
  /** Its session has played all its matches. */
  | { readonly kind: 'done' }
  /** An internal error. */
  | { readonly kind: 'broken'; readonly error: unknown }

/**
 * A program that plays on its stdin and stdout, as one connection. A program that goes on reading after a result plays all
 * matches. For one that ends there, the connection outlives the process: the program is started again, and is sent what it has
 * not read of the next match.
 */
export class Program implements Connection {
  readonly id: string
  readonly #options: ProgramOptions
  readonly #processes = new Set<ChildProcessWithoutNullStreams>()
  #process: ChildProcessWithoutNullStreams
  #session: Session<Message> | null = null
  /** What it was sent of the present match; null once it has said anything in it. */
  #unanswered: string[] | null = []
  #hasSpoken = false
  /** The process has been sent a result. */
  #hasPlayed = false
  /** It ends after each match. */
  #playsOne = false
  #matches = 0
  #lastRefusal = ''
  #lastWords = ''
  #isOver = false

  constructor(options: ProgramOptions) {
    this.#options = options
    this.id = options.name
    this.#process = this.#start()
  }

  /** Opens the session. */
  open(): void {
    this.#options.clock.soon.turn(() => {
      this.#session = this.#options.open(this)
    })
  }

  get unsent(): number {
    return this.#process.stdin.writableLength
  }

  send(text: string): void {
    if (this.#isOver) return
    this.#unanswered?.push(text)
    this.#process.stdin.write(`${text}\n`)
  }

  note(text: string): void {
    this.#options.stderr(this.#options.name, `${text}\n`)
  }

  refused(code: string): void {
    this.#lastRefusal = code
  }

  failed(error: unknown): void {
    this.#over({ kind: 'broken', error })
  }

  end(status: number): void {
    if (status === 0) this.#over({ kind: 'done' })
    else this.#over({ kind: 'failed', why: `was refused: ${this.#lastRefusal}` })
  }

  cut(): void {
    this.end(1)
  }

  /** The program asks for a match: the first one, or, as its session does at once, another after a result. */
  asks(): void {
    this.#unanswered = []
    if (this.#matches++ === 0) return
    this.#hasPlayed = true
    if (this.#playsOne) this.#startAgain()
  }

  /** Ends the session, if it goes on, and lets the processes end. Those that do not are killed. */
  async close(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true
      this.#options.clock.soon.turn(() => this.#session?.closed())
    }
    await Promise.all([...this.#processes].map(child => this.#finish(child)))
  }

  #start(): ChildProcessWithoutNullStreams {
    const { name, words, stderr } = this.#options
    const [file, ...args] = words
    // In a group of its own, so that a Ctrl-C is ours alone, and all that it starts ends with it.
    const child = spawn(file!, args, { detached: true })
    const lines = new Lines(message => this.#read(child, message))
    this.#hasSpoken = false
    this.#hasPlayed = false
    this.#lastWords = ''
    this.#processes.add(child)
    child.stdout.on('data', (chunk: Buffer) => lines.feed(chunk))
    child.stdout.on('end', () => lines.end())
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr(name, text)
      this.#lastWords = (this.#lastWords + text).slice(-2_000)
    })
    // It may have closed its side; then its end follows.
    child.stdin.on('error', () => {})
    child.on('error', error => this.#ended(child, `cannot be started: ${error.message}`))
    child.on('close', (status, signal) =>
      this.#ended(child, `ended with ${signal === null ? `status ${status}` : signal}`),
    )
    return child
  }

  #read(child: ChildProcessWithoutNullStreams, message: Message): void {
    if (this.#isOver || child !== this.#process) return
    this.#hasSpoken = true
    this.#unanswered = null
    try {
      this.#options.clock.soon.turn(() => this.#session!.receive(message))
    } catch (error) {
      this.failed(error)
    }
  }

  #ended(child: ChildProcessWithoutNullStreams, how: string): void {
    this.#processes.delete(child)
    if (this.#isOver || child !== this.#process) return
    const last = reasonIn(this.#lastWords)
    const why = last ? `${how}: ${last}` : how
    if (!this.#hasSpoken && !this.#hasPlayed) this.#over({ kind: 'never began', why })
    else if (this.#hasPlayed && this.#unanswered !== null) {
      this.#playsOne = true
      this.#startAgain()
      for (const text of this.#unanswered) this.#process.stdin.write(`${text}\n`)
    } else this.#over({ kind: 'failed', why })
  }

  #startAgain(): void {
    void this.#finish(this.#process)
    this.#process = this.#start()
  }

  #over(how: ProgramEnd): void {
    if (this.#isOver) return
    this.#isOver = true
    void this.#finish(this.#process)
    this.#options.clock.soon.turn(() => this.#session?.closed())
    this.#options.ended(how)
  }

  #finish(child: ChildProcessWithoutNullStreams): Promise<void> {
    if (!this.#processes.has(child)) return Promise.resolve()
    return new Promise(resolve => {
      const timer = this.#options.clock.after(timeToEnd, () => kill(child))
      child.once('close', () => {
        timer.cancel()
        resolve()
      })
      child.stdin.end()
    })
  }
}

/** The line that names an error, of a language's many lines about one; or the last line. */
const reasonIn = (stderr: string): string | undefined => {
  const lines = stderr.trimEnd().split('\n')
  return lines.findLast(line => /^\w*(Error|Exception)\b/.test(line)) ?? lines.at(-1)
}

/** Milliseconds for a program to end once its stdin has. */
const timeToEnd = 1_000

const kill = ({ pid }: ChildProcessWithoutNullStreams): void => {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has just ended.
  }
}
