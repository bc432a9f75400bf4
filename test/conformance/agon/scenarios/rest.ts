import { type Frame, isRecord, list, object, type Received, ROOMS, roomSummary } from '../frames.ts'
import { type Answer, call, refusedRest } from '../rest.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'

export const restScenarios: readonly Scenario[] = [
  { name: 'rest-sessions', agents: 2, alone: true, run: sessions },
  { name: 'rest-register', agents: 1, alone: true, run: register },
  { name: 'rest-documents', agents: 1, alone: true, run: documents },
]

/** Forms of each room's name that are accepted everywhere (A10). */
export const ALIASES: Readonly<Record<string, string>> = {
  'regular-debate': 'regular_debate',
  debate: 'regular_debate',
  'spicy-debate': 'spicy_debate',
  'trade-deal': 'trade_deal',
  trade: 'trade_deal',
}

async function sessions(stage: Stage): Promise<void> {
  const { report, options } = stage
  const agent = stage.agent(0)
  const post = (bearer?: string): Promise<Answer> =>
    call(options.base, 'POST', '/api/v1/agents/session-token', { bearer, json: {} })
  const before = Date.now()
  const { status, body } = await post(agent.apiKey)
  report.equal(
    '§1 session-token: 200 with session_token, token, expires_in, expires_at',
    [status, Object.keys(body).sort()],
    [200, ['expires_at', 'expires_in', 'session_token', 'token']],
  )
  report.ok(
    '§1 session-token: both token fields are equal',
    body.token === body.session_token,
    'equal tokens',
    body,
  )
  report.equal('§1 session-token: expires_in is 14400', body.expires_in, 14_400)
  const ahead = Date.parse(body.expires_at) - before
  report.ok(
    '§1 session-token: expires_at is an ISO time 4 hours ahead',
    /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(body.expires_at) && Math.abs(ahead - 14_400_000) < 5000,
    'now + 4 h',
    body.expires_at,
  )
  const [header, payload] = String(body.session_token)
    .split('.')
    .map(part => readJson(Buffer.from(part, 'base64url').toString()))
  report.equal(
    '§1 the session token is a JWT by HS256 with sub = agent_id',
    [header?.alg, payload?.sub],
    ['HS256', agent.id],
  )
  if (payload?.exp !== undefined)
    report.ok(
      '§1 the session JWT lives 4 hours',
      Math.abs(payload.exp * 1000 - before - 14_400_000) < 5000,
      'exp 4 hours ahead',
      payload,
    )
  refusedRest(
    report,
    '§1 INVALID_API_KEY 401: session-token without a key',
    await post(),
    401,
    'INVALID_API_KEY',
  )
  refusedRest(
    report,
    '§1 INVALID_API_KEY 401: session-token with an unknown key',
    await post('no-such-key'),
    401,
    'INVALID_API_KEY',
  )
  refusedRest(
    report,
    '§1 INVALID_API_KEY 401: session-token with a session token',
    await post(body.session_token),
    401,
    'INVALID_API_KEY',
  )
  await me(stage, body.session_token)
}

async function me(stage: Stage, token: string): Promise<void> {
  const { report, options } = stage
  const get = (path: string, bearer?: string): Promise<Answer> =>
    call(options.base, 'GET', path, { bearer })
  for (const agent of stage.agents) {
    const { status, body } = await get('/api/v1/agents/me', await agent.session())
    report.equal(
      '§1 agents/me: 200 with agent_id, name, framework, active_match_id, elo, points',
      [status, Object.keys(body).sort()],
      [200, ['active_match_id', 'agent_id', 'elo', 'framework', 'name', 'points']],
    )
    report.equal(
      '§1 agents/me: the agent as registered, without an active match',
      [body.agent_id, body.name, body.framework, body.active_match_id],
      [agent.id, agent.name, agent.framework, null],
    )
    report.equal(
      '§1 agents/me: elo has the five rooms',
      Object.keys(body.elo ?? {}).sort(),
      [...ROOMS].sort(),
    )
    if (agent.fresh)
      report.equal(
        '§5 the rating of each room starts at 1200',
        [...new Set(Object.values(body.elo ?? {}))],
        [1200],
      )
    report.ok(
      '§1 agents/me: points is a whole number',
      Number.isInteger(body.points),
      'a whole number',
      body.points,
    )
  }
  const [head, , signature] = token.split('.')
  const forged = Buffer.from(
    JSON.stringify({ sub: stage.agent(1).id, exp: 4_000_000_000 }),
  ).toString('base64url')
  const none = `${Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url')}.${forged}.`
  const bad = {
    'no token': undefined,
    'the API key': stage.agent(0).apiKey,
    'a forged payload': `${head}.${forged}.${signature}`,
    'alg none': none,
  }
  for (const path of ['/api/v1/agents/me', '/api/v1/wagers/history']) {
    for (const [what, bearer] of Object.entries(bad))
      refusedRest(
        report,
        `§1 INVALID_TOKEN 401: ${what}`,
        await get(path, bearer),
        401,
        'INVALID_TOKEN',
      )
  }
  const history = await get('/api/v1/wagers/history', token)
  report.ok(
    '§1 wagers/history: 200 {"wagers":[…]}',
    history.status === 200 &&
      Object.keys(history.body).join() === 'wagers' &&
      Array.isArray(history.body.wagers),
    '{"wagers":[]}',
    history,
  )
}

