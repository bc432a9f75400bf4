import { type SqlBool, sql } from 'kysely'
import { agentOf } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'
import type { Entry, Numbered } from '../events/entry.ts'
import type { Appended, BoardMatch, EventNews } from '../events/log.ts'
import type { EventId, EventPlan } from '../events/plan.ts'
import type { EventStatus } from '../events/state.ts'
import { type Database, prepare, type Query } from './database.ts'
import type { Schema } from './schema.ts'

/** The logs of events. Triggers refuse to change or remove an entry. */
export class EventLog {
  readonly #clock: Clock
  readonly #insert: Query<Omit<Row, 'seq'>, unknown>
  readonly #read: Query<{ event: EventId; after: number }, Row>
  readonly #after: Query<{ seq: number }, Row>
  readonly #last: Query<{ event: EventId }, { number: number | null }>
  readonly #lastSeq: Query<object, { seq: number | null }>
  readonly #stages: Query<object, Row>
  readonly #entrants: Query<object, { event: EventId; kind: Entry['kind']; n: number }>
  readonly #matches: Query<{ event: EventId }, MatchRow>
  readonly #strays: Query<object, Pick<Schema['matches'], 'id'>>

  constructor(db: Database, clock: Clock) {
    this.#clock = clock
    this.#insert = prepare(db, (sql, $: Omit<Row, 'seq'>) =>
      sql
        .insertInto('event_log')
        .values({ event: $.event, number: $.number, at: $.at, kind: $.kind, entry: $.entry }),
    )
    this.#read = prepare(db, (sql, $: { event: EventId; after: number }) =>
      sql
        .selectFrom('event_log')
        .selectAll()
        .where('event', '=', $.event)
        .where('number', '>', $.after)
        .orderBy('number'),
    )
    this.#after = prepare(db, (sql, $: { seq: number }) =>
      sql.selectFrom('event_log').selectAll().where('seq', '>', $.seq).orderBy('seq'),
    )
    this.#last = prepare(db, (sql, $: { event: EventId }) =>
      sql
        .selectFrom('event_log')
        .select(({ fn }) => fn.max('number').as('number'))
        .where('event', '=', $.event),
    )
    this.#lastSeq = prepare(db, sql =>
      sql.selectFrom('event_log').select(({ fn }) => fn.max('seq').as('seq')),
    )
    this.#stages = prepare(db, sql =>
      sql.selectFrom('event_log').selectAll().where(isStage).orderBy('seq'),
    )
    this.#entrants = prepare(db, sql =>
      sql
        .selectFrom('event_log')
        .select(({ fn }) => ['event', 'kind', fn.countAll<number>().as('n')])
        .where(isOfEntrants)
        .groupBy(['event', 'kind']),
    )
    this.#strays = prepare(db, sql =>
      sql
        .selectFrom('matches')
        .select('id')
        .where(({ or, eb, selectFrom }) =>
          or([
            eb('event', 'is not', null).and(
              'event',
              'not in',
              selectFrom('event_log').select('event'),
            ),
            eb('event', 'is', null).and('board', 'is not', null),
          ]),
        ),
    )
    this.#matches = prepare(db, (sql, $: { event: EventId }) =>
      sql
        .selectFrom('matches')
        .innerJoin('match_seats', 'match_seats.match', 'matches.id')
        .innerJoin('accounts', 'accounts.id', 'match_seats.account')
        .select(['matches.id', 'board', 'ending', 'finished_seq', 'voided_at'])
        .select(['seat', 'place', 'score', 'fault', 'account', 'parent'])
        .where('event', '=', $.event)
        .orderBy('matches.id')
        .orderBy('seat'),
    )
  }

  /**
   * Appends entries after the entry of this number, which is 0 for a new event. Answers with all that follows that entry, and
   * whether the given ones are among it: they are refused when the log has moved on. To be called within a transaction.
   */
  append(
    event: EventId,
    after: number,
    entries: readonly Entry[],
    at = this.#clock.date(),
  ): Appended {
    const isNext = (this.#last.get({ event })?.number ?? 0) === after
    if (isNext)
      for (const [i, entry] of entries.entries()) {
        const { kind } = entry
        const number = after + i + 1
        this.#insert.run({ event, number, at, kind, entry: JSON.stringify(entry) })
      }
    return { appended: isNext, entries: this.read(event, after) }
  }

  /** The log of an event, or what follows an entry. Empty where there is no such event. */
  read(event: EventId, after = 0): readonly Numbered[] {
    return this.#read.all({ event, after }).map(numbered)
  }

  /** All events, the newest first. */
  list(): readonly EventSummary[] {
    const events = new Map<EventId, Writable<EventSummary>>()
    for (const row of this.#stages.all({})) {
      const entry = numbered(row)
      if (entry.kind === 'created') {
        const times = { createdAt: entry.at, startedAt: null, endedAt: null }
        events.set(row.event, { plan: entry.plan, status: 'open', ...times, entrants: 0 })
        continue
      }
      const event = events.get(row.event)!
      event.status = statusAfter[entry.kind as Stage]
      if (entry.kind === 'started') event.startedAt = entry.at
      if (event.status === 'finished' || event.status === 'cancelled') event.endedAt = entry.at
    }
    for (const { event, kind, n } of this.#entrants.all({}))
      events.get(event)!.entrants += kind === 'entered' ? n : -n
    return [...events.values()].reverse()
  }

  /** The entries of all events that were written after `seq`, by whatever process, and the `seq` of the last one. */
  since(seq: number): EventNews {
    const rows = this.#after.all({ seq })
    return {
      seq: rows.at(-1)?.seq ?? seq,
      entries: rows.map(row => ({ event: row.event, entry: numbered(row) })),
    }
  }

  /** A number that grows with every entry of any event. */
  get seq(): number {
    return this.#lastSeq.get({})?.seq ?? 0
  }

  /** The matches that name an event that is not there. */
  strays(): readonly MatchId[] {
    return this.#strays.all({}).map(({ id }) => id)
  }

  /** All matches of an event, live and aborted ones, too. */
  boardMatches(event: EventId): readonly BoardMatch[] {
    const matches = new Map<MatchId, Writable<BoardMatch>>()
    for (const { id, board, ending, finished_seq, voided_at, ...seat } of this.#matches.all({
      event,
    })) {
      let match = matches.get(id)
      if (match === undefined) {
        match = {
          match: id,
          board: board!,
          status: ending === null ? 'live' : finished_seq === null ? 'aborted' : 'done',
          isVoided: voided_at !== null,
          ...{ accounts: [], places: [], scores: [], faults: [] },
        }
        matches.set(id, match)
      }
      match.accounts.push(agentOf({ id: seat.account, parent: seat.parent }))
      if (seat.place !== null) match.places.push(seat.place)
      match.scores.push(seat.score)
      match.faults.push(seat.fault)
    }
    return [...matches.values()]
  }
}

