import type { Behaviour, Tally, Timing } from './tally.ts'

/** A connection to a server, as an agent uses it. */
export interface AgentConnection {
  send(text: string): void
  close(): void
}

export interface AgentListener {
  /** The server has accepted the connection. */
  opened?(): void
  received(message: string): void
  closed(): void
}

export type Dial = (listener: AgentListener) => AgentConnection

/** A match of tic-tac-toe of a usual length: the second player wins with the eighth move. */
const script = ['0', '4', '8', '2', '1', '5', '7', '6'].map(
  move => `{"type":"move","move":"${move}"}`,
)

/** Has an agent connect, of whatever protocol. */
export type Begin = (tally: Tally, onClosed: () => void) => { stop(): void }

export interface AgentOptions {
  readonly behaviour: Behaviour
  /** After which it disconnects. */
  readonly matches: number
  /** Whether it plays the script, in place of the first legal move. */
  readonly scripted: boolean
  /** Milliseconds that it thinks before each move. */
  readonly think?: number
}

/** The reason that the server gives to an agent for its own behaviour. */
const reasons: Partial<Record<Behaviour, string>> = {
  illegal: 'forfeit: illegal move',
  late: 'forfeit: move timeout',
  resigns: 'resignation',
}

export const agentOf =
  (dial: Dial, options: AgentOptions): Begin =>
  (tally, onClosed) =>
    new Agent(tally, dial, options, onClosed)

/** Connects once, plays its matches or misbehaves, and disconnects. */
class Agent implements AgentListener {
  readonly #tally: Tally
  readonly #options: AgentOptions
  readonly #onClosed: () => void
  readonly #connection: AgentConnection
  readonly #dialledAt = performance.now()
  #matchesLeft: number
  #match = ''
  /** Of the match that it plays; null while it waits. */
  #timing: Timing | null = null
  #turn = 0
  /** Its own turns until it misbehaves. */
  #turnsLeft = 0
  #misbehaved = false
  #leaving = false
  #stopped = false

  constructor(tally: Tally, dial: Dial, options: AgentOptions, onClosed: () => void) {
    this.#tally = tally
    this.#options = options
    this.#matchesLeft = options.matches
    this.#onClosed = onClosed
    this.#connection = dial(this)
  }

  /** Disconnects now if it waits, and after this match if it plays. */
  stop(): void {
    this.#stopped = true
    if (this.#timing === null) this.#leave()
  }

  received(message: string): void {
    // Told apart by one letter of {"type":"…, so that the load stays less busy than the server.
    switch (message[9]) {
      case 's':
        this.#state(message)
        break
      case 'q':
        this.#tally.queued(performance.now() - this.#dialledAt)
        if (this.#options.behaviour === 'leaves') setTimeout(() => this.#leaveQueue(), 20)
        break
      case 'h':
        this.#match = /"match":(\d+)/.exec(message)![1]!
        this.#timing = this.#tally.seated(this.#match)
        this.#turn = 0
        this.#misbehaved = false
        this.#turnsLeft = 1 + Math.floor(Math.random() * 3)
        break
      case 'r':
        this.#result(message)
        break
      default:
        // An agent that leaves the queue may just have been seated: then the first move of its opponent comes too late.
        if (
          !(this.#stopped || this.#options.behaviour === 'leaves') ||
          !message.includes('"not-your-turn"')
        )
          this.#fault(message)
    }
  }

  closed(): void {
    if (this.#matchesLeft > 0) this.#fault('closed before there was a result')
    this.#onClosed()
  }

  #state(message: string): void {
    this.#turn++
    if (!message.includes('"yourTurn":true')) return
    const { behaviour, scripted, think = 0 } = this.#options
    if (behaviour !== 'plays' && --this.#turnsLeft === 0) {
      this.#misbehave(behaviour)
      return
    }
    if (this.#turn > 1) this.#tally.moved(this.#tally.now() - this.#timing!.movedAt)
    const move = scripted ? script[this.#turn - 1]! : firstLegal(message)
    if (think === 0) this.#move(move)
    else setTimeout(() => this.#move(move), think)
  }

  #move(move: string): void {
    // The match may have ended while the agent thought.
    if (this.#timing === null) return
    this.#timing.movedAt = this.#tally.now()
    this.#connection.send(move)
  }

  #misbehave(behaviour: Behaviour): void {
    this.#misbehaved = true
    if (behaviour === 'illegal') this.#connection.send('{"type":"move","move":"nowhere"}')
    if (behaviour === 'resigns') this.#connection.send('{"type":"resign"}')
    if (behaviour !== 'lost') return
    this.#tally.done.lost++
    this.#leave()
  }

  #result(message: string): void {
    this.#tally.resulted(this.#match, this.#timing!, message.includes('"rated":true'))
    this.#timing = null
    this.#matchesLeft--
    if (this.#stopped) this.#leave()
    const { behaviour } = this.#options
    const expected = this.#misbehaved ? reasons[behaviour] : undefined
    const { outcome, reason } = message.includes('"reason"')
      ? JSON.parse(message)
      : { outcome: null, reason: undefined }
    const isExpected =
      expected === undefined
        ? reason === undefined || outcome === 'win'
        : reason === expected && outcome === 'loss'
    if (isExpected) this.#tally.done[expected === undefined ? 'plays' : behaviour]++
    else this.#fault(message)
  }

  #leaveQueue(): void {
    this.#tally.done.leaves++
    this.#leave()
  }

  #leave(): void {
    if (this.#leaving) return
    this.#leaving = true
    this.#connection.close()
  }

  #fault(what: string): void {
    // The relay closes a match when one of its agents stops.
    const isExpected = this.#leaving || (this.#stopped && this.#options.scripted)
    if (!isExpected) this.#tally.fault(what)
  }
}

const firstLegal = (state: string): string =>
  `{"type":"move","move":"${/"legal":\["([^"]+)"/.exec(state)![1]}"}`

/** For each seat, the messages that it gets when it connects, when it is seated, and after each move of the script. */
export type Recording = readonly (readonly (readonly string[])[])[]

/** Plays the script once, for a relay that then sends the same messages without a game. */
export const recordMatch = async (dials: readonly Dial[]): Promise<Recording> => {
  const seats = await Promise.all(dials.map(recordSeat))
  return seats.toSorted(seat => (seat[1]![0]!.includes('"player":0') ? -1 : 1))
}

const recordSeat = (dial: Dial): Promise<string[][]> =>
  new Promise(resolve => {
    const told: string[][] = [[]]
    let turn = 0
    const connection = dial({
      received: message => {
        const kind = message[9]
        if (kind === 'h' || kind === 'r' || (kind === 's' && turn > 0)) told.push([])
        told.at(-1)!.push(message)
        if (kind !== 's') return
        if (message.includes('"yourTurn":true')) connection.send(script[turn]!)
        turn++
      },
      closed: () => resolve(told),
    })
  })
