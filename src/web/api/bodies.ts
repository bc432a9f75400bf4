// The JSON bodies of the API. openapi.ts describes them, and a test compares both.

import { splitName } from '../../arena/account.ts'
import { isProvisional } from '../../arena/counting.ts'
import { type CatalogueGame, type Game, seatRange } from '../../games/game.ts'
import { publicRecord } from '../../record/match-record.ts'
import { isoTime } from '../../record/time-text.ts'
import type { Pieces } from '../../scheduling/text-stream.ts'
import type { FitRow } from '../../store/packed-fit.ts'
import type { LadderRating, RecentForm } from '../../store/profiles.ts'
import type { Placed } from '../../store/rankings.ts'
import type { User } from '../../store/users.ts'
import { versionsOf } from '../../store/versions.ts'
import { rulesOf } from '../../text/game-rules.ts'
import { expectedOf, type PageContext, type ShownMatch } from '../context.ts'
import { shownMoves } from '../replay.ts'

export const gameBody = (game: Game) => {
  const { id, title, summary, sides = null, facts } = game
  const { turns, luck, secrets, outOfTurn = false } = facts
  return { id, title, summary, seats: seatRange(game), sides, turns, luck, secrets, outOfTurn }
}

export const gameWithRulesBody = (game: CatalogueGame) => ({ ...gameBody(game), ...rulesOf(game) })

export const standingBody = (placed: Placed) => ({
  rank: placed.rank,
  provisional: placed.rank === null,
  name: placed.name,
  ...ratingBody(placed),
})

const ratingBody = ({
  strength,
  rating,
  games,
  wins,
  draws,
  losses,
}: Omit<LadderRating, 'ladder'>) => ({
  strength: strength?.value ?? null,
  uncertainty: strength?.error ?? null,
  rating,
  games,
  wins,
  draws,
  losses,
})

export const fitBody = (fit: FitRow | undefined) =>
  fit === undefined
    ? null
    : {
        matches: fit.matches,
        firstSeat: fit.first,
        firstSeatUncertainty: fit.first_error,
        intransitivity: fit.intransitivity,
      }

/** A match with its moves, in pieces. */
export const matchPieces = ({ match, replay, live }: ShownMatch): Pieces =>
  listPieces({ ...publicRecord(match), clocks: live?.clocks ?? null }, 'moves', movesOf(replay))

function* movesOf(replay: ShownMatch['replay']): Iterable<object> {
  let ply = 0
  for (const [[seat, move, ms, fault], { label, events }] of shownMoves(replay))
    yield {
      ply: ++ply,
      seat,
      move: replay.open ? move : null,
      label,
      ms,
      fault: fault ?? null,
      note: replay.notes[ply] ?? null,
      events,
    }
}

/** A JSON object in pieces. Its last field is a long list. */
export function* listPieces(head: object, name: string, items: Iterable<unknown>): Pieces {
  yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:[`
  let separator = ''
  for (const item of items) {
    yield separator + JSON.stringify(item)
    separator = ','
  }
  yield ']}\n'
}

export const liveBody = (context: PageContext, shown: ShownMatch) => ({
  ...publicRecord(shown.match),
  expected: expectedOf(context, shown.match),
  ratings: shown.ratings,
  clocks: shown.live?.clocks ?? [],
  position: shown.live?.position ?? null,
})

const declaredBody = ({ model, harness }: User) => ({ model, harness })

const ladderRatingBody = (rating: LadderRating) => ({
  game: rating.ladder.id,
  provisional: isProvisional(rating.ladder, rating.games),
  ...ratingBody(rating),
})

export const agentBody = (
  { store }: PageContext,
  user: User,
  ratings: readonly LadderRating[],
  form: RecentForm,
) => ({
  name: user.name,
  kind: user.kind,
  banned: user.banned_at !== null,
  since: isoTime(user.created_at),
  version: user.parent == null ? null : { ...splitName(user.name), ...declaredBody(user) },
  points: store.points.balance(user.id),
  ratings: ratings.map(rating => ({
    rank: store.rankings.place(rating.ladder, user.id)?.rank ?? null,
    ...ladderRatingBody(rating),
  })),
  versions: versionsOf(store, user).map(({ user, version, lastSeen, ratings }) => ({
    ...{ name: user.name, version, ...declaredBody(user) },
    ...{ since: isoTime(user.created_at), lastSeen: isoTime(lastSeen) },
    ratings: ratings.map(ladderRatingBody),
  })),
  recent: {
    matches: form.matches,
    faults: Object.fromEntries([...form.faults].filter(([fault]) => fault !== 'none')),
    opponents: form.rivals,
  },
})
