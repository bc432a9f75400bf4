/**
 * A refusal by the host, with its code from docs/protocol.md or docs/http.md; or a failure such as `connection-failed`,
 * `connection-closed` or `http-404`.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: string
  /** Seconds to wait before trying again; undefined if waiting does not help. */
  readonly retryAfter: number | undefined
  /** What to do, in the words of the host; only over HTTP. */
  readonly next: string | undefined
  /** How many illegal moves the seat has made, if it was one; only over HTTP. */
  readonly strikes: number | undefined

  constructor(
    code: string,
    message: string,
    options?: ErrorOptions & {
      retryAfter?: number | undefined
      next?: string | undefined
      strikes?: number | undefined
    },
  ) {
    super(message, options)
    this.code = code
    this.retryAfter = options?.retryAfter
    this.next = options?.next
    this.strikes = options?.strikes
  }
}
