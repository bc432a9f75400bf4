import { printed } from './messages.ts'
import type { Occupant } from './room.ts'
import type { LogEntry } from './words.ts'

/** Entries of the log, as spectators are told of them. */
export const tellLog = (entries: readonly LogEntry[]): readonly string[] =>
  entries.map(({ type, timestamp, data, ...entry }) =>
    printed(`game:${type}`, { ...entry, ...data }, Date.parse(timestamp)),
  )

/** `room:player_joined`, `room:player_disconnected` and `room:player_reconnected`. */
export const roomMessage = (type: string, { id, name, token }: Occupant, at: number): string =>
  printed(type, { ...{ playerId: id, name, token } }, at)
