import type { AgentConnection, AgentListener, Dial } from './agent.ts'
import type { Tally, Timing } from './tally.ts'

export const agonPath = (token: string): string => `/agon/ws/v1/connect?token=${token}`

/** Black fills the four lowest rows, White the four highest, and both pass. No stone is ever taken. */
const script = [
  ...[...'ABCDEFGHJ'].flatMap(column =>
    [1, 2, 3, 4].flatMap(row => [`${column}${row}`, `${column}${10 - row}`]),
  ),
  ...['pass', 'pass'],
]
/** Milliseconds before each move. A match so takes seconds: those that have ended are listed for five minutes. */
const think = 20

/** Speaks AGON: sits down at the first free table of Go, plays a match, and sits down again. */
export class AgonAgent implements AgentListener {
  readonly #tally: () => Tally
  readonly #connection: AgentConnection
  #match = ''
  /** Null while it waits. */
  #timing: Timing | null = null
  #played = 0
  #isStopping = false
  #isLeaving = false
  readonly #onClosed: () => void

  /** `tally`: the one of the round that is being measured. */
  constructor(dial: Dial, tally: () => Tally, onClosed: () => void) {
    this.#tally = tally
    this.#onClosed = onClosed
    this.#connection = dial(this)
  }

  /** Disconnects after its match. */
  stop(): void {
    this.#isStopping = true
    if (this.#timing === null) this.#leave()
  }

  received(message: string): void {
    this.#tally().heard(message.length)
    switch (/^\{"event":"([a-z_]+)"/.exec(message)?.[1]) {
      case 'welcome':
        this.#enter('go')
        break
      case 'room_state':
        this.#sit(message)
        break
      case 'match_start':
        this.#match = /"match_id":"([^"]+)"/.exec(message)![1]!
        this.#timing = this.#tally().seated(this.#match)
        this.#played = 0
        break
      case 'opponent_message':
        this.#played++
        if (this.#played < script.length) {
          const tally = this.#tally()
          tally.moved(tally.now() - this.#timing!.movedAt)
        }
        break
      case 'turn_timer':
        setTimeout(() => this.#move(), think)
        break
      case 'match_end':
        // Between its matches it is a spectator of the others.
        if (!message.includes('"your_role"') || this.#timing === null) break
        if (!message.includes('"end_reason":"go_score"')) this.#tally().fault(message)
        this.#tally().resulted(this.#match, this.#timing, true)
        this.#timing = null
        if (this.#isStopping) this.#leave()
        break
      case 'error':
        // Another one was quicker: the next tables are in the answer to coming back.
        this.#enter('chess')
        break
      case 'spectator_message':
      case 'seated':
      case 'match_countdown':
      case 'elo_update':
      case 'points_update':
        break
      default:
        this.#tally().fault(message)
    }
  }

  closed(): void {
    if (!this.#isLeaving) this.#tally().fault('closed before the match was over')
    this.#onClosed()
  }

  #enter(room: string): void {
    this.#connection.send(`{"action":"enter_room","room":"${room}"}`)
  }

  #sit(state: string): void {
    if (this.#isStopping) return
    const table = /"id":"(t-[a-z]+)","status":"waiting"/.exec(state)?.[1]
    if (state.includes('"room":"chess"')) this.#enter('go')
    else if (table !== undefined)
      this.#connection.send(`{"action":"sit_table","room":"go","table_id":"${table}"}`)
  }

  #move(): void {
    const content = script[this.#played]
    if (content === undefined || this.#timing === null) return
    this.#played++
    this.#timing.movedAt = this.#tally().now()
    this.#connection.send(
      `{"action":"send_message","match_id":"${this.#match}","content":"${content}"}`,
    )
  }

  #leave(): void {
    if (this.#isLeaving) return
    this.#isLeaving = true
    this.#connection.close()
  }
}
