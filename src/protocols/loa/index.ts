import type { Protocol, ProtocolModule } from '../protocol.ts'
import { moveRefusals, refusals } from './codes.ts'
import { loaRoutes } from './http.ts'
import { Lobby } from './lobby.ts'
import { answerFor, lastWordsFor, upgradeRequired } from './refusals.ts'
import { AgentSession } from './session.ts'

/** League of Agents. docs/protocols/league-of-agents.md is its contract here. */
export const loaModule: ProtocolModule = {
  id: 'loa',
  codes: [...Object.keys(refusals), ...Object.keys(moveRefusals)],
  open: (host): Protocol => {
    const { arena, matchmaking, clock, loa, failed } = host
    const { prefix } = loa
    const lobby = new Lobby({ arena, matchmaking, clock, failed, ...loa })
    return {
      id: 'loa',
      // A client that has been silent is cut.
      lastWords: refusal => (refusal.code === 'silent' ? null : lastWordsFor(refusal)),
      httpAnswer: answerFor,
      routes: loaRoutes(host),
      webSockets: [
        {
          path: `${prefix}/api/v1/ws`,
          plain: upgradeRequired,
          keepAlive: { every: 30_000, unanswered: 2 },
          enter: ({ gate }) => {
            // A client may stay and watch without a login.
            gate.admitGuest()
            return connection => new AgentSession(lobby, connection, gate)
          },
        },
      ],
    }
  },
}
