import { script } from './recording.ts'
import type { Sharing, Tally } from './tally.ts'

/** One connection to a server, as the agent uses it. */
export interface Dialled {
  send(text: string): void
  leave(): void
}

/** What comes back over it. */
export interface Ear {
  heard(message: string): void
  closed(): void
}

export type Dial = (ear: Ear) => Dialled

const moves = script.map(move => `{"type":"move","move":"${move}"}`)

/** Dials, plays the script to its end, and dials again, until it is stopped. */
export class LoadAgent implements Ear {
  readonly #tally: Tally
  readonly #dial: Dial
  #line!: Dialled
  #dialledAt = 0
  #match = ''
  #sharing: Sharing | null = null
  #turn = 0
  #done = false
  #stopped: (() => void) | null = null

  constructor(tally: Tally, dial: Dial) {
    this.#tally = tally
    this.#dial = dial
    this.#connect()
  }

  /** Plays a match that is under way to its end, and dials no more. */
  stop(): Promise<void> {
    return new Promise(resolve => {
      this.#stopped = resolve
      if (this.#sharing === null) this.#line.leave()
    })
  }

  heard(message: string): void {
    // Told apart by one letter of {"type":"…: whoever loads a server should not be busier than it is.
    switch (message[9]) {
      case 's':
        this.#state(message)
        break
      case 'q':
        this.#tally.queued(performance.now() - this.#dialledAt)
        break
      case 'h':
        this.#match = /"match":(\d+)/.exec(message)![1]!
        this.#sharing = this.#tally.seated(this.#match)
        break
      case 'r':
        this.#done = true
        if (message.includes('"reason"')) this.#fault(message)
        this.#tally.resulted(this.#match, performance.now() - this.#sharing!.movedAt)
        break
      default:
        this.#fault(message)
    }
  }

  closed(): void {
    if (!this.#done) this.#fault('closed before there was a result')
    setImmediate(() => this.#connect())
  }

  #connect(): void {
    if (this.#stopped !== null) {
      this.#stopped()
      return
    }
    this.#dialledAt = performance.now()
    this.#sharing = null
    this.#turn = 0
    this.#done = false
    this.#line = this.#dial(this)
  }

  #state(message: string): void {
    this.#turn++
    if (!message.includes('"yourTurn":true')) return
    const sharing = this.#sharing!
    const now = performance.now()
    if (this.#turn > 1) this.#tally.moved(now - sharing.movedAt)
    sharing.movedAt = now
    this.#line.send(moves[this.#turn - 1]!)
  }

  #fault(what: string): void {
    // When all stop, somebody's opponent may leave.
    if (this.#stopped === null) this.#tally.faults.add(what)
  }
}
