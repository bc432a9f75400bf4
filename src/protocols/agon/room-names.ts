import { type RoomId, roomIds } from '../../arena/room-setup.ts'

/** The room of a name as clients write it: with underscores or hyphens, or by the short name of an arena. */
export const roomNamed = (name: string): RoomId | undefined => {
  const id = name.replaceAll('-', '_')
  return aliases.get(id) ?? roomIds.find(room => room === id)
}

const aliases: ReadonlyMap<string, RoomId> = new Map([
  ['debate', 'regular_debate'],
  ['spicy_debate', 'spicy_debate'],
  ['trade', 'trade_deal'],
])
