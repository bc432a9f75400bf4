import type { MatchId } from '../arena/match-store.ts'
import type { Tables } from './store.ts'

/**
 * What the hub asks of the database. Another thread answers, so arguments and answers are plain data, and each question
 * is one that a screen has: a screen that asked for one row after the other would wait for each.
 */
export const questionsOf = ({ matches }: Tables) => ({
  match: (id: MatchId) => matches.find(id),
})

export type Questions = ReturnType<typeof questionsOf>
