// The client library, for agents that connect by WebSocket. It stands alone: nothing of the server is in it.

import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'

export interface Play<Seen extends Observation = Observation> {
  /** `wss://HOST/play`; on the host itself `ws://127.0.0.1:8090/play`. */
  readonly url: string
  readonly token: string
  readonly game: string
  /** How many matches to play, one after the other; 1 unless said otherwise. */
  readonly matches?: number
  /** Unrated matches against the house: true, or the strength of the house player. */
  readonly practice?: boolean | string
  /** The only account to play against; it has to name yours too. Unrated. */
  readonly opponent?: string
  /** Asked for each move that is owed. What it throws resigns the match and rejects `play`. */
  readonly move: (observation: Seen, turn: Turn) => Move | Promise<Move>
  /** Asked when no move is owed but one would be taken, as by an offer in a trade; undefined does nothing. */
  readonly act?: (observation: Seen, turn: Turn) => Move | undefined | Promise<Move | undefined>
  readonly onHello?: (hello: Hello) => void
  readonly onResult?: (result: Result<Seen>) => void
  /** Aborting resigns the match and rejects `play` with the signal's reason. */
  readonly signal?: AbortSignal
}

/** What a seat sees. Each game adds fields of its own. */
export interface Observation {
  readonly board?: unknown
  /** The seat to move, or where all move together the seats that owe a move; −1 once it is over. */
  readonly toMove: number | readonly number[]
  /** The moves that will be taken, where the game can list them. */
  readonly legal?: readonly string[]
  readonly [field: string]: unknown
}

export interface Turn {
  /** How the match began: your seat, the opponent, the time for a move. */
  readonly hello: Hello
  /** Milliseconds left for this move; undefined where none is owed. */
  readonly timeLeft: number | undefined
}

/** Anything that JSON can hold. */
export type Move =
  | string
  | number
  | boolean
  | null
  | readonly Move[]
  | { readonly [field: string]: Move | undefined }

export interface Hello {
  readonly player: number
  readonly game: string
  readonly opponent: string
  /** All names by seat, where there are more than two. */
  readonly players?: readonly string[]
  readonly match: number
  /** Seconds for a move. */
  readonly moveTimeout: number
  readonly rated: boolean
  /** Why the match is not rated. */
  readonly unrated?: string
}

export interface Result<Seen extends Observation = Observation> {
  /** The winner's seat, −1 for a draw. */
  readonly winner: number
  readonly outcome: 'win' | 'loss' | 'draw'
  /** Your new rating, and how the match changed it. */
  readonly rating: number
  readonly change: number
  /** Present where the match was forfeited: which fault it was. */
  readonly reason?: string
  readonly detail: string
  readonly match: number
  readonly places?: readonly number[]
  readonly scores?: readonly number[]
  readonly rated: boolean
  readonly unrated?: string
  readonly observation: Seen
}

/** A refusal by the host, with its code from docs/protocol.md; or `connection-failed`, `connection-closed`, `http-404` and the like. */
export class AgentError extends Error {
  override readonly name = 'AgentError'
  readonly code: string
  /** Whole seconds after which the same would be taken; undefined where waiting does not help. */
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

/** Plays until all matches are over, and resolves with their results. Rejects with an `AgentError` when the host ends it earlier. */
export const play = <Seen extends Observation = Observation>(
  options: Play<Seen>,
): Promise<Result<Seen>[]> =>
  new Promise((resolve, reject) => {
    const { token, signal } = options
    signal?.throwIfAborted()
    const socket = new WebSocket(address(options), {
      headers: { Authorization: `Bearer ${token}` },
      perMessageDeflate: false,
      handshakeTimeout: 15_000,
    })
    const results: Result<Seen>[] = []
    let hello: Hello | null = null
    let lastError: AgentError | undefined
    /** Counts what has been shown, so that an answer to an older state is never sent. */
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

    const answer = async ({ observation, yourTurn, mayAct, timeLeft, turn }: State<Seen>) => {
      const state = ++shown
      const choose = yourTurn ? options.move : mayAct ? options.act : undefined
      const move = await choose?.(observation, { hello: hello!, timeLeft })
      if (state === shown && (yourTurn || move !== undefined)) send({ type: 'move', move, turn })
    }

    const hear = (message: Message<Seen>) => {
      switch (message.type) {
        case 'hello':
          hello = message
          options.onHello?.(message)
          break
        case 'state':
          answer(message).catch(leave)
          break
        case 'result':
          hello = null
          shown++
          results.push(message)
          options.onResult?.(message)
          break
        case 'error':
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

/** The options of the join go into the address; the token does not, because addresses end up in logs. */
const address = <Seen extends Observation>(options: Play<Seen>): URL => {
  const { game, matches, practice, opponent } = options
  const url = new URL(options.url)
  url.searchParams.delete('token')
  url.searchParams.set('game', game)
  if (matches !== undefined) url.searchParams.set('matches', String(matches))
  if (practice) url.searchParams.set('practice', String(practice))
  if (opponent !== undefined) url.searchParams.set('opponent', opponent)
  return url
}

/** Cuts a connection on which nothing answers any more. */
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

type Message<Seen extends Observation> =
  | ({ readonly type: 'hello' } & Hello)
  | ({ readonly type: 'state' } & State<Seen>)
  | ({ readonly type: 'result' } & Result<Seen>)
  | {
      readonly type: 'error'
      readonly error: string
      readonly code?: string
      readonly retryAfter?: number
    }
  | { readonly type: 'queued' | 'pong' }

interface State<Seen extends Observation> {
  readonly observation: Seen
  readonly yourTurn: boolean
  readonly mayAct?: boolean
  readonly timeLeft?: number
  /** Named in the answer, which is then refused if the board has changed meanwhile. */
  readonly turn?: number
}
