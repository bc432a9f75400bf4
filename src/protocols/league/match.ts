import type { Account } from '../../arena/account.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { LeagueOptions } from '../../events/league-options.ts'
import type { Json, Seat } from '../../games/game.ts'
import type { LeagueAgent } from './agents.ts'
import type { Envelope } from './calls.ts'
import { errors } from './codes.ts'
import type { Message } from './messages.ts'

/** Wins, draws and losses so far. */
export interface Standing {
  readonly wins: number
  readonly draws: number
  readonly losses: number
}

/** What a seat has to know of the league, or of the queue, that its match is of. */
export interface LeaguePlace {
  readonly agent: LeagueAgent
  readonly options: LeagueOptions
  readonly round: number
  /** The id of a match in this league. */
  matchId(match: number): string
  /** The id of a player, of whatever protocol. */
  playerId(account: Account): string
  standing(): Standing
  envelope(conversation: string): Envelope
}

/** The id of a game in this protocol. */
export const gameTypeOf = (game: string): string => (game === 'even-odd' ? 'even_odd' : game)

/** Why a seat lost other than by the rules, by the codes of the protocol. */
export interface Failure {
  readonly code: 'E001' | 'E003' | 'E004' | 'E009'
  readonly detail: string
}

/** How a match ended: by its result, or by an error. */
export type MatchEnd = Extract<ArenaEvent, { kind: 'ended' | 'aborted' }>

/** What is known of each seat that has failed; of one that is not known to have, its time was over. */
export const failuresOf = (
  end: MatchEnd,
  known: ReadonlyMap<Seat, Failure>,
): ReadonlyMap<Seat, Failure> =>
  new Map(
    (end.kind === 'ended' ? end.outcome.faults : []).flatMap((fault, seat) =>
      fault === null || fault === 'resigned'
        ? []
        : [[seat, known.get(seat) ?? { code: 'E001', detail: 'its time was over' }] as const],
    ),
  )

/** The `GAME_OVER` of a match between these players, by seat. */
export const gameOver = (
  matchId: string,
  players: readonly string[],
  end: MatchEnd,
  failures: ReadonlyMap<Seat, Failure>,
): Message => {
  const { game } = end.table.deal
  return {
    message_type: 'GAME_OVER',
    match_id: matchId,
    game_type: gameTypeOf(game.id),
    game_result:
      end.kind === 'ended'
        ? resultOf(players, end, failures)
        : {
            ...{ status: 'DRAW', winner_player_id: null, drawn_number: 0, number_parity: 'even' },
            choices: byPlayer(players, () => null),
            reason: `the match was aborted and does not count: ${end.detail}`,
          },
  }
}

const resultOf = (
  players: readonly string[],
  { table, outcome }: Extract<MatchEnd, { kind: 'ended' }>,
  failures: ReadonlyMap<Seat, Failure>,
) => {
  const { faults, places, detail } = outcome
  const isParity = table.deal.game.id === 'even-odd'
  const isTechnical = faults.some(fault => fault !== null)
  const best = places.flatMap((place, seat) => (place === 1 && faults[seat] === null ? [seat] : []))
  const drawn = isTechnical || !isParity ? undefined : drawnIn(table.observe('replay').history)
  return {
    status: isTechnical ? 'TECHNICAL_LOSS' : best.length === 1 ? 'WIN' : 'DRAW',
    winner_player_id: best.length === 1 ? players[best[0]!]! : null,
    drawn_number: drawn?.drawn ?? 0,
    number_parity: drawn?.parity ?? 'even',
    choices: byPlayer(players, seat =>
      isParity ? (table.moves.findLast(([by]) => by === seat)?.[1] ?? null) : null,
    ),
    ...(!isParity && { places: byPlayer(players, seat => places[seat]!) }),
    reason: [
      detail,
      ...[...failures].map(
        ([seat, { code, detail }]) => `${players[seat]}: ${code} ${errors[code].name}, ${detail}`,
      ),
    ].join('; '),
  } as const
}

const byPlayer = (players: readonly string[], value: (seat: Seat) => Json) =>
  Object.fromEntries(players.map((id, seat) => [id, value(seat)]))

/** The number that was drawn in Even/Odd. */
const drawnIn = (history: Json | undefined) =>
  (Array.isArray(history) ? history : [])[0] as
    | { readonly drawn: number; readonly parity: string }
    | undefined
