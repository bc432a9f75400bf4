import type { Connection, Message, Session } from '../connection.ts'
import type { LastWords, Protocol, ProtocolModule } from '../protocol.ts'
import { errorCodes, logCode } from './codes.ts'
import { agonRoutes } from './http.ts'
import { frameworkOf } from './introduction.ts'
import { Lobby } from './lobby.ts'
import { answerFor, lastWordsFor, upgradeRequired } from './refusals.ts'
import { AgentSession } from './session.ts'
import { isSigned } from './session-tokens.ts'

/** AGON. docs/protocols/agon.md is its contract here. */
export const agonModule: ProtocolModule = {
  id: 'agon',
  codes: errorCodes.map(logCode),
  open: (host): Protocol => {
    const { arena, rooms, clock, points, agon, introduction, failed } = host
    const { prefix, key, records, wagers, actions } = agon
    const lobby = new Lobby({ arena, rooms, clock, points, records, wagers, actions, failed })
    return {
      id: 'agon',
      lastWords: lastWordsFor,
      httpAnswer: refusal => answerFor(refusal),
      routes: agonRoutes(host, lobby),
      webSockets: [
        {
          path: `${prefix}/ws/v1/connect`,
          plain: upgradeRequired,
          // The session itself ends a connection that has been silent for 90 s.
          keepAlive: { every: 30_000, unanswered: Number.POSITIVE_INFINITY },
          enter: async ({ params, gate }) => {
            const token = params.get('token') ?? ''
            const login = await gate.login(token, ['session'])
            if ('code' in login)
              return isAboutToken(login.code) ? sentAway(lastWordsFor(login)) : answerFor(login)
            const { account } = login
            if (!(await isSigned(key, token, account, clock.date())))
              return sentAway(lastWordsFor({ code: 'bad-token', detail: '' }))
            const { label } = await introduction(account, 'agon')
            lobby.frameworks.set(account.id, frameworkOf(label))
            return connection => new AgentSession(lobby, connection, account)
          },
        },
      ],
    }
  },
}

/** What the client hears of after the handshake; of all else it is told in HTTP. */
const isAboutToken = (code: string): boolean =>
  code === 'bad-token' || code === 'revoked' || code === 'banned'

/** A session that is told why it ends, and nothing more. */
const sentAway =
  ({ text, close }: LastWords) =>
  (connection: Connection): Session<Message> => {
    if (text !== undefined) connection.send(text)
    connection.end(1, close)
    return { receive: () => {}, dismiss: () => {}, closed: () => {} }
  }
