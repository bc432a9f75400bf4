import { type Rooms, type RoomTable, roomIds, type Sitter } from '../matchmaking/rooms.ts'

/** The rooms with their tables: those with a free seat first. */
export const roomsBody = (rooms: Pick<Rooms, 'tables'>) => ({
  rooms: roomIds.map(id => ({ id, tables: rooms.tables(id).map(tableBody) })),
})

const tableBody = ({ id, status, prompt, seats, match }: RoomTable) => ({
  ...{ id, status, title: prompt.title, game: prompt.game.id, match },
  seats: seats.map(sitter => sitter && sitterBody(sitter)),
})

const sitterBody = ({ player: { account, protocol }, rating }: Sitter) => ({
  name: account.name,
  protocol: protocol ?? null,
  rating,
})
