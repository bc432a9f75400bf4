/** What a fit over all rated matches of a ladder says of an account. 400 points are odds of ten to one. */
export interface Strength {
  readonly value: number
  /** Half the width of the interval that has the true value with a probability of 95 %. */
  readonly error: number
}

/** The expected score against an opponent that is weaker by so many points: a win is 1, a draw is ½. */
export const expectedScore = (points: number): number => 1 / (1 + 10 ** (-points / 400))
