import { sql } from 'kysely'
import type { AccountId } from '../arena/account.ts'
import { type Counted, initialElo, RoomElo } from '../arena/room-elo.ts'
import { type RoomId, roomOf } from '../arena/room-setup.ts'
import { prepare } from './database.ts'
import { countedOf } from './room-elo-table.ts'
import type { Tables } from './tables.ts'

/** Where the ratings in rooms do not follow from the record: computed again from the matches at tables, in the order of their results. */
export const wrongRoomElo = (tables: Stored): readonly string[] => {
  const wrong: string[] = []
  const rooms = new Map<RoomId, RoomElo>()
  const rows = new Map(tables.elo.all().map(row => [row.match, row]))
  for (const result of countedAtTables(tables)) {
    const { match, room, seq, accounts, isVoided } = result
    const fold = rooms.get(room) ?? new RoomElo()
    rooms.set(room, fold)
    const again = countedText(isVoided ? null : fold.take(result))
    const row = rows.get(match)
    rows.delete(match)
    const kept = countedText(row === undefined ? null : countedOf(row))
    if (kept !== again)
      wrong.push(`match ${match}: in the room ${room} it changed ${kept}, recalculated ${again}`)
    else if (row === undefined)
      wrong.push(`match ${match}: it is voided, and unknown in the room ${room}`)
    else if (`${[row.room, row.seq, row.account_1, row.account_2]}` !== `${[room, seq, accounts]}`)
      wrong.push(`match ${match}: its ratings in a room are not those of its room and its players`)
  }
  for (const match of rows.keys())
    wrong.push(`match ${match}: it has ratings in a room, and does not count there`)
  return [...wrong, ...wrongRatings(tables, rooms)]
}

const wrongRatings = (
  { elo, users }: Stored,
  rooms: ReadonlyMap<RoomId, RoomElo>,
): readonly string[] => {
  const kept = new Map(elo.allRatings().map(row => [keyOf(row.account, row.room), row.rating]))
  const again = new Map<string, number>()
  for (const [room, fold] of rooms)
    for (const account of fold.accounts) again.set(keyOf(account, room), fold.rating(account))
  return [...new Set([...kept.keys(), ...again.keys()])].flatMap(key => {
    const [rating, recalculated] = [kept.get(key) ?? initialElo, again.get(key) ?? initialElo]
    const [account, room] = key.split(' ')
    const name = users.byId(Number(account))?.name ?? `account ${account}`
    return rating === recalculated
      ? []
      : `${name}, room ${room}: ${rating}, recalculated ${recalculated}`
  })
}

/** The matches at tables that were rated when they ended, in the order of their results. */
function* countedAtTables({ db, matches }: Stored) {
  const rated = prepare(db, query =>
    query
      .selectFrom('matches')
      .select(['id', 'finished_seq'])
      .where('finished_seq', 'is not', null)
      .where('unrated', 'is', null)
      .where(sql<number>`instr(setup, '"room"')`, '>', 0)
      .orderBy('finished_seq'),
  )
  for (const { id: match, finished_seq: seq } of rated.all({})) {
    const { setup, players, voided } = matches.find(match)!
    const room = roomOf(setup)
    if (room === null || players.some(({ kind }) => kind === 'house')) continue
    const [one, two] = [players[room.participants[0]]!, players[room.participants[1]]!]
    yield {
      ...{ match, seq, room: room.id, isVoided: voided !== null },
      accounts: [one.account, two.account] as const,
      places: [one.place ?? 1, two.place ?? 1] as const,
    }
  }
}

const keyOf = (account: AccountId, room: RoomId) => `${account} ${room}`

const countedText = (counted: Counted | null): string =>
  counted === null ? 'nothing' : `${counted.before.join(' and ')} by ${counted.delta}`

type Stored = Pick<Tables, 'db' | 'matches' | 'elo' | 'users'>
