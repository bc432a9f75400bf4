import type { Seat } from '../../../games/game.ts'
import { byId, roundsOf, sharedText, turnUpdate } from './texts.ts'
import type { Agent, End, GameWords } from './words.ts'

interface Tile {
  readonly x: number
  readonly y: number
}

interface Dancer extends Tile {
  readonly seat: Seat
  readonly alive: boolean
  readonly stunned: boolean
  readonly score: number
  readonly motto: string
  readonly eliminatedAt: { readonly round: number; readonly beatIndex: number } | null
}

interface Clash {
  readonly winner: Seat
  readonly loser: Seat
  readonly auto: boolean
}

interface Danced {
  readonly beatIndex: number
  readonly kind: string
  readonly positions: readonly (Tile & {
    readonly seat: Seat
    readonly stunned: boolean
    readonly alive: boolean
  })[]
  readonly clashes: readonly Clash[]
}

interface Seen {
  readonly round: number
  readonly maxRounds: number
  readonly scores: readonly number[]
  readonly map: {
    readonly width: number
    readonly height: number
    readonly walls: readonly Tile[]
  }
  readonly beatSequence: object
  readonly agents: readonly Dancer[]
  readonly lastRound: { readonly round: number; readonly beats: readonly Danced[] } | null
  readonly matchResult: { readonly reason: string } | null
}

interface Round {
  readonly round: number
  readonly steps: readonly (readonly string[] | null)[]
  readonly beats: readonly { readonly clashes: readonly Clash[] }[]
  readonly scores: readonly number[]
}

export const danceBattle: GameWords = {
  maxRounds: 30,
  spectators: 'audience',

  move: move => move,

  resolved: observation => (observation as unknown as Seen).lastRound?.round ?? 0,

  state: (observation, agents, end) => {
    const seen = observation as unknown as Seen
    const { maxRounds, scores } = seen
    const round = end?.totalRounds ?? seen.round
    const publicState = publicStateOf(seen, round, agents, end)
    const extra = JSON.stringify({ currentRound: round, maxRounds, scores: byId(agents, scores) })
    return {
      round,
      scores,
      grid: JSON.stringify(gridOf(seen)),
      extra: `${extra.slice(0, -1)},"publicState":${publicState}}`,
      publicState,
    }
  },

  updates: (gameId, told, _observation, agents) =>
    roundsOf<Round>(told).map(({ round, steps, beats, scores }) =>
      turnUpdate(gameId, agents, {
        round,
        actions: steps.map((plan, seat) => [
          seat,
          plan === null ? '—' : plan.map(step => symbols[step]).join(' '),
        ]),
        summary: summaryOf(round, beats, agents),
        scores,
      }),
    ),
}

const symbols: Readonly<Record<string, string>> = {
  up: '⬆️',
  down: '⬇️',
  left: '⬅️',
  right: '➡️',
  hold: '⏸️',
  rock: '✊',
  paper: '✋',
  scissors: '✌️',
}

/** The reference leaves it open. It names the eliminated dancers in the order of the beats. */
const summaryOf = (round: number, beats: Round['beats'], agents: readonly Agent[]) => {
  const losers = new Set(beats.flatMap(({ clashes }) => clashes.map(({ loser }) => loser)))
  if (losers.size === 0) return `Round ${round}: No eliminations!`
  const names = [...losers].map(seat => agents[seat]!.agentName)
  return `Round ${round}: ${names.join(', ')} eliminated!`
}

const publicStateOf = (
  { maxRounds, map, beatSequence, agents: dancers, lastRound, matchResult }: Seen,
  round: number,
  agents: readonly Agent[],
  end: End | null,
): string => {
  const head = JSON.stringify({
    gameType: 'dance-battle',
    status: end === null ? 'active' : 'completed',
    round,
    maxRounds,
  })
  const tail = JSON.stringify({
    agents: dancers.map(({ seat, x, y, alive, stunned, score, motto, eliminatedAt }) => ({
      ...named(agents[seat]!),
      seat,
      x,
      y,
      alive,
      stunned,
      score,
      motto,
      eliminatedAt,
    })),
    lastRound: lastRound && {
      round: lastRound.round,
      beats: lastRound.beats.map(beat => beatOf(beat, agents)),
    },
    matchResult: end && {
      // The host may end a match that the rules do not.
      reason: end.reason ?? matchResult?.reason ?? 'error',
      draw: end.draw,
      totalRounds: end.totalRounds,
      rankings: end.rankings.map((ranked, i) => ({
        ...named(ranked),
        finalScore: ranked.finalScore,
        rank: i + 1,
      })),
    },
  })
  const floor = `"map":${sharedText(map)},"beatSequence":${sharedText(beatSequence)}`
  return `${head.slice(0, -1)},${floor},${tail.slice(1)}`
}

const named = ({ agentId, agentName }: Agent): Agent => ({ agentId, agentName })

const beatOf = ({ beatIndex, kind, positions, clashes }: Danced, agents: readonly Agent[]) => ({
  beatIndex,
  kind,
  positions: positions.map(({ seat, x, y, stunned, alive }) => ({
    agentId: agents[seat]!.agentId,
    x,
    y,
    stunned,
    alive,
  })),
  clashes: clashes.map(({ winner, loser, auto }) => ({
    winner: agents[winner]!.agentId,
    loser: agents[loser]!.agentId,
    auto,
  })),
})

const gridOf = ({ map: { width, height, walls }, agents: dancers }: Seen): string[][] => {
  const grid = Array.from({ length: height }, () => Array.from({ length: width }, () => '·'))
  for (const { x, y } of walls) grid[y]![x] = '🧱'
  for (const { seat, x, y, alive, stunned } of dancers)
    if (alive) grid[y]![x] = stunned ? '💫' : `${seat + 1}\uFE0F\u20E3`
  return grid
}
