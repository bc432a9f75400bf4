import { type SqlBool, sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { Unrated } from '../arena/unrated.ts'
import { type Database, prepare } from './database.ts'
import { Ladders } from './ladders.ts'

/** The results of two agents against each other on one ladder, in whatever versions, seen from the one that gained. */
export interface Pairing {
  readonly ladder: LadderId
  readonly gainer: Party
  readonly loser: Party
  /** Points of rating that the gainer got in matches with the loser. */
  readonly gained: number
  /** Rated matches of the two; those that the gainer won; those that the loser gave up early. */
  readonly matches: number
  readonly wins: number
  readonly quick: number
  /** Matches that began as rated and ended unrated: as duplicates, or beyond the cap of the day. */
  readonly copies: number
  readonly capped: number
  /** Their share of all rated matches of two that the loser played on this ladder. */
  readonly ofLoser: number
  readonly sameOwner: boolean
}

interface Party {
  readonly id: AccountId
  readonly name: string
}

/**
 * All pairs of agents with rated matches of two since then, the largest gain first. Only of ladders that count Elo: points
 * and scores are not taken from an opponent.
 */
export const pairings = (db: Database, since: number): readonly Pairing[] => {
  const ladders = new Ladders(db)
  const rows = query(db)
    .all({ since })
    .filter(({ ladder }) => ladders.of(ladder).counts.by === 'elo')
  const all = new Map<string, number>()
  for (const { ladder, account, other, matches } of rows)
    for (const id of [account, other]) {
      const key = `${ladder} ${id}`
      all.set(key, (all.get(key) ?? 0) + matches)
    }
  return rows
    .map(row => {
      const { ladder, matches, copies, capped } = row
      const one = { id: row.account, name: row.name }
      const two = { id: row.other, name: row.otherName }
      const isFirst = row.gained > row.otherGained
      const loser = isFirst ? two : one
      return {
        ...{ ladder, matches, copies, capped, loser },
        gainer: isFirst ? one : two,
        gained: isFirst ? row.gained : row.otherGained,
        wins: isFirst ? row.wins : row.otherWins,
        quick: isFirst ? row.otherQuick : row.quick,
        ofLoser: matches === 0 ? 0 : matches / all.get(`${ladder} ${loser.id}`)!,
        sameOwner: row.family === row.otherFamily,
      }
    })
    .sort((a, b) => b.gained - a.gained || a.loser.id - b.loser.id)
}

/** Two seats of a match, the older agent's first. A match counts if it has ratings. */
const query = (db: Database) =>
  prepare(db, (query, $: { since: number }) =>
    query
      .selectFrom('match_seats as one')
      .innerJoin('match_seats as two', 'two.match', 'one.match')
      .innerJoin('matches', 'matches.id', 'one.match')
      .innerJoin('accounts as oneSeated', 'oneSeated.id', 'one.account')
      .innerJoin('accounts as twoSeated', 'twoSeated.id', 'two.account')
      .innerJoin('accounts as first', join =>
        join.on(({ eb, fn }) =>
          eb('first.id', '=', fn.coalesce('oneSeated.parent', 'oneSeated.id')),
        ),
      )
      .innerJoin('accounts as second', join =>
        join.on(({ eb, fn }) =>
          eb('second.id', '=', fn.coalesce('twoSeated.parent', 'twoSeated.id')),
        ),
      )
      .select(['one.ladder', 'first.id as account', 'second.id as other'])
      .select(['first.name', 'second.name as otherName'])
      .whereRef('second.id', '>', 'first.id')
      .select(({ fn, ref }) => [
        fn.coalesce('first.owner', 'first.id').as('family'),
        fn.coalesce('second.owner', 'second.id').as('otherFamily'),
        sql<number>`total(${ref('one.rating_after')} - ${ref('one.rating_before')})`.as('gained'),
        sql<number>`total(${ref('two.rating_after')} - ${ref('two.rating_before')})`.as(
          'otherGained',
        ),
        sql<number>`count(${ref('one.rating_after')})`.as('matches'),
        sql<number>`count(case when ${ref('one.rating_after')} is not null and ${ref('one.place')} < ${ref('two.place')} then 1 end)`.as(
          'wins',
        ),
        sql<number>`count(case when ${ref('one.rating_after')} is not null and ${ref('two.place')} < ${ref('one.place')} then 1 end)`.as(
          'otherWins',
        ),
        sql<number>`count(case when ${ref('one.rating_after')} is not null and ${ref('one.quick')} then 1 end)`.as(
          'quick',
        ),
        sql<number>`count(case when ${ref('two.rating_after')} is not null and ${ref('two.quick')} then 1 end)`.as(
          'otherQuick',
        ),
        sql<number>`count(case when unrated = ${sql.lit(copy)} then 1 end)`.as('copies'),
        sql<number>`count(case when unrated in (${listed(caps)}) then 1 end)`.as('capped'),
      ])
      .where('ended_at', '>=', $.since)
      .where('finished_seq', 'is not', null)
      .where('voided_at', 'is', null)
      .where(sql<SqlBool>`(unrated is null or unrated in (${listed([copy, ...caps])}))`)
      // With more than two seats a change of rating does not tell from which opponent it came.
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('match_seats')
              .select('seat')
              .whereRef('match', '=', 'one.match')
              .where('seat', '=', 2),
          ),
        ),
      )
      .groupBy(['one.ladder', 'first.id', 'second.id']),
  )

const copy = 'a copy of earlier matches' satisfies Unrated
const caps = [
  'a pair that has met too often today',
  'one has gained enough from the other today',
  'one has risen enough today for a win over a weaker opponent',
] as const satisfies readonly Unrated[]

function listed(reasons: readonly Unrated[]) {
  return sql.join(reasons.map(why => sql.lit(why)))
}
