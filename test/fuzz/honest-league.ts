import { WebSocket } from 'ws'
import { Dice } from '../../src/games/dice.ts'
import { moveFor } from '../support/loa-agent.ts'
import type { Heard } from '../support/websocket-agent.ts'
import type { Dial, Fate } from './honest.ts'

/** Plays one rated match of League of Agents by the rules, against any opponent. */
export const playLeague = ({ ports, member, address, luck }: Dial, game: string): Promise<Fate> =>
  new Promise(resolve => {
    const dice = Dice.fromSeed(luck.roll(1e9))
    const dialled = performance.now()
    let arrival = Number.POSITIVE_INFINITY
    let last = 'nothing'
    let self = ''
    let state: Heard
    let waiting: NodeJS.Timeout | undefined
    const webSocket = new WebSocket(`ws://127.0.0.1:${ports.http}/loa/api/v1/ws?type=agent`, {
      localAddress: address,
    })
    const settle = (fault: string | null, played = false) => {
      clearTimeout(patience)
      clearTimeout(waiting)
      webSocket.close()
      resolve({ fault: fault && `${member.name} by League of Agents: ${fault}`, played, arrival })
    }
    const patience = setTimeout(() => settle(`no end in sight after ${last}`), longestMatch)
    const say = (message: object) => webSocket.send(JSON.stringify(message))
    webSocket.on('error', () => {})
    webSocket.on('close', code => settle(`the line was cut with ${code} after ${last}`))
    webSocket.on('open', () => say({ type: 'authenticate', token: member.token }))
    webSocket.on('message', data => {
      last = String(data)
      const message: Heard = JSON.parse(last)
      switch (message.type) {
        case 'authenticated':
          self = message.agentId
          say({ type: 'join_queue', gameType: game })
          break
        case 'queue_status':
          arrival = performance.now() - dialled
          // By this protocol a wait has no end.
          waiting = setTimeout(() => settle(null), longestWait)
          break
        case 'matched':
          clearTimeout(waiting)
          arrival = Math.min(arrival, performance.now() - dialled)
          break
        case 'game_state':
          state = message
          break
        case 'your_turn': {
          const { legal } = state.extra
          const move =
            legal === undefined ? moveFor[game]!(state, dice, self) : { move: luck.pick(legal) }
          say({ type: 'submit_move', gameId: message.gameId, move })
          break
        }
        case 'game_over': {
          const { reason, draw, rankings } = message
          const hasLost = reason === 'timeout' && (draw || rankings[0].agentId !== self)
          settle(reason === 'error' || hasLost ? last : null, true)
          break
        }
        case 'error':
          settle(last)
          break
        case 'move_result':
          // The opponent may have left while the move was on its way.
          if (!message.success && message.error !== 'Game not found or not active.') settle(last)
          break
      }
    })
  })

/** In milliseconds. */
const longestWait = 8_000
const longestMatch = 180_000