async function register(stage: Stage): Promise<void> {
  const { report, options } = stage
  const post = (init: { json?: unknown; raw?: string }): Promise<Answer> =>
    call(options.base, 'POST', '/api/v1/agents/register', init)
  const bad: Readonly<Record<string, unknown>> = {
    'one character': 'x',
    '33 characters': 'x'.repeat(33),
    'a slash': 'a/b',
    'a letter outside ASCII': 'Zoë',
    'no name': undefined,
    'a number': 42,
  }
  refusedRest(report, '§1 INVALID_JSON 400', await post({ raw: '{"name":' }), 400, 'INVALID_JSON')
  for (const [what, name] of Object.entries(bad))
    refusedRest(
      report,
      `§1 INVALID_NAME 400: ${what}`,
      await post({ json: { name } }),
      400,
      'INVALID_NAME',
    )
  const { name } = stage.agent(0)
  const swapped = name.replace(/[a-z]/gi, c =>
    c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase(),
  )
  refusedRest(
    report,
    '§1 NAME_TAKEN 409: names are unique ignoring case',
    await post({ json: { name: swapped } }),
    409,
    'NAME_TAKEN',
  )
}

async function documents(stage: Stage): Promise<void> {
  const { report, options } = stage
  const get = (path: string): Promise<Answer> => call(options.base, 'GET', path)
  const rooms = await get('/api/v1/rooms')
  const fault = object({ rooms: list(roomSummary) })(rooms.body, '')
  report.ok(
    '§1 rooms: {"rooms":[RoomSummary]}, without authentication',
    rooms.status === 200 && fault === null,
    'RoomSummary of §2',
    fault ?? rooms.status,
  )
  report.equal(
    '§2 rooms are chess, go, regular_debate, spicy_debate, trade_deal',
    rooms.body.rooms?.map((r: Frame) => r.room).sort(),
    [...ROOMS].sort(),
  )
  const least: Readonly<Record<string, number>> = {
    chess: 2,
    go: 1,
    regular_debate: 3,
    spicy_debate: 3,
    trade_deal: 1,
  }
  for (const summary of rooms.body.rooms ?? []) {
    report.ok(
      '§2 tables_open counts at least a waiting table of each prompt',
      summary.tables_open >= (least[summary.room] ?? 0),
      `${least[summary.room]} in ${summary.room}`,
      summary.tables_open,
    )
  }
  for (const slug of ROOMS) await spec(stage, slug, await get(`/api/v1/arenas/${slug}/spec`))
  for (const [alias, slug] of Object.entries(ALIASES)) {
    report.equal(
      '§0 A10 REST accepts hyphens and aliases, and emits the underscore form',
      (await get(`/api/v1/arenas/${alias}/spec`)).body.slug,
      slug,
    )
  }
  refusedRest(
    report,
    '§1 arenas/:slug/spec: 404 NOT_FOUND',
    await get('/api/v1/arenas/checkers/spec'),
    404,
    'NOT_FOUND',
  )
  refusedRest(
    report,
    '§1 matches/:id/result: 404 NOT_FOUND',
    await get('/api/v1/matches/no-such-match/result'),
    404,
    'NOT_FOUND',
  )
}

const ABOUT: Readonly<Record<string, readonly [string, string, number]>> = {
  chess: ['Chess', 'Caïssa', 20],
  go: ['Go', 'Weiqi', 30],
  regular_debate: ['Debate', 'Agora', 15],
  spicy_debate: ['Spicy Debate', 'Pyre', 15],
  trade_deal: ['Trade Negotiation', 'Bazaar', 20],
}

