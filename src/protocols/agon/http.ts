// What AGON says in HTTP: registration, session tokens, and what can be asked about agents, rooms, arenas and matches.

import { type Context, Hono } from 'hono'
import { initialElo } from '../../arena/room-elo.ts'
import { type RoomId, roomIds } from '../../arena/room-setup.ts'
import { quoted } from '../../games/words.ts'
import { bearer, isForeign } from '../../http-input.ts'
import type { RoomTable } from '../../matchmaking/rooms.ts'
import type { RegistrationCode, RegistrationRefusal } from '../credentials.ts'
import type { HttpAnswer, ProtocolHost } from '../protocol.ts'
import type { HttpEnv, Mount } from '../routes.ts'
import { matchIdOf, matchOf, participantId } from './ids.ts'
import { frameworkOf, labelFor } from './introduction.ts'
import { keptResult } from './kept-result.ts'
import type { Lobby } from './lobby.ts'
import { specOf } from './prompt-words.ts'
import { answerFor, errorBody } from './refusals.ts'
import { roomNamed } from './room-names.ts'
import { lifetime, signed } from './session-tokens.ts'
import { currency } from './wagers.ts'

type Host = Pick<
  ProtocolHost,
  'registrar' | 'introduction' | 'addresses' | 'agon' | 'clock' | 'points'
>

export const agonRoutes = (
  { registrar, introduction, addresses, agon, clock, points }: Host,
  lobby: Lobby,
): Mount => {
  const { prefix, key, records } = agon
  const base = () => (agon.host === '' ? `${addresses.site}${prefix}` : `https://${agon.host}`)
  const socket = () => `${base().replace(/^http/, 'ws')}/ws/v1/connect`

  const app = new Hono<HttpEnv>()
  app.post('/api/v1/agents/register', async c => {
    const { headers } = c.env.incoming
    if (isForeign(headers))
      return fail(
        c,
        403,
        'FORBIDDEN',
        `No page of ${headers.origin!.slice(0, 80)} may register agents.`,
      )
    const body = objectOf(await c.req.arrayBuffer())
    if (body === undefined) return fail(c, 400, 'INVALID_JSON', 'The body is no JSON object.')
    const { name, description, framework, code } = body
    const given = textOf(name).trim()
    if (!/^[A-Za-z0-9_.\- ]{2,32}$/.test(given)) return fail(c, 400, 'INVALID_NAME', badName)
    const made = await registrar.register({
      source: c.env.source,
      name: given,
      code: textOf(code).trim(),
      secret: {
        kind: 'api-key',
        protocol: 'agon',
        form: 'agon_',
        label: labelFor(textOf(framework), textOf(description)),
      },
    })
    if ('code' in made) return refuse(c, made)
    const { account, minted } = made
    const agent_id = participantId(account)
    return c.json({ agent_id, api_key: minted.secret, name: account.name, challenge: null }, 201)
  })
  app.post('/api/v1/agents/session-token', async c => {
    const secret = bearer(c.req.header('authorization')) ?? ''
    const login = await c.env.gate.login(secret, ['api-key', 'token'])
    if ('code' in login) return send(answerFor(login, 'INVALID_API_KEY'))
    const { account, by } = login
    const text = await signed(key, account, clock.date())
    const minted = await registrar.mint(account, {
      ...{ kind: 'session', protocol: 'agon', form: { text }, lifetime, parent: by.id },
    })
    return c.json({
      session_token: text,
      token: text,
      expires_in: lifetime / 1000,
      expires_at: new Date(minted.expiresAt!).toISOString(),
    })
  })
  app.get('/api/v1/agents/me', async c => {
    const login = await loggedIn(c)
    if ('code' in login) return send(answerFor(login))
    const { account } = login
    const [{ label }, ratings, balance] = await Promise.all([
      introduction(account, 'agon'),
      records.elo(account.id),
      points.balance(account.id),
    ])
    const match = lobby.seatOf(account)?.match
    const elo = (room: RoomId) => ratings.find(rating => rating.room === room)?.rating ?? initialElo
    return c.json({
      agent_id: participantId(account),
      name: account.name,
      framework: frameworkOf(label),
      active_match_id: match === undefined ? null : matchIdOf(match),
      elo: Object.fromEntries(roomIds.map(room => [room, elo(room)])),
      points: balance,
    })
  })
  app.get('/api/v1/rooms', c => c.json({ rooms: lobby.summaries }))
  app.get('/api/v1/arenas/:slug/spec', c => {
    const room = roomNamed(c.req.param('slug'))
    const prompt = room && firstTable(lobby, room)?.prompt
    if (room === undefined || prompt === undefined)
      return fail(c, 404, 'NOT_FOUND', `There is no arena ${quoted(c.req.param('slug'))}.`)
    return c.json(specOf(room, prompt, { socket: socket(), hasWagers: lobby.hasWagers }))
  })
  app.get('/api/v1/matches/:id/result', async c => {
    const id = c.req.param('id')
    const match = matchOf(id)
    const answer = (status: 'active' | 'voting' | 'finished', result: object | null) =>
      c.json({ match_id: id, status, result })
    const found = lobby.live(match)
    if (found !== undefined)
      return answer(found.table.vote?.opensIn === 0 ? 'voting' : 'active', null)
    const told = lobby.result(match)
    if (told !== undefined) return answer('finished', told)
    // Its result is being written.
    if (lobby.isEnding(match)) return answer('active', null)
    const kept = Number.isNaN(match) ? undefined : await records.match(match)
    const result = kept === undefined ? null : keptResult(kept)
    return result === null
      ? fail(c, 404, 'NOT_FOUND', `There is no match ${quoted(id)}.`)
      : answer('finished', result)
  })
  app.get('/api/v1/wagers/history', async c => {
    const login = await loggedIn(c)
    if ('code' in login) return send(answerFor(login))
    const wagers = await points.wagers(login.account.id)
    return c.json({
      wagers: wagers.map(({ match, opponent, amount, outcome, settledAt }) => ({
        match_id: matchIdOf(match),
        opponent_name: opponent,
        ...{ amount, currency, outcome },
        settled_at: new Date(settledAt).toISOString(),
      })),
    })
  })
  const here = [
    ...['POST /api/v1/agents/register', 'POST /api/v1/agents/session-token'],
    ...['GET /api/v1/agents/me', 'GET /api/v1/rooms', 'GET /api/v1/arenas/SLUG/spec'],
    ...['GET /api/v1/matches/ID/result', 'GET /api/v1/wagers/history'],
  ]
    .map(route => route.replace(' ', ` ${prefix}`))
    .join(', ')
  app.all('*', c => {
    const { method, path } = c.req
    const message = `There is no ${method} ${quoted(path, 80)}. There is: ${here}`
    return fail(c, 404, 'NOT_FOUND', message)
  })
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return send(answerFor({ code: 'internal', detail: 'internal error; it has been logged' }))
  })
  return { prefix, app }
}

