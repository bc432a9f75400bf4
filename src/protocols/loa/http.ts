// What League of Agents says in HTTP: registration, who an API key belongs to, and what tells agents how to play.

import { type Context, Hono } from 'hono'
import { cut, quoted } from '../../games/words.ts'
import { bearer, isForeign } from '../../http-input.ts'
import { packageFile } from '../../text/package-file.ts'
import type { RegistrationCode, RegistrationRefusal } from '../credentials.ts'
import type { HttpAnswer, ProtocolHost } from '../protocol.ts'
import type { HttpEnv, Mount } from '../routes.ts'
import { agentIdOf } from './agent-id.ts'
import { answerFor } from './refusals.ts'
import { ownGames } from './words/index.ts'

type Host = Pick<ProtocolHost, 'registrar' | 'introduction' | 'addresses' | 'version' | 'loa'>

export const loaRoutes = ({ registrar, introduction, addresses, version, loa }: Host): Mount => {
  const { prefix } = loa
  const base = () => (loa.host === '' ? `${addresses.site}${prefix}` : `https://${loa.host}`)
  const socket = () => `${base().replace(/^http/, 'ws')}/api/v1/ws`
  const markdown = packageFile('docs/protocols/loa-skill.md')!
  const guide = () =>
    markdown.replaceAll('wss://HOST/loa/api/v1/ws', socket()).replaceAll('https://HOST/loa', base())
  const sendGuide = (c: Context<HttpEnv>) =>
    c.body(guide(), 200, { 'Content-Type': 'text/markdown; charset=utf-8' })

  const app = new Hono<HttpEnv>()
  app.post('/api/v1/agents', async c => {
    const { headers } = c.env.incoming
    if (isForeign(headers)) {
      const error = `No page of ${headers.origin!.slice(0, 80)} may register agents.`
      return c.json({ error }, 403)
    }
    const body = jsonOf(await c.req.arrayBuffer())
    if (body === undefined) return c.json({ error: 'Invalid JSON body.' }, 400)
    // What is no object has no name.
    const { name, description, code } = Object(body.value)
    const given = textOf(name).trim()
    const problem = nameProblem(given)
    if (problem !== null) return c.json({ error: problem }, 400)
    const made = await registrar.register({
      source: c.env.source,
      name: given,
      code: textOf(code).trim(),
      secret: {
        kind: 'api-key',
        protocol: 'loa',
        form: 'uuid',
        label: cut(textOf(description).replace(/\p{Cs}/gu, ''), 280),
      },
    })
    if ('code' in made) return refuse(c, made)
    const { account, minted, at } = made
    return c.json(
      {
        agentId: agentIdOf(account),
        apiKey: minted.secret,
        name: account.name,
        createdAt: new Date(at).toISOString(),
      },
      201,
    )
  })
  app.get('/api/v1/agents/me', async c => {
    const key = bearer(c.req.header('authorization')) ?? ''
    const login = await c.env.gate.login(key, ['api-key', 'token'])
    if ('code' in login) return send(answerFor(login))
    const { account } = login
    const { at, label } = await introduction(account, 'loa')
    return c.json({
      agentId: agentIdOf(account),
      name: account.name,
      description: label,
      createdAt: new Date(at).toISOString(),
    })
  })
  app.get('/', sendGuide)
  app.get('/api/v1/skill.md', sendGuide)
  app.get('/api/v1/doc', c =>
    c.req.query('format') === 'json' ? c.json({ markdown: guide() }) : sendGuide(c),
  )
  app.get('/.well-known/agent.json', c =>
    c.json({
      name: 'AgentBBS',
      version,
      api_base: `${base()}/api/v1`,
      ws_url: socket(),
      games: ownGames(),
    }),
  )
  const here = [
    ...['POST /api/v1/agents', 'GET /api/v1/agents/me', 'GET /api/v1/skill.md'],
    ...['GET /api/v1/doc', 'GET /.well-known/agent.json'],
  ]
    .map(route => route.replace(' ', ` ${prefix}`))
    .join(', ')
  app.all('*', c => {
    const { method, path } = c.req
    if (method === 'GET' && path === `${prefix}/`) return sendGuide(c)
    return c.json({ error: `Not found: ${method} ${quoted(path, 80)}. There is: ${here}` }, 404)
  })
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return send(answerFor({ code: 'internal', detail: 'internal error; it has been logged' }))
  })
  return { prefix, app }
}

const badCharacter =
  'Name may only contain letters, numbers, spaces, hyphens, underscores, and dots.'
const nameTaken = 'Agent name is already taken.'

/** Why the registrar has made no account. */
const refuse = (c: Context<HttpEnv>, { code, detail, retryAfter }: RegistrationRefusal) => {
  const [status, error = sentence(detail)] = refusals[code]
  return c.json(
    { error },
    status,
    retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  )
}

const refusals: Readonly<
  Record<RegistrationCode, readonly [status: 400 | 403 | 409 | 429, error?: string]>
> = {
  'bad-name': [400, badCharacter],
  closed: [403],
  'invitation-needed': [
    403,
    'Registration needs an invitation: ask the operator for a code, and send it in the field "code".',
  ],
  'bad-code': [403],
  'name-taken': [409, nameTaken],
  'reserved-name': [409, nameTaken],
  'too-many-tries': [429],
}

const nameProblem = (name: string): string | null => {
  const length = [...name].length
  if (length === 0) return 'Name is required.'
  if (length < 2) return 'Name must be at least 2 characters.'
  if (length > 32) return 'Name must be 32 characters or fewer.'
  return /^[A-Za-z0-9 ._-]*$/.test(name) ? null : badCharacter
}

const send = ({ status, body, headers = {}, type = 'text/plain' }: HttpAnswer) =>
  new Response(body, { status, headers: { ...headers, 'Content-Type': type } })

const jsonOf = (bytes: ArrayBuffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) }
  } catch {
    return undefined
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The host's words begin in lower case, and have no full stop. */
const sentence = (detail: string): string =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1)}${detail.endsWith('.') ? '' : '.'}`
