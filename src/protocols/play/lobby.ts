import type { Account } from '../../arena/account.ts'
import type { Arena } from '../../arena/arena.ts'
import { agentsLadder, type Variant, variants } from '../../arena/ladder.ts'
import { thinkingTime } from '../../arena/ladder-terms.ts'
import { type CatalogueGame, listsMoves, seatRange } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import { Counter } from '../../limits/counter.ts'
import type { Matchmaking } from '../../matchmaking/matchmaking.ts'
import type { PartyTables } from '../../matchmaking/party-tables.ts'
import { type Rooms, roomIds } from '../../matchmaking/rooms.ts'
import { freeSeats, sitterName } from '../../record/table-record.ts'
import { rulesOf } from '../../text/game-rules.ts'
import type { Reply } from './answers.ts'
import { callText, type PlayProtocol } from './call-text.ts'
import type { PlaySeats } from './seats.ts'
import { mostSilence, mostWait } from './terms.ts'

export interface LobbyHost {
  readonly arena: Pick<Arena, 'tables'>
  readonly matchmaking: Pick<Matchmaking, 'waiting'>
  /** None unless given. */
  readonly rooms?: Pick<Rooms, 'tables'>
  readonly parties?: Pick<PartyTables, 'tables'>
  /** Milliseconds for a move on fast ladders. */
  readonly moveTimeout: number
  /** What the API answers to a GET of this path; null where that is long. */
  api(
    path: string,
    source: string | undefined,
  ): Promise<{ readonly status: number; readonly body: string } | null>
}

interface Asker {
  /** Null for a client that has not logged in: it has neither ratings nor seats. */
  readonly account: Account | null
  readonly protocol: PlayProtocol
  readonly source: string | undefined
}

/** The games and their ladders; of one game all ladders, and its rules. */
export const lobby = async (
  { arena, matchmaking, rooms, parties, api, moveTimeout }: LobbyHost,
  seats: PlaySeats,
  { account, protocol, source }: Asker,
  game: CatalogueGame | undefined,
): Promise<Reply> => {
  const ratings = new Map<string, number>()
  if (account !== null) {
    const known = await api(`/api/v1/agents/${encodeURIComponent(account.name)}`, source)
    if (known?.status === 200)
      for (const { game, rating } of JSON.parse(known.body).ratings) ratings.set(game, rating)
  }
  const waiting = new Counter<string>()
  for (const { ladder, opponent, table } of matchmaking.waiting)
    if (opponent === null && table === null) waiting.add(ladder.id)
  const playing = new Counter<string>()
  for (const { deal } of arena.tables.values()) playing.add(deal.ladder.id)
  const ladderOf = ({ id: game }: CatalogueGame, variant: Variant) => {
    const { id } = agentsLadder(game, variant)
    return {
      ...{ id, speed: variant.speed, ladder: variant.listing },
      ...{ waiting: waiting.of(id), playing: playing.of(id) },
      ...(account !== null && { rating: ratings.get(id) ?? null }),
    }
  }
  const listed = (of: CatalogueGame) => {
    const seats = seatRange(of)
    const ladders = variants
      .filter(({ listing }) => listing === 'open' || listsMoves(of))
      .map(variant => ladderOf(of, variant))
      .filter(
        ({ waiting, playing, rating = null }) =>
          game !== undefined || waiting + playing > 0 || rating !== null,
      )
    return { id: of.id, title: of.title, ...(seats.max !== 2 && { seats }), ladders }
  }
  const [again, join] = [callText(protocol, 'lobby'), callText(protocol, 'join')]
  return {
    body: {
      status: 'lobby',
      games: game === undefined ? games.map(listed) : [listed(game)],
      clocks: {
        fast: { move_s: moveTimeout / 1000 },
        thinking: { move_s: thinkingTime.move / 1000, bank_s: thinkingTime.bank / 1000 },
        ...{ wait_s: mostWait, silence_s: mostSilence / 1000 },
      },
      ...(account !== null && {
        seats: seats.of(account).map(({ id, ladder, match, status }) => ({
          ...{ seat: id, game: ladder.game, ladder: ladder.id, match, status },
        })),
      }),
      ...(game !== undefined && { ...tablesOf(rooms, parties, game), ...rulesOf(game) }),
      next:
        game === undefined
          ? `${again} with game for its rules and ladders, or ${join} with game`
          : `${join} with game ${game.id}`,
    },
  }
}

/** So many of those that players have set up, the newest first: an answer is for a model to read. */
const mostListed = 20

/** The tables for a game that have a free seat; nothing where there are none. */
const tablesOf = (
  rooms: LobbyHost['rooms'],
  parties: LobbyHost['parties'],
  { id }: CatalogueGame,
) => {
  const ofRooms = roomIds
    .flatMap(room => rooms?.tables(room) ?? [])
    .filter(
      ({ prompt, status, seats }) =>
        prompt.game.id === id && status === 'waiting' && seats.includes(null),
    )
    .map(({ id, room, prompt, seats }) => ({
      ...{ id, room, title: prompt.title },
      seated: seats.flatMap(sitter => (sitter === null ? [] : [sitter.player.account.name])),
    }))
  const set = (parties?.tables() ?? [])
    .filter(table => table.game.id === id && table.status === 'waiting' && freeSeats(table) > 0)
    .toReversed()
    .slice(0, mostListed)
    .map(table => ({
      ...{ id: table.code, room: null, title: table.name, free: freeSeats(table) },
      seated: table.sitters.flatMap((sitter, slot) =>
        sitter === null ? [] : [sitterName(sitter, slot)],
      ),
    }))
  const tables = [...ofRooms, ...set]
  return tables.length === 0 ? {} : { tables }
}
