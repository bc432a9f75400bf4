import type { Account } from '../../arena/account.ts'
import type { MatchId, Played } from '../../arena/match-store.ts'
import { startOf } from '../../arena/opening.ts'
import { type RoomSetup, roomOf } from '../../arena/room-setup.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock } from '../../clock.ts'
import { type Game, type Json, type Seat, stateAfter, votesOf } from '../../games/game.ts'
import { isRecord } from '../../games/json.ts'
import { type ArenaWords, wordsOf } from './arenas.ts'
import { matchIdOf } from './ids.ts'
import { type Fields, printed } from './messages.ts'
import { type Person, personOf } from './people.ts'
import { type Ending, type MatchResult, resultOf } from './result.ts'

/** A message of a match as it is told to the opponent. */
export interface Said {
  readonly seat: Seat
  readonly number: number
  readonly content: string
  readonly at: number
  /** The event for the opponent, and the one for spectators. */
  readonly toOpponent: string
  readonly toSpectators: string
}

/** What all that are told of a match at a table of a room are told alike. */
export class RoomMatch {
  readonly match: MatchId
  readonly id: string
  readonly room: RoomSetup
  readonly game: Game
  readonly words: ArenaWords
  readonly startedAt: number
  /** By seat. */
  readonly people: readonly Person[]
  readonly accounts: readonly Account[]
  readonly said: Said[] = []
  readonly #clock: Clock
  #state: unknown
  /** How many of the moves of the table have been followed. */
  #followed = 0
  /** Of how many messages the spectators have been told. */
  #told = 0
  #result: MatchResult | null = null

  constructor(table: Table, room: RoomSetup, clock: Clock) {
    const { game, seed, setup, players } = table.deal
    this.match = table.id
    this.id = matchIdOf(table.id)
    this.room = room
    this.game = game
    this.words = wordsOf(room.id)
    this.startedAt = table.startedAt
    this.people = players.map(({ account, protocol }) => personOf(account, protocol))
    this.accounts = players.map(({ account }) => account)
    this.#clock = clock
    this.#state = startOf(game, seed, players.length, setup)
  }

  /** The match of a table; null if it is none of a room. */
  static of(table: Table, clock: Clock): RoomMatch | null {
    const room = roomOf(table.deal.setup)
    return room === null ? null : new RoomMatch(table, room, clock)
  }

  /** The state of the game after all moves that were followed. */
  get state(): unknown {
    return this.#state
  }

  /** The participants in their order at the table. */
  get participants(): readonly [Person, Person] {
    const [one, two] = this.room.participants
    return [this.people[one]!, this.people[two]!]
  }

  seatOf(participant: string): Seat | undefined {
    const seat = this.people.findIndex(({ id }) => id === participant)
    return seat < 0 ? undefined : seat
  }

  /** Whole seconds since the match began. */
  get duration(): number {
    return Math.floor((this.#clock.date() - this.startedAt) / 1000)
  }

  /** Follows the moves that are new at the table. Returns the messages among them. */
  follow(moves: readonly Played[]): readonly Said[] {
    const known = this.said.length
    for (const [seat, move, , fault] of moves.slice(this.#followed))
      if (fault === undefined) this.#play(seat, move)
    this.#followed = moves.length
    return this.said.slice(known)
  }

  /** The messages of which the spectators have not been told. */
  untold(): readonly Said[] {
    const untold = this.said.slice(this.#told)
    this.#told = this.said.length
    return untold
  }

  /** `recent_messages`. */
  get history(): readonly Fields[] {
    return this.said.map(({ seat, content, number, at }) => ({
      ...participantOf(this.people[seat]!),
      content,
      message_number: number,
      server_timestamp: at,
    }))
  }

  /** How the match has ended. What is asked for later is what was said first. */
  ended(ending: Ending): MatchResult {
    this.#result ??= resultOf({
      room: this.room,
      people: this.people,
      game: this.game,
      finalView: this.game.view(this.#state, 'replay'),
      messages: this.said.length,
      duration: this.duration,
      ...ending,
    })
    return this.#result
  }

  #play(seat: Seat, move: Json): void {
    const before = this.#state
    this.#state = stateAfter(this.game, before, seat, move)
    const text = typeof move === 'string' ? (this.game.label?.(before, move) ?? move) : null
    const view = this.game.view(this.#state, 'audience')
    if (text !== null) this.#say(seat, text, false, view)
    else if (isRecord(move) && move.action === 'message' && votesOf(move) === null) {
      const last = (view.messages as unknown as readonly Written[]).at(-1)!
      this.#say(seat, last.content, last.truncated, view)
    }
  }

  #say(seat: Seat, content: string, truncated: boolean, view: Parameters<ArenaWords['extras']>[0]) {
    const number = this.said.length + 1
    const at = this.#clock.date()
    const common = {
      content,
      message_number: number,
      truncated,
      server_timestamp: at,
      ...this.words.extras(view),
    }
    const by = participantOf(this.people[seat]!)
    this.said.push({
      ...{ seat, number, content, at },
      toOpponent: printed('opponent_message', { match_id: this.id, ...common }),
      toSpectators: printed('spectator_message', { match_id: this.id, ...by, ...common }),
    })
  }
}

interface Written {
  readonly content: string
  readonly truncated: boolean
}

const participantOf = ({ id, name }: Person) => ({ participant_id: id, participant_name: name })
