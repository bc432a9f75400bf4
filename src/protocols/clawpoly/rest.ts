// What Clawpoly says in HTTP: rooms, agents, joins.

import { type Context, Hono } from 'hono'
import { isSpeed, speeds } from '../../arena/pace.ts'
import type { Json } from '../../games/game.ts'
import { type Fields, got, isRecord, isWhole } from '../../games/json.ts'
import { cut, quoted, unbroken } from '../../games/words.ts'
import { bearer, isForeign } from '../../http-input.ts'
import type { HttpEnv, Mount } from '../routes.ts'
import type { RankedAgent } from './agents.ts'
import { type HttpRefused, isRefused, logCode } from './codes.ts'
import type { Joining, Lobby, RoomOrder } from './lobby.ts'
import { answerTo, wireRefused } from './refusals.ts'
import { register } from './registration.ts'
import type { Room } from './room.ts'
import { roomDetail, roomState, roomSummary } from './room-words.ts'
import { tokenColors } from './tokens.ts'

/** `more`: routes of this protocol that others have made, each below its path. */
export const clawpolyRoutes = (
  lobby: Lobby,
  prefix: string,
  more: readonly { readonly path: string; readonly app: Hono<HttpEnv> }[] = [],
): Mount => {
  const app = new Hono<HttpEnv>()
  app.get('/api/v1/rooms', c => c.json({ rooms: lobby.rooms.map(roomSummary) }))
  app.post('/api/v1/rooms', async c => {
    const body = await bodyOf(c)
    if (isRefused(body)) return refuse(c, body)
    const order = orderOf(body.fields)
    if (isRefused(order)) return refuse(c, order)
    const limited = tooMany(lobby.roomLimit.take(addressOf(c)), 'rooms')
    if (limited !== null) return refuse(c, limited)
    const room = lobby.create(order)
    return isRefused(room) ? refuse(c, room) : c.json(roomSummary(room), 201)
  })
  app.get('/api/v1/rooms/:roomId', c => {
    const room = roomAt(lobby, c)
    return isRefused(room) ? refuse(c, room) : c.json(roomDetail(room))
  })
  app.post('/api/v1/rooms/:roomId/join', async c => {
    const body = await bodyOf(c)
    const room = roomAt(lobby, c)
    if (isRefused(room)) return refuse(c, room)
    if (isRefused(body)) return refuse(c, body)
    const limited = tooMany(lobby.joinLimit.take(addressOf(c)), 'joins')
    if (limited !== null) return refuse(c, limited)
    const who = await comer(lobby, c, body.fields)
    if (isRefused(who)) return refuse(c, who)
    const seat = await lobby.join(room, { ...who, token: body.fields.token })
    if (isRefused(seat)) return refuse(c, seat)
    const assignedToken = room.tokenIn(seat.slot)
    return c.json({
      ...{ agentToken: seat.agentToken, playerId: seat.playerId },
      ...{ roomId: room.id, roomCode: room.code, assignedToken },
      ...{ token: assignedToken, color: tokenColors[assignedToken] },
    })
  })
  app.post('/api/v1/rooms/:roomId/start', async c => {
    const room = roomAt(lobby, c)
    if (isRefused(room)) return refuse(c, room)
    const live = await lobby.start(room)
    if (isRefused(live)) return refuse(c, live)
    const { turnOrder } = live
    return c.json({
      status: 'playing',
      turnOrder,
      message: `The game of ${room.code} has started.`,
    })
  })
  app.get('/api/v1/rooms/:roomId/state', c => {
    const room = roomAt(lobby, c)
    if (isRefused(room)) return refuse(c, room)
    return room.live === null ? refuse(c, notStarted) : c.json(roomState(room))
  })
  app.get('/api/v1/rooms/:roomId/log', c => {
    const room = roomAt(lobby, c)
    if (isRefused(room)) return refuse(c, room)
    if (room.live === null) return refuse(c, notStarted)
    const from = numberIn(c.req.query('from'), 0, Number.MAX_SAFE_INTEGER, 0)
    const limit = numberIn(c.req.query('limit'), 1, 500, 50)
    if (from === null || limit === null)
      return refuse(c, bad('"from" is a whole number from 0, and "limit" one from 1 to 500.'))
    return c.json({ events: room.live.log.page(from, limit), from, limit })
  })
  app.post('/api/v1/rooms/:roomId/verify-payment', c => {
    const room = roomAt(lobby, c)
    return refuse(c, isRefused(room) ? room : noMoney)
  })
  app.post('/api/v1/agents/register', async c => {
    const body = await bodyOf(c)
    if (isRefused(body)) return refuse(c, body)
    const applicant = applicantOf(body.fields)
    if (isRefused(applicant)) return refuse(c, applicant)
    const made = await register(lobby, { ...applicant, source: c.env.source })
    if (isRefused(made)) return refuse(c, made)
    const { agent, secret } = made
    const { id: agentId, name, stats } = agent
    return c.json({ agentId, name, registered: true, stats, agentSecret: secret })
  })
  const leaderboard = async (c: Context<HttpEnv>) => {
    const limit = numberIn(c.req.query('limit'), 1, 100, 10)
    if (limit === null) return refuse(c, bad('"limit" is a whole number from 1 to 100.'))
    const leaders = await lobby.agents.leaders(limit)
    return c.json({
      leaderboard: leaders.map(({ id, name, stats }, i) => ({
        ...{ rank: i + 1, agentId: id, name, elo: stats.elo },
        ...{ wins: stats.wins, gamesPlayed: stats.gamesPlayed },
      })),
    })
  }
  app.get('/api/v1/leaderboard', leaderboard)
  app.get('/api/v1/agents/leaderboard', leaderboard)
  app.get('/api/v1/agents', async c => {
    const page = numberIn(c.req.query('page'), 1, 1_000_000, 1)
    const limit = numberIn(c.req.query('limit'), 1, 100, 20)
    if (page === null || limit === null)
      return refuse(c, bad('"page" is a whole number from 1, and "limit" one from 1 to 100.'))
    const { agents, total } = await lobby.agents.page((page - 1) * limit, limit)
    const pages = Math.ceil(total / limit)
    return c.json({ agents: agents.map(agentWords), total, page, limit, pages })
  })
  app.get('/api/v1/agents/:agentId', async c => {
    const id = c.req.param('agentId')
    const agent = await lobby.agents.find(id)
    return agent === undefined ? refuse(c, noAgent(id)) : c.json(agentWords(agent))
  })
  for (const { path, app: routes } of more) app.route(path, routes)
  const here = [
    ...['GET /api/v1/rooms', 'POST /api/v1/rooms', 'GET /api/v1/rooms/ID'],
    ...['POST /api/v1/rooms/ID/join', 'POST /api/v1/rooms/ID/start', 'GET /api/v1/rooms/ID/state'],
    ...['GET /api/v1/rooms/ID/log', 'POST /api/v1/agents/register', 'GET /api/v1/agents'],
    ...['GET /api/v1/agents/ID', 'GET /api/v1/leaderboard'],
  ]
    .map(route => route.replace(' ', ` ${prefix}`))
    .join(', ')
  app.all('*', c => {
    const { method, path } = c.req
    const error = `There is no ${method} ${quoted(path, 80)}. There is: ${here}`
    return refuse(c, { code: 'NOT_FOUND', error })
  })
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return refuse(c, { code: 'INTERNAL', error: 'Internal error; it has been logged.' })
  })
  return { prefix, app }
}

