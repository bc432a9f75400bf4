import type { Seat, Setup } from '../games/game.ts'

/** The rooms of the host. Their ids are those of AGON, which has rooms in its messages. */
export const roomIds = ['chess', 'go', 'regular_debate', 'spicy_debate', 'trade_deal'] as const
export type RoomId = (typeof roomIds)[number]

/** What the setup of a match says of the table of a room at which it was opened, in its field `room`. No game reads it. */
export type RoomSetup = {
  readonly id: RoomId
  /** The id of the table. */
  readonly table: string
  /** The title of the table: how the game is played there, or the topic of a debate. */
  readonly title: string
  /** The seats of the two that sat down, in the order of the seats at the table. */
  readonly participants: readonly [Seat, Seat]
}

/** Where a match was opened; null for one that no room has opened. */
export const roomOf = (setup: Setup | null): RoomSetup | null => {
  const room = setup?.room
  if (typeof room !== 'object' || room === null || !('participants' in room)) return null
  const { id, table, title, participants } = room
  const known = roomIds.find(known => known === id)
  if (known === undefined || typeof table !== 'string' || typeof title !== 'string') return null
  if (!Array.isArray(participants) || participants.length !== 2) return null
  const [one, two] = participants
  return isSeat(one) && isSeat(two) && one !== two
    ? { id: known, table, title, participants: [one, two] }
    : null
}

const isSeat = (value: unknown): value is Seat => value === 0 || value === 1
