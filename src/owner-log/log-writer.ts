import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { AccountId } from '../arena/account.ts'
import { type Batch, type Draft, draftsIn, type Source } from './batch.ts'
import { type Entry, longestText } from './entry.ts'
import { dayMs, dayOf, dayPath, isDay } from './log-paths.ts'
import { hasToken, isToken, withoutSecrets } from './secrets.ts'

/** In milliseconds. With the time of a batch it is less than a second. */
const writeEvery = 600
/** Nothing is written when fewer bytes are free: the room that is left is for the database. */
const leastFree = 512 * 2 ** 20

export interface LogWriterOptions {
  /** The folder of the logs. */
  readonly folder: string
  /** Bytes that the log of one account may have on one day. */
  readonly mostOfDay: number
  /** Runs a function later. */
  readonly after: (ms: number, run: () => void) => void
  /** The bytes that are free on its disk. */
  readonly free?: (folder: string) => number
}

/** What one account did on one day. */
interface Page {
  readonly account: AccountId
  readonly day: string
  /** Entries as JSON lines. */
  text: string
  lines: number
}

interface Answer {
  resolve(): void
  reject(why: unknown): void
}

/** Writes the owner's logs. It runs in a thread of its own. */
export class LogWriter {
  readonly #options: LogWriterOptions
  #batches: Batch[] = []
  #answers: Answer[] = []
  /** The size of each log that has been written to, by its path. */
  readonly #sizes = new Map<string, number>()
  #sizesOf = ''
  /** How many lines could not be written, by account. */
  readonly #lost = new Map<AccountId, number>()

  constructor(options: LogWriterOptions) {
    this.#options = options
  }

  /** Resolves once it is written. Rejects if some of it could not be, which the log then says. */
  add(batch: Batch): Promise<void> {
    this.#batches.push(batch)
    if (this.#answers.length === 0) this.#options.after(writeEvery, () => this.flush())
    return new Promise((resolve, reject) => this.#answers.push({ resolve, reject }))
  }

  /** Writes everything now. */
  flush(): void {
    if (this.#answers.length === 0) return
    const batches = this.#batches
    const answers = this.#answers
    this.#batches = []
    this.#answers = []
    const pages = pagesOf(batches)
    let problem = this.#fullDisk()
    for (const page of pages)
      try {
        if (problem instanceof FullDisk) throw problem
        this.#write(page)
      } catch (error) {
        this.#lost.set(page.account, (this.#lost.get(page.account) ?? 0) + page.lines)
        problem ??= error
      }
    for (const { resolve, reject } of answers)
      if (problem === undefined) resolve()
      else reject(problem)
  }

  /** Removes what is older than so many days. */
  clear(now: number, days: number): void {
    const { folder } = this.#options
    const oldest = dayOf(now - days * dayMs)
    for (const day of daysIn(folder))
      if (day < oldest) rmSync(join(folder, day), { recursive: true, force: true })
  }

  #write({ account, day, text }: Page): void {
    const { folder, mostOfDay } = this.#options
    if (day > this.#sizesOf) {
      this.#sizesOf = day
      this.#sizes.clear()
    }
    const path = dayPath(folder, day, account)
    const known = this.#sizes.get(path)
    if (known !== undefined && known >= mostOfDay) return
    const fd = openToAppend(path)
    try {
      const size = known ?? wholeSize(fd)
      // If the write fails, the file is looked at again.
      this.#sizes.delete(path)
      const lost = this.#lost.get(account)
      const all = lost === undefined ? text : extra(text, { kind: 'dropped', lines: lost }) + text
      let bytes = Buffer.from(all)
      let end = size + bytes.length
      if (end > mostOfDay) {
        const whole = bytes.lastIndexOf(lineFeed, Math.max(0, mostOfDay - size - 1)) + 1
        const full = Buffer.from(extra(text, { kind: 'full' }))
        bytes = Buffer.concat([bytes.subarray(0, whole), full])
        end = Number.POSITIVE_INFINITY
      }
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at)
      this.#sizes.set(path, end)
      this.#lost.delete(account)
    } finally {
      closeSync(fd)
    }
  }

  #fullDisk(): unknown {
    const { folder, free = freeOf } = this.#options
    if (free(folder) >= leastFree) return undefined
    return new FullDisk(`less than ${leastFree / 2 ** 20} MiB are free on the disk`)
  }
}

