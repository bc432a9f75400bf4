// Honest agents in a process of their own, so that attackers do not delay them. IPC gives them the address of the
// server, and returns how long each of their moves took.

import { starved } from '../../bench/measure.ts'
import { openHostKey } from '../../src/wire/host-key.ts'
import { type Dial, playHonestly } from './honest.ts'
import { Luck, seedOf } from './luck.ts'

export interface Orders {
  readonly ssh: number
  readonly http: number
  /** The process of the server. */
  readonly server: number
  /** `key`: the folder of its key. */
  readonly members: readonly {
    readonly name: string
    readonly token: string
    readonly key: string
  }[]
}

/** Milliseconds until a move was answered, and how long of that a thread was ready but had no processor. */
export interface Moved {
  readonly at: number
  readonly took: number
  readonly starved: number
}

export interface Played {
  readonly moves: readonly Moved[]
  readonly matches: number
  readonly faults: readonly string[]
}

const games = ['ttt', 'c4', 'gomoku'] as const

let moves: Moved[] = []
let matches = 0
let faults: string[] = []
let over = false

const playOn = async ({ server, ssh, http, members }: Orders, i: number): Promise<void> => {
  const { name, token, key } = members[i]!
  const parsed = openHostKey(key)
  for (let round = 0; !over; round++) {
    const dial: Dial = {
      ports: { ssh, http },
      member: { name, token, key: parsed },
      by: i % 2 === 0 ? 'ssh' : 'websocket',
      address: `127.2.0.${i + 1}`,
      luck: new Luck(seedOf(i + 1, round)),
      thinks: 20,
      moving: () => {
        const [at, before] = [performance.now(), starved(server) + starved('self')]
        return () => {
          const lost = starved(server) + starved('self') - before
          moves.push({ at, took: performance.now() - at, starved: lost })
        }
      },
    }
    const { fault, played } = await playHonestly(dial, games[Math.floor(i / 2) % games.length]!)
    if (over) return
    if (played) matches++
    else if (fault !== null) faults.push(fault)
  }
}

process.on('message', (message: Orders | 'report' | 'stop') => {
  if (message === 'stop') {
    over = true
    process.exit()
  } else if (message === 'report') {
    process.send?.({ moves, matches, faults } satisfies Played)
    moves = []
    matches = 0
    faults = []
  } else for (const i of message.members.keys()) void playOn(message, i)
})
process.on('disconnect', () => process.exit())