const SPEC_FIELDS = [
  'slug',
  'name',
  'constellation',
  'status',
  'description',
  'match_format',
  'move_format',
  'websocket_protocol',
  'win_conditions',
  'draw_conditions',
  'usdc_wager_enabled',
  'ap_wager_enabled',
  'typical_match_minutes',
]

async function spec(stage: Stage, slug: string, { status, body }: Answer): Promise<void> {
  const { report } = stage
  report.equal(
    '§9 spec: exactly the fields of the example',
    [status, isRecord(body) ? Object.keys(body).sort() : body],
    [200, [...SPEC_FIELDS].sort()],
  )
  report.equal(
    `§9 spec of ${slug}: slug, name, constellation, status, typical minutes`,
    [body.slug, body.name, body.constellation, body.status, body.typical_match_minutes],
    [slug, ABOUT[slug]?.[0], ABOUT[slug]?.[1], 'live', ABOUT[slug]?.[2]],
  )
  report.equal(
    `§9 spec of ${slug}: match_format`,
    pickKeys(body.match_format, formatOf(stage, slug)),
    formatOf(stage, slug),
  )
  if (slug === 'chess' || slug === 'go')
    report.equal(
      `§9 spec of ${slug}: match_format has exactly the fields of the example`,
      Object.keys(body.match_format).sort(),
      Object.keys(formatOf(stage, slug)).sort(),
    )
  else
    report.ok(
      '§9 spec of debates and trade: no max_move_chars',
      !('max_move_chars' in body.match_format),
      'max_message_chars',
      body.match_format,
    )
  const move = body.move_format
  const [type, example] =
    slug === 'chess'
      ? ['san', 'Nf3']
      : slug === 'go'
        ? ['coordinate', 'E5']
        : ['text', move.example]
  report.equal(
    `§9 spec of ${slug}: move_format`,
    [Object.keys(move).sort(), move.type, move.example],
    [['example', 'schema', 'type'], type, example],
  )
  const { url, ...actions } = body.websocket_protocol
  report.ok(
    '§9 spec: websocket_protocol.url is the endpoint',
    /^wss?:\/\/[^/]+\S*\/ws\/v1\/connect$/.test(url),
    'wss://HOST/agon/ws/v1/connect',
    url,
  )
  report.equal('§9 spec: websocket_protocol', actions, {
    enter_action: 'enter_room',
    sit_action: 'sit_table',
    move_action: 'send_message',
    message_shape: { action: '"send_message"', match_id: 'string', content: 'string' },
  })
  const lists = [body.win_conditions, body.draw_conditions].every(
    l => Array.isArray(l) && l.every(item => typeof item === 'string'),
  )
  report.ok(
    '§9 spec: win_conditions and draw_conditions are lists of strings',
    lists,
    'lists of strings',
    [body.win_conditions, body.draw_conditions],
  )
  report.equal('§8 spec: no USDC wagers anywhere', body.usdc_wager_enabled, false)
  if (slug !== 'chess' && slug !== 'go')
    report.equal('§8 spec: AP wagers in chess and go only', body.ap_wager_enabled, false)
  else
    report.equal(
      '§8 spec: ap_wager_enabled is the operator switch, the same in chess and go',
      body.ap_wager_enabled,
      stage.run.wagers,
    )
}

function formatOf(stage: Stage, slug: string): Record<string, unknown> {
  const { options } = stage
  const board = { max_match_duration_seconds: 7200, max_move_chars: 10 }
  switch (slug) {
    case 'chess':
      return {
        board_size: '8x8',
        starting_position: 'standard',
        turn_timer_seconds: options.classical,
        consecutive_timeouts_forfeit: 2,
        ...board,
      }
    case 'go':
      return {
        board_size: '9x9',
        starting_position: 'empty',
        turn_timer_seconds: options.go,
        consecutive_timeouts_forfeit: 3,
        ...board,
      }
    case 'trade_deal':
      return {
        turn_timer_seconds: options.trade,
        consecutive_timeouts_forfeit: 2,
        max_message_chars: 1000,
        message_cap: 10,
      }
    default:
      return {
        turn_timer_seconds: options.debate,
        consecutive_timeouts_forfeit: 3,
        max_message_chars: 2000,
        message_cap: 20,
      }
  }
}

function pickKeys(from: Record<string, unknown>, keys: object): Record<string, unknown> {
  return Object.fromEntries(Object.keys(keys).map(key => [key, from[key]]))
}

function readJson(text: string): Received {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
