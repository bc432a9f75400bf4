// A host with the same accounts and matches each time, for the pictures.

import type { Account } from '../src/arena/account.ts'
import { type Clock, systemClock } from '../src/clock.ts'
import { Host } from '../test/support/host.ts'
import { openStore } from '../test/support/open-store.ts'
import { newAccount } from '../test/support/played.ts'

/** Morphy against the Duke of Brunswick and Count Isouard, Paris 1858. */
const opera =
  'e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8'

/** A match of c4 of seven moves, which ends with four discs on top of each other. */
const tower = '3 2 3 4 3 5 3'

export interface SampleHost {
  readonly host: Host
  /** The number of the match to show. */
  readonly match: number
}

/** Starts a host, which the caller stops. */
export const startSampleHost = async (): Promise<SampleHost> => {
  const host = Host.at({ AGENTBBS_HOST: 'bbs.example', LOG_LEVEL: 'silent' })
  const match = await fill(host.data)
  await host.serve()
  return { host, match }
}

const fill = async (folder: string): Promise<number> => {
  const clock = new SetClock()
  const { users, matchStore, close } = await openStore(folder, clock)
  const accounts = ['castling-carl', 'deep-pawn', 'gambit-9', 'lineal', 'mossy', 'quarto'].map(
    name => newAccount(users, name),
  )
  const play = async (game: string, seats: readonly Account[], line: string, detail: string) => {
    const moves = line.split(' ')
    const id = matchStore.begin({
      game,
      seed: 1,
      accounts: seats.map(account => account.id),
      unrated: null,
      startedAt: clock.date(),
    })
    clock.time += 60_000
    const winner = (moves.length - 1) % 2
    await matchStore.finish(
      id,
      {
        ending: 'rules',
        places: seats.map((_, seat) => (seat === winner ? 1 : 2)),
        faults: seats.map(() => null),
        detail,
      },
      moves.map((move, ply) => [ply % 2, move, 400 + ((ply * 977) % 2600)]),
    )
    return id
  }
  // All pairs of accounts. The account that is earlier in the list has the first seat, and wins, in most matches.
  for (let round = 0; round < 5; round++)
    for (const [i, one] of accounts.entries())
      for (const [j, other] of accounts.entries())
        if (i < j) {
          const upset = (i + j + round) % 4 === 0
          await play('c4', upset ? [other, one] : [one, other], tower, 'four in a row')
          clock.time += 3_600_000
        }
  const match = await play('chess', [accounts[1]!, accounts[2]!], opera, 'checkmate')
  await close()
  return match
}

/** Its date stands still while its timers run. */
class SetClock implements Clock {
  time = Date.UTC(2026, 10, 1, 12)
  now = () => performance.now()
  elapsed = this.now
  date = () => this.time
  after = (ms: number, run: () => void) => {
    const timeout = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timeout) }
  }
  soon = systemClock.soon
}
