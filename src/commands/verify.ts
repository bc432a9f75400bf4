import type { Outcome } from '../arena/ending.ts'
import type { MatchId, Played } from '../arena/match-store.ts'
import { quickFalls } from '../arena/quick.ts'
import { ReplayError } from '../arena/replay.ts'
import { replayOutcome } from '../arena/replay-outcome.ts'
import { gameOf } from '../games/index.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { withStore } from '../queries/with-store.ts'
import { countText } from '../record/count-text.ts'
import { type MatchRecord, replaySourceOf } from '../record/match-record.ts'
import { checkEvents } from '../store/event-check.ts'
import type { KeptResult } from '../store/matches.ts'
import { checkPoints } from '../store/point-check.ts'
import { differs, isOther, ratingText } from '../store/rating-difference.ts'
import { meetingKey, newcomerOn, ratingKey, recalculate } from '../store/rating-recalculation.ts'
import { wrongRoomElo } from '../store/room-elo-check.ts'
import { checkSeals } from '../store/seal-check.ts'
import { checkSeasons } from '../store/season-check.ts'
import type { Tables } from '../store/store.ts'
import { wrongStrengths } from '../strength/check-strengths.ts'

export const verify = (context: CommandContext) =>
  command(
    'verify',
    'Compute every seal again, play every stored match again, recalculate every rating, every strength, the table of every season, the rounds of every event and all points, and compare.',
    'agentbbs verify',
  ).action(({ json }: { json?: true }) => {
    const { matches, seals, events, points, differences } = withStore(context, verified)
    if (json) printJson(context, { matches, seals, events, points, differences })
    else for (const difference of differences) context.print(difference)
    if (differences.length > 0)
      throw new Failure(
        `${countText(differences.length, 'difference')} in ${countText(matches, 'match')}`,
      )
    if (!json)
      context.print(
        `${countText(matches, 'match')}, ${countText(seals, 'seal')}, ${countText(events, 'event')} and all ratings and points are as they should be.`,
      )
  })

export const verified = (store: Tables) =>
  // One transaction reads everything, because a server may write at the same time.
  store.db.file.transaction(() => {
    const differences: string[] = []
    let matches = 0
    for (const id of store.matches.ids()) {
      matches++
      const wrong = wrongMatch(id, store)
      if (wrong !== null) differences.push(`match ${id}: ${wrong}`)
    }
    const seals = checkSeals(store)
    const events = checkEvents(store)
    const points = checkPoints(store)
    return {
      matches,
      seals: seals.seals,
      events: events.events,
      /** Entries of the ledger of points. */
      points: points.entries,
      differences: [
        ...differences,
        ...seals.differences,
        ...events.differences,
        ...wrongRatings(store),
        ...wrongRoomElo(store),
        ...checkSeasons(store),
        ...wrongStrengths(
          store.db,
          account => store.users.byId(account)?.name ?? `account ${account}`,
        ),
        ...points.differences,
      ],
    }
  })()

const wrongMatch = (id: MatchId, { matches }: Tables): string | null => {
  try {
    return wrongWith(matches.find(id)!, matches.moves(id))
  } catch (error) {
    if (error instanceof ReplayError) return error.message
    // Games and referee never throw at moves that they have accepted, so the record is damaged.
    return `it cannot be read: ${error instanceof Error ? error.message : error}`
  }
}

const wrongWith = (match: MatchRecord, moves: readonly Played[]): string | null => {
  const game = gameOf(match.game)
  if (game === undefined) return `no game is called ${match.game}`
  if (match.players.length === 0) return 'it has no players'
  const faults = match.players.map(({ fault }) => fault)
  const ending = match.end?.ending ?? null
  const outcome = replayOutcome(replaySourceOf(game, match, moves), faults, ending)
  // Its moves may lead to a result that could not be written to disk.
  if (match.end?.ending === 'aborted') return null
  if (match.end === null)
    return outcome === null ? null : 'it is live, and its moves come to a result'
  if (outcome === null) return 'its moves come to no result'
  return wrongOutcome(match, moves, outcome)
}

const wrongOutcome = (
  { end, players }: MatchRecord,
  moves: readonly Played[],
  outcome: Outcome,
): string | null => {
  const ending = end!.ending === 'late' ? 'gone' : end!.ending
  if (outcome.ending !== ending)
    return `it ended "${end!.ending}", played again "${outcome.ending}"`
  const kept = players.map(({ place }) => place).join(',')
  const again = outcome.places.join(',')
  if (kept !== again) return `places are ${kept}, played again ${again}`
  // Matches of older versions have no seat marked as quick.
  const quick = quickFalls(
    players.map(({ fault }) => fault),
    moves,
  )
  const wrong = players.findIndex((player, seat) => player.quick && !quick[seat])
  return wrong < 0 ? null : `seat ${wrong} is stored as quick, but was not out early`
}

/** Where a recalculation from the results gives other ratings. */
export const wrongRatings = ({
  matches,
  ladders,
  ratings: all,
  users,
}: Tables): readonly string[] => {
  const wrong: string[] = []
  const { ratings, firsts } = recalculate(matches.history(), (result, before, after) => {
    for (const [at, kept] of result.ratings.entries()) {
      const again = result.rated ? { before: before[at]!.rating, after: after[at]!.rating } : null
      if (isOther(kept?.before, again?.before) || isOther(kept?.after, again?.after))
        wrong.push(
          `match ${result.match}: the rating of seat ${result.seats[at]} went ${way(kept)}, recalculated ${way(again)}`,
        )
    }
  })
  const nameOf = (account: string | undefined) =>
    users.byId(Number(account))?.name ?? `account ${account}`
  const kept = new Map(all.all().map(row => [ratingKey(row.account, row.ladder), row]))
  for (const key of new Set([...kept.keys(), ...ratings.keys()])) {
    const [account, ladder = ''] = key.split(' ')
    const newcomer = newcomerOn(ladders.of(ladder))
    const [rating, again] = [kept.get(key) ?? newcomer, ratings.get(key) ?? newcomer]
    if (differs(rating, again))
      wrong.push(
        `${nameOf(account)}, ${ladder}: ${ratingText(rating)}, recalculated ${ratingText(again)}`,
      )
  }
  const met = new Map(
    all.firsts().map(row => [meetingKey(row.account, row.ladder, row.against), row.firsts]),
  )
  for (const key of new Set([...met.keys(), ...firsts.keys()])) {
    const [account, ladder, against] = key.split(' ')
    const [n, again] = [met.get(key) ?? 0, firsts.get(key) ?? 0]
    if (n !== again)
      wrong.push(
        `${nameOf(account)}, ${ladder}: first ${countText(n, 'time')} against ${nameOf(against)}, counted again ${again}`,
      )
  }
  return wrong
}

const way = (rating: KeptResult['ratings'][number]) =>
  rating === null ? 'unchanged' : `from ${rating.before} to ${rating.after}`
