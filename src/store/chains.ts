import { type Database, prepare, type Query } from './database.ts'
import { linesOf } from './export.ts'
import type { Matches } from './matches.ts'
import { noHash, sealedAct } from './seal.ts'
import type { SealRow } from './seals.ts'

/** The chains of seals, to be looked at: all matches of a ladder that are over, and every void, in the order in which they were sealed. */
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

  /** As NDJSON: of a match all its lines, of a void its own; nothing of a match that is gone. */
  *lines(ladder: string, after = 0): Iterable<string> {
    let previous =
      after === 0 ? noHash : this.#page.get({ ladder, after: after - 1, limit: 1 })?.hash
    for (const row of this.entries(ladder, after)) {
      yield row.type === 'match' ? this.#match(row) : actLine(row, row.type, previous ?? noHash)
      previous = row.hash
    }
  }

  #match({ match }: SealRow): string {
    const record = this.#matches.find(match)
    return record === undefined ? '' : linesOf(record, this.#matches.moves(match))
  }
}

const actLine = (
  { match, ladder, at, reason, number, hash }: SealRow,
  type: 'void' | 'unvoid',
  previous: string,
): string => {
  const act = sealedAct({ type, match, ladder, at: at ?? 0, reason })
  return `${JSON.stringify({ ...JSON.parse(act), seal: { number, previous, hash } })}\n`
}
