import type { Account } from '../../arena/account.ts'
import type { Code, Refusal } from '../../arena/codes.ts'
import { bearer } from '../../http-input.ts'
import type { HttpEnv } from '../../protocols/routes.ts'
import { type Answer, json } from '../answer.ts'
import { loggedIn, refusalAnswer } from './log.ts'

/** Changes the entry of an account that logs in with its token, and answers what it is then. */
export const ofEntry = async (
  env: HttpEnv['Bindings'],
  event: string,
  status: 'entered' | 'withdrawn' | 'checked in',
  change: (account: Account) => Promise<Refusal | null>,
): Promise<Answer> => {
  const account = await loggedIn(env, bearer(env.incoming.headers.authorization) ?? '')
  if ('code' in account) return refusalAnswer(account)
  const refusal = await change(account)
  if (refusal === null) return answer(200, { event, agent: account.name, status })
  const { code, detail, retryAfter } = refusal
  return answer(statuses[code] ?? 409, { error: detail }, retryAfter)
}

const statuses: Partial<Record<Code, number>> = {
  'no-such-event': 404,
  'not-invited': 403,
  paused: 403,
  'shutting-down': 503,
  internal: 500,
}

/** Scripts of other sites may not read it. */
const answer = (status: number, value: object, retryAfter?: number): Answer => ({
  ...json(value, { status }),
  headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
})
