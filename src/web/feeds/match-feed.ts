import type { ServerResponse } from 'node:http'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock } from '../../clock.ts'
import { livePosition } from '../hall.ts'
import { liveReplay, Narrator } from '../replay.ts'
import { Stream } from './stream.ts'

/**
 * The moves of live matches for whoever watches one. The number of a move is the id of its event, so that a line that
 * was cut goes on from the last move it saw, on any host that knows the match.
 */
export class MatchFeed {
  readonly #arena: Arena
  readonly #clock: Clock
  readonly #watched = new Map<MatchId, Watched>()
  readonly #unwatch: () => void

  constructor(arena: Arena, clock: Clock) {
    this.#arena = arena
    this.#clock = clock
    this.#unwatch = arena.watch(event => this.#note(event))
  }

  /** Shows a live match from after this move on; false when it is not live. */
  watch(id: MatchId, after: number, response: ServerResponse): boolean {
    const table = this.#arena.tables.get(id)
    if (table === undefined) return false
    let watched = this.#watched.get(id)
    if (watched === undefined) {
      const stream = new Stream(this.#clock, () => this.#watched.delete(id), 0)
      watched = { stream, table, narrator: new Narrator(liveReplay(table)), told: 0, due: false }
      this.#watched.set(id, watched)
      this.#tell(watched)
    }
    watched.stream.open(response, after)
    return true
  }

  /** The clocks stood still: what a browser counts down by itself is no longer right. */
  clocksMoved(): void {
    for (const { stream, table } of this.#watched.values())
      stream.tell('clocks', { clocks: table.clocks })
  }

  get watchers(): number {
    let count = 0
    for (const { stream } of this.#watched.values()) count += stream.watchers
    return count
  }

  close(): void {
    this.#unwatch()
    for (const { stream } of this.#watched.values()) stream.cut()
  }

  /** In the middle of a match: only notes that there is something to tell. */
  #note(event: ArenaEvent): void {
    const watched = this.#watched.get(event.table.id)
    if (watched === undefined) return
    if (event.kind === 'ended' || event.kind === 'aborted') {
      setImmediate(() => {
        this.#tell(watched)
        const detail = event.kind === 'ended' ? event.outcome.detail : event.detail
        watched.stream.add('ended', 'end', { match: event.table.id, detail })
        watched.stream.end()
      })
    } else if (!watched.due) {
      watched.due = true
      setImmediate(() => {
        watched.due = false
        this.#tell(watched)
      })
    }
  }

  /** Encodes the moves that were not told yet. Only the newest comes with the board, as only that is known by now. */
  #tell(watched: Watched): void {
    const { table, stream, narrator } = watched
    const { moves } = table
    for (let ply = watched.told + 1; ply <= moves.length; ply++) {
      const played = moves[ply - 1]!
      const [seat, , ms] = played
      const newest = ply === moves.length
      stream.add('move', String(ply), {
        ply,
        seat,
        label: narrator.label(played),
        ms,
        ...(newest
          ? { position: livePosition(table), look: table.look(), clocks: table.clocks }
          : {}),
      })
    }
    watched.told = moves.length
  }
}

interface Watched {
  readonly stream: Stream
  readonly table: Table
  readonly narrator: Narrator
  /** How many moves are encoded. */
  told: number
  due: boolean
}
