// One JSON line for each message of a league, in and out. docs/protocols/league-v2.md describes the lines.

import { createReadStream } from 'node:fs'
import { appendFile, mkdir, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

export interface LogLine {
  readonly at: number
  readonly direction: 'in' | 'out'
  readonly league: string
  /** The id of the agent, such as `P01`; empty where it is not known. */
  readonly agent: string
  readonly conversation: string
  readonly type: string
  /** The message, or what came in its place, in words. */
  readonly message: object | string
}

/** In bytes. At twice as many the oldest lines of a league are gone. */
const longestFile = 8 * 1024 * 1024
const mostWaiting = 4 * 1024 * 1024

/** Appends to one file for each league. What cannot be written is left out, and reported once. */
export class MessageLog {
  readonly #folder: string
  readonly #failed: (error: unknown) => void
  readonly #waiting = new Map<string, string[]>()
  readonly #sizes = new Map<string, number>()
  #bytes = 0
  #writing: Promise<void> | null = null
  #hasFailed = false

  /** `folder`: the data folder. */
  constructor(folder: string, failed: (error: unknown) => void) {
    this.#folder = folder
    this.#failed = failed
  }

  write(line: LogLine): void {
    const text = textOf(line)
    if (this.#bytes + text.length > mostWaiting) return
    this.#bytes += text.length
    const lines = this.#waiting.get(line.league)
    if (lines === undefined) this.#waiting.set(line.league, [text])
    else lines.push(text)
    this.#writing ??= this.#writeAll()
  }

  /** Resolves once all is written. */
  async close(): Promise<void> {
    while (this.#writing !== null) await this.#writing
  }

  async #writeAll(): Promise<void> {
    // What is logged in one turn is written together.
    await null
    for (const [league, lines] of this.#waiting) {
      this.#waiting.delete(league)
      const text = lines.join('')
      try {
        await this.#append(league, text)
        this.#hasFailed = false
      } catch (error) {
        if (!this.#hasFailed) this.#failed(error)
        this.#hasFailed = true
      }
      this.#bytes -= text.length
    }
    this.#writing = null
  }

  async #append(league: string, text: string): Promise<void> {
    const path = logPath(this.#folder, league)
    let size = this.#sizes.get(league)
    if (size === undefined) {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      size = await stat(path).then(
        ({ size }) => size,
        () => 0,
      )
    }
    if (size > longestFile) {
      await rename(path, olderPath(path))
      size = 0
    }
    await appendFile(path, text, { mode: 0o600 })
    this.#sizes.set(league, size + Buffer.byteLength(text))
  }
}

/** The lines of a league, the oldest first; none where it has no log. */
export async function* readMessageLog(folder: string, league: string): AsyncGenerator<string> {
  const path = logPath(folder, league)
  for (const file of [olderPath(path), path]) {
    const lines = createInterface({
      input: createReadStream(file),
      crlfDelay: Number.POSITIVE_INFINITY,
    })
    try {
      for await (const line of lines) yield line
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

const logPath = (folder: string, league: string) => join(folder, 'events', `${league}.log`)
const olderPath = (path: string) => path.replace(/\.log$/, '.1.log')

const textOf = ({ at, direction, league, agent, conversation, type, message }: LogLine): string =>
  `${JSON.stringify(
    {
      timestamp: new Date(at).toISOString(),
      direction,
      league_id: league,
      agent,
      conversation_id: conversation,
      message_type: type,
      ...(typeof message === 'string' ? { failure: message } : { message }),
    },
    (key, value) => (key === 'auth_token' && typeof value === 'string' ? '(removed)' : value),
  ).replace(/\b(tok|abbs)_[\w-]{8,}/g, '$1_(removed)')}\n`
