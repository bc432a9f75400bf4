import { existsSync, renameSync, rmSync } from 'node:fs'
import type { Ending } from '../src/arena/ending.ts'
import { agentsLadder } from '../src/arena/ladder.ts'
import type { Played } from '../src/arena/match-store.ts'
import { quickFalls } from '../src/arena/quick.ts'
import { randomMove } from '../src/bots/random-move.ts'
import { Dice } from '../src/games/dice.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  seatRange,
  stateAfter,
} from '../src/games/game.ts'
import { games } from '../src/games/index.ts'
import { noHash, sealedMatch, sealOf } from '../src/seal.ts'
import { recalculate } from '../src/store/rating-recalculation.ts'
import { openFile } from './data-folder.ts'
import { agentbbs } from './server.ts'

/**
 * Makes a data folder with past matches of two seats, one a minute up to now: real games from real seeds, with ratings
 * and seals, as a host would have stored them. Some agents play far more than others, and some matches end by a forfeit.
 */
export const seed = (folder: string, matches: number): void => {
  // Written without a journal, so a folder that is not complete must not be taken for one.
  const draft = `${folder}.part`
  rmSync(draft, { recursive: true, force: true })
  agentbbs(draft, 'migrate')
  const db = openFile(draft)
  db.pragma('journal_mode = OFF')
  db.pragma('synchronous = OFF')
  db.pragma('cache_size = -500000')
  db.transaction(() => fill(db, matches))()
  db.pragma('journal_mode = WAL')
  db.close()
  if (existsSync(folder)) rmSync(folder, { recursive: true })
  renameSync(draft, folder)
}

type File = ReturnType<typeof openFile>

const fill = (db: File, matches: number): void => {
  const accounts = Math.max(10, Math.ceil(matches / 100))
  const until = Date.now()
  const account = insertInto(db, 'accounts', 'id', 'name', 'kind', 'created_at')
  for (let id = 1; id <= accounts; id++)
    account(id, nameOf(id), 'player', until - (matches + 1) * 60_000)
  const match = insertInto(
    db,
    ...(['matches', 'id', 'game', 'seed', 'started_at', 'ended_at', 'ending', 'detail'] as const),
    ...(['finished_seq', 'move_count', 'moves'] as const),
  )
  const seat = insertInto(
    db,
    ...(['match_seats', 'match', 'seat', 'account', 'ladder', 'place', 'fault', 'quick'] as const),
    ...(['rating_before', 'rating_after'] as const),
  )
  const seal = insertInto(db, 'seals', 'ladder', 'number', 'type', 'match', 'hash')
  const heads = new Map<string, { number: number; hash: string }>()
  const { ratings, firsts } = recalculate(
    results(matches, accounts, until),
    ({ row, ladder, places, faults, quick, accounts }, before, after) => {
      const { id, game, seed, started_at, ended_at, ending, detail, move_count, moves } = row
      match(id, game, seed, started_at, ended_at, ending, detail, id, move_count, moves)
      const seats = places.map((place, i) => ({
        ...{ seat: i, account: accounts[i]!, name: nameOf(accounts[i]!), kind: 'player' as const },
        ...{ place, fault: faults[i]!, quick: quick[i] ? 1 : 0, score: null },
        ...{ rating_before: before[i]!.rating, rating_after: after[i]!.rating },
      }))
      for (const one of seats)
        seat(
          ...[id, one.seat, one.account, ladder.id, one.place, one.fault, one.quick],
          ...[one.rating_before, one.rating_after],
        )
      const head = heads.get(ladder.id) ?? { number: 0, hash: noHash }
      head.number++
      head.hash = sealOf(head.hash, sealedMatch(row, ladder.id, seats))
      heads.set(ladder.id, head)
      seal(ladder.id, head.number, 'match', id, head.hash)
    },
  )
  const counted = ['rating', 'games', 'wins', 'losses', 'draws', 'lead'] as const
  const rating = insertInto(db, 'ratings', 'account', 'ladder', ...counted)
  for (const [key, of] of ratings) rating(...key.split(' '), ...counted.map(name => of[name]))
  const meeting = insertInto(db, 'meetings', 'account', 'ladder', 'against', 'firsts')
  for (const [key, times] of firsts) meeting(...key.split(' '), times)
  db.prepare('delete from match_numbers').run()
  insertInto(db, 'match_numbers', 'reserved')(matches)
}

const nameOf = (account: number) => `agent-${account}`

const insertInto = (db: File, table: string, ...columns: readonly string[]) => {
  const insert = db.prepare(`insert into ${table} (${columns}) values (${columns.map(() => '?')})`)
  return (...values: readonly unknown[]) => insert.run(...values)
}

function* results(matches: number, accounts: number, until: number) {
  const dice = Dice.fromSeed(accounts)
  const shelf = games.filter(({ seats }) => seats === 2).map(pastOf)
  for (let id = 1; id <= matches; id++) {
    // Most are of the first games in the list, and by the first accounts.
    const past = dice.pick(shelf[Math.floor(dice.next() ** 6 * shelf.length)]!)
    const a = Math.floor(dice.next() ** 2 * accounts)
    const b = (a + 1 + dice.roll(accounts - 1)) % accounts
    const started_at = until - (matches + 1 - id) * 60_000
    const row = { ...past.row, id, started_at, ended_at: started_at + 20_000, finished_seq: id }
    const ladder = agentsLadder(past.row.game)
    yield { ...past, row, ladder, accounts: [a + 1, b + 1], rated: true, practice: false }
  }
}

const faults = ['late', 'illegal', 'gone', 'resigned'] as const satisfies readonly Ending[]

/** A few real matches, which many agents repeat; every twentieth ends by a forfeit. */
const pastOf = (game: Game) =>
  Array.from({ length: game.id.startsWith('go') || game.id === 'chess' ? 20 : 100 }, (_, i) => {
    const seed = i + 1
    const { moves, status } = playOut(game, seed)
    const { seat: loser } = moves.at(-1)!
    const fault = i % 20 === 7 ? faults[Math.floor(i / 20) % faults.length]! : null
    if (fault !== null) moves.pop()
    const played = moves.map(({ seat, move }, ply): Played => [seat, move, 50 + ((ply * 97) % 400)])
    const faulted = [0, 1].map(seat => (fault !== null && seat === loser ? fault : null))
    return {
      row: {
        ...{ game: game.id, seed, setup: null },
        ...{ unrated: null, ending: fault ?? 'rules', move_count: moves.length },
        detail: fault === null ? status.because : `seat ${loser}: ${fault}`,
        moves: JSON.stringify(played),
      },
      places: fault === null ? status.places : [0, 1].map(seat => (seat === loser ? 2 : 1)),
      faults: faulted,
      scores: [null, null],
      quick: quickFalls(faulted, played),
    }
  })

/** A random match of this seed, of all seats unless given. */
export const playOut = (game: Game, seed: number, seats = seatRange(game).max) => {
  const dice = Dice.fromSeed(~seed)
  const moves: { readonly seat: number; readonly move: Json }[] = []
  for (let state = game.start(seed, seats); ; ) {
    const status = game.status(state)
    if (isFinal(status)) return { moves, status }
    const seat = status.toMove[0] ?? 0
    const move = isVoting(status)
      ? { votes: [dice.roll(9), dice.roll(9)] }
      : randomMove(game, state, seat, dice)
    const next = stateAfter(game, state, seat, move)
    if (isIllegal(next)) throw new Error(`${game.id}: ${next.reason}`)
    moves.push({ seat, move })
    state = next
  }
}
