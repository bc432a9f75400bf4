import type { MatchId } from '../arena/match-store.ts'
import type { Season } from '../record/season-record.ts'
import { isoTime } from '../record/time-text.ts'
import { noHash, type SealedSeat, sealedMatch, sealOf } from '../seal.ts'
import { actText } from './chains.ts'
import { type Database, prepare, type Query } from './database.ts'
import { asSealed } from './matches.ts'
import type { Schema } from './schema.ts'
import type { Sealed, SealedActRow } from './seals.ts'
import type { Seasons } from './seasons.ts'
import type { Tables } from './store.ts'

/** Computes every seal again from the database. Answers with the number of seals and all differences. */
export const checkSeals = ({
  db,
  chains,
  seasons,
}: Pick<Tables, 'db' | 'chains' | 'seasons'>): Checked => {
  const check = new SealCheck(db, seasons)
  let seals = 0
  for (const ladder of chains.ladders()) {
    let last: Sealed | null = null
    for (const row of chains.entries(ladder)) {
      seals++
      check.entry(row, last)
      last = row
    }
  }
  check.end()
  return { seals, differences: check.differences }
}

interface Checked {
  readonly seals: number
  readonly differences: readonly string[]
}

class SealCheck {
  readonly differences: string[] = []
  readonly #match: Query<{ id: MatchId }, Schema['matches']>
  readonly #seats: Query<{ id: MatchId }, Seat>
  readonly #unsealed: Query<object, { id: MatchId }>
  readonly #voided: Query<object, Voided>
  /** The last void, or void taken back, of each match by its chain. */
  readonly #acts = new Map<MatchId, SealedActRow>()
  readonly #seasons: Seasons
  readonly #unsealedSeasons: Query<object, Pick<Season, 'ladder' | 'number'>>

  constructor(db: Database, seasons: Seasons) {
    this.#seasons = seasons
    this.#unsealedSeasons = prepare(db, sql =>
      sql
        .selectFrom('seasons')
        .select(['seasons.ladder', 'seasons.number'])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('seals')
                .select('seals.number')
                .whereRef('seals.ladder', '=', 'seasons.ladder')
                .whereRef('seals.number', '=', 'seasons.seal')
                .where('type', '=', 'season'),
            ),
          ),
        ),
    )
    this.#match = prepare(db, (sql, $: { id: MatchId }) =>
      sql.selectFrom('matches').selectAll().where('id', '=', $.id),
    )
    this.#seats = prepare(db, (sql, $: { id: MatchId }) =>
      sql
        .selectFrom('match_seats')
        .innerJoin('accounts', 'accounts.id', 'match_seats.account')
        .selectAll('match_seats')
        .select(['name', 'kind'])
        .where('match', '=', $.id)
        .orderBy('seat'),
    )
    this.#unsealed = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select('id')
        .where('ending', 'is not', null)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('seals')
                .select('number')
                .whereRef('seals.match', '=', 'matches.id')
                .where('type', '=', 'match'),
            ),
          ),
        ),
    )
    this.#voided = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select(['id', 'voided_at as at', 'void_reason as reason'])
        .where('voided_at', 'is not', null),
    )
  }

  entry(row: Sealed, before: Sealed | null): void {
    const expected = (before?.number ?? 0) + 1
    if (row.number !== expected) {
      const which =
        row.number === expected + 1
          ? `seal ${expected} is`
          : `seals ${expected} to ${row.number - 1} are`
      this.#wrong(
        row,
        `${which} missing before that of this ${row.type === 'season' ? 'season' : 'match'}`,
      )
    }
    const text = this.#textOf(row)
    if (text === null) this.#wrong(row, 'it is sealed, and gone')
    else if (sealOf(before?.hash ?? noHash, text) !== row.hash)
      this.#wrong(row, `it is not as it was sealed (seal ${row.number} of ${row.ladder})`)
    if (row.type === 'void' || row.type === 'unvoid') this.#acts.set(row.match, row)
  }

  /** Finds ended matches without a seal, and voids that differ from their seals. */
  end(): void {
    for (const { id } of this.#unsealed.all({}))
      this.differences.push(`match ${id}: it is over, and not sealed`)
    for (const { ladder, number } of this.#unsealedSeasons.all({}))
      this.differences.push(`season ${number} of ${ladder}: it is closed, and not sealed`)
    const voided = new Map(this.#voided.all({}).map(row => [row.id, row]))
    for (const match of new Set([...voided.keys(), ...this.#acts.keys()])) {
      const now = voided.get(match)
      const act = this.#acts.get(match)
      const sealed = act?.type === 'void' ? act : undefined
      if (now?.at !== sealed?.at || now?.reason !== sealed?.reason)
        this.differences.push(
          `match ${match}: it is ${told(now)}, and by its last seal ${told(sealed)}`,
        )
    }
  }

  /** The text that the seal covers, from the rows as they are now; null if the match or season is missing. */
  #textOf(sealed: Sealed): string | null {
    const { ladder, at, reason } = sealed
    if (sealed.type === 'season')
      return at === null && reason === null
        ? readable(() => this.#seasons.sealed(ladder, sealed.number))
        : 'the seal of a season with the words of a void'
    if (sealed.type !== 'match') return actText(sealed)
    const row = this.#match.get({ id: sealed.match })
    if (row === undefined) return null
    const seats = this.#seats.all({ id: sealed.match })
    // Values that no seal covers, since no match has them: answer with a text that no match can have.
    if (at !== null || reason !== null) return 'the seal of a match with the words of a void'
    if (row.voided_at === null && row.void_reason !== null) return 'a reason without a void'
    for (const { seat, ladder: own, rating_before, rating_after } of seats) {
      if (own !== ladder) return `seat ${seat} on the ladder ${own}`
      if ((rating_before === null) !== (rating_after === null))
        return `seat ${seat} with half a rating`
    }
    return readable(() => sealedMatch(row, ladder, seats.map(asSealed)))
  }

  #wrong({ match, ladder }: Sealed, what: string): void {
    const named = match === null ? `a season of ${ladder}` : `match ${match}`
    this.differences.push(`${named}: ${what}`)
  }
}

const readable = (text: () => string | null): string | null => {
  try {
    return text()
  } catch (error) {
    // An invalid time or seed.
    return `it cannot be read: ${error}`
  }
}

const told = (voided: Pick<Voided, 'at' | 'reason'> | undefined): string =>
  voided === undefined
    ? 'not voided'
    : `voided (${voided.at === null ? 'no time' : isoTime(voided.at)}, ${voided.reason ?? 'no reason'})`

type Voided = Pick<Sealed, 'at' | 'reason'> & { readonly id: MatchId }
type Seat = Schema['match_seats'] & Pick<SealedSeat, 'name' | 'kind'>
