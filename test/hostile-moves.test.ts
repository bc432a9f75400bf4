// Moves with hostile field names and extra data, at real tables, up to the stored match.

import { describe, expect, it, onTestFinished } from 'vitest'
import type { Played } from '../src/arena/match-store.ts'
import type { News, Player, SeatHandle } from '../src/arena/player.ts'
import { replay } from '../src/arena/replay.ts'
import type { Terms } from '../src/arena/terms.ts'
import { noAudience } from '../src/arena/voting.ts'
import { verified } from '../src/commands/verify.ts'
import { Dice } from '../src/games/dice.ts'
import { type Game, isFinal, type Json, type Seat, seatRange } from '../src/games/game.ts'
import { games } from '../src/games/index.ts'
import { isRecord } from '../src/games/json.ts'
import { print } from '../src/protocols/agentgames/messages.ts'
import { sendWithin } from '../src/store/match-book.ts'
import { dataFolder } from './support/data-folder.ts'
import { FakeClock } from './support/fake-clock.ts'
import { fieldsOf, spikedMove, withBallast } from './support/move-laws.ts'
import { openStore } from './support/open-store.ts'
import { newAccount } from './support/played.ts'
import { fc } from './support/properties.ts'
import { TestArena } from './support/test-arena.ts'

const terms: Terms = {
  move: 1e9,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}

const setUp = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const failures: unknown[] = []
  const arena = new TestArena({
    clock,
    matchStore: store.matchStore,
    house: () => undefined,
    queueWait: 60_000,
    failed: error => failures.push(error),
    roll: () => 0,
    voting: noAudience,
  })
  const settle = async () => {
    clock.pass(sendWithin)
    await new Promise(setImmediate)
  }
  const accounts = Array.from({ length: 6 }, (_, i) => newAccount(store.users, `bot-${i}`))
  return { store, arena, failures, settle, accounts }
}
type House = Awaited<ReturnType<typeof setUp>>

/** What a seat sends for this move. */
type Way = (move: Json, seat: Seat) => Json

const spiked = (seed: number, fields: readonly string[]) => {
  let sent = 0
  return (move: Json) =>
    fc.sample(spikedMove(move, fields), { seed: 1000 * seed + sent++, numRuns: 1 })[0]!
}

/** Each field of a move in turn is what a refusal or a status of our own looks like. */
const forged = (fields: readonly string[]) =>
  fields.flatMap(field =>
    [
      { illegal: {} },
      { illegal: 'x'.repeat(9_000), reason: '\u001b[2J' },
      { places: [1, 2], because: 'no', toMove: [1] },
      ['illegal'],
      true,
    ].map(value => (move: Json) => (isRecord(move) ? { ...move, [field]: value } : move)),
  )

/** Plays a rated match, and resigns after so many moves. */
const play = async (house: House, game: Game, seed: number, way: Way, most = 60) => {
  const dice = Dice.fromSeed(seed)
  const handles: SeatHandle[] = []
  const owed = new Set<Seat>()
  const ends: News[] = []
  const players = house.accounts.slice(0, seatRange(game).max).map((account): Player => {
    let seat = 0
    return {
      account,
      terms,
      tell: message => {
        if (message.kind === 'seated') {
          seat = message.seat
          handles[seat] = message.handle
        }
        if (message.kind === 'shown') message.yourTurn ? owed.add(seat) : owed.delete(seat)
        if (message.kind === 'ended' || message.kind === 'aborted') ends.push(message)
      },
    }
  })
  for (const player of players) house.arena.seek(player, { game })
  FakeClock.finishTick()
  for (let made = 0; ends.length === 0 && owed.size > 0; made++) {
    const seat = dice.pick([...owed])
    owed.delete(seat)
    const handle = handles[seat]!
    if (made === most) for (const other of handles) other.resign()
    else {
      const state = handle.position()
      const move = game.moves
        ? dice.pick(game.moves(state, seat))
        : game.anyMove!(state, seat, dice)
      handle.move(JSON.parse(JSON.stringify(way(move, seat))))
    }
    await house.settle()
  }
  await house.settle()
  const match = [...house.store.matches.all()].at(-1)!
  return { match, ends, moves: house.store.matches.moves(match.id) }
}

describe.each(games.map(game => [game.id, game] as const))('%s', (_, game) => {
  it('has a result with any field names in a move', async () => {
    const house = await setUp()
    const fields = fieldsOf(movesOf(game))
    const ways = [...Array.from({ length: 12 }, (_, i) => spiked(i, fields)), ...forged(fields)]
    for (const [i, way] of ways.entries()) {
      const { match, ends } = await play(house, game, i, (move, seat) =>
        seat === 0 ? way(move) : move,
      )
      expect(match.end!.ending).not.toBe('aborted')
      expect(match.end!.detail).toMatch(/^\P{Cc}{1,200}$/u)
      for (const end of ends)
        if (end.kind === 'ended')
          expect(JSON.parse(print.result(end, null))).toMatchObject({ rated: true })
    }
    expect(house.failures).toEqual([])
    expect(verified(house.store)).toMatchObject({ matches: ways.length, differences: [] })
  })

  if (!game.moves)
    it('stores only the parts of a move, and plays the stored move again', async () => {
      const house = await setUp()
      const honest = await play(house, game, 1, move => move)
      const heavy = await play(house, game, 1, withBallast)
      const untimed = (moves: readonly Played[]) => moves.map(([seat, move]) => [seat, move])
      // To the byte, because otherwise extra data would hide a duplicate match.
      expect(JSON.stringify(untimed(heavy.moves))).toBe(JSON.stringify(untimed(honest.moves)))
      const states = (moves: readonly Played[]) =>
        Array.from(
          replay({ ...heavy.match, game, seats: seatRange(game).max, moves }),
          ({ state }) => state,
        )
      const loaded = heavy.moves.map(
        ([seat, move, ms, fault]): Played =>
          fault ? [seat, move, ms, fault] : [seat, withBallast(move), ms],
      )
      expect(states(loaded)).toEqual(states(heavy.moves))
      house.store.db.file
        .prepare('update matches set moves = ? where id = ?')
        .run(JSON.stringify(loaded), heavy.match.id)
      // The changed match breaks its seal; its moves are still valid.
      expect(verified(house.store).differences).toEqual([
        expect.stringMatching(/^match 2: it is not as it was sealed/),
      ])
    })
})

const movesOf = (game: Game): Json[] => {
  if (game.moves) return []
  const state = game.start(1, seatRange(game).max)
  const status = game.status(state)
  const seat = isFinal(status) ? 0 : status.toMove[0]!
  return Array.from({ length: 40 }, (_, seed) => game.anyMove!(state, seat, Dice.fromSeed(seed)))
}
