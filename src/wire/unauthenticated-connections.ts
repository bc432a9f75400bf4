import { ConcurrencyLimit } from '../limits/concurrency-limit.ts'

/** A connection that can be closed to make room for another. */
export interface Unauthenticated {
  /** Undefined where the client cannot be told from others. */
  readonly source: string | undefined
  readonly connection: Destroyable
}

/** A socket, or what knows better how to close one. */
export interface Destroyable {
  destroy(): void
}

/**
 * The connections whose clients have not logged in yet, limited in all and for each source. When all places are taken,
 * the oldest connection of the source that has the most is closed, so that one source cannot keep the others out.
 */
export class UnauthenticatedConnections {
  readonly #limit: ConcurrencyLimit<string>
  /** The oldest first. */
  readonly #connections = new Set<Unauthenticated>()

  constructor(inAll: number, perSource: number) {
    this.#limit = new ConcurrencyLimit({ inAll, perKey: perSource })
  }

  /** Adds a connection, or answers which limit leaves no room for it. */
  add(added: Unauthenticated): 'per source' | 'in all' | undefined {
    if (this.#limit.isFullFor(added.source)) return 'per source'
    if (this.#limit.isFull() && !this.#makeRoom(keyOf(added))) return 'in all'
    this.#limit.enter(keyOf(added))
    this.#connections.add(added)
    return undefined
  }

  remove(removed: Unauthenticated): void {
    if (this.#connections.delete(removed)) this.#limit.leave(keyOf(removed))
  }

  /** Closes a connection only of a source that has more than the new one would have. */
  #makeRoom(newKey: string): boolean {
    const { largest } = this.#limit
    if (largest === undefined || this.#limit.of(largest) <= this.#limit.of(newKey) + 1) return false
    for (const oldest of this.#connections)
      if (keyOf(oldest) === largest) {
        this.remove(oldest)
        oldest.connection.destroy()
        break
      }
    return true
  }
}

/** All connections without a source count as one source when room has to be made. */
const keyOf = ({ source }: Unauthenticated): string => source ?? ''
