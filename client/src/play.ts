import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { AgentError } from './agent-error.ts'
import type { Listing, Move, Observation } from './games.ts'
import type { Hello, Message, Result, State, Turn } from './messages.ts'

export interface Play<G extends string = string, L extends Listing = 'open'> {
  /** `wss://HOST/play`; on the host itself `ws://127.0.0.1:8090/play`. */
  readonly url: string
  readonly token: string
  readonly game: G
  /** How many matches to play, one after the other; 1 by default. */
  readonly matches?: number
  /** Unrated matches against a house player: true, or its level. */
  readonly practice?: boolean | string
  /** The only account to play against; it has to name yours too. Unrated. */
  readonly opponent?: string
  /** `thinking`: 20 s for a move and a bank of 10 minutes; `fast` by default. Each is rated apart. */
  readonly speed?: 'fast' | 'thinking'
  /** `blind`: no board has the legal moves; `open` by default. Each is rated apart. */
  readonly ladder?: L
  /** Called for each move that is owed, on a blind ladder again after an illegal one. An error resigns the match and rejects `play`. */
  readonly move: (observation: Observation<G, L>, turn: Turn) => Move<G> | Promise<Move<G>>
  /** Called when a move is optional, such as an offer in a trade; undefined sends no move. */
  readonly act?: (
    observation: Observation<G, L>,
    turn: Turn,
  ) => Move<G> | undefined | Promise<Move<G> | undefined>
  readonly onHello?: (hello: Hello) => void
  readonly onResult?: (result: Result<G, L>) => void
  /** Aborting resigns the match and rejects `play` with the signal's reason. */
  readonly signal?: AbortSignal
}

/** Plays until all matches are over, and resolves with their results. Rejects with an `AgentError` when the host ends it earlier. */
export const play = <G extends string = string, L extends Listing = 'open'>(
  options: Play<G, L>,
): Promise<Result<G, L>[]> =>
  new Promise((resolve, reject) => {
    const { signal } = options
    signal?.throwIfAborted()
    const token = options.token.trim()
    if (!/^[!-~]+$/.test(token)) throw new AgentError('bad-token', wrongToken)
    const socket = new WebSocket(address(options), {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      handshakeTimeout: 15_000,
    })
    const results: Result<G, L>[] = []
    let hello: Hello | null = null
    let lastError: AgentError | undefined
    /** The newest board, and when it came. */
    let lastState: (State<G, L> & { readonly at: number }) | null = null
    /** Counts states, so that an answer to an older state is never sent. */
    let shown = 0
    let left = false

    const send = (message: object) => socket.send(JSON.stringify(message))

    const leave = (reason: unknown) => {
      if (left) return
      left = true
      reject(reason)
      if (socket.readyState !== WebSocket.OPEN) socket.terminate()
      else {
        if (hello !== null) send({ type: 'resign' })
        socket.close(1000)
      }
    }

    const answer = async (told: State<G, L>, refused?: string) => {
      const { observation, yourTurn, mayAct, timeLeft, clocks, turn, note } = told
      const state = ++shown
      const choose = yourTurn ? options.move : mayAct ? options.act : undefined
      const move = await choose?.(observation, { hello: hello!, timeLeft, clocks, note, refused })
      if (state === shown && (yourTurn || move !== undefined)) send({ type: 'move', move, turn })
    }

    const hear = (message: Message<G, L>) => {
      switch (message.type) {
        case 'hello':
          hello = message
          options.onHello?.(message)
          break
        case 'state':
          lastState = { ...message, at: performance.now() }
          answer(message).catch(leave)
          break
        case 'result':
          hello = null
          shown++
          results.push(message)
          options.onResult?.(message)
          break
        case 'error':
          if (message.strikes !== undefined && lastState !== null) {
            const timeLeft = Math.max(0, lastState.timeLeft! - (performance.now() - lastState.at))
            answer({ ...lastState, timeLeft }, message.error).catch(leave)
            break
          }
          lastError = new AgentError(message.code ?? 'error', message.error, {
            retryAfter: message.retryAfter,
          })
          break
      }
    }

    const onAbort = () => leave(signal!.reason)
    signal?.addEventListener('abort', onAbort, { once: true })
    const stopWatching = watch(socket)

    socket.on('message', data => {
      try {
        if (!left) hear(JSON.parse(String(data)))
      } catch (error) {
        leave(error)
      }
    })
    socket.on('unexpected-response', (_, response) => {
      refused(response).then(leave, leave)
    })
    socket.on('error', cause =>
      reject(new AgentError('connection-failed', `${options.url}: ${cause.message}`, { cause })),
    )
    socket.on('close', code => {
      shown++
      stopWatching()
      signal?.removeEventListener('abort', onAbort)
      if (code === 1000) resolve(results)
      else
        reject(lastError ?? new AgentError('connection-closed', `the connection closed: ${code}`))
    })
  })

const wrongToken =
  'the token is empty, or has a space, a line break or another character that is in no token: give it alone, as the host has shown it'

/** The options are in the URL. The token is not, because URLs are logged. */
const address = <G extends string, L extends Listing>(options: Play<G, L>): URL => {
  const { game, matches, practice, opponent, speed, ladder } = options
  const url = new URL(options.url)
  url.searchParams.delete('token')
  url.searchParams.set('game', game)
  if (matches !== undefined) url.searchParams.set('matches', String(matches))
  if (practice) url.searchParams.set('practice', String(practice))
  if (opponent !== undefined) url.searchParams.set('opponent', opponent)
  if (speed !== undefined) url.searchParams.set('speed', speed)
  if (ladder !== undefined) url.searchParams.set('ladder', ladder)
  return url
}

/** Cuts a connection that no longer answers. */
const watch = (socket: WebSocket) => {
  let alive = true
  socket.on('pong', () => {
    alive = true
  })
  const timer = setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!alive) socket.terminate()
    alive = false
    socket.ping()
  }, 30_000)
  return () => clearInterval(timer)
}

/** The answer to an upgrade that did not become a WebSocket. */
const refused = async (response: IncomingMessage): Promise<AgentError> => {
  const status = `http-${response.statusCode}`
  let body = ''
  for await (const chunk of response) if (body.length < 4096) body += chunk
  try {
    const { code, error, retryAfter } = JSON.parse(body)
    return new AgentError(code ?? status, error ?? body, { retryAfter })
  } catch {
    return new AgentError(status, body.trim() || response.statusMessage || status)
  }
}
