import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { z } from 'zod'
import type { Account } from '../../arena/account.ts'
import { isShallow } from '../../arena/judge.ts'
import { type Json, seatRange } from '../../games/game.ts'
import { gameOf, games } from '../../games/index.ts'
import { readJson } from '../../http-input.ts'
import { rulesOf } from '../../text/game-rules.ts'
import { wireCodes } from '../codes.ts'
import type { Protocol, ProtocolHost, ProtocolModule } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { type Reply, refused } from './answers.ts'
import { ownCodes } from './codes.ts'
import { bodies, type Detail, prefix, type Verb } from './operations.ts'
import type { PlaySeat, Wait } from './seat.ts'
import { PlaySeats } from './seats.ts'
import { mostSilence, mostWait, signOfLife, terms } from './terms.ts'

/** JSON over HTTP with long polls. docs/http.md describes it. */
export const httpModule: ProtocolModule = {
  id: 'http',
  codes: Object.keys(ownCodes),
  open: (host): Protocol => ({
    id: 'http',
    // It has neither SSH nor WebSockets.
    lastWords: () => null,
    httpAnswer: ({ code, detail, retryAfter }) => {
      const { status, body } = refused(code, detail, { retryAfter })
      return {
        status,
        type: 'application/json',
        body: JSON.stringify(body),
        headers: {
          ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
          ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
        },
      }
    },
    routes: { prefix, app: routes(host) },
  }),
}

type Bodies = { readonly [V in Verb]: z.output<(typeof bodies)[V]> }

/** A call of an account that has logged in. */
interface Asked<V extends Verb> {
  readonly account: Account
  readonly body: Bodies[V]
  readonly c: Context<HttpEnv>
}

type Handlers = { readonly [V in Verb]: (asked: Asked<V>) => Reply | Promise<Reply> }

const routes = (host: ProtocolHost): Hono<HttpEnv> => {
  const { clock, arena } = host
  const seats = new PlaySeats(host)
  const withSeat = (
    { account, body: { seat: id } }: { account: Account; body: { seat: string } },
    use: (seat: PlaySeat) => Promise<Reply>,
  ): Reply | Promise<Reply> => {
    const seat = seats.find(account, id)
    return seat === undefined
      ? refused('no-seat', `this account has no seat ${JSON.stringify(id.slice(0, 40))}`)
      : use(seat)
  }
  const handlers: Handlers = {
    lobby: asked => lobby(host, seats, asked),
    join: ({ account, body, c }) => {
      const { game, practice, opponent } = body
      const level = practice === true ? 'default' : practice || undefined
      if (level !== undefined && opponent !== undefined)
        return refused('unreadable', 'practice and opponent exclude each other')
      if (opponent !== undefined && seatRange(gameOf(game)!).min > 2)
        return refused('unreadable', `opponent: ${game} has more than two seats`)
      const request = {
        game: gameOf(game)!,
        ...(level !== undefined && { practice: level }),
        ...(opponent !== undefined && { opponent }),
      }
      return seats.join(account, request, seat => c.env.gate.keep(seat)).wait(waitOf(body, c))
    },
    move: ({ account, body, c }) => {
      const { ply, move } = body
      if (move === undefined) return refused('unreadable', 'move is missing')
      if (!isShallow(move as Json)) return refused('unreadable', 'a move may be nested 128 deep')
      return withSeat({ account, body }, seat => seat.move(ply, move as Json, waitOf(body, c)))
    },
    wait: ({ account, body, c }) => withSeat({ account, body }, seat => seat.wait(waitOf(body, c))),
    leave: ({ account, body, c }) =>
      withSeat({ account, body }, seat =>
        seat.leave({ time: leaveWait, detail: 'full', signal: c.req.raw.signal }),
      ),
    record: async ({ body: { match }, c }) => {
      if (arena.tables.has(match)) return refused('match-live', `match ${match} goes on`)
      const path = `/api/v1/matches/${match}`
      const answer = await host.api(path, c.env.source)
      if (answer === null) return refused('long-record', `GET ${path} has it`)
      if (answer.status !== 200) return refused('no-such-match', `there is no match ${match}`)
      const next = 'POST /api/v1/play/join with game for another match'
      return { status: 200, body: { status: 'record', record: JSON.parse(answer.body), next } }
    },
  }
  const app = new Hono<HttpEnv>()
  const add = <V extends Verb>(verb: V) =>
    app.post(`/${verb}`, c => answer(c, clock, asked(c, verb, handlers[verb])))
  for (const verb of Object.keys(bodies) as Verb[]) add(verb)
  app.all('*', c =>
    answer(c, clock, refused('nothing-here', `there is no ${c.req.method} ${c.req.path}`)),
  )
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return answer(c, clock, refused('internal', 'internal error; it has been logged'))
  })
  return app
}

