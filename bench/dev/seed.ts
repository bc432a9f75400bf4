import type { Ending } from '../../src/arena/ending.ts'
import type { Played } from '../../src/arena/keeper.ts'
import { quickFalls } from '../../src/arena/quick.ts'
import { Dice } from '../../src/games/dice.ts'
import { type Game, isFinal, isIllegal, type Json } from '../../src/games/game.ts'
import { games } from '../../src/games/index.ts'
import { sealedMatch } from '../../src/seal.ts'
import { prepare } from '../../src/store/database.ts'
import { type MatchRow, MatchRows } from '../../src/store/match-rows.ts'
import {
  meetingKey,
  meetings,
  newcomer,
  type Rating,
  ratingKey,
  reckon,
} from '../../src/store/reckoning.ts'
import { Seals } from '../../src/store/seals.ts'
import { ratingWriter } from '../../src/store/standings.ts'
import type { Tables } from '../../src/store/store.ts'

export interface Seeding {
  readonly matches: number
  readonly accounts: number
  /** Milliseconds since 1970 at which the last match ends. */
  readonly until: number
}

/**
 * Fills a data folder with matches as if they had been played: real games from real seeds, with the ratings that
 * follow from them. Some agents play far more than others, and some matches end by a fault.
 */
export const seed = ({ db, users }: Tables, { matches, accounts, until }: Seeding): void => {
  const dice = Dice.fromSeed(accounts)
  const shelf = games.filter(({ seats }) => seats === 2).map(bookOf)
  const rows = new MatchRows(db)
  const seals = new Seals(db)
  const ratings = new Map<string, Rating>()
  const firsts = new Map<string, number>()
  db.file.exec('begin')
  const players = Array.from({ length: accounts }, (_, i) => agentOf(users.add(`agent-${i + 1}`)))
  const first = rows.last()
  for (let n = 1; n <= matches; n++) {
    const book = shelf[Math.floor(dice.next() ** 3 * shelf.length)]!
    const { seed, moves, places, because } = dice.pick(book.played)
    const a = Math.floor(dice.next() ** 2 * accounts)
    const b = (a + 1 + dice.roll(accounts - 1)) % accounts
    const seats = [players[a]!, players[b]!]
    const forfeit = dice.roll(20) === 0 && moves.length > 1
    const kept = forfeit ? moves.slice(0, -1) : moves
    const fault = forfeit ? faults[dice.roll(faults.length)]! : null
    const loser = moves.at(-1)![0]
    const result = {
      game: book.game.id,
      accounts: seats,
      places: forfeit ? seats.map((_, seat) => (seat === loser ? 2 : 1)) : places,
      quick: quickFalls(
        seats.map((_, seat) => (seat === loser ? fault : null)),
        kept,
      ),
      rated: true,
      practice: false,
    }
    const before = seats.map(id => ratings.get(ratingKey(id, result.game)) ?? newcomer)
    const after = reckon(result, before)
    for (const [seat, id] of seats.entries()) ratings.set(ratingKey(id, result.game), after[seat]!)
    for (const { account, against, first } of meetings(result)) {
      const key = meetingKey(account, result.game, against)
      firsts.set(key, (firsts.get(key) ?? 0) + first)
    }
    const ended = until - (matches - n) * 60_000
    const match: MatchRow = {
      id: first.id + n,
      game: result.game,
      seed,
      setup: null,
      unrated: null,
      started_at: ended - kept.length * 400,
      ended_at: ended,
      ending: fault ?? 'rules',
      detail: fault === null ? because : `seat ${loser}: ${fault}`,
      finished_seq: first.seq + n,
      move_count: kept.length,
      moves: JSON.stringify(kept),
    }
    const seated = seats.map((account, seat) => ({
      match: first.id + n,
      seat,
      account,
      game: result.game,
      place: result.places[seat]!,
      fault: seat === loser ? fault : null,
      quick: result.quick[seat] ? 1 : 0,
      score: null,
      rating_before: before[seat]!.rating,
      rating_after: after[seat]!.rating,
    }))
    rows.put(match, seated)
    const sealed = seated.map(row => ({ ...row, ...users.byId(row.account)! }))
    seals.match(result.game, match.id, sealedMatch(match, result.game, sealed))
  }
  writeStandings(db, ratings, firsts)
  db.file.exec('commit')
}

const faults = ['late', 'illegal', 'gone', 'resigned'] as const satisfies readonly Ending[]

const agentOf = (added: ReturnType<Tables['users']['add']>): number => {
  if ('problem' in added) throw new Error(`the data folder is not empty: ${added.problem}`)
  return added.id
}

interface Book {
  readonly game: Game
  readonly played: readonly {
    readonly seed: number
    readonly moves: readonly Played[]
    readonly places: readonly number[]
    readonly because: string
  }[]
}

/** A few real games, to be given to many players. */
const bookOf = (game: Game): Book => ({
  game,
  played: Array.from(
    { length: game.id.startsWith('go') || game.id === 'chess' ? 4 : 100 },
    (_, i) => playedOut(game, i + 1),
  ),
})

const playedOut = (game: Game, seed: number): Book['played'][number] => {
  const dice = Dice.fromSeed(seed)
  const moves: Played[] = []
  for (let state = game.start(seed, 2); ; ) {
    const status = game.status(state)
    if (isFinal(status)) return { seed, moves, places: status.places, because: status.because }
    const seat = dice.pick(status.toMove)
    const move: Json = game.moves
      ? dice.pick(game.moves(state, seat))
      : game.anyMove!(state, seat, dice)
    const next = game.play(state, seat, move)
    if (isIllegal(next)) throw new Error(`${game.id} refuses what it offers: ${next.reason}`)
    moves.push([seat, move, 50 + dice.roll(400)])
    state = next
  }
}

const writeStandings = (
  db: Tables['db'],
  ratings: ReadonlyMap<string, Rating>,
  firsts: ReadonlyMap<string, number>,
) => {
  const putRating = ratingWriter(db)
  for (const [key, rating] of ratings) {
    const [account, game] = key.split(' ')
    putRating.run({ account: Number(account), game: game!, ...rating })
  }
  type FirstsRow = { account: number; game: string; against: number; firsts: number }
  const putFirsts = prepare(db, (sql, $: FirstsRow) =>
    sql.insertInto('meetings').values({
      account: $.account,
      game: $.game,
      against: $.against,
      firsts: $.firsts,
      day: 0,
      rated: 0,
    }),
  )
  for (const [key, count] of firsts) {
    const [account, game, against] = key.split(' ')
    putFirsts.run({
      account: Number(account),
      game: game!,
      against: Number(against),
      firsts: count,
    })
  }
}
