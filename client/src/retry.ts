import { AgentError } from './agent-error.ts'

/** Waits before a call is repeated, or a connection made again. */
export class Retry {
  readonly #patience: number
  readonly #signal: AbortSignal | undefined
  #failures = 0
  #since: number | null = null

  /** `patience`: seconds from the first failure in a row to the last try. */
  constructor(patience = 120, signal?: AbortSignal) {
    this.#patience = patience
    this.#signal = signal
  }

  reset(): void {
    this.#failures = 0
    this.#since = null
  }

  /** Waits if waiting helps; otherwise throws the error. */
  async after(error: unknown): Promise<void> {
    this.#signal?.throwIfAborted()
    if (!isPassing(error)) throw error
    const now = performance.now() / 1000
    this.#since ??= now
    const seconds = pauseAfter(error, this.#failures++)
    if (now + seconds > this.#since + this.#patience) throw error
    await pause(seconds, this.#signal)
  }
}

/** Whether it may be otherwise when it is tried again. */
export const isPassing = (error: unknown): error is AgentError =>
  error instanceof AgentError && passing.has(error.code)

const passing = new Set([
  ...['connection-closed', 'full', 'internal', 'locked-out', 'shutting-down'],
  ...['too-fast', 'too-many-connections', 'too-slow'],
  ...[408, 429, 500, 502, 503, 504].map(status => `http-${status}`),
])

/** A cut is mended soon, mostly, and a clock may run; a host that refuses asks for more. */
const pauseAfter = ({ code, retryAfter }: AgentError, failures: number): number => {
  const [first, longest] = code === 'connection-closed' ? [0.1, 5] : [1, 60]
  return retryAfter ?? Math.min(longest!, first! * 2 ** failures) * (1 + Math.random() / 2)
}

/** Rejects with the reason of the signal when that is aborted. */
export const pause = (seconds: number, signal?: AbortSignal): Promise<void> => {
  let timer: ReturnType<typeof setTimeout>
  const paused = new Promise<void>(resolve => {
    timer = setTimeout(resolve, seconds * 1000)
  })
  return unlessAborted(signal, paused).finally(() => clearTimeout(timer))
}

/** Rejects with the reason of the signal, if that comes first. */
export const unlessAborted = <T>(
  signal: AbortSignal | undefined,
  promise: Promise<T>,
): Promise<T> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal!.reason)
    if (signal?.aborted) onAbort()
    signal?.addEventListener('abort', onAbort)
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })
