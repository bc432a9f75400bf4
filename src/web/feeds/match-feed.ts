import type { ServerResponse } from 'node:http'
import type { Arena } from '../../arena/arena.ts'
import type { ArenaEvent } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import { noteBefore } from '../../arena/note.ts'
import type { Reaction } from '../../arena/reactions.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock, Timer } from '../../clock.ts'
import { livePosition } from '../live-match.ts'
import { liveReplay, MoveReplayer } from '../replay.ts'
import { encodeEvent, Stream } from './stream.ts'

/** How often what an audience does is sent, in milliseconds: 300 spectators may vote and react at once. */
const audienceInterval = 500
/** Of more reactions in that time only the last ones are sent. */
const mostReactions = 8

/**
 * The moves of live matches, for their spectators. The number of a move is the id of its event, so a client that was cut
 * continues after the last move that it got.
 */
export class MatchFeed {
  readonly #arena: Arena
  readonly #clock: Clock
  readonly #watched = new Map<MatchId, Watched>()
  readonly #stopWatching: () => void

  constructor(arena: Arena, clock: Clock) {
    this.#arena = arena
    this.#clock = clock
    this.#stopWatching = arena.watch(event => this.#note(event))
  }

  /** Sends the moves of a live match after move `after`; false if the match is not live. */
  watch(id: MatchId, after: number, response: ServerResponse): boolean {
    const table = this.#arena.tables.get(id)
    if (table === undefined) return false
    let watched = this.#watched.get(id)
    if (watched === undefined) {
      const stream = new Stream(this.#clock, () => this.#watched.delete(id), 0)
      watched = {
        stream,
        table,
        replayer: new MoveReplayer(liveReplay(table.deal)),
        sentMoves: 0,
        isScheduled: false,
        reactions: [],
        audienceTimer: null,
        boardTimer: null,
      }
      this.#watched.set(id, watched)
      this.#sendMoves(watched)
    }
    const { vote } = table
    watched.stream.open(response, after, vote === null ? [] : [encodeEvent('vote', null, vote)])
    return true
  }

  /** Sends all clocks again, because they stood still while browsers counted down. */
  resendClocks(): void {
    for (const { stream, table } of this.#watched.values())
      stream.sendNow('clocks', { clocks: table.clocks })
  }

  get clientCount(): number {
    let count = 0
    for (const { stream } of this.#watched.values()) count += stream.clientCount
    return count
  }

  close(): void {
    this.#stopWatching()
    for (const { stream, boardTimer } of this.#watched.values()) {
      boardTimer?.cancel()
      stream.cut()
    }
  }

  /** Called in the middle of a match: only schedules the work. */
  #note(event: ArenaEvent): void {
    const watched = this.#watched.get(event.table.id)
    if (watched === undefined) return
    if (event.kind === 'reacted') watched.reactions.push(event.reaction)
    if (event.kind === 'reacted' || event.kind === 'voted' || event.kind === 'voting') {
      // Late enough for the move that led to the vote to be sent before.
      watched.audienceTimer ??= this.#clock.after(audienceInterval, () =>
        this.#sendAudience(watched),
      )
      return
    }
    if (event.kind === 'ended' || event.kind === 'aborted') {
      setImmediate(() => {
        this.#sendMoves(watched)
        const detail = event.kind === 'ended' ? event.outcome.detail : event.detail
        const { id, moves, notes } = event.table
        watched.stream.add('ended', 'end', {
          ...{ match: id, detail },
          ...noteBefore(notes, moves.length + 1),
        })
        watched.stream.end()
      })
    } else if (!watched.isScheduled) {
      watched.isScheduled = true
      setImmediate(() => {
        watched.isScheduled = false
        this.#sendMoves(watched)
      })
    }
  }

  /** Sends how the vote stands, and the reactions since the last time. Neither is kept. */
  #sendAudience(watched: Watched): void {
    const { stream, table, reactions } = watched
    watched.audienceTimer = null
    if (table.vote !== null) stream.sendNow('vote', table.vote)
    if (reactions.length > 0)
      stream.sendNow('reactions', { reactions: reactions.slice(-mostReactions) })
    reactions.length = 0
  }

  /** Encodes the new moves. Only the newest has the position, because the table has no earlier one. */
  #sendMoves(watched: Watched): void {
    const { table, stream, replayer } = watched
    const { moves, notes } = table
    for (let ply = watched.sentMoves + 1; ply <= moves.length; ply++) {
      const newest = ply === moves.length
      stream.add('move', String(ply), {
        ply,
        ...replayer.next(moves[ply - 1]!),
        ...noteBefore(notes, ply),
        ...(newest
          ? { position: livePosition(table), look: table.look(), clocks: table.clocks }
          : {}),
      })
    }
    watched.sentMoves = moves.length
    this.#awaitBoard(watched)
  }

  /** In a match with a pace the clocks begin with the board: browsers, which count down from the move, are told again. */
  #awaitBoard(watched: Watched): void {
    const { table, stream } = watched
    const { shownIn } = table
    if (shownIn === 0) return
    watched.boardTimer?.cancel()
    watched.boardTimer = this.#clock.after(shownIn, () => {
      if (!table.isOver) stream.sendNow('clocks', { clocks: table.clocks })
    })
  }
}

interface Watched {
  readonly stream: Stream
  readonly table: Table
  readonly replayer: MoveReplayer
  /** The number of encoded moves. */
  sentMoves: number
  isScheduled: boolean
  /** Those that have not been sent. */
  readonly reactions: Reaction[]
  audienceTimer: Timer | null
  /** Until the board is shown to which the last move has led. */
  boardTimer: Timer | null
}
