import type { AccountId } from '../arena/account.ts'
import type { Numbered } from './entry.ts'
import { add, fold } from './fold.ts'
import { next } from './next.ts'
import type { EventState } from './state.ts'

/**
 * What is wrong with the log of an event, in words; null if nothing is. Each round is drawn again from the entries before
 * it, and the event must have ended where its format ends.
 */
export const checkEvent = (entries: readonly Numbered[]): string | null => {
  try {
    let state = fold(entries.slice(0, 1))
    for (const entry of entries.slice(1)) {
      const problem = problemOf(state, entry)
      if (problem !== null) return `entry ${entry.number} (${entry.kind}): ${problem}`
      state = add(state, entry)
    }
    return null
  } catch (error) {
    return (error as Error).message
  }
}

const problemOf = (state: EventState, entry: Numbered): string | null => {
  if (entry.kind !== 'drawn' && entry.kind !== 'finished') return null
  const seated = entry.kind === 'drawn' ? [...entry.boards.flatMap(accountsOf), ...entry.byes] : []
  const step = next(state, entry.at, new Set(seated))
  if (entry.kind === 'finished')
    return step.kind === 'finish' ? null : 'the event was not at its end'
  if (step.kind !== 'draw') return 'no round was to be drawn'
  const [kept, drawn] = [entry, step].map(({ round, boards, byes }) =>
    JSON.stringify([round, boards.map(accountsOf), byes]),
  )
  return kept === drawn ? null : `round ${entry.round} is ${kept}, and drawn again ${drawn}`
}

const accountsOf = ({ accounts }: { readonly accounts: readonly AccountId[] }) => accounts
