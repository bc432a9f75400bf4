import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { News, Seated } from '../../arena/player.ts'
import type { Clock } from '../../clock.ts'
import type { Seat } from '../../games/game.ts'
import type { Calls } from './calls.ts'
import { type Failure, failuresOf, gameOver, type LeaguePlace, type MatchEnd } from './match.ts'
import type { Fields, MessageType } from './messages.ts'
import { LeagueSeat, type SeatHost } from './seat.ts'

/** What the seats of one match share. */
export interface Room {
  readonly seats: LeagueSeat[]
  accepted: number
  /** Why a seat has lost, or will where nothing better comes. */
  readonly failures: Map<Seat, Failure>
}

interface RefereeOptions {
  readonly arena: Arena
  readonly clock: Clock
  readonly calls: Calls
  readonly failed: (error: unknown) => void
  /** A match of a seat is over. */
  readonly ended: (seat: LeagueSeat, end: MatchEnd) => void
}

/** The host's own referee: the seats of its live matches. It is the arena that rules. */
export class OwnReferee implements SeatHost {
  readonly arena: Arena
  readonly clock: Clock
  readonly calls: Calls
  readonly failed: (error: unknown) => void
  readonly #ended: RefereeOptions['ended']
  readonly #rooms = new Map<MatchId, Room>()
  /** What is pushed repeats the conversation of its seat. */
  readonly #conversations = new Map<string, LeagueSeat>()

  constructor({ arena, clock, calls, failed, ended }: RefereeOptions) {
    this.arena = arena
    this.clock = clock
    this.calls = calls
    this.failed = failed
    this.#ended = ended
    arena.watch(event => {
      if (event.kind !== 'ended' && event.kind !== 'aborted') return
      try {
        this.#over(event)
      } catch (error) {
        // The arena would remove a listener that throws.
        failed(error)
      }
    })
  }

  /** A player of the arena for one match. `heard`: what it is told before that. */
  seat(place: LeaguePlace, account: Account, heard?: (news: News) => void): LeagueSeat {
    return new LeagueSeat(this, place, account, heard)
  }

  seated(seat: LeagueSeat, { match }: Seated): Room {
    this.#conversations.set(seat.conversation, seat)
    const room: Room = this.#rooms.get(match) ?? { seats: [], accepted: 0, failures: new Map() }
    this.#rooms.set(match, room)
    room.seats.push(seat)
    return room
  }

  /** Takes what a server has sent by itself; null where it belongs to no live match. */
  pushed(type: MessageType, message: Fields): LeagueSeat | null {
    const { conversation_id: conversation } = message
    const seat = this.#conversations.get(typeof conversation === 'string' ? conversation : '')
    seat?.pushed(type, message)
    return seat ?? null
  }

  /** Also those who were not there are told how it ended. */
  #over(end: MatchEnd): void {
    const { table } = end
    const room = this.#rooms.get(table.id)
    if (room === undefined) return
    this.#rooms.delete(table.id)
    const failures = failuresOf(end, room.failures)
    for (const seat of room.seats) {
      this.#conversations.delete(seat.conversation)
      seat.over()
      const { place } = seat
      const { players } = table.deal
      const matchId = place.matchId(table.id)
      const failure = failures.get(players.indexOf(seat))
      if (failure !== undefined)
        seat.post({
          ...seat.errorOf(failure.code, 'GAME_OVER', matchId),
          consequence: 'technical loss',
        })
      const ids = players.map(({ account }) => place.playerId(account))
      seat.post(gameOver(matchId, ids, end, failures))
      this.#ended(seat, end)
    }
  }
}
