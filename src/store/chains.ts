import type { MatchId } from '../arena/match-store.ts'
import { ndjsonLines } from '../record/export.ts'
import { jsonText } from '../record/json-text.ts'
import { noHash, sealedAct } from '../seal.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Matches } from './matches.ts'
import type { Sealed, SealedActRow } from './seals.ts'
import type { Seasons } from './seasons.ts'

/** Reads the chains of seals: all ended matches of a ladder, every void and every season, in the order in which they were sealed. */
export class Chains {
  readonly #matches: Matches
  readonly #seasons: Seasons
  readonly #ladderAfter: Query<{ ladder: string }, { ladder: string | null }>
  readonly #page: Query<{ ladder: string; after: number; limit: number }, Sealed>

  constructor(db: Database, matches: Matches, seasons: Seasons) {
    this.#matches = matches
    this.#seasons = seasons
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
        .limit($.limit)
        .$castTo<Sealed>(),
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
  *entries(ladder: string, after = 0): Iterable<Sealed> {
    for (let last = after; ; ) {
      const rows = this.#page.all({ ladder, after: last, limit: 100 })
      yield* rows
      if (rows.length === 0) return
      last = rows.at(-1)!.number
    }
  }

  /** A chain as NDJSON: several lines a match, one line a void or a season, and no line for a match that is missing. */
  lines(ladder: string, after = 0): Iterable<string> {
    return this.#lines(this.entries(ladder, after), this.#hashOf(ladder, after))
  }

  /** As much of a chain as one answer holds: at least one entry, and only whole ones. `holds` is how many bytes of moves are in memory meanwhile. */
  page(ladder: string, after: number): { holds: number; lines: () => Iterable<string> } {
    const rows: Sealed[] = []
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

  *#lines(rows: Iterable<Sealed>, previous: string): Iterable<string> {
    for (const row of rows) {
      if (row.type === 'match') yield* this.#match(row.match)
      else {
        const { ladder, number, hash } = row
        const text = row.type === 'season' ? this.#seasons.sealed(ladder, number) : actText(row)
        if (text !== null)
          yield `${jsonText({ ...JSON.parse(text), seal: { number, previous, hash } })}\n`
      }
      previous = row.hash
    }
  }

  #hashOf(ladder: string, number: number): string {
    const row = this.#page.get({ ladder, after: number - 1, limit: 1 })
    return row?.number === number ? row.hash : noHash
  }

  *#match(match: MatchId): Iterable<string> {
    const record = this.#matches.find(match)
    if (record !== undefined)
      yield* ndjsonLines(record, this.#matches.keptMoves(match), this.#matches.notes(match))
  }
}

const most = { entries: 100, bytes: 1_000_000 }

/** The sealed text of a void, or of one that is taken back. */
export const actText = ({ type, match, ladder, at, reason }: SealedActRow): string =>
  sealedAct({ type, match, ladder, at: at ?? 0, reason })
