import type { AgentConnection, Dial } from './agent.ts'
import type { Tally } from './tally.ts'

/** The seats of a table, who joined it, and how to connect each. */
export type Sit = () => Promise<readonly Dial[]>

/** Four agents that speak Clawpoly: they play a game in a room, and then another one in a new room. */
export class ClawpolyTable {
  readonly #sit: Sit
  readonly #tally: () => Tally
  /** Milliseconds before each action. */
  readonly #think: () => number
  readonly #onStopped: () => void
  #movedAt = 0
  #isOver = false
  /** Whether an action waits for the prompt that follows it. */
  #isWaiting = false
  #open = 0
  #isStopping = false

  /** `tally` and `think`: those of the round that is being measured. */
  constructor(sit: Sit, tally: () => Tally, think: () => number, onStopped: () => void) {
    this.#sit = sit
    this.#tally = tally
    this.#think = think
    this.#onStopped = onStopped
    void this.#begin()
  }

  /** Disconnects after its game. */
  stop(): void {
    this.#isStopping = true
  }

  async #begin(): Promise<void> {
    try {
      const dials = await this.#sit()
      this.#isOver = false
      this.#isWaiting = false
      this.#open = dials.length
      for (const dial of dials) this.#connect(dial)
    } catch (error) {
      this.#tally().fault(String(error))
      this.#onStopped()
    }
  }

  #connect(dial: Dial): void {
    const connection: AgentConnection = dial({
      received: message => this.#received(connection, message),
      closed: () => this.#closed(),
    })
  }

  #received(connection: AgentConnection, message: string): void {
    const tally = this.#tally()
    tally.heard(message.length)
    const type = /"type":"(?:agent:)?([a-z_]+)"/.exec(message)?.[1] ?? ''
    if (type === 'game_over') this.#over(message)
    else if (type in actions) {
      if (this.#isWaiting) tally.moved(tally.now() - this.#movedAt)
      this.#isWaiting = false
      const action = actions[type as keyof typeof actions](message)
      const think = this.#think()
      if (think === 0) this.#act(connection, action)
      else setTimeout(() => this.#act(connection, action), think)
    } else if (!quiet.has(type)) tally.fault(message)
  }

  #act(connection: AgentConnection, action: string): void {
    this.#movedAt = this.#tally().now()
    this.#isWaiting = true
    connection.send(action)
  }

  #over(message: string): void {
    if (!/"reason":"(turn_limit|last_standing)"/.test(message)) this.#tally().fault(message)
    // All four are told.
    if (!this.#isOver) this.#tally().ended(this.#movedAt)
    this.#isOver = true
  }

  #closed(): void {
    if (!this.#isOver) this.#tally().fault('closed before the game was over')
    if (--this.#open > 0) return
    if (this.#isStopping) this.#onStopped()
    else void this.#begin()
  }
}

const quiet = new Set(['welcome', 'game_started'])

const action = (name: string, square?: string) =>
  `{"type":"action:${name}","data":{${square === undefined ? '' : `"squareIndex":${square}`}}}`

/** Buys and builds what it can, and pays by what is listed first. */
const actions = {
  your_turn: () => action('roll_dice'),
  buy_decision: () => action('buy'),
  build_decision: message => {
    const square = /"buildableProperties":\[\{"index":(\d+)/.exec(message)?.[1]
    return square === undefined ? action('end_turn') : action('build', square)
  },
  lobster_pot_decision: () => action('escape_roll'),
  must_raise_funds: message => {
    const square = /"mortgageable":\[\{"index":(\d+)/.exec(message)?.[1]
    if (square !== undefined) return action('mortgage', square)
    return action('sell_building', /"sellableBuildings":\[\{"index":(\d+)/.exec(message)![1]!)
  },
} satisfies Record<string, (message: string) => string>
