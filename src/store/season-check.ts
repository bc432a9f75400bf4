import type { LadderId } from '../arena/ladder.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Season } from '../record/season-record.ts'
import type { KeptResult } from './matches.ts'
import { differs, ratingText } from './rating-difference.ts'
import {
  newcomerOn,
  type Restart,
  ratingKey,
  recalculate,
  type Standings,
} from './rating-recalculation.ts'
import type { Tables } from './store.ts'

/** Recalculates the tables of all seasons from the results as they counted when each was closed. Answers with all differences. */
export const checkSeasons = (tables: Stored): readonly string[] => {
  const seasons = tables.seasons.all()
  const ladders = new Set(seasons.map(({ ladder }) => ladder))
  return [...ladders].flatMap(id => [...checkLadder(tables, id)])
}

/** Those with the same voids before them are checked in one pass: nearly always that is all of them. */
function* checkLadder(tables: Stored, id: LadderId): Iterable<string> {
  const ladder = tables.ladders.of(id)
  const voids = voidsBefore(tables, id)
  for (const voided of new Set(voids.values())) {
    const gone = new Set(voided.split(' ').map(Number))
    const standings: Standings = { ratings: new Map(), firsts: new Map() }
    const wrong: string[] = []
    let number = 0
    function* history(): Iterable<KeptResult | Restart> {
      for (const entry of tables.matches.history(ladder)) {
        if ('match' in entry) yield { ...entry, rated: entry.wasRated && !gone.has(entry.match) }
        else {
          number++
          if (voids.get(number) === voided)
            wrong.push(...wrongRows(tables, { ladder: id, number }, standings))
          yield entry
        }
      }
    }
    recalculate(history(), () => {}, standings)
    yield* wrong
  }
}

function* wrongRows(
  { seasons, ladders }: Stored,
  season: Pick<Season, 'ladder' | 'number'>,
  { ratings }: Standings,
): Iterable<string> {
  const { ladder, number } = season
  for (const { name, ...row } of seasons.table(season)) {
    const again = ratings.get(ratingKey(row.account, ladder)) ?? newcomerOn(ladders.of(ladder))
    const { lead } = again
    if (differs({ ...row, lead }, again))
      yield `season ${number} of ${ladder}: ${name} ${ratingText({ ...row, lead })}, recalculated ${ratingText(again)}`
  }
}

/** By season the numbers of the matches that were voided when it was closed. */
const voidsBefore = ({ chains }: Stored, ladder: LadderId): ReadonlyMap<number, string> => {
  const voided = new Set<MatchId>()
  const voids = new Map<number, string>()
  for (const { type, match } of chains.entries(ladder)) {
    if (type === 'void') voided.add(match)
    if (type === 'unvoid') voided.delete(match)
    if (type === 'season') voids.set(voids.size + 1, [...voided].sort((a, b) => a - b).join(' '))
  }
  return voids
}

type Stored = Pick<Tables, 'seasons' | 'matches' | 'chains' | 'ladders'>
