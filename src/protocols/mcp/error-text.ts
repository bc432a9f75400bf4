interface Refusal {
  readonly code: string
  readonly detail: string
  readonly retryAfter?: number | undefined
}

/** A refusal of a whole request, as JSON-RPC words it. `id`: that of the message, where it was read. */
export const errorText = ({ code, detail, retryAfter }: Refusal, id: unknown = null): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: {
      code: serverError,
      message: detail,
      data: { code, ...(retryAfter !== undefined && { retry_after_s: retryAfter }) },
    },
  })

/** The code that JSON-RPC leaves to servers. */
const serverError = -32_000
