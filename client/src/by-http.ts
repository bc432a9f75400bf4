import { AgentError } from './agent-error.ts'
import { isAgain, isOver, matchesOf } from './event.ts'
import type { Json, Listing, Observation } from './games.ts'
import type { Host } from './host.ts'
import type { Hello, Result, Turn } from './messages.ts'
import { withNote } from './noted.ts'
import type { Play } from './options.ts'
import { type MatchRecord, othersOf, type PlayAnswer, resultOfAnswer } from './results.ts'
import { isPassing, pause, Retry, unlessAborted } from './retry.ts'

/** Plays by the six calls of docs/http.md. Aborting `end` leaves the match, and rejects with its reason. */
export const playByHttp = async <G extends string, L extends Listing>(
  host: Host,
  options: Play<G, L>,
  end: AbortController,
): Promise<Result<G, L>[]> => {
  const results: Result<G, L>[] = []
  let hasJoined = false
  while (results.length < matchesOf(options)) {
    const match = new HttpMatch(host, options, end)
    try {
      const result = await match.play()
      hasJoined = true
      if (result === null) continue
      results.push(result)
      options.onResult?.(result)
    } catch (error) {
      hasJoined ||= match.hasJoined
      if (hasJoined && isOver(options, error)) break
      if (!isAgain(options, error)) throw error
      await pause(1, end.signal)
    }
  }
  return results
}

class HttpMatch<G extends string, L extends Listing> {
  readonly #host: Host
  readonly #options: Play<G, L>
  readonly #end: AbortController
  #seat = ''
  #hello: Hello | null = null
  /** Whether boards have legal moves. */
  #isListed = false
  #strikes = 0
  #refused: string | undefined

  constructor(host: Host, options: Play<G, L>, end: AbortController) {
    this.#host = host
    this.#options = options
    this.#end = end
  }

  /** The host has given it a seat. */
  get hasJoined(): boolean {
    return this.#seat !== ''
  }

  /** Resolves with null if the seat was left because no call had come for too long. */
  async play(): Promise<Result<G, L> | null> {
    try {
      const { game, event, practice, opponent, speed, ladder, openings, table, agent } =
        this.#options
      const join = {
        ...{ game, event, practice: practice || undefined, opponent },
        ...{ speed, ladder, openings, table, agent },
      }
      // The seat is known before anything waits, so that it can be left, whatever comes.
      let answer = await this.#call('join', { ...join, wait_s: 0 })
      this.#seat = answer.seat
      for (;;) {
        if (answer.match !== undefined) await this.#begin(answer)
        if (answer.status === 'over') break
        if (answer.code === 'silent') return null
        answer = await this.#next(answer)
      }
      const { result, because, next } = answer
      if (result === 'aborted') throw new AgentError('match-aborted', because, { next })
      return resultOfAnswer(answer, this.#observationOf(answer, []))
    } catch (error) {
      await this.#leave(error)
      throw error
    }
  }

  /** The first answer of a match tells its terms. If that was cut, they are asked for. */
  async #begin(answer: PlayAnswer): Promise<void> {
    if (this.#hello !== null) return
    const { event, table, onHello } = this.#options
    const { you, game, match, players } = answer
    const { speed = 'thinking', ladder = 'open' } =
      event === undefined && table === undefined
        ? this.#options
        : termsOf(answer.ladder ?? (await this.#record(match)).ladder)
    // At a table a seat by HTTP has the time of a thinking match, on the standard ladder.
    const timed = table === undefined ? speed : 'thinking'
    const clock = answer.clock ?? (await this.#call<Lobby>('lobby', {})).clocks[timed]
    const rated = answer.rated ?? (await this.#record(match)).unrated === null
    this.#hello = {
      ...{ player: you, game, ...othersOf(players, you), match, moveTimeout: clock.move_s },
      ...(clock.bank_s !== undefined && { bank: clock.bank_s }),
      ...((speed !== 'fast' || ladder !== 'open') && { speed, ladder }),
      rated,
    }
    onHello?.(this.#hello)
  }

  /** Plays if the seat may, and waits. */
  async #next(answer: PlayAnswer): Promise<PlayAnswer> {
    const { status, code = status, detail = 'a newer call waits on this seat', next } = answer
    if (status === 'closed' || status === 'superseded') {
      this.#seat = ''
      throw new AgentError(code, detail, { next })
    }
    const { move, act } = this.#options
    const choose = { your_turn: move, may_act: act }[status]
    const refused = this.#refused
    this.#refused = undefined
    const wait = { seat: this.#seat }
    if (choose === undefined) return this.#call('wait', wait)
    const timeLeft = answer.time_left_s === undefined ? undefined : answer.time_left_s * 1000
    const turn: Turn = {
      ...{ hello: this.#hello!, timeLeft, clocks: undefined, note: undefined },
      ...{ refused, strikes: this.#strikes },
    }
    const seen = this.#observationOf(answer, answer.legal)
    const chosen = await unlessAborted(this.#end.signal, (async () => choose(seen, turn))())
    if (chosen === undefined && status === 'may_act') return this.#call('wait', wait)
    try {
      return await this.#call('move', { ...wait, ply: answer.ply, ...withNote(chosen) })
    } catch (error) {
      if (!(error instanceof AgentError && harmless.has(error.code))) throw error
      if (error.strikes !== undefined) {
        this.#strikes = error.strikes
        this.#refused = error.message
      }
      if (error.code === 'match-paused') await pause(1, this.#end.signal)
      return this.#call('wait', wait)
    }
  }

  #observationOf({ board }: PlayAnswer, legal: readonly Json[] | undefined): Observation<G, L> {
    this.#isListed ||= legal !== undefined && legal.length > 0
    return { ...board, ...(this.#isListed && { legal }) } as Observation<G, L>
  }

  /** What the author or the host found wrong leaves the match. A match of which nothing is heard is left to the host. */
  async #leave(error: unknown): Promise<void> {
    if (this.#seat === '' || isPassing(error)) return
    const body = { seat: this.#seat }
    await this.#host.ask('POST', '/api/v1/play/leave', { body, within: 12 }).catch(() => {})
  }

  /** A call, repeated while it is cut, or not taken for now. */
  #call<T = PlayAnswer>(verb: string, body: object): Promise<T> {
    // A call waits for 45 s at most.
    return this.#repeated(() =>
      this.#host.ask<T>('POST', `/api/v1/play/${verb}`, {
        ...{ body, within: 60, signal: this.#end.signal },
      }),
    )
  }

  #record(match: number): Promise<MatchRecord> {
    const { signal } = this.#end
    return this.#repeated(() => this.#host.ask('GET', `/api/v1/matches/${match}`, { signal }))
  }

  async #repeated<T>(ask: () => Promise<T>): Promise<T> {
    const retry = new Retry(this.#options.patience, this.#end.signal)
    for (;;) {
      try {
        return await ask()
      } catch (error) {
        await retry.after(error)
      }
    }
  }
}

/** What the name of a ladder says, such as `ttt+thinking+blind`. */
const termsOf = (ladder: string) =>
  ({
    speed: ladder.includes('+thinking') ? 'thinking' : 'fast',
    ladder: ladder.includes('+blind') ? 'blind' : 'open',
  }) as const

interface Lobby {
  readonly clocks: Readonly<Record<'fast' | 'thinking', NonNullable<PlayAnswer['clock']>>>
}

/** Refusals of a move that cost nothing, or a strike: the next board tells how it stands. */
const harmless = new Set([
  ...['illegal-move', 'match-paused', 'not-your-turn', 'ply-played', 'stale-move', 'wrong-ply'],
])
