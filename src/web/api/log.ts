import type { Account } from '../../arena/account.ts'
import { readLog } from '../../owner-log/read-log.ts'
import type { WireCode, WireRefusal } from '../../protocols/codes.ts'
import type { HttpEnv } from '../../protocols/routes.ts'
import { logQuery, readableBy } from '../../store/owner-logs.ts'
import { type Answer, json } from '../answer.ts'
import type { PageContext } from '../context.ts'

/** What the query of an operation asks for. */
export interface LogParameters {
  readonly agent?: string | undefined
  readonly match?: number | undefined
  readonly since?: number | undefined
  readonly after?: string | undefined
  readonly limit?: number | undefined
}

/** Memory that reading takes, in characters: a block of the file, and what is made of it. */
const holds = 512 * 1024

/** The log of an agent, for an account that has logged in. An agent of another owner is answered as one that is not there. */
export const logAnswer = (
  { store, ownerLogs }: PageContext,
  reader: Account,
  { agent = reader.name, match, since, after, limit = 1000 }: LogParameters,
  now: number,
): Answer => {
  const found = readableBy(store, reader.id, agent)
  if (found === undefined) return problem(404, noSuchLog(agent))
  const query = logQuery(
    store,
    found.id,
    {
      limit,
      ...(match !== undefined && { match }),
      ...(since !== undefined && { since }),
      ...(after !== undefined && { after }),
    },
    now,
  )
  if (query === null) return problem(404, `there is no match ${match}`)
  return {
    type: 'application/x-ndjson',
    body: { holds, begin: () => readLog(ownerLogs, query), tagSource: null },
    headers: { 'Cache-Control': 'no-store' },
  }
}

export const noSuchLog = (agent: string): string =>
  `this token may not read a log of ${JSON.stringify(agent.slice(0, 40))}: give one of that agent, or of its owner`

/** Logs in with the token of a request. Where that is refused, an answer says why. */
export const loggedIn = async (
  { gate }: Pick<HttpEnv['Bindings'], 'gate'>,
  token: string,
): Promise<Account | WireRefusal> => {
  const login = await gate.login(token, ['token', 'api-key'])
  return 'code' in login ? login : login.account
}

export const refusalAnswer = (refusal: WireRefusal): Answer =>
  problem(statusOf(refusal), refusal.detail, headersOf(refusal))

export const statusOf = ({ code }: WireRefusal): number => statuses[code] ?? 401

export const headersOf = (refusal: WireRefusal): { readonly [name: string]: string } => ({
  ...(statusOf(refusal) === 401 && { 'WWW-Authenticate': 'Bearer' }),
  ...(refusal.retryAfter !== undefined && { 'Retry-After': String(refusal.retryAfter) }),
})

const statuses: Partial<Record<WireCode, number>> = {
  banned: 403,
  'locked-out': 429,
  'too-many-connections': 429,
  internal: 500,
}

/** Scripts of other sites may not read it. */
const problem = (status: number, error: string, headers = {}): Answer => ({
  ...json({ error }, { status }),
  headers,
})
