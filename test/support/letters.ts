import type { WireCode } from '../../src/protocols/codes.ts'
import type { Connection } from '../../src/protocols/connection.ts'
import type { Gate } from '../../src/protocols/gate.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'

/**
 * A protocol in which a client logs in by its first message, and is told everything in one word and a close code. It does
 * nothing about its dismissal, so that the wire has to. `/letters` takes `login SECRET`, `guest`, `break` and `bye`, and
 * answers what else it gets.
 */
export const letters: Protocol = {
  id: 'letters',
  lastWords: ({ code }) =>
    code === 'revoked' ? null : { text: `end ${code}`, close: { code: closeCodes[code] ?? 4000 } },
  httpAnswer: ({ code }) => ({ status: 418, body: `letters: ${code}\n` }),
  ssh: { user: 'letters', open: connection => session(connection) },
  webSockets: [
    {
      path: '/letters',
      plain: { status: 426, body: 'letters: speak WebSocket\n' },
      enter: ({ params, gate }) =>
        params.has('shut')
          ? { status: 400, body: 'letters: shut\n' }
          : connection => session(connection, gate),
    },
  ],
}

const closeCodes: Partial<Record<WireCode, number>> = {
  'line-too-long': 1009,
  'shutting-down': 1001,
  'login-timeout': 4002,
  banned: 4003,
  silent: 4008,
  full: 4029,
  internal: 1011,
}

const session = (connection: Connection, gate?: Gate) => ({
  receive: async (message: unknown) => {
    const [word, secret = ''] = typeof message === 'string' ? message.split(' ') : []
    if (word === 'login') {
      const login = await gate!.login(secret, ['token'])
      connection.send('code' in login ? `no ${login.code}` : `yes ${login.account.name}`)
    } else if (word === 'guest') gate!.admitGuest()
    else if (word === 'break') throw new Error('broken')
    else if (word === 'bye') connection.end(3, { code: 4999, reason: 'ö'.repeat(100) })
    else if (word !== undefined) connection.send(word)
  },
  dismiss: () => {},
  closed: () => {},
})
