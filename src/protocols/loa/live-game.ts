import { type ArenaEvent, hasLiveMoves } from '../../arena/arena-event.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Aborted, Ended, Observation, Seated } from '../../arena/player.ts'
import type { Table } from '../../arena/table.ts'
import { isTally } from '../../arena/voting.ts'
import type { Game, Viewer } from '../../games/game.ts'
import { Audience, type Spectator } from '../audience.ts'
import type { LoaSettings } from '../protocol.ts'
import { agentIdOf } from './agent-id.ts'
import { abortedEnd, endOf } from './end.ts'
import { gameIdOf, print, type Titled } from './messages.ts'
import { wordsOf } from './words/index.ts'
import type { Agent, End, GameWords, Told } from './words/words.ts'

/** A board as a viewer sees it. */
export interface Seen {
  readonly observation: Observation
  /** The number of the board. */
  readonly turn: number
  readonly clocks: readonly (number | null)[]
}

/** What is sent for a new board: what led to it, and the board itself. */
export interface BoardLines {
  readonly updates: readonly string[]
  readonly state: string
  /** The round that is played on it. */
  readonly round: number
}

/** How a match ended: by its result, or by an error. */
export type Result = Pick<Ended, 'outcome' | 'changes' | 'unrated'> | Pick<Aborted, 'detail'>

/** What players and spectators of a match are told alike. */
export class LiveGame implements Titled {
  readonly match: MatchId
  readonly gameId: string
  readonly game: Game
  readonly words: GameWords
  readonly agents: readonly Agent[]
  readonly audience = new Audience()
  /** By seat: what everybody is told of its moves. */
  readonly thinking: readonly string[]
  readonly startedAt: number
  /** An agent of this protocol plays, so that the end is kept. */
  hasAgents = false
  readonly #spectator: Viewer
  readonly #failed: (error: unknown) => void
  /** Whether all seats and spectators are told the same. */
  readonly #isShared: boolean
  #lastBoard: (BoardLines & { readonly turn: number }) | null = null
  #end: End | null = null
  #over = ''
  #lastLines: readonly string[] | null = null
  /** What the spectators have not been told of yet. */
  #told: Told[] = []
  #thinking: string[] = []
  #turnTold = -1
  #isTelling = false

  constructor(
    { match, game, accounts, startedAt }: Pick<Seated, 'match' | 'game' | 'accounts' | 'startedAt'>,
    fog: LoaSettings['fog'],
    failed: (error: unknown) => void,
  ) {
    this.match = match
    this.#failed = failed
    this.gameId = gameIdOf(match)
    this.game = game
    this.words = wordsOf(game)
    this.#spectator = fog === 'all' ? 'audience' : this.words.spectators
    this.agents = accounts.map(account => ({
      agentId: agentIdOf(account),
      agentName: account.name,
    }))
    this.thinking = this.agents.map(agent => print.thinking(this.gameId, agent))
    this.startedAt = startedAt
    const isOfLeague = this.words.maxRounds !== null
    this.#isShared = !game.facts.secrets && (isOfLeague || hasLiveMoves(game))
  }

