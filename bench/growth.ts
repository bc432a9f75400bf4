import { countsOf, valuesOf } from './compare.ts'
import { newAccounts } from './data-folder.ts'
import { accountsFor, fastest, Load, movesPerMatch } from './load.ts'
import { bar, figuresOf, type Measured, medianOf } from './measure.ts'
import { pinLoad, type Server, withHost, withRelay } from './server.ts'
import type { Round } from './tally.ts'

/** Milliseconds before each move. */
const think = 1_000
const matchSeconds = (movesPerMatch * think) / 1000
const rounds = 3
/** With fewer live matches rounds are longer, so that there are as many moves as with these. */
const enough = 30
const secondsOf = (live: number, seconds: number) => seconds * Math.max(1, enough / live)

/** How long moves take while more and more matches are live over WebSocket, on the host and on the relay. */
export const benchGrowth = async (live: readonly number[], seconds: number) => {
  const matches = live.reduce(
    (sum, pairs) => sum + pairs * (3 + (rounds * secondsOf(pairs, seconds)) / matchSeconds),
    fastest.ws * compiling.warmUp,
  )
  const accounts = newAccounts(accountsFor(matches), 0)
  const load = new Load(accounts)
  const levels = async (server: Server) => {
    await load.play(server, compiling)
    const levels: (readonly Round[])[] = []
    for (const pairs of live)
      levels.push(
        await load.play(server, {
          ...{ transport: 'ws', pairs, think, rounds },
          // By then all agents have begun.
          warmUp: 1.2 * matchSeconds,
          seconds: secondsOf(pairs, seconds),
        }),
      )
    return levels
  }
  const { recording, host } = await withHost({ accounts }, async host => ({
    recording: await load.record(host, 'ws'),
    host: await levels(host),
  }))
  const relay = await withRelay(recording, levels)
  const figures = live
    .flatMap((live, i) => figuresOf(`live ${live}`, valuesOf(host[i]!), valuesOf(relay[i]!)))
    .filter(({ figure }) => /movesPerSecond|move\./.test(figure))
  const p99 = live.map(live => medianOf(figures, `live ${live}.move.p99`))
  return {
    ...{ pinned: pinLoad(), think, seconds, accounts: accounts.length },
    ...countsOf(host.flat()),
    figures,
    bars: [bar('growth of move.p99', Math.max(...p99) - Math.min(...p99), 2)],
  } satisfies Measured
}

/** Until the code that runs often has been compiled. */
const compiling = { transport: 'ws', pairs: 16, warmUp: 3, seconds: 0 } as const
