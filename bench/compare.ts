import { newAccounts } from './data-folder.ts'
import { accountsFor, fastest, Load, sshSettings } from './load.ts'
import { type Bar, bar, type Figure, figuresOf, type Measured, medianOf } from './measure.ts'
import { pinLoad, type Server, type Transport, withHost, withRelay } from './server.ts'
import type { Round } from './tally.ts'

/** Which side is measured first in each turn. */
const turns = ['host', 'relay', 'host'] as const

/**
 * The host, and a relay over the same transport that plays no game and stores nothing. They are measured in turns, so
 * that other work on the machine disturbs both.
 */
export const benchMatches = async (
  transports: readonly Transport[],
  seconds: number,
  pairs?: number,
) => {
  const compared = []
  for (const transport of transports) compared.push(await compare(transport, seconds, pairs))
  return {
    ...{ pinned: pinLoad(), seconds, settings: transports.includes('ssh') ? sshSettings : {} },
    ...Object.fromEntries(compared.map(({ transport, about }) => [transport, about])),
    figures: compared.flatMap(({ figures }) => figures),
    bars: compared.flatMap(({ bars }) => bars),
  } satisfies Measured
}

const compare = async (
  transport: Transport,
  seconds: number,
  pairs = transport === 'ssh' ? 8 : 16,
) => {
  const count = accountsFor(fastest[transport] * seconds * (1 + turns.length * 1.25))
  const accounts = newAccounts(count, transport === 'ssh' ? count : 0)
  const load = new Load(accounts)
  const settings = transport === 'ssh' ? sshSettings : {}
  const play = async (server: Server, warmUp: number, seconds: number) =>
    (await load.play(server, { transport, pairs, warmUp, seconds }))[0]!
  const rounds = await withHost({ accounts, settings }, async host =>
    withRelay(await load.record(host, transport), relay => inTurns({ host, relay }, play, seconds)),
  )
  const figures = figuresOf(transport, valuesOf(rounds.host), valuesOf(rounds.relay))
  const about = { pairs, accounts: accounts.length, ...countsOf(rounds.host) }
  return { transport, about, figures, bars: barsOf(transport, figures) }
}

/** Plays on both servers, one after the other. */
export const inTurns = async (
  servers: Readonly<Record<'host' | 'relay', Server>>,
  play: (server: Server, warmUp: number, seconds: number) => Promise<Round>,
  seconds: number,
  firstMoves = 0,
) => {
  // Until the code that runs often has been compiled.
  for (const server of [servers.host, servers.relay]) {
    let moves = 0
    do moves += (await play(server, 0, seconds)).moves
    while (moves < firstMoves)
  }
  const rounds: Record<keyof typeof servers, Round[]> = { host: [], relay: [] }
  for (const first of turns)
    for (const side of [first, first === 'host' ? 'relay' : 'host'] as const)
      rounds[side].push(await play(servers[side], seconds / 4, seconds))
  return rounds
}

export const valuesOf = (rounds: readonly Round[]) => rounds.map(({ values }) => values)

/** How many matches were played, and how many of them were rated. */
export const countsOf = (rounds: readonly Round[]) => {
  const sum = (what: 'matches' | 'rated') => rounds.reduce((sum, round) => sum + round[what], 0)
  return { matches: sum('matches'), rated: sum('rated') }
}

/** Over SSH the handshakes of others decide how long a move takes, on the relay too. */
const barsOf = (transport: Transport, figures: readonly Figure[]): readonly Bar[] => {
  const cpu = figures.find(({ figure }) => figure === `${transport}.cpu`)!.ratio!.median
  const median = (name: string, most: number) => bar(name, medianOf(figures, name), most)
  return transport === 'ssh'
    ? [bar('ssh.cpu ratio', cpu, 1.2, 1.08)]
    : [
        bar('ws.cpu ratio', cpu, 1.25, 0.9),
        median('ws.move.p99', 2),
        median('ws.result.p50', 2),
        median('ws.result.p99', 6),
      ]
}
