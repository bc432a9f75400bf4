import { countsOf, inTurns } from './compare.ts'
import { newAccounts } from './data-folder.ts'
import { recordLeague } from './league-agent.ts'
import { type LeagueGame, leagueGames } from './league-moves.ts'
import { accountsFor, Load } from './load.ts'
import { type Bar, bar, type Figure, figuresOf, type Measured, medianOf } from './measure.ts'
import { pinLoad, type Server, withHost, withLeagueRelay } from './server.ts'
import type { Round } from './tally.ts'

/** More matches a second than one core has hosted. */
const fastest: Readonly<Record<LeagueGame, number>> = {
  echo: 2_500,
  'skill-gomoku': 600,
  'resource-rush': 3,
}

/**
 * Moves before the first turn, for each second of a measurement. More code takes part in a move here than in one of the
 * script, and a machine that is busy with other work takes longer to compile it.
 */
const firstMoves: Readonly<Record<LeagueGame, number>> = {
  echo: 6_000,
  'skill-gomoku': 6_000,
  'resource-rush': 1_000,
}

/** The host, and a relay that passes the messages of one match on, measured in turns. */
export const benchLeague = async (seconds: number, pairs = 16) => {
  const compared = []
  // The limit is for one match of resource-rush at a time.
  for (const game of leagueGames)
    compared.push(await compare(game, game === 'resource-rush' ? 1 : pairs, seconds))
  return {
    ...{ pinned: pinLoad(), seconds, settings: {} },
    ...Object.fromEntries(compared.map(({ game, about }) => [game, about])),
    figures: compared.flatMap(({ figures }) => figures),
    bars: compared.flatMap(({ bars }) => bars),
  } satisfies Measured
}

const compare = async (game: LeagueGame, pairs: number, seconds: number) => {
  const load = new Load(newAccounts(accountsFor(fastest[game] * seconds * 6), 0))
  const play = async (server: Server, warmUp: number, seconds: number) =>
    (await load.play(server, { transport: 'ws', league: game, pairs, warmUp, seconds }))[0]!
  const rounds = await withHost({ accounts: load.accounts }, async host => {
    const dials = [0, 1].map(account => load.leagueDialler(host, account))
    return withLeagueRelay(await recordLeague(game, dials), relay =>
      inTurns({ host, relay }, play, seconds, firstMoves[game] * seconds),
    )
  })
  const figures = figuresOf(game, rounds.host.map(valuesOf(game)), rounds.relay.map(valuesOf(game)))
  const about = { pairs, accounts: load.accounts.length, ...countsOf(rounds.host) }
  return { game, about, figures, bars: [barOf(game, figures)] }
}

const valuesOf =
  (game: LeagueGame) =>
  ({ moves, bytes, cpu, values }: Round) => ({
    movesPerSecond: values.movesPerSecond!,
    cpu: (cpu / moves) * 1e6,
    bytes: bytes / moves,
    'move.p50': values['move.p50']!,
    'move.p99': values['move.p99']!,
    // Both drones move in a tick.
    ...(game === 'resource-rush' && {
      'tick.cpu': (cpu / moves) * 2e6,
      'tick.bytes': (bytes / moves) * 2,
      ticksPerCpuSecond: moves / 2 / cpu,
    }),
  })

/** 300 ticks a second on one core. */
const mostForTick = 1e6 / 300

const barOf = (game: LeagueGame, figures: readonly Figure[]): Bar => {
  if (game === 'resource-rush')
    return bar('resource-rush.tick.cpu', medianOf(figures, 'resource-rush.tick.cpu'), mostForTick)
  const { ratio } = figures.find(({ figure }) => figure === `${game}.cpu`)!
  return bar(`${game}.cpu ratio`, ratio!.median, 1.4)
}
