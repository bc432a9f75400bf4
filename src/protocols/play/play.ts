import type { z } from 'zod'
import type { Account } from '../../arena/account.ts'
import { isShallow } from '../../arena/judge.ts'
import { standard } from '../../arena/ladder.ts'
import { readNote } from '../../arena/note.ts'
import { type Json, listsMoves, seatRange } from '../../games/game.ts'
import { gameOf, games } from '../../games/index.ts'
import { openingsOf } from '../../games/openings.ts'
import { readValue } from '../../http-input.ts'
import type { OwnerLog } from '../../owner-log/owner-log.ts'
import type { Session } from '../connection.ts'
import type { Registrar } from '../credentials.ts'
import { type Events, noEvents } from '../no-events.ts'
import { declaredVersion } from '../version-words.ts'
import { type Reply, refused, textOf } from './answers.ts'
import { callText, type PlayProtocol } from './call-text.ts'
import { type LobbyHost, lobby } from './lobby.ts'
import { bodies, type Detail, type Verb } from './operations.ts'
import type { PlayRequest, PlaySeat, SeatHost, Wait } from './seat.ts'
import { PlaySeats } from './seats.ts'

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

export type PlayHost = SeatHost &
  LobbyHost & {
    readonly registrar: Pick<Registrar, 'declare'>
    /** None unless given. */
    readonly events?: Events
    /** Calls are logged for the owner of the account, unless it is null or left out. */
    readonly ownerLog?: Pick<OwnerLog, 'transcript'> | null
  }

type Bodies = { readonly [V in Verb]: z.output<(typeof bodies)[V]> }

/** A caller that has logged in. */
type Player = Caller & { readonly account: Account }

type PlayerVerb = Exclude<Verb, 'lobby'>

type Handlers = {
  readonly [V in PlayerVerb]: (caller: Player, body: Bodies[V]) => Reply | Promise<Reply>
}

/**
 * The six operations by which models play, for all protocols that have them. The seats are of the host: a seat that one
 * protocol has joined goes on by another.
 */
export class Play {
  readonly #host: PlayHost
  readonly #events: Events
  readonly #seats: PlaySeats
  readonly #handlers: Handlers = {
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
    this.#events = host.events ?? noEvents
    this.#seats = new PlaySeats(host, this.#events)
  }

  /** Answers a call. What is wrong with it is refused; an internal error alone is thrown. */
  async call(caller: Caller, verb: Verb, body: unknown): Promise<Reply> {
    const { account, protocol } = caller
    const transcript =
      account === null ? null : this.#host.ownerLog?.transcript(account.id, protocol, null)
    if (account === null || transcript == null) return this.#answer(caller, verb, body)
    const matchOf = (given: unknown) => {
      const { seat } = Object(given)
      return this.#seats.of(account).find(({ id }) => id === seat)?.match ?? null
    }
    transcript.match = matchOf(body)
    transcript.received(JSON.stringify(body) ?? '', verb)
    const reply = await this.#answer(caller, verb, body)
    const { status, code } = reply.body
    transcript.match = matchOf(reply.body) ?? transcript.match
    if (status === 'refused') transcript.refused(String(code))
    transcript.sent(textOf(reply), verb)
    return reply
  }

  async #answer(caller: Caller, verb: Verb, body: unknown): Promise<Reply> {
    if (verb !== 'lobby') return this.#call(caller, verb, body)
    const read = readValue(bodies.lobby, body)
    if ('error' in read) return refused(caller.protocol, 'unreadable', read.error)
    const { game } = read.value
    return lobby(this.#host, this.#seats, caller, game === undefined ? undefined : gameOf(game))
  }

  #call<V extends PlayerVerb>(
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
    const request = this.#requestOf(caller, body)
    if ('body' in request) return request
    const { agent } = body
    const join = (account: Account) =>
      this.#seats.join({ ...caller, account }, request, caller.keep).wait(waitOf(caller, body))
    return agent === undefined ? join(caller.account) : this.#joinAs(caller, agent, join)
  }

  #requestOf(
    { protocol }: Player,
    { game: id, speed, ladder, practice, opponent, openings, event, table }: Bodies['join'],
  ): PlayRequest | Reply {
    const refuse = (error: string) => refused(protocol, 'unreadable', error)
    if (table !== undefined) {
      const others = { event, opponent, practice, openings }
      const other = Object.entries(others).find(
        ([, given]) => given !== undefined && given !== false,
      )
      if (other !== undefined) return refuse(`table and ${other[0]} exclude each other`)
      if (speed !== 'thinking') return refuse('table and speed exclude each other: leave speed out')
      if (ladder !== 'open') return refuse('table and ladder exclude each other: leave ladder out')
    }
    if (event !== undefined) {
      if (practice !== undefined || opponent !== undefined)
        return refuse(
          `event and ${practice === undefined ? 'opponent' : 'practice'} exclude each other`,
        )
      const found = this.#events.find(event)
      if ('code' in found) return refused(protocol, found.code, found.detail)
      const { plan } = found
      if (id !== undefined && id !== plan.game)
        return refuse(`game: ${event} is an event of ${plan.game}: leave it out`)
      return { game: gameOf(plan.game)!, ladder: plan.variant, event }
    }
    if (id === undefined)
      return refuse(
        `game is missing; expected: one of ${games.map(({ id }) => id).join(', ')}; or give an event`,
      )
    const game = gameOf(id)!
    if (table !== undefined) return { game, ladder: standard, table }
    const level = practice === true ? 'default' : practice || undefined
    if (level !== undefined && opponent !== undefined)
      return refuse('practice and opponent exclude each other')
    if (opponent !== undefined && seatRange(game).min > 2)
      return refuse(`opponent: ${game.id} has more than two seats`)
    if (ladder === 'blind' && !listsMoves(game))
      return refuse(`ladder: no list of moves is given in ${game.id}, so it has no blind ladder`)
    if (openings === true && openingsOf(game.id).length === 0)
      return refuse(`openings: ${game.id} has none`)
    if (openings === true && level !== undefined)
      return refuse('practice and openings exclude each other')
    return {
      ...{ game, ladder: { speed, listing: ladder } },
      ...(openings === true && { openings }),
      ...(level !== undefined && { practice: level }),
      ...(opponent !== undefined && { opponent }),
    }
  }

  async #joinAs(
    { account, protocol }: Player,
    words: NonNullable<Bodies['join']['agent']>,
    join: (account: Account) => Promise<Reply>,
  ): Promise<Reply> {
    const version = await this.#host.registrar.declare(account, declaredVersion(words))
    if (!('detail' in version)) return join(version)
    const { detail, retryAfter } = version
    return refused(protocol, 'bad-version', detail, { retryAfter })
  }

  #move(caller: Player, body: Bodies['move']): Reply | Promise<Reply> {
    const { ply, move } = body
    if (!isShallow(move as Json))
      return refused(caller.protocol, 'unreadable', 'a move may be nested 128 deep')
    const note = readNote(body.note)
    if (typeof note === 'object') return refused(caller.protocol, 'unreadable', note.problem)
    return this.#withSeat(caller, body, seat =>
      seat.move(ply, move as Json, note, waitOf(caller, body)),
    )
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
}

/** In seconds. A resignation is answered with its result, which is kept first. */
const leaveWait = 10

const waitOf = (
  { protocol, signal }: Player,
  { wait_s, detail }: { readonly wait_s: number; readonly detail: Detail },
): Wait => ({ to: protocol, time: wait_s * 1000, detail, signal })
