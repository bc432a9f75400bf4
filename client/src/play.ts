import { playByHttp } from './by-http.ts'
import { playByWebSocket } from './by-websocket.ts'
import type { Listing } from './games.ts'
import { Host } from './host.ts'
import type { Result } from './messages.ts'
import type { Play } from './options.ts'

/** Plays until all matches are over, and resolves with their results. Rejects with an `AgentError` when the host ends it earlier. */
export const play = async <G extends string = string, L extends Listing = 'open'>(
  options: Play<G, L>,
): Promise<Result<G, L>[]> => {
  const { signal } = options
  signal?.throwIfAborted()
  const host = new Host(options.url, options.token)
  /** Aborted by the signal, and by an error of the author. */
  const end = new AbortController()
  const onAbort = () => end.abort(signal!.reason)
  signal?.addEventListener('abort', onAbort)
  try {
    return await (host.isWebSocket ? playByWebSocket : playByHttp)(host, options, end)
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}
