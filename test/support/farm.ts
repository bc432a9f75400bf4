import { agentsLadder } from '../../src/arena/ladder.ts'
import type { Ended, News, Player, Seated } from '../../src/arena/player.ts'
import { Dice } from '../../src/games/dice.ts'
import type { Game, Json } from '../../src/games/game.ts'
import { dataFolder } from './data-folder.ts'
import { FakeClock } from './fake-clock.ts'
import { openStore } from './open-store.ts'
import { newAccount, strictTerms } from './played.ts'
import { TestArena } from './test-arena.ts'

export interface Farm {
  readonly game: Game
  readonly helpers: number
  readonly days: number
  readonly gainCap: number
  /** After how many moves of its own a helper resigns its match number 0, 1, … */
  readonly movesOf: (match: number) => number
  /** Matches of the farmer with one helper a day. */
  readonly perDay: number
  /** How many of its matches with one helper are live at the same time. */
  readonly atOnce: number
  /** The farmer resigns every match of this number; 0 for never. */
  readonly losesEvery: number
}

/**
 * An account that moves at random wins points from helpers that resign against it, with the real arena and store.
 * Returns the store and the ratings at the end of each day, the farmer's first.
 */
export const farm = async (given: Partial<Farm> & Pick<Farm, 'game'>) => {
  const { game, helpers, days, gainCap, movesOf, perDay, atOnce, losesEvery } = {
    ...{ helpers: 1, days: 1, gainCap: 100, perDay: 100, atOnce: 1, losesEvery: 0 },
    movesOf: () => 1,
    ...given,
  }
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock, { gainCap, copyCap: 10 })
  const dice = Dice.fromSeed(7)
  const arena = new TestArena({
    clock,
    matchStore: store.matchStore,
    house: () => undefined,
    queueWait: 60_000,
    pairCap: 100,
    roll: n => dice.roll(n),
  })
  const settle = async () => {
    clock.pass(10)
    await new Promise(setImmediate)
  }
  const farmer = newAccount(store.users, 'farmer')
  const others = Array.from({ length: helpers }, (_, n) => newAccount(store.users, `helper-${n}`))
  const ends: Ended[] = []
  const ratings: number[][] = []
  /** Seats two players, and plays until one resigns. */
  const match = (helper: typeof farmer, n: number) => {
    const both = [farmer, helper].map(account => new Seat(account, ends))
    for (const seat of both) arena.seek(seat, { game })
    FakeClock.finishTick()
    const loser = losesEvery > 0 && n % losesEvery === losesEvery - 1 ? both[0]! : both[1]!
    const own = movesOf(n)
    return () => {
      let made = 0
      // After a win no seat has the turn.
      for (let mover = toMove(both); mover !== undefined; mover = toMove(both)) {
        if (mover === loser && made++ === own) return mover.seated!.handle.resign()
        mover.yourTurn = false
        mover.seated!.handle.move(dice.pick(mover.legal))
        FakeClock.finishTick()
      }
    }
  }
  for (let day = 0; day < days; day++) {
    const midnight = clock.date() - (clock.date() % 86_400_000) + 86_400_000
    for (let n = 0; n < perDay; n += atOnce)
      for (const helper of others) {
        const matches = Array.from({ length: atOnce }, (_, i) => match(helper, n + i))
        for (const play of matches) play()
        await settle()
      }
    ratings.push(
      [farmer, ...others].map(
        ({ id }) => store.matchStore.standing(id, agentsLadder(game.id)).rating,
      ),
    )
    clock.pass(midnight - clock.date() + 1000)
  }
  return { ratings, store, ends }
}

const toMove = (seats: readonly Seat[]) => seats.find(({ yourTurn }) => yourTurn)

class Seat implements Player {
  readonly terms = strictTerms
  readonly account
  readonly #ends: Ended[]
  seated: Seated | null = null
  yourTurn = false
  legal: readonly Json[] = []

  constructor(account: Player['account'], ends: Ended[]) {
    this.account = account
    this.#ends = ends
  }

  tell(message: News): void {
    if (message.kind === 'seated') this.seated = message
    if (message.kind === 'shown') {
      this.yourTurn = message.yourTurn
      this.legal = message.observation.legal ?? []
    }
    if (message.kind === 'ended') this.#ends.push(message)
  }
}
