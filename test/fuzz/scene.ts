import type { ParsedKey } from 'ssh2'
import type { Luck } from './luck.ts'
import type { Recordings } from './recordings.ts'
import { Wire } from './wire.ts'

/** An address whose X-Forwarded-For is believed. */
export const edge = '127.0.0.1'

/** Where an attack takes place. */
export interface Place {
  readonly ssh: number
  readonly http: number
  /** Accounts that belong to the attackers. */
  readonly crowd: readonly Member[]
  readonly recordings: Recordings
}

export interface Member {
  readonly name: string
  readonly token: string
  readonly key: ParsedKey
}

export interface Attack {
  readonly name: string
  /** How many times it is chosen for once that another is. */
  readonly weight?: number
  run(scene: Scene): Promise<void>
}

/** One attack: its luck, and all the connections that it has made. */
export class Scene {
  readonly place: Place
  readonly luck: Luck
  readonly #wires: Wire[] = []
  #struck: boolean | undefined

  constructor(place: Place, luck: Luck) {
    this.place = place
    this.luck = luck
  }

  dial(door: 'ssh' | 'http', from = this.#anywhere(door)): Wire {
    const wire = new Wire(this.place[door], from)
    this.#wires.push(wire)
    return wire
  }

  #anywhere(door: 'ssh' | 'http'): string {
    return door === 'http' && this.luck.once(4) ? edge : this.luck.address()
  }

  /** To be called by an attack that does its harm past a login, once it is there. */
  strikes(): void {
    this.#struck = true
  }

  /** Whether it came to where it does its harm: for all others, to the server. */
  get struck(): boolean {
    return this.#struck ?? this.#wires.some(({ connected }) => connected)
  }

  /** To be called by an attack that is nothing without being let in. */
  needsLogin(): void {
    this.#struck ??= false
  }

  /** Leaves no connection behind. */
  clear(): void {
    for (const { socket } of this.#wires)
      if (this.luck.once(2)) socket.resetAndDestroy()
      else socket.destroy()
  }
}
