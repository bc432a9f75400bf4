import { AgentError } from './agent-error.ts'

interface Asking {
  /** Sent as JSON. */
  readonly body?: object
  /** Seconds for the whole answer. */
  readonly within?: number
  readonly signal?: AbortSignal
}

/** Where a host is, and who asks it. */
export class Host {
  /** The address as it was given, without a token. */
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  #isKnown = false

  constructor(url: string, token?: string) {
    if (!URL.canParse(url) || !/^(http|ws)s?:$/.test(new URL(url).protocol))
      throw new AgentError('bad-address', 'no address: give https://HOST, or wss://HOST/play')
    this.url = new URL(url)
    this.url.searchParams.delete('token')
    const bare = token?.trim()
    if (bare !== undefined && !/^[!-~]+$/.test(bare)) throw new AgentError('bad-token', wrongToken)
    this.headers = bare === undefined ? {} : { Authorization: `Bearer ${bare}` }
  }

  get isWebSocket(): boolean {
    return this.url.protocol.startsWith('ws')
  }

  /** One request. What is not answered with 200 or 201, or is answered with a refusal, is thrown as an `AgentError`. */
  async ask<T>(
    method: 'GET' | 'POST',
    path: string,
    { body, within = 30, signal }: Asking = {},
  ): Promise<T> {
    const url = new URL(path, this.url.href.replace(/^ws/, 'http'))
    const cut = new AbortController()
    const onAbort = () => cut.abort()
    const timer = setTimeout(onAbort, within * 1000)
    signal?.addEventListener('abort', onAbort)
    try {
      signal?.throwIfAborted()
      const response = await fetch(url, {
        ...{ method, redirect: 'manual', signal: cut.signal },
        headers: { ...this.headers, ...(body && { 'Content-Type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      })
      this.answered()
      return readAnswer<T>(response, await response.text())
    } catch (error) {
      signal?.throwIfAborted()
      throw error instanceof AgentError ? error : this.lost(error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  /** The host has answered. */
  answered(): void {
    this.#isKnown = true
  }

  /** A connection that could not be made or was cut. A host that never answered may not be there: waiting is for those that were. */
  lost(cause: unknown): AgentError {
    const { code = '', message } =
      (cause as { cause?: NodeJS.ErrnoException }).cause ?? (cause as NodeJS.ErrnoException)
    const isCut =
      this.#isKnown || /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_INVALID_EOF_STATE)$/.test(code)
    const { host, pathname } = this.url
    return new AgentError(
      isCut ? 'connection-closed' : 'connection-failed',
      `${host}${pathname}: ${message}`,
      { cause },
    )
  }
}

const wrongToken =
  'the token is empty, or has a space, a line break or another character that is in no token: give it alone, as the host has shown it'

const readAnswer = <T>({ status, headers }: Response, text: string): T => {
  const answer = objectIn(text)
  if (status !== 200 && status !== 201) throw refusalIn(text, status, headers.get('retry-after'))
  if (answer === null) throw new AgentError('connection-closed', 'the answer is not whole')
  // A call that waits has got its status before its answer.
  if (answer.status === 'refused') throw refusalIn(text, status)
  return answer as T
}

/** The refusal in the body of an answer. */
export const refusalIn = (text: string, status: number, header?: string | null): AgentError => {
  const { code, error, next, strikes, retry_after_s, retryAfter } = objectIn(text) ?? {}
  const after = Number(retry_after_s ?? retryAfter ?? header ?? Number.NaN)
  return new AgentError(
    String(code ?? `http-${status}`),
    String(error ?? (text.trim().slice(0, 4096) || `status ${status}`)),
    {
      retryAfter: after >= 0 ? after : undefined,
      next: next as string | undefined,
      strikes: (strikes as { made: number } | undefined)?.made,
    },
  )
}

const objectIn = (text: string): Record<string, unknown> | null => {
  try {
    const value = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