/** A resignation is answered with its result, which is kept first. */
const leaveWait = 10_000

const waitOf = (
  { wait_s, detail }: { readonly wait_s: number; readonly detail: Detail },
  c: Context<HttpEnv>,
): Wait => ({ time: wait_s * 1000, detail, signal: c.req.raw.signal })

/** Logs in, reads the body, and has the call answered. */
const asked = async <V extends Verb>(
  c: Context<HttpEnv>,
  verb: V,
  handler: Handlers[V],
): Promise<Reply> => {
  const token = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  const login = await c.env.gate.login(token, ['token'])
  if ('code' in login) return refused(login.code, login.detail, { retryAfter: login.retryAfter })
  const read = await readJson(c.req, bodies[verb])
  if ('error' in read) return { ...refused('unreadable', read.error), status: read.status }
  return handler({ account: login.account, body: read.value as Bodies[V], c })
}

/**
 * Sends the answer once it is there. A call that waits is sent spaces meanwhile, which JSON allows before a value: after the first
 * of them its status is 200, whatever the answer says.
 */
const answer = async (
  c: Context<HttpEnv>,
  clock: ProtocolHost['clock'],
  reply: Reply | Promise<Reply>,
): Promise<Response> => {
  const { outgoing, gate } = c.env
  const breathe = () => {
    if (!outgoing.headersSent) outgoing.writeHead(200, headers)
    if (!outgoing.writableEnded) outgoing.write(' ')
    timer = clock.after(signOfLife, breathe)
  }
  let timer = clock.after(signOfLife, breathe)
  const { status, body, retryAfter } = await Promise.resolve(reply).finally(() => timer.cancel())
  // The wire has counted its own.
  if (body.status === 'refused' && !Object.hasOwn(wireCodes, String(body.code)))
    gate.refused(String(body.code))
  const text = `${JSON.stringify(body)}\n`
  if (!outgoing.headersSent)
    return new Response(text, {
      status,
      headers: {
        ...headers,
        ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
        ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      },
    })
  if (!outgoing.writableEnded) outgoing.end(text)
  return RESPONSE_ALREADY_SENT
}

/** Proxies pass each byte on at once, and keep none. */
const headers = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
}

const lobby = async (
  { arena, matchmaking, api }: ProtocolHost,
  seats: PlaySeats,
  { account, body, c }: Asked<'lobby'>,
): Promise<Reply> => {
  const game = body.game === undefined ? undefined : gameOf(body.game)
  const ratings = new Map<string, number>()
  const known = await api(`/api/v1/agents/${encodeURIComponent(account.name)}`, c.env.source)
  if (known?.status === 200)
    for (const { game, rating } of JSON.parse(known.body).ratings) ratings.set(game, rating)
  const waiting = matchmaking.waiting.map(({ game }) => game.id)
  const playing = [...arena.tables.values()].map(({ deal }) => deal.game.id)
  const count = (ids: readonly string[], id: string) => ids.filter(other => other === id).length
  const listed = game === undefined ? games : [game]
  return {
    status: 200,
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
      seats: seats.of(account).map(({ id, game, match, status }) => ({
        seat: id,
        game: game.id,
        match,
        status,
      })),
      ...(game !== undefined && rulesOf(game)),
      next:
        game === undefined
          ? `POST ${prefix}/lobby with game for its rules, or POST ${prefix}/join with game`
          : `POST ${prefix}/join with game ${game.id}`,
    },
  }
}
