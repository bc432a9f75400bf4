/** Somebody who has come and can be sent away again. */
export interface Arrival {
  readonly connection: Destroyable
}

/** A socket, or what knows better how to end one. */
export interface Destroyable {
  destroy(): void
}

/**
 * Those who have come and have not said yet who they are: so many altogether, and so many from one source. Where the
 * lobby is full, whoever of the largest crowd has been there longest makes room, so that a crowd keeps nobody else out.
 */
export class Lobby {
  readonly #most: number
  readonly #mostPerSource: number
  readonly #crowds = new Map<string, Set<Arrival>>()
  #size = 0

  constructor(most: number, mostPerSource: number) {
    this.#most = most
    this.#mostPerSource = mostPerSource
  }

  get size(): number {
    return this.#size
  }

  /** Says why not, if there is no place; `limited` tells whether the source is counted by itself. */
  enter(source: string, limited: boolean, arrival: Arrival): 'crowd' | 'full' | undefined {
    const own = this.#crowds.get(source)?.size ?? 0
    if (limited && own >= this.#mostPerSource) return 'crowd'
    if (this.#size >= this.#most && !this.#makeRoom(own)) return 'full'
    let crowd = this.#crowds.get(source)
    if (crowd === undefined) {
      crowd = new Set()
      this.#crowds.set(source, crowd)
    }
    crowd.add(arrival)
    this.#size++
    return undefined
  }

  leave(source: string, arrival: Arrival): void {
    const crowd = this.#crowds.get(source)
    if (!crowd?.delete(arrival)) return
    this.#size--
    if (crowd.size === 0) this.#crowds.delete(source)
  }

  /** Only somebody from a larger crowd than the newcomer's would be has to go. */
  #makeRoom(own: number): boolean {
    let largest: { readonly source: string; readonly crowd: Set<Arrival> } | undefined
    for (const [source, crowd] of this.#crowds)
      if (crowd.size > (largest?.crowd.size ?? own + 1)) largest = { source, crowd }
    if (largest === undefined) return false
    const [eldest] = largest.crowd
    this.leave(largest.source, eldest!)
    eldest!.connection.destroy()
    return true
  }
}
