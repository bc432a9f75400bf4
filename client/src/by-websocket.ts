import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { AgentError } from './agent-error.ts'
import { isAgain, isOver, matchesOf } from './event.ts'
import type { Listing, Move, Observation } from './games.ts'
import { type Host, refusalIn } from './host.ts'
import type { Hello, Message, Result, State } from './messages.ts'
import { type Noted, withNote } from './noted.ts'
import type { Play } from './options.ts'
import { type MatchRecord, resultOfRecord } from './results.ts'
import { isPassing, pause, Retry } from './retry.ts'

/** Plays by one connection after the other. Aborting `end` resigns the match, and rejects with its reason. */
export const playByWebSocket = <G extends string, L extends Listing>(
  host: Host,
  options: Play<G, L>,
  end: AbortController,
): Promise<Result<G, L>[]> => new WebSocketMatches(host, options, end).play()

class WebSocketMatches<G extends string, L extends Listing> {
  readonly #host: Host
  readonly #options: Play<G, L>
  readonly #end: AbortController
  readonly #retry: Retry
  readonly #results: Result<G, L>[] = []
  /** How each match began whose result is not known. */
  readonly #open = new Map<number, Hello>()
  /** The newest board, and when it came. */
  #state: (State<G, L> & { readonly at: number }) | null = null
  /** The host has taken a join. */
  #hasJoined = false
  #strikes = 0
  /** The last move that was chosen, and for what. */
  #chosen: { readonly board: string; readonly move: Promise<Chosen<G>> } | null = null
  /** The connection has come back to a match, and no board was answered since. */
  #isBack = false

  constructor(host: Host, options: Play<G, L>, end: AbortController) {
    this.#host = host
    this.#options = options
    this.#end = end
    this.#retry = new Retry(options.patience, end.signal)
  }

