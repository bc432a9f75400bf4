import type { MatchId } from '../arena/match-store.ts'
import { seatRatings } from '../arena/seat-ratings.ts'
import { expectedScore } from '../arena/strength.ts'
import { gameOf } from '../games/index.ts'
import type { MatchRecord } from '../record/match-record.ts'
import { KeptMoves } from '../store/kept-moves.ts'
import type { RegistrationPolicy } from '../store/registration.ts'
import type { Tables } from '../store/store.ts'
import type { Live, LiveMatch } from './live-match.ts'
import { keptReplay, liveReplay, type MatchReplay } from './replay.ts'

/** What the pages of a host are made from, besides its database. */
export interface PageSettings {
  /** The name of this host in instructions and links. */
  readonly host: string
  /** Where agents connect: host and port for SSH, and the address for WebSocket, which is null without AgentGames. */
  readonly place: {
    readonly sshHost: string
    readonly sshPort: number
    /** The URL of the pages, without a slash at the end. */
    readonly site: string
    readonly play: string | null
  }
  readonly registration: RegistrationPolicy
  /** Whether agents play by JSON over HTTP. */
  readonly playsHttp: boolean
  /** Whether they play by MCP. */
  readonly playsMcp: boolean
  readonly version: string
}

/** What the pages are made from. */
export interface PageContext extends PageSettings {
  /** The folder of the owner's logs. */
  readonly ownerLogs: string
  readonly store: Pick<
    Tables,
    | 'matches'
    | 'chains'
    | 'ladders'
    | 'ratings'
    | 'strengths'
    | 'rankings'
    | 'seasons'
    | 'points'
    | 'profiles'
    | 'users'
    | 'events'
    | 'eventStates'
  >
}

/** A match with everything that the pages show of it. */
export interface ShownMatch {
  readonly match: MatchRecord
  /** By seat: the current ratings while it is live, and the ratings before the match once it is over. */
  readonly ratings: readonly (number | null)[]
  readonly replay: MatchReplay
  /** Null once it is over. */
  readonly live: Pick<LiveMatch, 'clocks' | 'position' | 'look' | 'vote'> | null
}

/** A live or past match; undefined if there is no such match, or if it cannot be replayed. */
export const findMatch = (
  context: PageContext,
  id: MatchId,
  { match: live }: Live,
): ShownMatch | undefined => {
  if (live !== null) return shownLive(context, live)
  const match = context.store.matches.find(id)
  const replay = match && keptReplay(match, context.store.matches)
  if (match === undefined || replay === undefined) return undefined
  const ratings = match.players.map(({ rating }) => rating?.before ?? null)
  return { match, replay, ratings, live: null }
}

export const shownLive = ({ store }: PageContext, live: LiveMatch): ShownMatch => {
  const { match, ladder, moves, notes } = live
  const players = match.players.map(({ account: id, kind }) => ({ account: { id, kind } }))
  const size = moves.length
  return {
    match,
    ratings: seatRatings(store.ratings, { players, ladder }),
    replay: {
      ...liveReplay({ ...match, game: gameOf(match.game)! }),
      moves: new KeptMoves(() => moves, { length: match.moveCount, size }),
      notes,
      size,
    },
    live,
  }
}

/** By seat: the score that the strengths of now say of a match for two; null where they say nothing. */
export const expectedOf = (
  { store }: Pick<PageContext, 'store'>,
  { ladder, players }: Pick<MatchRecord, 'ladder' | 'players'>,
): readonly number[] | null => {
  const fit = store.strengths.fit(ladder)
  const [first, second] = players.map(({ account }) => store.strengths.of(ladder, account))
  if (fit === undefined || first === undefined || second === undefined || players.length !== 2)
    return null
  const expected = expectedScore(first.strength + fit.first - second.strength)
  return [expected, 1 - expected]
}

export const titleOf = (id: string): string => gameOf(id)?.title ?? id
