// A protocol of JSON over HTTP long-polling, written by the steps of "To add a protocol" in docs/design.md. It does not ship.

import { type Context, Hono } from 'hono'
import { z } from 'zod'
import type { Account } from '../../src/arena/account.ts'
import type { Terms } from '../../src/arena/terms.ts'
import { gameOf } from '../../src/games/index.ts'
import { readJson } from '../../src/http-input.ts'
import type { ProtocolModule } from '../../src/protocols/protocol.ts'
import type { HttpEnv } from '../../src/protocols/routes.ts'
import { codes, type Refused, worded } from './refusals.ts'
import { ToySession, type ToyTimes } from './session.ts'

type Answer = Response | Promise<Response>

/** `first`: milliseconds for the first move of a seat, if they are others than for later ones. */
export const toyModule = (times: ToyTimes, absence: number, first?: number): ProtocolModule => ({
  id: 'toy',
  codes,
  open: ({ arena, matchmaking, registrar, clock, moveTimeout }) => {
    const terms: Terms = {
      move: moveTimeout,
      ...(first !== undefined && { first: { of: 'seat', time: first } }),
      illegal: 'retry',
      late: 'forfeit',
      away: { stages: [{ time: absence, play: 'stands', told: true }], times: 1 },
    }
    const sessions = new Map<string, ToySession>()
    const withSession = (c: Context<HttpEnv>, use: (session: ToySession) => Answer) =>
      withAccount(c, account => {
        const session = sessions.get(c.req.param('id')!)
        return session?.account.id === account.id ? use(session) : refuse(c, noSeat)
      })

    const app = new Hono<HttpEnv>()
    app.post('/accounts', c =>
      withBody(c, registration, async body => {
        const secret = { kind: 'api-key', protocol: 'toy', form: 'toy_' } as const
        const made = await registrar.register({ source: c.env.source, ...body, secret })
        if ('code' in made) return refuse(c, made)
        return c.json({ name: made.account.name, key: made.minted.secret }, 201)
      }),
    )
    app.post('/seats', c =>
      withAccount(c, account =>
        withBody(c, join, ({ game }) => {
          const session = new ToySession(account, terms, clock, times)
          sessions.set(session.id, session)
          const leaveHost = c.env.gate.keep(session)
          session.begin(leaveHost, () => sessions.delete(session.id))
          // An account that holds a seat comes back to it.
          const held = arena.seatsOf(account.id).find(seat => seat.terms === terms)
          if (held !== undefined) held.attach(session)
          else session.leaveQueue = matchmaking.seek(session, { game: gameOf(game)! })
          return c.json({ seat: session.id }, 201)
        }),
      ),
    )
    app.get('/seats/:id', c =>
      withSession(c, async session => c.json(await session.wait(c.req.raw.signal))),
    )
    app.post('/seats/:id', c =>
      withSession(c, session =>
        withBody(c, move, ({ move }) =>
          session.move(move) ? c.json({}, 202) : refuse(c, noMatch),
        ),
      ),
    )
    app.delete('/seats/:id', c =>
      withSession(c, session => {
        session.resign()
        return c.json({}, 202)
      }),
    )
    app.all('*', c => refuse(c, nothingHere))
    app.onError((error, c) => {
      c.env.gate.failed(error)
      return refuse(c, { code: 'internal', detail: 'internal error; it has been logged' })
    })
    return {
      id: 'toy',
      lastWords: () => null,
      httpAnswer: worded,
      routes: { prefix: '/toy', app },
    }
  },
})

const registration = z.strictObject({
  name: z.string('a name'),
  code: z.string('an invitation').default(''),
})
const join = z.strictObject({ game: z.string('a game').refine(gameOf, 'the id of a game') })
const move = z.strictObject({ move: z.string('a move') })

const noSeat: Refused = { code: 'no-seat', detail: 'you have no such seat: ask for one' }
const noMatch: Refused = { code: 'no-match', detail: 'there is no match yet, or no more' }
const nothingHere: Refused = { code: 'nothing-here', detail: 'the toy has nothing here' }

const withAccount = async (
  c: Context<HttpEnv>,
  use: (account: Account) => Answer,
): Promise<Response> => {
  const key = /^Toy (\S+)$/.exec(c.req.header('authorization') ?? '')?.[1] ?? ''
  const login = await c.env.gate.login(key, ['api-key'])
  return 'code' in login ? refuse(c, login) : use(login.account)
}

const withBody = async <Schema extends z.ZodType>(
  c: Context<HttpEnv>,
  schema: Schema,
  use: (body: z.output<Schema>) => Answer,
): Promise<Response> => {
  const body = await readJson(c.req, schema)
  return 'value' in body ? use(body.value) : refuse(c, { code: 'unreadable', detail: body.error })
}

const refuse = (c: Context<HttpEnv>, refusal: Refused): Response => {
  // Other refusals have been counted where they were made.
  if (codes.includes(refusal.code)) c.env.gate.refused(refusal.code)
  const { status, body, headers } = worded(refusal)
  return new Response(body, { status, headers: { ...headers, 'Content-Type': 'application/json' } })
}
