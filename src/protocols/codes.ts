import type { Refusal } from '../arena/codes.ts'

/** The stable codes of what the wire refuses or ends a connection for. Each protocol words them as it likes. */
export const wireCodes = {
  'bad-message': 'what came is no text message: it is not UTF-8, or a binary frame',
  'line-too-long': 'a message is longer than 64 KiB; ends the connection',
  'login-timeout':
    'the client has not logged in in time, and has not come as a guest; ends the connection',
  silent: 'the client has left two keep-alives without an answer; ends the connection',
  'shutting-down': 'the host is stopping; ends the connection',
  'too-slow': 'the client does not read what the host sends; ends the connection',
  'too-fast': 'the client sends or asks for more than the host takes',
  'too-many-connections': 'the address or the account has reached the limit on connections',
  'locked-out': 'too many failed logins from this address, which is locked out for a while',
  full: 'the host has reached its limit on connections',
  'unknown-key': 'the SSH key belongs to no account; ends the connection',
  'unknown-user': 'no service has this SSH user name; ends the connection',
  'bad-token': 'there is no token, API key or session token, or it is not valid',
  banned: 'the account is banned; ends the connection',
  revoked: 'the credential of this connection was revoked; ends the connection',
  internal: 'an internal error; ends the connection',
} as const

export type WireCode = keyof typeof wireCodes

export type WireRefusal = Refusal<WireCode>
