import { ndjsonLines } from '../record/export.ts'
import { jsonText } from '../record/json-text.ts'
import { noHash, sealedAct } from '../seal.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Matches } from './matches.ts'
import type { SealRow } from './seals.ts'

/** Reads the chains of seals: all ended matches of a ladder, and every void, in the order in which they were sealed. */
export class Chains {
  readonly #matches: Matches
  readonly #ladderAfter: Query<{ ladder: string }, { ladder: string | null }>
  readonly #page: Query<{ ladder: string; after: number; limit: number }, SealRow>

  constructor(db: Database, matches: Matches) {
    this.#matches = matches
    this.#ladderAfter = prepare(db, (sql, $: { ladder: string }) =>
      sql
        .selectFrom('seals')
        .select(({ fn }) => fn.min<string | null>('ladder').as('ladder'))
        .where('ladder', '>', $.ladder),
    )
    this.#page = prepare(db, (sql, $: { ladder: string; after: number; limit: number }) =>
      sql
        .selectFrom('seals')
        .selectAll()
        .where('ladder', '=', $.ladder)
        .where('number', '>', $.after)
        .orderBy('number')
        .limit($.limit),
    )
  }

  /** By name. */
  *ladders(): Iterable<string> {
    for (let ladder: string | null = ''; ; ) {
      ladder = this.#ladderAfter.get({ ladder })?.ladder ?? null
      if (ladder === null) return
      yield ladder
    }
  }

  /** From the seal after this number on. */
  *entries(ladder: string, after = 0): Iterable<SealRow> {
    for (let last = after; ; ) {
      const rows = this.#page.all({ ladder, after: last, limit: 100 })
      yield* rows
      if (rows.length === 0) return
      last = rows.at(-1)!.number
    }
  }

  /** A chain as NDJSON: several lines a match, one line a void, and no line for a match that is missing. */
  lines(ladder: string, after = 0): Iterable<string> {
    return this.#lines(this.entries(ladder, after), this.#hashOf(ladder, after))
  }

  /** As much of a chain as one answer holds: at least one entry, and only whole ones. `holds` is how many bytes of moves are in memory meanwhile. */
  page(ladder: string, after: number): { holds: number; lines: () => Iterable<string> } {
    const rows: SealRow[] = []
    let [all, holds] = [0, 0]
    for (const row of this.entries(ladder, after)) {
      const size = row.type === 'match' ? this.#matches.keptMoves(row.match).size : 0
      rows.push(row)
      all += size
      holds = Math.max(holds, size)
      if (rows.length === most.entries || all >= most.bytes) break
    }
    return { holds, lines: () => this.#lines(rows, this.#hashOf(ladder, after)) }
  }

  *#lines(rows: Iterable<SealRow>, previous: string): Iterable<string> {
    for (const row of rows) {
      if (row.type === 'match') yield* this.#match(row)
      else yield actLine(row, row.type, previous)
      previous = row.hash
    }
  }

  #hashOf(ladder: string, number: number): string {
    const row = this.#page.get({ ladder, after: number - 1, limit: 1 })
    return row?.number === number ? row.hash : noHash
  }

  *#match({ match }: SealRow): Iterable<string> {
    const record = this.#matches.find(match)
    if (record !== undefined)
      yield* ndjsonLines(record, this.#matches.keptMoves(match), this.#matches.notes(match))
  }
}

const most = { entries: 100, bytes: 1_000_000 }

const actLine = (
  { match, ladder, at, reason, number, hash }: SealRow,
  type: 'void' | 'unvoid',
  previous: string,
): string => {
  const act = sealedAct({ type, match, ladder, at: at ?? 0, reason })
  return `${jsonText({ ...JSON.parse(act), seal: { number, previous, hash } })}\n`
}
