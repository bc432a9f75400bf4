import { isForeign } from '../../http-input.ts'
import type { Registrar, RegistrationCode } from '../../protocols/credentials.ts'
import type { HttpEnv } from '../../protocols/routes.ts'
import { type Answer, json } from '../answer.ts'

/** Registers an account, and answers with its token. A page of another host may not: it would use its readers' addresses. */
export const registerAccount = async (
  { registrar }: { readonly registrar: Pick<Registrar, 'register'> },
  { name, code = '' }: { readonly name: string; readonly code?: string | undefined },
  { incoming: { headers }, source }: HttpEnv['Bindings'],
): Promise<Answer> => {
  if (isForeign(headers))
    return answer(403, {
      error: `no page of ${headers.origin?.slice(0, 80)} may register accounts`,
    })
  const secret = { kind: 'token', label: 'api' } as const
  const result = await registrar.register({ source, name, code, secret })
  return 'account' in result
    ? answer(201, { name: result.account.name, token: result.minted.secret })
    : answer(statuses[result.code], { error: result.detail }, result.retryAfter)
}

const statuses: Readonly<Record<RegistrationCode, number>> = {
  'bad-name': 400,
  'reserved-name': 400,
  closed: 403,
  'invitation-needed': 403,
  'bad-code': 403,
  'name-taken': 409,
  'too-many-tries': 429,
}

/** Unlike other answers of the API it has no header that lets scripts of other sites read it. */
const answer = (status: number, value: object, retryAfter?: number): Answer => ({
  ...json(value, { status }),
  headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
})
