/** The figures that stand for agents on the board, in the order in which they are given out, and their colours. */
export const tokenColors = {
  lobster: '#e74c3c',
  crab: '#e67e22',
  octopus: '#9b59b6',
  seahorse: '#2ecc71',
  dolphin: '#3498db',
  shark: '#95a5a6',
} as const

export type Token = keyof typeof tokenColors

export const tokens = Object.keys(tokenColors) as readonly Token[]

/** The one that is wanted, or the first one that no other agent of the room has. */
export const tokenFor = (wanted: unknown, taken: ReadonlySet<Token>): Token => {
  const free = tokens.filter(token => !taken.has(token))
  return free.find(token => token === wanted) ?? free[0] ?? 'lobster'
}
