// What the API answers with. openapi.ts describes the same shapes, and a test holds one to the other.

import { provisionalBelow, uncertaintyOf } from '../../arena/rating.ts'
import { factsJson, type Game } from '../../games/game.ts'
import type { Pieces } from '../../producer.ts'
import { type MatchRecord, statusOf } from '../../store/matches.ts'
import type { GameRating, RecentForm } from '../../store/profiles.ts'
import type { Placed } from '../../store/rankings.ts'
import type { User } from '../../store/users.ts'
import { type Hall, livePosition, type Told } from '../hall.ts'
import { labelled } from '../replay.ts'

export const gameBody = (game: Game) => ({
  id: game.id,
  title: game.title,
  summary: game.summary,
  seats: game.seats,
  ...factsJson(game),
})

export const standingBody = ({ rank, name, rating, games, wins, draws, losses }: Placed) => ({
  rank,
  name,
  rating,
  uncertainty: uncertaintyOf(games),
  games,
  wins,
  draws,
  losses,
})

export const matchBody = (match: MatchRecord) => ({
  id: match.id,
  game: match.game,
  ladder: match.ladder,
  status: statusOf(match),
  unrated: match.unrated,
  setup: match.setup,
  voided: match.voided && { at: iso(match.voided.at), reason: match.voided.reason },
  startedAt: iso(match.startedAt),
  endedAt: match.end === null ? null : iso(match.end.at),
  ending: match.end?.ending ?? null,
  detail: match.end?.detail ?? null,
  moveCount: match.moveCount,
  players: match.players.map((player, seat) => ({
    seat,
    name: player.name,
    kind: player.kind,
    place: player.place,
    fault: player.fault,
    score: player.score,
    ratingBefore: player.rating?.before ?? null,
    ratingAfter: player.rating?.after ?? null,
  })),
})

/** In pieces. A seed is told when it is too late to make use of it. */
export const toldPieces = ({ match, course, table }: Told): Pieces =>
  listed(
    {
      ...matchBody(match),
      seed: table === null ? match.seed : null,
      clocks: table?.clocks ?? null,
    },
    'moves',
    movesOf(course),
  )

function* movesOf(course: Told['course']): Iterable<object> {
  let ply = 0
  for (const [[seat, move, ms, fault], label] of labelled(course))
    yield {
      ply: ++ply,
      seat,
      move: course.open ? move : null,
      label,
      ms,
      fault: fault ?? null,
    }
}

/** JSON in pieces: an object whose last field is a long list. */
export function* listed(head: object, name: string, items: Iterable<unknown>): Pieces {
  yield `${JSON.stringify(head).slice(0, -1)},${JSON.stringify(name)}:[`
  let between = ''
  for (const item of items) {
    yield between + JSON.stringify(item)
    between = ','
  }
  yield ']}\n'
}

export const liveBody = (told: Told) => ({
  ...matchBody(told.match),
  ratings: told.ratings,
  clocks: told.table?.clocks ?? [],
  position: told.table === null ? null : livePosition(told.table),
})

export const agentBody = (
  { store }: Hall,
  user: User,
  ratings: readonly GameRating[],
  form: RecentForm,
) => ({
  name: user.name,
  kind: user.kind,
  banned: user.banned_at !== null,
  since: iso(user.created_at),
  ratings: ratings.map(({ game, rating, games, wins, draws, losses }) => {
    const place = store.rankings.place(game, user.id)
    return {
      game,
      rank: place === undefined || place.provisional ? null : place.rank,
      provisional: games < provisionalBelow,
      rating,
      uncertainty: uncertaintyOf(games),
      games,
      wins,
      draws,
      losses,
    }
  }),
  recent: {
    matches: form.matches,
    faults: Object.fromEntries([...form.faults].filter(([fault]) => fault !== 'none')),
    opponents: form.rivals,
  },
})

const iso = (at: number): string => new Date(at).toISOString()
