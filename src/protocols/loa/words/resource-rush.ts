import { byId, roundsOf, sharedText, turnUpdate } from './texts.ts'
import type { GameWords } from './words.ts'

type Deed =
  | { readonly action: 'move'; readonly direction: string }
  | { readonly action: 'harvest'; readonly tile: number }
  | { readonly action: 'wait' }

interface Seen {
  readonly round: number
  readonly tick: number
  readonly maxTicks: number
  readonly mapSize: number
  readonly grid: readonly (readonly number[])[]
  /** By seat; null where out of sight, as with the actions. */
  readonly positions: readonly (object | null)[]
  readonly resources: readonly object[]
  readonly scores: readonly number[]
  readonly lastActions: readonly (Deed | null)[]
  /** Null where they may not be read. */
  readonly thoughts: readonly (string | null)[]
  readonly toMove: number | readonly number[]
  /** Of the viewer's own seat; spectators have none. */
  readonly memory?: object
  readonly possibleActions?: readonly unknown[]
}

interface Round {
  readonly tick: number
  readonly drones: readonly ({ readonly deed: Deed } | null)[]
  readonly scores: readonly number[]
}

export const resourceRush: GameWords = {
  maxRounds: 500,
  spectators: 'replay',

  move: move => move,

  // The last tick of `maxTicks` reads the same before and after, but after it nothing can be done.
  resolved: observation => {
    const { tick, maxTicks, toMove, possibleActions } = observation as unknown as Seen
    const isLast = tick === maxTicks - 1 && toMove === -1 && !possibleActions?.length
    return isLast ? maxTicks : tick
  },

  state: (observation, agents, end) => {
    const seen = observation as unknown as Seen
    const { maxTicks, mapSize, scores } = seen
    const round = end?.totalRounds ?? seen.round
    const head = JSON.stringify({
      currentRound: round,
      maxRounds: maxTicks,
      tick: Math.max(0, round - 1),
      maxTicks,
      mapSize,
    })
    const tail = JSON.stringify({
      playerPositions: byId(agents, seen.positions),
      playerResources: byId(agents, seen.resources),
      playerThoughts: byId(agents, seen.thoughts),
      scores: byId(agents, scores),
      ...(seen.memory && { memory: seen.memory }),
    })
    const grid = `[${seen.grid.map(sharedText).join()}]`
    return {
      round,
      scores,
      grid: 'null',
      extra: `${head.slice(0, -1)},"grid":${grid},${tail.slice(1)}`,
    }
  },

  updates: (gameId, told, observation, agents) =>
    roundsOf<Round>(told).map(({ tick, drones, scores }, i, rounds) => {
      // The board shows spectators more than the event does, but only of its own tick.
      const deeds =
        i === rounds.length - 1
          ? (observation as unknown as Seen).lastActions
          : drones.map(drone => drone?.deed ?? null)
      return turnUpdate(gameId, agents, {
        round: tick,
        actions: deeds.map((deed, seat) => [seat, deed === null ? 'Acted' : actionOf(deed)]),
        summary: `Tick ${tick}`,
        scores,
      })
    }),
}

const actionOf = (deed: Deed) => {
  if (deed.action === 'move') return `Moved ${deed.direction}`
  return deed.action === 'wait' ? 'Waited' : `Harvested ${harvests[deed.tile]}`
}

const harvests: Readonly<Record<number, string>> = { 1: '🌿', 2: '🪨', 3: '✨', 4: '🫐' }
