import type { ParsedKey } from 'ssh2'
import type { Luck } from './luck.ts'
import type { Recordings } from './recordings.ts'
import { Wire } from './wire.ts'

/** The address of a trusted proxy. */
export const edge = '127.0.0.1'

/** The target of an attack. */
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
  /** How often it is chosen, relative to the others. */
  readonly weight?: number
  run(scene: Scene): Promise<void>
}

/** One attack: its random choices and its connections. */
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

  /** An attack behind a login calls this when it has logged in. */
  strikes(): void {
    this.#struck = true
  }

  /** Whether it reached its target; for attacks without a login, the server. */
  get struck(): boolean {
    return this.#struck ?? this.#wires.some(({ connected }) => connected)
  }

  /** An attack that needs a login calls this first. */
  needsLogin(): void {
    this.#struck ??= false
  }

  /** Closes all connections. */
  clear(): void {
    for (const { socket } of this.#wires)
      if (this.luck.once(2)) socket.resetAndDestroy()
      else socket.destroy()
  }
}
