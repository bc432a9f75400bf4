import { sql } from 'kysely'
import { elo } from '../arena/counting.ts'
import {
  agentsLadder,
  eventLadder,
  type Ladder,
  type LadderId,
  parseLadderId,
  peopleLadder,
  standard,
  variants,
} from '../arena/ladder.ts'
import { listsMoves } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import { didYouMean } from '../nearest.ts'
import { type Database, prepare, type Query } from './database.ts'

/**
 * The ladders of this host: those of agents, by speed and listing, and of people in each game, and those of events. A ladder of an event is kept
 * with what it counts in the transaction of its first result; the others count Elo.
 */
export class Ladders {
  readonly #counts: Query<{ id: LadderId }, { counts: string }>
  readonly #insert: Query<{ id: LadderId; counts: string }, unknown>
  readonly #events: Query<object, { id: LadderId }>
  readonly #played: Query<{ id: LadderId }, { account: number }>
  /** The ladders of events that were read. They never change. */
  readonly #known = new Map<LadderId, Ladder>()

  constructor(db: Database) {
    this.#counts = prepare(db, (sql, $: { id: LadderId }) =>
      sql.selectFrom('ladders').select('counts').where('id', '=', $.id),
    )
    this.#insert = prepare(db, (sql, $: { id: LadderId; counts: string }) =>
      sql
        .insertInto('ladders')
        .values({ id: $.id, counts: $.counts })
        .onConflict(conflict => conflict.doNothing()),
    )
    this.#events = prepare(db, sql => sql.selectFrom('ladders').select('id').orderBy('id'))
    this.#played = prepare(db, (query, $: { id: LadderId }) =>
      query
        .selectFrom('ratings')
        .select('account')
        .where('ladder', '=', $.id)
        // A literal, not a parameter: it must match the condition of the index.
        .where('games', '>', sql.lit(0))
        .unionAll(query.selectFrom('season_rows').select('account').where('ladder', '=', $.id))
        .limit(1),
    )
  }

  /** The ladder that a person or a program names; undefined if there is none. */
  find(id: string): Ladder | undefined {
    const named = parseLadderId(id)
    const game = named && gameOf(named.game)
    if (named === undefined || game === undefined) return undefined
    if (named.variant.listing === 'blind' && !listsMoves(game)) return undefined
    return typeof named.crowd === 'string' ? this.of(id) : this.#event(named.game, named.crowd)
  }

  /** The ladder of a row on disk, whatever its game. */
  of(id: LadderId): Ladder {
    const named = parseLadderId(id) ?? ({ game: id, crowd: 'agents', variant: standard } as const)
    const { game, crowd, variant } = named
    if (crowd === 'agents') return agentsLadder(game, variant)
    if (crowd === 'people') return peopleLadder(game)
    return this.#event(game, crowd) ?? eventLadder(game, crowd.event, elo)
  }

  /** The standard one of the agents in every game, and the others that a rated match was played on, in this season or an earlier one. */
  all(): readonly Ladder[] {
    const events = this.#events.all({}).map(({ id }) => this.of(id))
    return games.flatMap(({ id }) => [
      agentsLadder(id),
      ...[
        ...variants.slice(1).map(variant => agentsLadder(id, variant)),
        peopleLadder(id),
        ...events.filter(({ game }) => game === id),
      ].filter(ladder => this.#played.get({ id: ladder.id }) !== undefined),
    ])
  }

  /** Why there is no ladder of this name, and which there are. */
  unknown(id: string): string {
    const ids = this.all().map(ladder => ladder.id)
    return `no ladder is called ${id}${didYouMean(id, ids)}: there are ${ids.join(', ')}`
  }

  /** To be called within the transaction of a result on this ladder. */
  keep({ id, crowd, counts }: Ladder): void {
    if (typeof crowd === 'object') this.#insert.run({ id, counts: JSON.stringify(counts) })
  }

  #event(game: string, { event }: { readonly event: string }): Ladder | undefined {
    const { id } = eventLadder(game, event, elo)
    const known = this.#known.get(id)
    if (known !== undefined) return known
    const row = this.#counts.get({ id })
    if (row === undefined) return undefined
    const ladder = eventLadder(game, event, JSON.parse(row.counts))
    this.#known.set(id, ladder)
    return ladder
  }
}
