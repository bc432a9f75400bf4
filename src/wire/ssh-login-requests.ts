import type { Connection } from 'ssh2'

/** Clients wait for an answer before they try the next key. */
const mostWaiting = 10

/**
 * Holds the login requests of a client while one of them is being answered. ssh2 would take the last of them first, and none
 * after it has said that a key would do.
 */
export class SshLoginRequests {
  readonly #handlers: Handlers
  readonly #handle: Handle
  readonly #waiting: Parameters<Handle>[] = []
  #isHolding = false

  /** `tooMany` is called when more requests come than can wait. */
  constructor(client: Connection, tooMany: () => void) {
    this.#handlers = (
      client as unknown as { _protocol: { _handlers: Handlers } }
    )._protocol._handlers
    this.#handle = this.#handlers.USERAUTH_REQUEST
    this.#handlers.USERAUTH_REQUEST = (...request) => {
      if (!this.#isHolding) this.#handle(...request)
      else if (this.#waiting.length < mostWaiting) this.#waiting.push(request)
      else tooMany()
    }
  }

  hold(): void {
    this.#isHolding = true
  }

  release(): void {
    this.#isHolding = false
    const next = this.#waiting.shift()
    if (next !== undefined) this.#handle(...next)
  }

  /** The client has logged in: what it has asked since does not count any more. */
  end(): void {
    this.#waiting.length = 0
    this.#handlers.USERAUTH_REQUEST = this.#handle
  }
}

type Handle = (...request: unknown[]) => void

/** What ssh2 calls for the messages of a client. */
interface Handlers {
  USERAUTH_REQUEST: Handle
}
