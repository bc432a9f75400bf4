/** Where a match of a board belongs, as the row of the match has it. */
export interface LegName {
  readonly round: number
  readonly board: number
  readonly leg: number
}

export const legText = ({ round, board, leg }: LegName): string => `${round}.${board}.${leg}`

export const readLeg = (text: string): LegName => {
  const [round, board, leg] = text.split('.').map(Number)
  return { round: round!, board: board!, leg: leg! }
}
