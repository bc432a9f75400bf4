import { guestText } from '../arena/table-setup.ts'
import type { PartySitter, PartyTable, PartyTables } from '../matchmaking/party-tables.ts'

/** The tables that players have set up: those that wait first, then the newest first. */
export const tablesBody = (parties: Pick<PartyTables, 'tables'>) => ({
  tables: listedTables(parties).map(tableBody),
})

export const tableBody = (table: PartyTable) => ({
  ...{ code: table.code, name: table.name, game: table.game.id, speed: table.speed },
  ...{ status: table.status, match: table.match },
  seats: table.sitters.map(
    (sitter, slot) =>
      sitter && {
        ...{ name: sitterName(sitter, slot), kind: sitter.kind },
        ...{ protocol: sitter.player.protocol ?? null, rating: sitter.rating },
      },
  ),
})

/** Those that wait first, then the newest first. */
export const listedTables = (parties: Pick<PartyTables, 'tables'>): readonly PartyTable[] => {
  const tables = parties.tables().toReversed()
  return [
    ...tables.filter(({ status }) => status === 'waiting'),
    ...tables.filter(({ status }) => status !== 'waiting'),
  ]
}

/** The name of one at a table: a guest is marked as one. */
export const sitterName = ({ kind, name }: PartySitter, slot: number): string =>
  kind === 'guest' ? guestText(name, slot) : name

export const freeSeats = ({ sitters }: PartyTable): number =>
  sitters.filter(sitter => sitter === null).length
