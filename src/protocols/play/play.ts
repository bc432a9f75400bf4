import type { z } from 'zod'
import type { Account } from '../../arena/account.ts'
import { isShallow } from '../../arena/judge.ts'
import { type Json, seatRange } from '../../games/game.ts'
import { gameOf, games } from '../../games/index.ts'
import { readValue } from '../../http-input.ts'
import { rulesOf } from '../../text/game-rules.ts'
import type { Session } from '../connection.ts'
import { type Reply, refused } from './answers.ts'
import { callText, type PlayProtocol } from './call-text.ts'
import { bodies, type Detail, type Verb } from './operations.ts'
import type { PlaySeat, SeatHost, Wait } from './seat.ts'
import { PlaySeats } from './seats.ts'
import { mostSilence, mostWait, terms } from './terms.ts'

/** Who makes a call, and how. */
export interface Caller {
  /** Null for a client that has not logged in. */
  readonly account: Account | null
  /** A seat that `join` makes is of this protocol, and the answer names the next call in its words. */
  readonly protocol: PlayProtocol
  /** The client address that rate limits count for; undefined for a client on this machine. */
  readonly source: string | undefined
  /** Aborted when the client leaves. */
  readonly signal: AbortSignal
  /** Keeps a seat that `join` makes at the gate, as `Gate.keep` does. */
  readonly keep: (seat: Pick<Session<never>, 'dismiss'>) => () => void
}

export interface PlayHost extends SeatHost {
  readonly matchmaking: SeatHost['matchmaking'] & {
    readonly waiting: readonly { readonly game: { readonly id: string } }[]
  }
  /** What the API answers to a GET of this path; null where that is long. */
  api(
    path: string,
    source: string | undefined,
  ): Promise<{ readonly status: number; readonly body: string } | null>
}

type Bodies = { readonly [V in Verb]: z.output<(typeof bodies)[V]> }

/** A caller that has logged in. */
type Player = Caller & { readonly account: Account }

type Handlers = {
  readonly [V in Verb]: (caller: Player, body: Bodies[V]) => Reply | Promise<Reply>
}

/**
 * The six operations by which models play, for all protocols that have them. The seats are of the host: a seat that one
 * protocol has joined goes on by another.
 */
