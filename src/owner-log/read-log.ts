import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { AccountId } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { MatchRecord } from '../record/match-record.ts'
import type { Entry } from './entry.ts'
import { dayOf, dayPath } from './log-paths.ts'
import { daysIn } from './log-writer.ts'

export interface LogQuery {
  readonly account: AccountId
  /** Only lines of this match, which began and ended at these times. */
  readonly match?: { readonly id: MatchId; readonly from: number; readonly to: number }
  /** Only lines from this time on, in milliseconds since 1970. */
  readonly since?: number
  /** Only what follows the entry with this id. */
  readonly after?: string
  readonly limit: number
}

/** What a query needs to know of a match. Its last lines are sent when it has ended, and some of them later. */
export const timesOf = (
  { id, startedAt, end }: Pick<MatchRecord, 'id' | 'startedAt' | 'end'>,
  now: number,
): LogQuery['match'] & object => ({ id, from: startedAt, to: (end?.at ?? now) + 60_000 })

/** An entry with its id: the day, and where in the file of the day it ends. */
export interface KeptEntry extends Entry {
  readonly id: string
}

/** Ids of entries, such as 2026-11-01.12345. */
export const entryId = /^(\d{4}-\d\d-\d\d)\.(\d{1,12})$/

const block = 64 * 1024

/**
 * The log of an account as JSON lines, the oldest first; an empty text marks a moment to yield. Without a match, a time or an
 * entry to begin at, these are the newest lines.
 */
export function* readLog(folder: string, query: LogQuery): Generator<string> {
  const { match, since, after, limit } = query
  if (match === undefined && since === undefined && after === undefined) {
    yield* newest(folder, query)
    return
  }
  const [, afterDay = '', offset = '0'] = entryId.exec(after ?? '') ?? []
  const starts = [since, match?.from].filter(at => at !== undefined).map(dayOf)
  const from = [afterDay, ...starts].sort().at(-1)!
  const last = match === undefined ? undefined : dayOf(match.to)
  const isWanted = wanted(query)
  let left = limit
  for (const day of daysIn(folder)) {
    if (day < from || (last !== undefined && day > last)) continue
    const start = day === afterDay ? Number(offset) : 0
    for (const line of linesFrom(dayPath(folder, day, query.account), start)) {
      if (line === null) yield ''
      else if (isWanted(line.text)) {
        yield withId(day, line)
        if (--left === 0) return
      }
    }
  }
}

/** All of them at once, for those who have room for that. */
export const entriesOf = (folder: string, query: LogQuery): readonly KeptEntry[] =>
  [...readLog(folder, query)].filter(line => line !== '').map(line => JSON.parse(line))

interface Line {
  readonly text: string
  /** Where the next line begins. */
  readonly end: number
}

const withId = (day: string, { text, end }: Line): string =>
  `{"id":"${day}.${end}",${withText(text).slice(1)}\n`

/** How each line of a file begins. What the host has sent stands as JSON at its end. */
const head = /^\{"at":"([^"]*)","connection":"[^"]*","kind":"\w+"(?:,"match":(\d+))?/
const sent = ',"line":{'

/** An entry whose line is a text, whatever stands in the file. */
const withText = (line: string): string => {
  // In a text every quote is escaped.
  const at = line.indexOf(sent)
  if (at < 0) return line
  const json = line.slice(at + sent.length - 1, -1)
  return `${line.slice(0, at)},"text":${JSON.stringify(json)}}`
}

const wanted = ({ match, since }: LogQuery): ((line: string) => boolean) => {
  const from = since === undefined ? '' : new Date(since).toISOString()
  return line => {
    const [, at = '', of] = head.exec(line) ?? []
    return at >= from && (match === undefined || Number(of) === match.id)
  }
}

function* newest(folder: string, { account, limit }: LogQuery): Generator<string> {
  const found: string[] = []
  for (const day of daysIn(folder).toReversed()) {
    for (const line of linesBackwards(dayPath(folder, day, account))) {
      if (line === null) yield ''
      else found.push(withId(day, line))
      if (found.length === limit) break
    }
    if (found.length === limit) break
  }
  yield* found.reverse()
}

/** Lines that have been written whole; null after each block. */
function* linesFrom(path: string, start: number): Generator<Line | null> {
  let rest = Buffer.alloc(0)
  let at = start
  for (const read of blocks(path)) {
    for (;;) {
      const bytes = read(at + rest.length, block)
      if (bytes.length === 0) return
      rest = Buffer.concat([rest, bytes])
      let begin = 0
      for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10, begin)) {
        yield { text: rest.toString('utf8', begin, end), end: at + end + 1 }
        begin = end + 1
      }
      rest = rest.subarray(begin)
      at += begin
      yield null
    }
  }
}

/** The same from the end. */
function* linesBackwards(path: string): Generator<Line | null> {
  for (const read of blocks(path)) {
    // What follows the last line break is not whole.
    let rest = Buffer.alloc(0)
    let isFirst = true
    for (let at = read.size; at > 0; ) {
      const from = Math.max(0, at - block)
      rest = Buffer.concat([read(from, at - from), rest])
      at = from
      let end = rest.length
      for (;;) {
        const feed = end === 0 ? -1 : rest.lastIndexOf(10, end - 1)
        if (feed < 0 && at > 0) break
        if (!isFirst) yield { text: rest.toString('utf8', feed + 1, end), end: at + end + 1 }
        isFirst = false
        if (feed < 0) break
        end = feed
      }
      rest = rest.subarray(0, end)
      yield null
    }
  }
}

interface Read {
  (at: number, length: number): Buffer
  readonly size: number
}

/** Opens a file, which may not be there, for as long as it is read. */
function* blocks(path: string): Generator<Read> {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  try {
    const read = (at: number, length: number) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(fd, bytes, 0, length, at))
    }
    yield Object.assign(read, { size: fstatSync(fd).size })
  } finally {
    closeSync(fd)
  }
}