/** Who joins: the account of a token, a registered agent, or a guest. */
const comer = async (
  lobby: Lobby,
  c: Context<HttpEnv>,
  body: Fields,
): Promise<Omit<Joining, 'token'> | HttpRefused> => {
  const { agentId, agentSecret } = body
  const authorization = c.req.header('authorization')
  const agent = typeof agentId === 'string' ? await lobby.agents.find(agentId) : undefined
  const given = authorization === undefined ? textOf(agentSecret) : (bearer(authorization) ?? '')
  const name = nameOf(body)
  if (authorization !== undefined || given !== '') {
    const login = await c.env.gate.login(given, ['token', 'api-key'])
    if ('code' in login) return wireRefused(login)
    const { account } = login
    if (agent !== undefined && agent.account.id !== account.id)
      return {
        code: 'FORBIDDEN',
        error: `This secret is not that of the agent ${quoted(agent.id)}: send its own, or leave "agentId" out.`,
      }
    if (agent !== undefined && !agent.isGuarded) await lobby.agents.guard(agent.id)
    return { account, name: name ?? account.name, gate: c.env.gate }
  }
  if (name === null) return noName(body)
  if (agent?.isGuarded)
    return {
      code: 'FORBIDDEN',
      error: `The agent ${quoted(agent.id)} joins with its secret alone, as it has done before: send "agentSecret", as its registration has answered it.`,
    }
  if (agent !== undefined) return { account: agent.account, name }
  return lobby.isOpen ? { account: null, name } : closed
}

const closed: HttpRefused = {
  code: 'FORBIDDEN',
  error:
    'Agents without an account may not sit down here: send "Authorization: Bearer TOKEN" with the token of an account. The operator says who gets one.',
}

const noMoney: HttpRefused = {
  code: 'PREMIUM_NOT_OFFERED',
  error: 'No money is played for here: all rooms are free, and there is nothing to pay.',
}

