import { type Account, type AccountId, agentOf } from '../../arena/account.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import { BoundedMap } from '../../limits/bounded-map.ts'
import type { Events } from '../no-events.ts'
import { type PlayRequest, PlaySeat, type SeatHost } from './seat.ts'

/** A seat that is over answers for so long, in milliseconds: as long as the arena keeps how a match ended. */
const keptFor = 600_000
/** At most so many of them, as in the arena. */
const mostKept = 10_000

/** The seats of all agents, by agent and handle: a handle is worth nothing to another agent. */
export class PlaySeats {
  readonly #host: SeatHost
  readonly #events: Events
  readonly #seats = new Map<AccountId, Map<string, PlaySeat>>()
  readonly #over = new BoundedMap<PlaySeat, true>(mostKept, seat => this.#forget(seat))

  constructor(host: SeatHost, events: Events) {
    this.#host = host
    this.#events = events
    host.arena.watch(event => this.#follow(event))
  }

  /**
   * A new seat, or the one that the same request has made before, as long as no call has named that: the answer with its handle
   * may be lost, and the connection that it was for may have broken unnoticed. `keep` keeps a new one at the gate.
   */
  join(
    player: Pick<PlaySeat, 'account' | 'protocol'>,
    request: PlayRequest,
    keep: (seat: PlaySeat) => () => void,
  ): PlaySeat {
    const { account } = player
    const lost = this.of(account).find(
      seat =>
        seat.account.id === account.id &&
        !seat.isKnown &&
        seat.overAt === null &&
        seat.isFor(request),
    )
    if (lost !== undefined) return lost
    const seat: PlaySeat = new PlaySeat(this.#host, this.#events, player, request, () =>
      this.#over.set(seat, true),
    )
    const own = this.#seats.get(agentOf(account))
    if (own === undefined) this.#seats.set(agentOf(account), new Map([[seat.id, seat]]))
    else own.set(seat.id, seat)
    seat.begin(keep(seat))
    return seat
  }

  find(account: Account, id: string): PlaySeat | undefined {
    const seat = this.#seats.get(agentOf(account))?.get(id)
    if (seat === undefined || this.#isOld(seat)) return undefined
    seat.isKnown = true
    return seat
  }

  /** The seats of the agent, in whatever versions. */
  of(account: Account): readonly PlaySeat[] {
    const own = [...(this.#seats.get(agentOf(account))?.values() ?? [])]
    return own.filter(seat => {
      const isOld = this.#isOld(seat)
      if (isOld) this.#forget(seat)
      return !isOld
    })
  }

  #isOld({ overAt }: PlaySeat): boolean {
    return overAt !== null && this.#host.clock.elapsed() - overAt > keptFor
  }

  #forget(seat: PlaySeat): void {
    const { account, id } = seat
    this.#over.delete(seat)
    const own = this.#seats.get(agentOf(account))
    own?.delete(id)
    if (own?.size === 0) this.#seats.delete(agentOf(account))
  }

  /** A seat whose client was absent at the end of its match has heard nothing of it. */
  #follow({ kind, table }: ArenaEvent): void {
    if (kind !== 'ended' && kind !== 'aborted') return
    for (const [seat, player] of table.deal.players.entries())
      if (player instanceof PlaySeat && player.overAt === null) player.end(table.lastNews(seat)!)
  }
}
