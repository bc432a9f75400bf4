// What the words of several games share.

import type { Seat } from '../../../games/game.ts'
import type { Agent, Told } from './words.ts'

/** The values of all seats, those that are null left out. */
export const byId = <Value>(agents: readonly Agent[], values: readonly (Value | null)[]) =>
  Object.fromEntries(
    agents.flatMap(({ agentId }, seat) => {
      const value = values[seat] ?? null
      return value === null ? [] : [[agentId, value]]
    }),
  )

export interface Turn {
  readonly round: number
  /** What each seat did. */
  readonly actions: readonly (readonly [Seat, string])[]
  readonly summary: string
  readonly scores: readonly number[]
}

export const turnUpdate = (
  gameId: string,
  agents: readonly Agent[],
  { round, actions, summary, scores }: Turn,
): string => {
  const moves = actions.map(
    ([seat, action]) => `{${named(agents[seat]!)},"action":${JSON.stringify(action)}}`,
  )
  const points = agents.map(({ agentName }, seat) => `${JSON.stringify(agentName)}:${scores[seat]}`)
  return `{"type":"turn_update","gameId":"${gameId}","round":${round},"moves":[${moves}],"roundSummary":${JSON.stringify(summary)},"scores":{${points}}}`
}

/** The fields of an agent. */
export const named = (agent: Agent): string => sharedText(agent).slice(1, -1)

/** The rounds that were resolved, as the games tell of them. */
export const roundsOf = <Round>(told: readonly Told[]): readonly Round[] =>
  told.flatMap(({ events }) => events.filter(({ kind }) => kind === 'round')) as unknown as Round[]

/** The JSON of an object that is part of many states: written once. */
export const sharedText = (value: object): string => {
  const known = texts.get(value)
  if (known !== undefined) return known
  const text = JSON.stringify(value)
  texts.set(value, text)
  return text
}

const texts = new WeakMap<object, string>()
