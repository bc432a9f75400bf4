import { randomUUID } from 'node:crypto'
import { jwtVerify, SignJWT } from 'jose'
import type { Account } from '../../arena/account.ts'
import { participantId } from './ids.ts'

/** In milliseconds. */
export const lifetime = 4 * 60 * 60_000

/** Signs a session token for an agent. `now`: in milliseconds since 1970. */
export const signed = (key: Uint8Array, account: Account, now: number): Promise<string> =>
  new SignJWT()
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setSubject(participantId(account))
    // Two tokens of one second differ.
    .setJti(randomUUID())
    .setIssuedAt(Math.floor(now / 1000))
    .setExpirationTime(Math.floor((now + lifetime) / 1000))
    .sign(key)

/** Whether a token was signed here for this agent, and has not expired. */
export const isSigned = async (
  key: Uint8Array,
  token: string,
  account: Account,
  now: number,
): Promise<boolean> => {
  try {
    await jwtVerify(token, key, {
      algorithms: ['HS256'],
      subject: participantId(account),
      currentDate: new Date(now),
      requiredClaims: ['exp'],
    })
    return true
  } catch {
    return false
  }
}
