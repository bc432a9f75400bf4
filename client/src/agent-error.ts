/** A refusal by the host, with its code from docs/protocol.md; or `connection-failed`, `connection-closed`, `http-404` and the like. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: string
  /** Seconds to wait before trying again; undefined if waiting does not help. */
  readonly retryAfter: number | undefined

  constructor(
    code: string,
    message: string,
    options?: ErrorOptions & { retryAfter?: number | undefined },
  ) {
    super(message, options)
    this.code = code
    this.retryAfter = options?.retryAfter
  }
}