class FullDisk extends Error {}

const freeOf = (folder: string): number => {
  const { bsize, bavail } = statfsSync(dirname(folder))
  return bsize * bavail
}

/** The days of which there are logs, the oldest first. */
export const daysIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).filter(isDay).sort()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const pagesOf = (batches: readonly Batch[]): Iterable<Page> => {
  const pages = new Map<string, Page>()
  for (const batch of batches) {
    const mayHaveTokens = hasToken(batch.text)
    const bySource = new Map<Source, Page>()
    for (const draft of draftsIn(batch)) {
      const { source } = draft
      const { day } = momentOf(draft.at)
      let page = bySource.get(source)
      if (page?.day !== day) {
        const key = `${day} ${source.account}`
        page = pages.get(key) ?? { account: source.account, day, text: '', lines: 0 }
        pages.set(key, page)
        bySource.set(source, page)
      }
      page.text += lineOf(draft, mayHaveTokens)
      page.lines++
    }
  }
  return pages.values()
}

/** A time as text: many entries have the same one. */
const momentOf = (at: number): Moment => {
  if (moment.at !== at) {
    const text = new Date(at).toISOString()
    moment = { at, text, day: text.slice(0, 10) }
  }
  return moment
}
interface Moment {
  readonly at: number
  readonly text: string
  readonly day: string
}
let moment: Moment = { at: Number.NaN, text: '', day: '' }

/**
 * An entry as it is kept. What the host has sent is JSON, nearly always without a secret: it stands as it is, at the end. Everything
 * else is a text in JSON.
 */
const lineOf = (
  { source, kind, at, match, text, fields }: Draft,
  mayHaveTokens: boolean,
): string => {
  const { connection, secret } = source
  let line = `{"at":"${momentOf(at).text}","connection":"${connection}","kind":"${kind}"`
  if (match !== null) line += `,"match":${match}`
  if (fields !== '') line += `,${fields}`
  if (text === null) return `${line}}\n`
  const isQuoting = kind === 'in' || fields !== ''
  const isClean = !isQuoting && !mayHaveTokens && (secret === null || isToken(secret))
  const clean = isClean ? text : withoutSecrets(text, secret, isQuoting)
  if (clean.length > longestText) {
    const length = fields.includes('"length":') ? '' : `,"length":${text.length}`
    return `${line}${length},"text":${JSON.stringify(clean.slice(0, longestText))}}\n`
  }
  return kind === 'out' && clean === text && text.startsWith('{')
    ? `${line},"line":${text}}\n`
    : `${line},"text":${JSON.stringify(clean)}}\n`
}

/** An entry beside another one. */
const extra = (text: string, entry: Pick<Entry, 'kind' | 'lines'>): string => {
  const { at, connection }: Entry = JSON.parse(text.slice(0, text.indexOf('\n')))
  return `${JSON.stringify({ at, connection, ...entry })}\n`
}

const lineFeed = 0x0a

/** More bytes than any line has. */
const longestLine = 64 * 1024

/** The size of a file. A last line that is not whole, as after a crash, is removed. */
const wholeSize = (fd: number): number => {
  const { size } = fstatSync(fd)
  if (size === 0) return 0
  const from = Math.max(0, size - longestLine)
  const end = Buffer.alloc(size - from)
  readSync(fd, end, 0, end.length, from)
  const whole = from + end.lastIndexOf(lineFeed) + 1
  if (whole < size) ftruncateSync(fd, whole)
  return whole
}

const openToAppend = (path: string): number => {
  try {
    return openSync(path, 'a+', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    return openSync(path, 'a+', 0o600)
  }
}
