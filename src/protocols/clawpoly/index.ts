import { clawpoly } from '../../games/clawpoly.ts'
import type { Connection } from '../connection.ts'
import type { Protocol, ProtocolModule, UpgradeRequest, WebSocketPath } from '../protocol.ts'
import { closeCodes, errorCodes, httpCodes, logCode, mcpCodes, type Refused } from './codes.ts'
import { Lobby } from './lobby.ts'
import { clawpolyMcp } from './mcp.ts'
import { openClawpolyThread } from './mcp-open-thread.ts'
import { answerTo, lastWordsFor, upgradeRequired, wireRefused } from './refusals.ts'
import { clawpolyRoutes } from './rest.ts'
import { AgentSocket, sentAway } from './socket.ts'
import { SpectatorSocket } from './spectators.ts'

/** Clawpoly. docs/protocols/clawpoly.md is its contract here. */
export const clawpolyModule: ProtocolModule = {
  id: 'clawpoly',
  codes: [...new Set([...errorCodes, ...Object.keys(httpCodes), ...mcpCodes].map(logCode))],
  open: (host): Protocol => {
    const { arena, parties, clock, registrar, guests, failed, limits } = host
    const { prefix, isOpen, rooms, joins, agents } = host.clawpoly
    const lobby = new Lobby({
      ...{ game: clawpoly, arena, parties, clock, registrar, agents, guests },
      ...{ isOpen, rooms, joins, failed },
    })
    const mcp = clawpolyMcp(host, lobby, openClawpolyThread, host.clawpoly.host)
    const agentPath: WebSocketPath = {
      path: `${prefix}/ws/agent`,
      plain: upgradeRequired,
      enter: ({ params, gate }) => {
        const [roomId, agentToken] = [params.get('roomId'), params.get('agentToken')]
        if (!roomId || !agentToken) return missing('roomId=ID&agentToken=TOKEN')
        gate.admitGuest()
        const isLegacy = params.get('protocol') === 'legacy'
        return connection => {
          const room = lobby.room(roomId)
          if (room === undefined) return noRoom(lobby, connection, roomId)
          const seat = lobby.seat(agentToken)
          if (seat === undefined || seat.room !== room)
            return sentAway(connection, badToken, { code: closeCodes.badToken }, clock.date())
          return new AgentSocket(lobby, seat, connection, limits, isLegacy)
        }
      },
    }
    const spectatorPath: WebSocketPath = {
      path: `${prefix}/ws/spectator`,
      plain: upgradeRequired,
      enter: ({ params, gate }: UpgradeRequest) => {
        const roomCode = params.get('roomCode')
        if (!roomCode) return missing('roomCode=CODE')
        gate.admitGuest()
        return connection => {
          const room = lobby.room(roomCode)
          return room === undefined
            ? noRoom(lobby, connection, roomCode)
            : new SpectatorSocket(lobby, room, connection)
        }
      },
    }
    return {
      id: 'clawpoly',
      lastWords: lastWordsFor,
      httpAnswer: refusal => answerTo(wireRefused(refusal)),
      routes: clawpolyRoutes(lobby, prefix, [{ path: '/mcp', app: mcp.app }]),
      webSockets: [agentPath, spectatorPath],
      endStreams: () => mcp.endStreams(),
      close: () => mcp.close(),
    }
  },
}

const missing = (query: string) =>
  answerTo({ code: 'BAD_REQUEST', error: `The address lacks its query: connect with ?${query}.` })

const noRoom = ({ clock }: Lobby, connection: Connection, id: string) =>
  sentAway(
    connection,
    {
      code: 'ROOM_NOT_FOUND',
      message: `there is no room ${JSON.stringify(id.slice(0, 40))}: it has never been, or is over`,
    },
    { code: closeCodes.noRoom },
    clock.date(),
  )

const badToken: Refused = {
  code: 'INVALID_TOKEN',
  message:
    'the agentToken is not valid in this room: join it, or the game is over, or the agent was away for more than 5 minutes',
}