const notStarted: HttpRefused = {
  code: 'GAME_NOT_STARTED',
  error: 'The game of this room has not started yet.',
}

const noAgent = (id: string): HttpRefused => ({
  code: 'AGENT_NOT_FOUND',
  error: `There is no agent ${quoted(id)}.`,
})

const bad = (error: string): HttpRefused => ({ code: 'BAD_REQUEST', error })

const roomAt = (lobby: Lobby, c: Context<HttpEnv>): Room | HttpRefused => {
  const id = c.req.param('roomId') ?? ''
  return (
    lobby.room(id) ?? {
      code: 'ROOM_NOT_FOUND',
      error: `There is no room ${quoted(id)}: GET /api/v1/rooms lists those that there are.`,
    }
  )
}

const bodyOf = async (c: Context<HttpEnv>): Promise<{ readonly fields: Fields } | HttpRefused> => {
  const { headers } = c.env.incoming
  if (isForeign(headers))
    return {
      code: 'FORBIDDEN',
      error: `No page of ${headers.origin!.slice(0, 80)} may send this.`,
    }
  let value: Json
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(await c.req.arrayBuffer()))
  } catch {
    return bad('The body is no JSON.')
  }
  return isRecord(value) ? { fields: value } : bad(`The body is a JSON object; ${got(value)}.`)
}

/** In characters. */
const longestName = 32
const longestRoomName = 60
const longestId = 64
const longestDescription = 1000
const mostTurns = 1000

const nameOf = ({ name, agentName }: Fields): string | null => {
  const given = unbroken(textOf(name ?? agentName)).trim()
  return given === '' || [...given].length > longestName ? null : given
}

const noName = ({ name, agentName }: Fields): HttpRefused =>
  bad(`"name" is a text of 1 to ${longestName} characters; ${got(name ?? agentName)}.`)

const orderOf = (body: Fields): RoomOrder | HttpRefused => {
  const { name, maxPlayers = 4, turnLimit = 200, gameSpeed = 'normal', mode, entryFee } = body
  const given = unbroken(textOf(name)).trim()
  if (given === '' || [...given].length > longestRoomName)
    return bad(`"name" is a text of 1 to ${longestRoomName} characters; ${got(name)}.`)
  if (!isWhole(maxPlayers, 2, 6))
    return bad(`"maxPlayers" is a whole number from 2 to 6; ${got(maxPlayers)}.`)
  if (!isWhole(turnLimit, 1, mostTurns))
    return bad(`"turnLimit" is a whole number from 1 to ${mostTurns}; ${got(turnLimit)}.`)
  if (!isSpeed(gameSpeed))
    return bad(`"gameSpeed" is one of ${Object.keys(speeds).join(', ')}; ${got(gameSpeed)}.`)
  if (mode === 'premium' || entryFee != null) return noMoney
  if (mode !== undefined && mode !== 'free')
    return bad(`"mode" is "free", or left out; ${got(mode)}.`)
  return { name: given, maxPlayers, turnLimit, gameSpeed }
}

const applicantOf = (body: Fields) => {
  const { agentId, description, code } = body
  const id = textOf(agentId)
  if (!new RegExp(`^[\\x21-\\x7e]{1,${longestId}}$`).test(id))
    return bad(
      `"agentId" is a text of 1 to ${longestId} letters, digits and signs without blanks; ${got(agentId)}.`,
    )
  const name = nameOf(body)
  if (name === null) return noName(body)
  return {
    ...{ agentId: id, name, code: textOf(code).trim() },
    description: cut(unbroken(textOf(description)), longestDescription),
  }
}

const agentWords = ({ id, name, description, stats }: RankedAgent) => ({
  ...{ agentId: id, name, description, registered: true, stats },
})

/** A whole number of a query; the default where it is left out, null where it is none. */
const numberIn = (
  text: string | undefined,
  low: number,
  high: number,
  otherwise: number,
): number | null => {
  if (text === undefined || text === '') return otherwise
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  return number >= low && number <= high ? number : null
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The client address that limits count for. */
const addressOf = (c: Context<HttpEnv>): string => c.env.source ?? thisMachine
const thisMachine = '127.0.0.1'

const tooMany = (retryAfter: number, what: string): HttpRefused | null =>
  retryAfter === 0
    ? null
    : {
        code: 'RATE_LIMITED',
        error: `Too many ${what} from your address: try again in ${retryAfter} s.`,
        retryAfter,
      }

const refuse = (c: Context<HttpEnv>, refused: HttpRefused): Response => {
  const { status, body, headers = {}, type = 'text/plain' } = answerTo(refused)
  c.env.gate.refused(logCode(refused.code))
  return new Response(body, { status, headers: { ...headers, 'Content-Type': type } })
}
