import { startOf } from './counting.ts'
import type { Ladder } from './ladder.ts'

/** How ratings go on after a season: as they are, or half way back to that of a newcomer. */
export const restartRules = ['kept', 'half'] as const
export type RestartRule = (typeof restartRules)[number]

/** With what an account begins the next season. */
export const restarted = (
  { counts }: Pick<Ladder, 'counts'>,
  rule: RestartRule,
  rating: number,
): number => (rule === 'kept' ? rating : (rating + startOf(counts)) / 2)