export class Play {
  readonly #host: PlayHost
  readonly #seats: PlaySeats
  readonly #handlers: Handlers = {
    lobby: (caller, body) => this.#lobby(caller, body),
    join: (caller, body) => this.#join(caller, body),
    move: (caller, body) => this.#move(caller, body),
    wait: (caller, body) => this.#withSeat(caller, body, seat => seat.wait(waitOf(caller, body))),
    leave: (caller, body) =>
      this.#withSeat(caller, body, seat =>
        seat.leave(waitOf(caller, { wait_s: leaveWait, detail: 'full' })),
      ),
    record: (caller, body) => this.#record(caller, body),
  }

  constructor(host: PlayHost) {
    this.#host = host
    this.#seats = new PlaySeats(host)
  }

  /** Answers a call. What is wrong with it is refused; an internal error alone is thrown. */
  async call(caller: Caller, verb: Verb, body: unknown): Promise<Reply> {
    return this.#call(caller, verb, body)
  }

  #call<V extends Verb>(
    { account, ...caller }: Caller,
    verb: V,
    given: unknown,
  ): Reply | Promise<Reply> {
    if (account === null)
      return refused(caller.protocol, 'bad-token', 'this call is for accounts: give a token')
    const read = readValue(bodies[verb], given)
    if ('error' in read) return refused(caller.protocol, 'unreadable', read.error)
    return this.#handlers[verb]({ ...caller, account }, read.value as Bodies[V])
  }

  #join(caller: Player, body: Bodies['join']): Reply | Promise<Reply> {
    const { game, practice, opponent } = body
    const level = practice === true ? 'default' : practice || undefined
    if (level !== undefined && opponent !== undefined)
      return refused(caller.protocol, 'unreadable', 'practice and opponent exclude each other')
    if (opponent !== undefined && seatRange(gameOf(game)!).min > 2)
      return refused(caller.protocol, 'unreadable', `opponent: ${game} has more than two seats`)
    const request = {
      game: gameOf(game)!,
      ...(level !== undefined && { practice: level }),
      ...(opponent !== undefined && { opponent }),
    }
    return this.#seats.join(caller, request, caller.keep).wait(waitOf(caller, body))
  }

  #move(caller: Player, body: Bodies['move']): Reply | Promise<Reply> {
    const { ply, move } = body
    if (move === undefined) return refused(caller.protocol, 'unreadable', 'move is missing')
    if (!isShallow(move as Json))
      return refused(caller.protocol, 'unreadable', 'a move may be nested 128 deep')
    return this.#withSeat(caller, body, seat => seat.move(ply, move as Json, waitOf(caller, body)))
  }

  #withSeat(
    { account, protocol }: Player,
    { seat: id }: { readonly seat: string },
    use: (seat: PlaySeat) => Promise<Reply>,
  ): Reply | Promise<Reply> {
    const seat = this.#seats.find(account, id)
    return seat === undefined
      ? refused(protocol, 'no-seat', `this account has no seat ${JSON.stringify(id.slice(0, 40))}`)
      : use(seat)
  }

  async #record({ protocol, source }: Player, { match }: Bodies['record']): Promise<Reply> {
    if (this.#host.arena.tables.has(match))
      return refused(protocol, 'match-live', `match ${match} goes on`)
    const path = `/api/v1/matches/${match}`
    const answer = await this.#host.api(path, source)
    if (answer === null) return refused(protocol, 'long-record', `GET ${path} has it`)
    if (answer.status !== 200)
      return refused(protocol, 'no-such-match', `there is no match ${match}`)
    const next = `${callText(protocol, 'join')} with game for another match`
    return { body: { status: 'record', record: JSON.parse(answer.body), next } }
  }

  async #lobby(
    { account, protocol, source }: Player,
    { game: id }: Bodies['lobby'],
  ): Promise<Reply> {
    const { arena, matchmaking, api } = this.#host
    const game = id === undefined ? undefined : gameOf(id)
    const ratings = new Map<string, number>()
    const known = await api(`/api/v1/agents/${encodeURIComponent(account.name)}`, source)
    if (known?.status === 200)
      for (const { game, rating } of JSON.parse(known.body).ratings) ratings.set(game, rating)
    const waiting = matchmaking.waiting.map(({ game }) => game.id)
    const playing = [...arena.tables.values()].map(({ deal }) => deal.game.id)
    const count = (ids: readonly string[], id: string) => ids.filter(other => other === id).length
    const listed = game === undefined ? games : [game]
    const [lobby, join] = [callText(protocol, 'lobby'), callText(protocol, 'join')]
    return {
      body: {
        status: 'lobby',
        games: listed.map(game => ({
          id: game.id,
          title: game.title,
          seats: seatRange(game),
          waiting: count(waiting, game.id),
          playing: count(playing, game.id),
          rating: ratings.get(game.id) ?? null,
        })),
        clocks: {
          move_s: terms.move / 1000,
          illegal_moves: typeof terms.illegal === 'string' ? 1 : terms.illegal.retries + 1,
          wait_s: mostWait,
          silence_s: mostSilence / 1000,
        },
        seats: this.#seats.of(account).map(({ id, game, match, status }) => ({
          seat: id,
          game: game.id,
          match,
          status,
        })),
        ...(game !== undefined && rulesOf(game)),
        next:
          game === undefined
            ? `${lobby} with game for its rules, or ${join} with game`
            : `${join} with game ${game.id}`,
      },
    }
  }
}

/** In seconds. A resignation is answered with its result, which is kept first. */
const leaveWait = 10

const waitOf = (
  { protocol, signal }: Player,
  { wait_s, detail }: { readonly wait_s: number; readonly detail: Detail },
): Wait => ({ to: protocol, time: wait_s * 1000, detail, signal })
