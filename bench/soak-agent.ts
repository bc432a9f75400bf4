import type { Dialled, Ear } from './load-agent.ts'

/** What an agent of a soak does with one of its turns, or while it waits. */
export const manners = ['plays', 'illegal', 'late', 'lost', 'resigns', 'leaves'] as const
export type Manner = (typeof manners)[number]

/** What all agents of a soak tell of. */
export interface SoakTally {
  queued: number
  results: number
  /** How often each of it was done, and the house said what it has to say. */
  readonly done: Record<Manner, number>
  /** What should not have happened. */
  readonly faults: Map<string, number>
  /** Numbers of matches that have just begun. */
  began(match: string): void
}

/** What the house says of each misbehaviour to whom it was. */
const reasons: Partial<Record<Manner, string>> = {
  illegal: 'forfeit: illegal move',
  late: 'forfeit: move timeout',
  resigns: 'resignation',
}

/** Comes once, plays its matches or does not, and goes. */
export class SoakAgent implements Ear {
  readonly #tally: SoakTally
  readonly #manner: Manner
  readonly #gone: () => void
  readonly #line: Dialled
  #matchesLeft: number
  /** At which turn of its own it does what it came for. */
  #turnsLeft = 0
  #hasActed = false
  #leaving = false
  #stopped = false
  #playing = false

  constructor(
    tally: SoakTally,
    manner: Manner,
    matches: number,
    dial: (ear: Ear) => Dialled,
    gone: () => void,
  ) {
    this.#tally = tally
    this.#manner = manner
    this.#matchesLeft = matches
    this.#gone = gone
    this.#line = dial(this)
  }

  /** Goes now if it only waits, and after this match if it plays. */
  stop(): void {
    this.#stopped = true
    if (!this.#playing) this.#leave()
  }

  heard(message: string): void {
    // Told apart by one letter of {"type":"…
    switch (message[9]) {
      case 'q':
        this.#tally.queued++
        if (this.#manner === 'leaves') setTimeout(() => this.#leaveEarly(), 20)
        break
      case 'h':
        this.#playing = true
        this.#hasActed = false
        this.#turnsLeft = 1 + Math.floor(Math.random() * 3)
        this.#tally.began(/"match":(\d+)/.exec(message)![1]!)
        break
      case 's':
        if (message.includes('"yourTurn":true')) this.#move(message)
        break
      case 'r':
        this.#over(message)
        break
      default:
        // Who waits and goes may just have been seated: then the opponent's first move comes too late.
        if (!(this.#stopped || this.#manner === 'leaves') || !message.includes('"not-your-turn"'))
          this.#fault(message)
    }
  }

  closed(): void {
    if (this.#matchesLeft > 0 && !this.#leaving) this.#fault('closed before there was a result')
    this.#gone()
  }

  #move(message: string): void {
    if (--this.#turnsLeft === 0 && this.#manner !== 'plays') {
      this.#hasActed = true
      this.#misbehave()
    } else {
      const move = /"legal":\["([^"]+)"/.exec(message)![1]
      this.#line.send(`{"type":"move","move":"${move}"}`)
    }
  }

  #misbehave(): void {
    switch (this.#manner) {
      case 'illegal':
        this.#line.send('{"type":"move","move":"nowhere"}')
        break
      case 'resigns':
        this.#line.send('{"type":"resign"}')
        break
      case 'lost':
        this.#tally.done.lost++
        this.#leave()
    }
  }

  #over(message: string): void {
    this.#playing = false
    this.#matchesLeft--
    this.#tally.results++
    // Otherwise there may be a next match.
    if (this.#stopped) this.#leave()
    const { outcome, reason } = JSON.parse(message)
    const expected = this.#hasActed ? reasons[this.#manner] : undefined
    if (expected !== undefined) {
      this.#tally.done[this.#manner]++
      if (reason !== expected || outcome !== 'loss') this.#fault(message)
    } else if (reason !== undefined && outcome !== 'win') this.#fault(message)
    else this.#tally.done.plays++
  }

  #leaveEarly(): void {
    this.#tally.done.leaves++
    this.#leave()
  }

  #leave(): void {
    if (this.#leaving) return
    this.#leaving = true
    this.#line.leave()
  }

  #fault(what: string): void {
    const { faults } = this.#tally
    if (!this.#leaving) faults.set(what, (faults.get(what) ?? 0) + 1)
  }
}