  async play(): Promise<Result<G, L>[]> {
    for (;;) {
      try {
        await this.#settle()
        if (!this.#isDone) await this.#connection()
        return this.#results
      } catch (error) {
        if (this.#isDone && isPassing(error)) continue
        if (this.#hasJoined && isOver(this.#options, error)) return this.#results
        if (isAgain(this.#options, error)) await pause(1, this.#end.signal)
        else await this.#retry.after(error)
      }
    }
  }

  get #isDone(): boolean {
    const played = this.#results.length
    return played > 0 && played >= matchesOf(this.#options) && this.#open.size === 0
  }

  /** Asks for the results of matches that ended without a connection. */
  async #settle(): Promise<void> {
    for (const [match, { player, speed }] of this.#open) {
      const { signal } = this.#end
      const record = await this.#host.ask<MatchRecord>('GET', `/api/v1/matches/${match}`, {
        signal,
      })
      if (record.status === 'done') {
        const seen = this.#state?.observation ?? ({ toMove: -1 } as Observation<G, L>)
        this.#ended(match, resultOfRecord(record, player, seen))
      } else if (record.status === 'aborted') {
        this.#open.delete(match)
        throw new AgentError('match-aborted', `match ${match} was aborted by a fault of the host`)
      } else if (speed !== 'thinking')
        // The host ends it once it knows.
        throw new AgentError('connection-closed', `the connection was lost in match ${match}`)
    }
  }

  #ended(match: number, result: Result<G, L>): void {
    this.#open.delete(match)
    this.#results.push(result)
    this.#options.onResult?.(result)
  }

  /** Plays by one connection until the host closes it, all matches being over. */
  #connection(): Promise<void> {
    const { signal } = this.#end
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const socket = new WebSocket(this.#address, {
        headers: this.#host.headers,
        perMessageDeflate: false,
        handshakeTimeout: 15_000,
      })
      let hello: Hello | null = null
      /** Why the host is about to close the connection, if it does so with 1008. */
      let fault: AgentError | undefined
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
        const state = ++shown
        const chosen = await this.#choose(told, hello!, refused)
        if (state === shown && (told.yourTurn || chosen !== undefined))
          send({ type: 'move', ...withNote(chosen), turn: told.turn })
      }

      const hear = (message: Message<G, L>) => {
        switch (message.type) {
          case 'queued':
            this.#hasJoined = true
            // The host has not noticed that the last connection is lost, or the match is over. Another one is not wanted.
            if (this.#open.size > 0)
              leave(
                new AgentError(
                  'connection-closed',
                  'the host keeps the seat for the connection that was lost',
                ),
              )
            break
          case 'hello':
            this.#hasJoined = true
            hello = message
            this.#begin(message)
            break
          case 'state':
            this.#state = { ...message, at: performance.now() }
            answer(message).catch(error => this.#end.abort(error))
            break
          case 'result':
            this.#ended(hello!.match, message)
            hello = null
            shown++
            break
          case 'error':
            if (message.strikes !== undefined && this.#state !== null) {
              this.#strikes = message.strikes
              const timeLeft = this.#state.timeLeft! - (performance.now() - this.#state.at)
              const told = { ...this.#state, timeLeft: Math.max(0, timeLeft) }
              answer(told, message.error).catch(error => this.#end.abort(error))
              break
            }
            if (message.code === 'match-aborted') this.#open.clear()
            fault = new AgentError(message.code ?? 'error', message.error, {
              retryAfter: message.retryAfter,
            })
            // Such as of a note that is too long: the move is still owed.
            if (message.code === 'bad-message') this.#end.abort(fault)
            break
        }
      }

      const onAbort = () => leave(signal.reason)
      signal.addEventListener('abort', onAbort)
      const stopWatching = watch(socket)

      socket.on('open', () => this.#host.answered())
      socket.on('message', data => {
        try {
          if (!left) hear(JSON.parse(String(data)))
        } catch (error) {
          this.#end.abort(error)
        }
      })
      socket.on('unexpected-response', (_, response) => {
        this.#host.answered()
        refused(response).then(leave, cause => leave(this.#host.lost(cause)))
      })
      socket.on('error', cause => reject(this.#host.lost(cause)))
      socket.on('close', code => {
        shown++
        stopWatching()
        signal.removeEventListener('abort', onAbort)
        if (code === 1000) resolve()
        else
          reject(
            (code === 1008 && fault) ||
              new AgentError('connection-closed', `the connection closed: ${code}`),
          )
      })
    })
  }

  #begin(hello: Hello): void {
    this.#retry.reset()
    this.#isBack = this.#open.has(hello.match)
    this.#open.set(hello.match, hello)
    if (this.#isBack) return
    this.#state = null
    this.#strikes = 0
    this.#options.onHello?.(hello)
  }

  /** Has a move chosen. A board for which one was before its connection was lost gets the same again. */
  async #choose(told: State<G, L>, hello: Hello, refused?: string): Promise<Chosen<G>> {
    const { observation, yourTurn, mayAct, timeLeft, clocks, note } = told
    const board = JSON.stringify([hello.match, yourTurn, observation])
    const chosen = this.#chosen
    const isBack = this.#isBack
    this.#isBack = false
    if (isBack && chosen?.board === board) return chosen.move
    const choose = yourTurn ? this.#options.move : mayAct ? this.#options.act : undefined
    const strikes = this.#strikes
    const turn = { hello, timeLeft, clocks, note, refused, strikes }
    const move = (async () => choose?.(observation, turn))()
    this.#chosen = { board, move }
    return move
  }

  /** The options are in the URL. The token is not, because URLs are logged. */
  get #address(): URL {
    const { game, event, matches, opponent, speed, ladder, table, agent } = this.#options
    const url = new URL(this.#host.url)
    const left = matches === undefined ? undefined : matches - this.#results.length
    const practice = this.#options.practice || undefined
    const openings = this.#options.openings || undefined
    const words = { game, event, matches: left, practice, opponent, speed, ladder, openings, table }
    for (const [name, value] of Object.entries({ ...words, ...agent }))
      if (value !== undefined) url.searchParams.set(name, String(value))
    return url
  }
}

type Chosen<G extends string> = Move<G> | Noted<Move<G>> | undefined

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
  const status = response.statusCode!
  let body = ''
  for await (const chunk of response) if (body.length < 4096) body += chunk
  return refusalIn(body, status, response.headers['retry-after'])
}
