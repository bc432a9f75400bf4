import type { Account } from '../../src/arena/account.ts'
import { refused } from '../../src/protocols/agentgames/http.ts'
import type { Connection, Message, Session } from '../../src/protocols/connection.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'

/** A protocol that is mounted as AgentGames is, with sessions of another kind. */
export const likeAgentGames = (
  open: (connection: Connection, account: Account, command: string) => Session<Message>,
): Protocol => ({
  id: 'test',
  lastWords: refusal => ({ text: JSON.stringify({ type: 'error', ...refusal }) }),
  httpAnswer: refused,
  ssh: { user: 'game', open },
  webSockets: [
    {
      path: '/play',
      plain: { status: 426, body: '' },
      enter: async ({ params, gate }) => {
        const login = await gate.login(params.get('token') ?? '', ['token'])
        return 'code' in login ? refused(login) : line => open(line, login.account, '')
      },
    },
  ],
})