  /** The lines for a board that all seats are being shown. */
  newBoard(seen: Seen, told: readonly Told[]): BoardLines {
    if (this.#isLast(seen)) return this.#lastBoard!
    const { gameId, words, agents } = this
    const updates = words.updates(gameId, told, seen.observation, agents, null)
    const lines = { turn: seen.turn, updates, ...this.board(seen) }
    if (this.#isShared) this.#lastBoard = lines
    return lines
  }

  /** A board alone, as it stands. */
  board({ observation, clocks }: Omit<Seen, 'turn'>): Omit<BoardLines, 'updates'> {
    const state = this.words.state(observation, this.agents, null)
    const spectators = this.audience.size
    return {
      state: print.state(this, { state, clocks, isOver: false, spectators }),
      round: state.round,
    }
  }

  /** All that is sent at the end. */
  lastLines(
    observation: Observation,
    told: readonly Told[],
    result: Result,
    endedAt: number,
  ): readonly string[] {
    if (this.#isShared && this.#lastLines !== null) return this.#lastLines
    const { gameId, words, agents } = this
    if (this.#end === null) {
      this.#end = this.#endOf(observation, result)
      const duration = Math.round((endedAt - this.startedAt) / 1000)
      this.#over = print.over(gameId, this.#end, duration, this.#ratedBy(result))
    }
    const state = print.state(this, {
      state: words.state(observation, agents, this.#end),
      clocks: [],
      isOver: true,
      spectators: this.audience.size,
    })
    const updates = words.updates(gameId, told, observation, agents, this.#end)
    this.#lastLines = [...updates, state, this.#over]
    return this.#lastLines
  }

  /** Adds a spectator, which is shown the board at once. */
  watch(spectator: Spectator, table: Table): void {
    this.#tell(table)
    this.audience.add(spectator)
    spectator.hear([this.board(this.#seenBy(table)).state])
  }

  moved(event: Extract<ArenaEvent, { kind: 'moved' }>): void {
    if (this.audience.size === 0) return
    const { table, move: played, events } = event
    const [seat, move, , fault] = played
    const isFall = fault !== undefined
    const isSeen = !isFall && hasLiveMoves(this.game)
    this.#told.push({ seat, move: isSeen ? move : null, isFall, events })
    if (!isFall && !isTally(played)) this.#thinking.push(this.thinking[seat]!)
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => this.#tellSafely(table))
  }

  /** Tells the spectators of the end. What is kept of it for others, if anything. */
  ended(table: Table, result: Result, endedAt: number): readonly string[] {
    if (!this.hasAgents && this.audience.size === 0) return []
    const observation = table.observe('replay')
    const lines = this.lastLines(observation, this.#told, result, endedAt).slice(-2)
    if (this.audience.size > 0) {
      const { gameId, words, agents } = this
      const updates = words.updates(gameId, this.#told, observation, agents, this.#end)
      this.audience.publish([...this.#thinking, ...updates, ...lines], true)
      this.audience.end()
    }
    this.#told = []
    return lines
  }

  #seenBy(table: Table): Seen {
    return seenOf(table, this.#spectator)
  }

  /** In a turn of the event loop of its own: what it throws would end the host. */
  #tellSafely(table: Table): void {
    try {
      this.#tell(table)
    } catch (error) {
      this.#failed(error)
    }
  }

  #tell(table: Table): void {
    this.#isTelling = false
    const seen = this.#seenBy(table)
    const isNew = seen.turn !== this.#turnTold
    this.#turnTold = seen.turn
    if (this.#told.length === 0) return
    const lines = this.#thinking
    this.#thinking = []
    if (isNew) {
      const told = this.#told
      this.#told = []
      // Several boards may have come since the last time: the players were told each on its own.
      lines.push(...this.words.updates(this.gameId, told, seen.observation, this.agents, null))
      lines.push(this.#isLast(seen) ? this.#lastBoard!.state : this.board(seen).state)
    }
    this.audience.publish(lines, isNew)
  }

  /** Whether the players were last shown this board, and the spectators see the same. */
  #isLast({ turn }: Seen): boolean {
    return this.#isShared && this.#lastBoard?.turn === turn
  }

  #endOf(observation: Observation, result: Result): End {
    const { words, agents } = this
    const totalRounds = words.resolved(observation)
    const { scores } = words.state(observation, agents, null)
    if (!('outcome' in result)) return abortedEnd(agents, scores, totalRounds)
    // Games that the reference does not have may count no points.
    return endOf(result.outcome, agents, words.maxRounds === null ? null : scores, totalRounds)
  }

  /** What the reference does not have. */
  #ratedBy(result: Result): object {
    if (!('outcome' in result)) return { rated: false, detail: result.detail }
    const { unrated, changes, outcome } = result
    return {
      rated: unrated === null,
      ...(unrated !== null && { unrated }),
      ratings: Object.fromEntries(this.agents.map(({ agentId }, seat) => [agentId, changes[seat]])),
      detail: outcome.detail,
    }
  }
}

export const seenOf = (table: Table, viewer: Viewer): Seen => ({
  observation: table.observe(viewer),
  turn: table.turn,
  clocks: table.clocks,
})
