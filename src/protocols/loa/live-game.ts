import type { Account } from '../../arena/account.ts'
import { type ArenaEvent, hasLiveMoves } from '../../arena/arena-event.ts'
import type { Outcome } from '../../arena/ending.ts'
import type { MatchId } from '../../arena/match-store.ts'
import type { Observation } from '../../arena/player.ts'
import type { Table } from '../../arena/table.ts'
import type { Game, Viewer } from '../../games/game.ts'
import { agentIdOf } from './agent-id.ts'
import { Audience, type Spectator } from './audience.ts'
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
}

/** What is sent at the end, apart from `game_over`, in which each player has its own rating. */
export interface LastLines extends BoardLines {
  readonly end: End
}

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
  /** Whether all seats and spectators are told the same. */
  readonly #isShared: boolean
  #lastBoard: (BoardLines & { readonly turn: number }) | null = null
  #lastLines: LastLines | null = null
  /** What the spectators have not been told of yet. */
  #told: Told[] = []
  #thinking: string[] = []
  #turnTold = -1
  #isTelling = false

  constructor(match: MatchId, game: Game, accounts: readonly Account[], startedAt: number) {
    this.match = match
    this.gameId = gameIdOf(match)
    this.game = game
    this.words = wordsOf(game)
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
    if (this.#isShared && this.#lastBoard?.turn === seen.turn) return this.#lastBoard
    const { gameId, words, agents } = this
    const updates = words.updates(gameId, told, seen.observation, agents, null)
    const lines = { turn: seen.turn, updates, state: this.board(seen) }
    if (this.#isShared) this.#lastBoard = lines
    return lines
  }

  /** A board alone, as it stands. */
  board({ observation, clocks }: Omit<Seen, 'turn'>): string {
    const state = this.words.state(observation, this.agents, null)
    return print.state(this, { state, clocks, isOver: false, spectators: this.audience.size })
  }

  /** The round that is being played. */
  round(observation: Observation): number {
    return this.words.resolved(observation) + 1
  }

  /** `outcome`: null for a match that was aborted. */
  lastLines(observation: Observation, told: readonly Told[], outcome: Outcome | null): LastLines {
    if (this.#isShared && this.#lastLines !== null) return this.#lastLines
    const { gameId, words, agents } = this
    const end = this.#endOf(observation, outcome)
    const updates = words.updates(gameId, told, observation, agents, end)
    const state = print.state(this, {
      state: words.state(observation, agents, end),
      clocks: [],
      isOver: true,
      spectators: this.audience.size,
    })
    const lines = { updates, state, end }
    if (this.#isShared) this.#lastLines = lines
    return lines
  }

  over(end: End, endedAt: number, more: object): string {
    const duration = Math.round((endedAt - this.startedAt) / 1000)
    return print.over(this.gameId, end, duration, more)
  }

  /** Somebody watches from now on: it is shown the board at once. */
  watch(spectator: Spectator, table: Table): void {
    this.#tell(table)
    this.audience.add(spectator)
    spectator.hear([this.board(this.#seenBy(table))])
  }

  moved(event: Extract<ArenaEvent, { kind: 'moved' }>): void {
    if (this.audience.size === 0) return
    const { table, move: played, events } = event
    const [seat, move, , fault] = played
    const isFall = fault !== undefined
    const isSeen = !isFall && hasLiveMoves(this.game)
    this.#told.push({ seat, move: isSeen ? move : null, isFall, events })
    if (!isFall) this.#thinking.push(this.thinking[seat]!)
    if (this.#isTelling) return
    this.#isTelling = true
    setImmediate(() => this.#tell(table))
  }

  /** Tells the spectators of the end. What is kept of it for others, if anything. */
  ended(table: Table, outcome: Outcome | null, endedAt: number, more: object): readonly string[] {
    if (!this.hasAgents && this.audience.size === 0) return []
    const { updates, state, end } = this.lastLines(table.observe('replay'), this.#told, outcome)
    const over = this.over(end, endedAt, more)
    if (this.audience.size > 0) {
      this.audience.publish([...this.#thinking, ...updates, state, over], true)
      this.audience.end()
    }
    this.#told = []
    this.#thinking = []
    return [state, over]
  }

  #seenBy(table: Table): Seen {
    return seenOf(table, this.words.spectators)
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
      const { updates, state } = this.newBoard(seen, this.#told)
      this.#told = []
      lines.push(...updates, state)
    }
    this.audience.publish(lines, isNew)
  }

  #endOf(observation: Observation, outcome: Outcome | null): End {
    const { words, agents } = this
    const totalRounds = words.resolved(observation)
    const { scores } = words.state(observation, agents, null)
    return outcome === null
      ? abortedEnd(agents, scores, totalRounds)
      : endOf(outcome, agents, words.countsWins ? null : scores, totalRounds)
  }
}

export const seenOf = (table: Table, viewer: Viewer): Seen => ({
  observation: table.observe(viewer),
  turn: table.turn,
  clocks: table.clocks,
})
