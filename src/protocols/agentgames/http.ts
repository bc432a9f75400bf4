// What AgentGames says in HTTP: before a handshake at /play, and in its place.

import type { Account } from '../../arena/account.ts'
import { bearer } from '../../http-input.ts'
import type { WireCode, WireRefusal } from '../codes.ts'
import type { Connection, Message, Session } from '../connection.ts'
import { unknownSecret } from '../gate.ts'
import type { Entrance, HttpAnswer, UpgradeRequest } from '../protocol.ts'
import type { Opening } from './join.ts'
import { print } from './messages.ts'

/** Logs a client in by the token that it connects with. */
export const enterPlay = async (
  { headers, params, gate }: UpgradeRequest,
  open: (connection: Connection, account: Account, opening: Opening) => Session<Message>,
): Promise<Entrance> => {
  const token = bearer(headers.authorization) ?? params.get('token') ?? ''
  const login = await gate.login(token, ['token'])
  if ('code' in login)
    return refused(login === unknownSecret ? { ...login, detail: giveToken } : login)
  params.delete('token')
  return connection => open(connection, login.account, { kind: 'query', params })
}

/** A refusal as an HTTP response, with the same JSON as an error message. */
export const refused = (refusal: WireRefusal): HttpAnswer => {
  const { code, retryAfter } = refusal
  const status = statuses[code] ?? 401
  return {
    status,
    type: 'application/json',
    body: print.error(refusal),
    headers: {
      ...(status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
    },
  }
}

const statuses: Partial<Record<WireCode, number>> = {
  banned: 403,
  'locked-out': 429,
  'too-many-connections': 429,
  'too-fast': 429,
  full: 503,
  internal: 500,
  'shutting-down': 503,
}

export const upgradeRequired: HttpAnswer = {
  status: 426,
  body: 'This address speaks WebSocket: connect to /play?game=ttt&token=TOKEN with a WebSocket client.\n',
  headers: { Upgrade: 'websocket', Connection: 'Upgrade' },
}

const giveToken = 'give a valid token, as ?token=TOKEN or as the header Authorization: Bearer TOKEN'
