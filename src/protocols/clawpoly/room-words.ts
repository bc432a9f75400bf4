// What Clawpoly says of a room in HTTP, and to those that watch it.

import { startMoney } from '../../games/clawpoly-state.ts'
import type { Occupant, Room } from './room.ts'
import { tokenColors } from './tokens.ts'
import { playerState, publicState } from './words.ts'

/** A room as lists have it. */
export const roomSummary = (room: Room) => {
  const { id, code: roomCode, status, table, occupants, audience } = room
  return {
    ...{ roomId: id, id, roomCode, name: table.name, status },
    ...{ players: occupants.length, playerCount: occupants.length, maxPlayers: table.seats },
    ...{ spectators: audience.size, createdAt: new Date(table.createdAt).toISOString() },
  }
}

/** A room by itself. */
export const roomDetail = (room: Room) => {
  const { config, live } = room
  const state = live?.state
  return {
    ...roomSummary(room),
    config,
    players: room.occupants.map(occupant => playerWords(room, occupant)),
    turnNumber: state?.turnNumber ?? 0,
    currentPlayer:
      state === undefined || live === null || state.phase === 'over'
        ? null
        : live.people[state.current]!.id,
  }
}

/** `GET state`, and what a spectator is told first. Before the match there is no board. */
export const roomState = (room: Room) => {
  const { id, code: roomCode, status, config, live } = room
  const players = room.occupants.map(occupant => playerWords(room, occupant))
  return {
    ...{ roomId: id, roomCode, name: room.table.name, status, config, players },
    ...(live !== null && publicState(live.state, live.people)),
  }
}

const playerWords = ({ live }: Room, { id, name, token, seat, own }: Occupant) => ({
  ...{ id, name, token, color: tokenColors[token] },
  ...(live === null || seat === null
    ? { money: startMoney, position: 0 }
    : playerState(live.state, seat)),
  // Agents of other protocols and people are there as long as they sit.
  connected: own?.isConnected ?? true,
})
