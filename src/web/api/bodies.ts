// What the API answers with. openapi.ts describes the same shapes, and a test holds one to the other.

import { provisionalBelow, uncertaintyOf } from '../../arena/rating.ts'
import type { Game } from '../../games/game.ts'
import { publicRecord } from '../../record/match-record.ts'
import { isoTime } from '../../record/time-text.ts'
import type { Pieces } from '../../scheduling/text-stream.ts'
import type { GameRating, RecentForm } from '../../store/profiles.ts'
import type { Placed } from '../../store/rankings.ts'
import type { User } from '../../store/users.ts'
import { type Hall, livePosition, type Told } from '../hall.ts'
import { labelled } from '../replay.ts'

export const gameBody = ({ id, title, summary, seats, facts: { turns, luck, secrets } }: Game) => ({
  id,
  title,
  summary,
  seats: { min: seats, max: seats },
  turns,
  luck,
  secrets,
})

export const standingBody = ({ rank, name, rating, games, wins, draws, losses }: Placed) => ({
  rank,
  provisional: rank === null,
  name,
  rating,
  uncertainty: uncertaintyOf(games),
  games,
  wins,
  draws,
  losses,
})

/** In pieces. */
export const toldPieces = ({ match, replay, table }: Told): Pieces =>
  listed({ ...publicRecord(match), clocks: table?.clocks ?? null }, 'moves', movesOf(replay))

function* movesOf(replay: Told['replay']): Iterable<object> {
  let ply = 0
  for (const [[seat, move, ms, fault], label] of labelled(replay))
    yield {
      ply: ++ply,
      seat,
      move: replay.open ? move : null,
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
  ...publicRecord(told.match),
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
  since: isoTime(user.created_at),
  ratings: ratings.map(({ game, rating, games, wins, draws, losses }) => {
    const place = store.rankings.place(game, user.id)
    return {
      game,
      rank: place?.rank ?? null,
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
