/** All the ways in which a match can end. */
export const endings = {
  rules: 'played to the end by the rules of the game',
  resigned: 'a seat gave up',
  illegal: 'a seat made a move that the rules refuse',
  late: 'a seat did not move in time',
  gone: 'a seat lost its connection',
  limit: 'the match reached the limit of its time and was decided as it stood',
  aborted: 'an internal error, or the end of the host: no result, no rating changes',
} as const

export type Ending = keyof typeof endings

/** Why a seat lost, other than by the rules of the game. */
export type Fault = Exclude<Ending, 'rules' | 'limit' | 'aborted'>

/** The result of a match. */
export interface Outcome {
  readonly ending: Exclude<Ending, 'aborted'>
  /** The place of each seat. 1 is best, and equal numbers share a place. */
  readonly places: readonly number[]
  readonly scores?: readonly number[]
  /** For each seat why it was faulted, or null. */
  readonly faults: readonly (Fault | null)[]
  /** How the match ended, in words. */
  readonly detail: string
}