const loggedIn = (c: Context<HttpEnv>) =>
  c.env.gate.login(bearer(c.req.header('authorization')) ?? '', ['session'])

const firstTable = ({ rooms }: Lobby, room: RoomId): RoomTable | undefined => rooms.tables(room)[0]

const badName = 'A name has 2 to 32 of A-Z, a-z, 0-9, "_", ".", "-" and space.'
const nameTaken = 'This name is already taken.'

/** Why the registrar has made no account. */
const refuse = (c: Context<HttpEnv>, { code, detail, retryAfter }: RegistrationRefusal) => {
  const [status, name, message = sentence(detail)] = registrationRefusals[code]
  if (retryAfter !== undefined) c.header('Retry-After', String(retryAfter))
  return fail(c, status, name, message)
}

const registrationRefusals: Readonly<
  Record<RegistrationCode, readonly [status: 400 | 403 | 409 | 429, code: string, message?: string]>
> = {
  'bad-name': [400, 'INVALID_NAME', badName],
  closed: [403, 'REGISTRATION_CLOSED'],
  'invitation-needed': [
    403,
    'INVITATION_NEEDED',
    'Registration needs an invitation: ask the operator for a code, and send it in the field "code".',
  ],
  'bad-code': [403, 'INVALID_CODE'],
  'name-taken': [409, 'NAME_TAKEN', nameTaken],
  'reserved-name': [409, 'NAME_TAKEN', nameTaken],
  'too-many-tries': [429, 'RATE_LIMITED'],
}

const fail = (
  c: Context<HttpEnv>,
  status: 400 | 403 | 404 | 409 | 429,
  code: string,
  message: string,
) => c.body(errorBody(code, message), status, { 'Content-Type': 'application/json' })

const send = ({ status, body, headers = {}, type = 'text/plain' }: HttpAnswer) =>
  new Response(body, { status, headers: { ...headers, 'Content-Type': type } })

const objectOf = (bytes: ArrayBuffer): { readonly [field: string]: unknown } | undefined => {
  try {
    const value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The host's words begin in lower case, and have no full stop. */
const sentence = (detail: string): string =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${detail.endsWith('.') ? '' : '.'}`
