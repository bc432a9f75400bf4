import type { Ending, Outcome } from '../../src/arena/ending.ts'
import type { Played } from '../../src/arena/match-store.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import { Dice } from '../../src/games/dice.ts'
import type { Game } from '../../src/games/game.ts'
import { games } from '../../src/games/index.ts'
import { openStore } from '../../src/store/store.ts'
import { playOut } from './games.ts'

export interface Seeding {
  readonly matches: number
  readonly accounts: number
}

/** Matches in one commit. */
const together = 1_000

/**
 * Fills a data folder with matches, one a minute up to now: real games from real seeds. Some agents play far more than
 * others, and some matches end by a forfeit.
 */
export const seed = async (folder: string, { matches, accounts }: Seeding): Promise<void> => {
  const until = systemClock.date()
  let date = until - matches * 60_000
  const clock: Clock = { ...systemClock, date: () => date }
  const { users, matchStore, write, close, matches: kept } = await openStore(folder, clock)
  try {
    if (kept.newest({ limit: 1 }).length > 0)
      throw new Error(`there are matches in ${folder}: name an empty folder`)
    const players = await write(() =>
      Array.from({ length: accounts }, (_, i) => {
        const added = users.add(`agent-${i + 1}`)
        if ('problem' in added) throw new Error(`${folder} is not empty: ${added.problem}`)
        return added.id
      }),
    )
    const dice = Dice.fromSeed(accounts)
    const shelf = games.filter(({ seats }) => seats === 2).map(bookOf)
    let finishing: Promise<unknown>[] = []
    for (let n = 1; n <= matches; n++) {
      date += 60_000
      const { game, played } = shelf[Math.floor(dice.next() ** 3 * shelf.length)]!
      const { seed, moves, outcome } = dice.pick(played)
      const a = Math.floor(dice.next() ** 2 * accounts)
      const b = (a + 1 + dice.roll(accounts - 1)) % accounts
      const id = matchStore.begin({
        ...{ game: game.id, seed, accounts: [players[a]!, players[b]!], unrated: null },
        startedAt: date - moves.length * 400,
      })
      const isForfeit = dice.roll(20) === 0 && moves.length > 1
      finishing.push(
        isForfeit
          ? matchStore.finish(id, forfeit(moves.at(-1)![0], dice), moves.slice(0, -1))
          : matchStore.finish(id, outcome, moves),
      )
      if (finishing.length < together && n < matches) continue
      await Promise.all(finishing)
      finishing = []
    }
  } finally {
    await close()
  }
}

const faults = ['late', 'illegal', 'gone', 'resigned'] as const satisfies readonly Ending[]

const forfeit = (loser: number, dice: Dice): Outcome => {
  const fault = dice.pick(faults)
  return {
    ...{ ending: fault, detail: `seat ${loser}: ${fault}` },
    places: [0, 1].map(seat => (seat === loser ? 2 : 1)),
    faults: [0, 1].map(seat => (seat === loser ? fault : null)),
  }
}

/** A few real games, which many players repeat. */
const bookOf = (game: Game) => ({
  game,
  played: Array.from(
    { length: game.id.startsWith('go') || game.id === 'chess' ? 4 : 100 },
    (_, i) => playedOut(game, i + 1),
  ),
})

const playedOut = (game: Game, seed: number) => {
  const { moves, status } = playOut(game, seed)
  const { places, because: detail } = status
  const outcome: Outcome = { ending: 'rules', places, faults: [null, null], detail }
  const kept = moves.map(({ seat, move }, i): Played => [seat, move, 50 + ((i * 97) % 400)])
  return { seed, moves: kept, outcome }
}
