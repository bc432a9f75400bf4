import { accountsFor, Load, movesPerMatch, type Round } from './load.ts'
import { bar } from './measure.ts'
import { pinLoad, type Server, withServer } from './server.ts'

/** How long moves take while more and more matches are live, on the host and on the relay. */
export type Growth = Awaited<ReturnType<typeof benchGrowth>>

/** Milliseconds before each move. */
const think = 1_000
/** With fewer live matches the time is longer, so that there are as many moves as with these. */
const enough = 100
const secondsOf = (live: number, seconds: number) => seconds * Math.max(1, enough / live)

/** Over WebSocket, one match for each connection. */
export const benchGrowth = async (live: readonly number[], seconds: number) => {
  const matches = live.map(pairs => {
    const rounds = secondsOf(pairs, seconds) / ((movesPerMatch * think) / 1000)
    return { matches: pairs * (3 + rounds) }
  })
  const load = new Load(accountsFor('ws', compiling, ...matches), 0)
  const { accounts } = load
  const levels = (server: Server) => levelsOf(load, server, live, seconds)
  const { recording, house } = await withServer('host', { accounts }, async host => ({
    recording: await load.record(host, 'ws'),
    house: await levels(host),
  }))
  const relay = await withServer('relay', { accounts, recording }, levels)
  const p99 = house.map(({ move }) => move.p99)
  return {
    ...{ think, accounts: accounts.length, pinned: pinLoad() },
    levels: live.map((live, i) => ({ live, house: house[i]!, relay: relay[i]! })),
    bars: [bar('growth of move.p99', Math.max(...p99) - Math.min(...p99), 2)],
  }
}

/** Until the code that runs often has been compiled. */
const compiling = { seconds: 3 }

const levelsOf = async (load: Load, server: Server, live: readonly number[], seconds: number) => {
  await load.play(server, {
    transport: 'ws',
    pairs: 16,
    warmUp: compiling,
    stretch: { matches: 1 },
  })
  const levels: Pick<Round, 'moves' | 'unrated' | 'move'>[] = []
  for (const pairs of live) {
    const { moves, unrated, move } = await load.play(server, {
      ...{ transport: 'ws', pairs, think },
      // When as many matches have ended as are live, all agents have begun.
      warmUp: { matches: pairs },
      stretch: { seconds: secondsOf(pairs, seconds) },
    })
    levels.push({ moves, unrated, move })
  }
  return levels
}