export interface EventSummary {
  readonly plan: EventPlan
  readonly status: EventStatus
  readonly createdAt: number
  readonly startedAt: number | null
  readonly endedAt: number | null
  /** How many have entered and not withdrawn. */
  readonly entrants: number
}

// Written out rather than bound, as the conditions of the indexes are.
const isStage = sql<SqlBool>`kind in ('created', 'started', 'paused', 'resumed', 'cancelled', 'finished')`
const isOfEntrants = sql<SqlBool>`kind in ('entered', 'withdrew')`

type Stage = 'started' | 'paused' | 'resumed' | 'cancelled' | 'finished'
const statusAfter: Readonly<Record<Stage, EventStatus>> = {
  started: 'running',
  paused: 'paused',
  resumed: 'running',
  cancelled: 'cancelled',
  finished: 'finished',
}

const numbered = ({ number, at, entry }: Row): Numbered => ({
  ...(JSON.parse(entry) as Entry),
  number,
  at,
})

type Row = Omit<Schema['event_log'], 'seq'> & { readonly seq: number }
type MatchRow = Pick<Schema['matches'], 'id' | 'board' | 'ending' | 'finished_seq' | 'voided_at'> &
  Pick<Schema['match_seats'], 'seat' | 'place' | 'score' | 'fault' | 'account'> &
  Pick<Schema['accounts'], 'parent'>

type Writable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer E)[] ? E[] : T[K] }
