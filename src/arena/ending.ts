/** How a match can end. No other way exists. */
export const endings = {
  rules: 'played to the end by the rules of the game',
  resigned: 'a seat gave up',
  illegal: 'a seat made a move that the rules refuse',
  late: 'a seat did not move in time',
  gone: 'a seat lost its connection',
  aborted: 'a fault of ours: no result, no rating changes',
} as const

export type Ending = keyof typeof endings

/** What costs a seat the match outside the rules of the game. */
export type Fault = Exclude<Ending, 'rules' | 'aborted'>

/** A match that has come to a result. */
export interface Outcome {
  readonly ending: Exclude<Ending, 'aborted'>
  /** One place a seat, 1 is best; equal numbers share a place. */
  readonly places: readonly number[]
  readonly scores?: readonly number[]
  /** What each seat was faulted for, if anything. */
  readonly faults: readonly (Fault | null)[]
  /** Why, in words. */
  readonly detail: string
}
