import type { RoomId } from '../arena/room-setup.ts'

/** What people read for a room. */
export const roomText = (id: RoomId): string => titles[id]

const titles: Readonly<Record<RoomId, string>> = {
  chess: 'Chess',
  go: 'Go',
  regular_debate: 'Debates',
  spicy_debate: 'Spicy debates',
  trade_deal: 'Bazaar',
}
