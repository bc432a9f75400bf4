import {
  appendFileSync,
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statfsSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { AccountId } from '../arena/account.ts'
import { type Batch, type Draft, type Entry, longestText } from './entry.ts'
import { dayMs, dayOf, dayPath, isDay } from './log-paths.ts'
import { withoutSecrets } from './secrets.ts'

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

/** What one account did on one day, as lines. */
interface Page {
  readonly account: AccountId
  readonly day: string
  readonly lines: string[]
}

interface Answer {
  resolve(): void
  reject(why: unknown): void
}

/** Writes the owner's logs. It runs in a thread of its own. */
export class LogWriter {
  readonly #options: LogWriterOptions
  #drafts: { readonly batch: Batch; readonly draft: Draft }[] = []
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
  add(batches: readonly Batch[]): Promise<void> {
    for (const batch of batches)
      for (const draft of batch.drafts) this.#drafts.push({ batch, draft })
    if (this.#answers.length === 0) this.#options.after(writeEvery, () => this.flush())
    return new Promise((resolve, reject) => this.#answers.push({ resolve, reject }))
  }

  /** Writes everything now. */
  flush(): void {
    if (this.#answers.length === 0) return
    const drafts = this.#drafts
    const answers = this.#answers
    this.#drafts = []
    this.#answers = []
    const pages = pagesOf(drafts)
    let problem = this.#fullDisk()
    for (const page of pages)
      try {
        if (problem instanceof FullDisk) throw problem
        this.#write(page)
      } catch (error) {
        this.#lost.set(page.account, (this.#lost.get(page.account) ?? 0) + page.lines.length)
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

  #write({ account, day, lines }: Page): void {
    const { folder, mostOfDay } = this.#options
    const path = dayPath(folder, day, account)
    const size = this.#sizeOf(path, day)
    if (size >= mostOfDay) return
    const lost = this.#lost.get(account)
    const [first] = lines
    const all =
      lost === undefined ? lines : [extra(first!, { kind: 'dropped', lines: lost }), ...lines]
    let text = all.join('')
    let length = Buffer.byteLength(text)
    if (size + length > mostOfDay) {
      text = textUpTo(all, mostOfDay - size) + extra(first!, { kind: 'full' })
      length = Number.POSITIVE_INFINITY
    }
    // Whatever comes of it: if it fails, the file is looked at again.
    this.#sizes.delete(path)
    try {
      appendFileSync(path, text, { mode: 0o600 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      appendFileSync(path, text, { mode: 0o600 })
    }
    this.#sizes.set(path, size + length)
    this.#lost.delete(account)
  }

  /** The size of a log whose last line is whole. */
  #sizeOf(path: string, day: string): number {
    if (day > this.#sizesOf) {
      this.#sizesOf = day
      this.#sizes.clear()
    }
    const known = this.#sizes.get(path)
    if (known !== undefined) return known
    const size = wholeSize(path)
    this.#sizes.set(path, size)
    return size
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

/** In the order of time: connections of one account have batches of their own. */
const pagesOf = (
  drafts: readonly { readonly batch: Batch; readonly draft: Draft }[],
): Iterable<Page> => {
  const pages = new Map<string, Page>()
  for (const { batch, draft } of drafts.toSorted((a, b) => a.draft.at - b.draft.at)) {
    const { account } = batch
    const day = dayOf(draft.at)
    const key = `${day} ${account}`
    let page = pages.get(key)
    if (page === undefined) {
      page = { account, day, lines: [] }
      pages.set(key, page)
    }
    page.lines.push(lineOf(batch, draft))
  }
  return pages.values()
}

const lineOf = ({ connection, secret }: Batch, { at, kind, match, ...draft }: Draft): string => {
  const head = { at: new Date(at).toISOString(), connection, kind, match: match ?? undefined }
  if (draft.text === undefined) return print({ ...head, ...draft })
  const clean = withoutSecrets(draft.text, secret)
  return print({ ...head, ...draft, text: clean.slice(0, longestText) })
}

/** An entry beside another one. */
const extra = (line: string, entry: Pick<Entry, 'kind' | 'lines'>): string => {
  const { at, connection }: Entry = JSON.parse(line)
  return print({ at, connection, ...entry })
}

const print = (entry: object): string => `${JSON.stringify(entry)}\n`

const textUpTo = (lines: readonly string[], bytes: number): string => {
  let text = ''
  let left = bytes
  for (const line of lines) {
    left -= Buffer.byteLength(line)
    if (left < 0) break
    text += line
  }
  return text
}

/** More bytes than any line has. */
const longestLine = 64 * 1024

/** The size of a file. A last line that is not whole, as after a crash, is removed. */
const wholeSize = (path: string): number => {
  let fd: number
  try {
    fd = openSync(path, 'r+')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
  try {
    const { size } = fstatSync(fd)
    const from = Math.max(0, size - longestLine)
    const end = Buffer.alloc(size - from)
    readSync(fd, end, 0, end.length, from)
    const whole = from + end.lastIndexOf(10) + 1
    if (whole < size) ftruncateSync(fd, whole)
    return whole
  } finally {
    closeSync(fd)
  }
}
