import { canPin, Helper, loadCore } from '../helper.ts'
import { each, type Memory, middle, type Spread } from '../measure.ts'
import { type BenchAccount, newLoad, Server } from '../server.ts'

/** What others do to the moves of players: the milliseconds of a move without them and with them. */
export interface Beside {
  readonly pinned: boolean
  readonly without: Spread
  readonly with: Spread
}

const rounds = 5

/** Behind the other, which measures: only the server is to feel what it does. */
const newOnlookers = () => new Helper('dev/onlookers', loadCore, 'behind')

interface Disturbance {
  begin(): Promise<unknown>
  end(): Promise<unknown>
}

/** Pairs play by WebSocket, in turn alone and beside what the disturbance does. */
const besidePairs = async <T>(
  { pairs, seconds }: { readonly pairs: number; readonly seconds: number },
  disturb: (onlookers: Helper, server: Server) => Promise<Disturbance & { readonly told: T }>,
): Promise<Beside & T> => {
  const [load, onlookers] = [newLoad(), newOnlookers()]
  let server: Server | null = null
  try {
    const crowd = { count: 2 * pairs + 2, transport: 'ws' } as const
    server = await Server.open('house', await load.ask<BenchAccount[]>('accounts', crowd))
    const { begin, end, told } = await disturb(onlookers, server)
    const stretch = { seconds: seconds / rounds / 2 }
    const play = { transport: 'ws', pairs, warmUp: { seconds: 1 }, stretch } as const
    const seen: { without: Spread[]; with: Spread[] } = { without: [], with: [] }
    await server.play(load, play)
    for (let round = 0; round < rounds; round++) {
      seen.without.push((await server.play(load, play)).move)
      await begin()
      seen.with.push((await server.play(load, play)).move)
      await end()
    }
    return { pinned: canPin(), without: middle(seen.without), with: middle(seen.with), ...told }
  } finally {
    server?.stop()
    load.stop()
    onlookers.stop()
  }
}

/** What logins by SSH, so many a second, do to moves. */
export const benchLogins = (perSecond: number, pairs: number, seconds: number) =>
  besidePairs({ pairs, seconds }, async (onlookers, { reach }) => {
    const logIns = (perSecond: number) =>
      onlookers.ask('logIns', { port: reach.ssh.port, perSecond })
    return { begin: () => logIns(perSecond), end: () => logIns(0), told: { perSecond } }
  })

/** What so many who follow one match by event stream do to the moves of all others. */
export const benchStreams = (number: number, pairs: number, seconds: number) =>
  besidePairs({ pairs, seconds }, async (onlookers, { reach }) => {
    const { port, tokens } = reach.ws
    await onlookers.ask('play', { port, tokens: tokens.slice(-2) })
    /** Over all rounds with them; `there`: how many still followed at the end of the last one. */
    const told = { streams: number, bytes: 0, there: 0 }
    return {
      begin: () => onlookers.ask('streams', { port, number }),
      end: async () => {
        const { bytes, there } = await onlookers.ask<{ bytes: number; there: number }>('read')
        told.bytes += bytes
        told.there = there
        await onlookers.ask('leave')
      },
      told,
    }
  })

export interface BesideScreens extends Beside {
  readonly screens: number
  /** Bytes that an idle session of the hub takes. */
  readonly session: Memory
  /** That reached each of those who read, while the moves with them were measured. */
  readonly bytes: number
}

/** What so many who watch a match in the hub do to its moves; every other one of them is frozen. */
export const benchScreens = async (number: number, moves: number): Promise<BesideScreens> => {
  const [players, onlookers] = [new Helper('dev/onlookers', loadCore), newOnlookers()]
  let server: Server | null = null
  try {
    server = await Server.open('house', [{ name: 'bench-1' }, { name: 'bench-2' }])
    const { port } = server.reach.ssh
    // The first ones have code loaded and buffers made that the others then share.
    const first = Math.min(20, Math.ceil(number / 2))
    await onlookers.ask('sit', { port, number: first })
    const before = await server.ask<Memory>('memory')
    await onlookers.ask('sit', { port, number: number - first })
    const session = each(before, await server.ask<Memory>('memory'), number - first)
    await players.ask('play', server.reach.ws)
    const measure = async () => {
      await players.ask('latencies', Math.ceil(moves / 4))
      const seen: Spread[] = []
      for (let round = 0; round < rounds; round++)
        seen.push(await players.ask<Spread>('latencies', Math.ceil(moves / rounds)))
      return middle(seen)
    }
    const without = await measure()
    await onlookers.ask('open')
    const beside = await measure()
    const { bytes } = await onlookers.ask<{ bytes: number }>('read')
    const readers = Math.ceil(number / 2)
    return {
      ...{ pinned: canPin(), without, with: beside },
      ...{ screens: number, session, bytes: bytes / readers },
    }
  } finally {
    server?.stop()
    players.stop()
    onlookers.stop()
  }
}
