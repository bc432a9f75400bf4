// Marks dead stones. In these matches both sides agree on dead stones after two passes (src/games/go.ts).

/** The marks so far: a part of the state of the rules. */
export interface GoMarking {
  readonly stage: 'later' | 'now' | 'agreed' | 'refused'
  readonly dead: readonly number[]
  /** Whether the other side has agreed to exactly these marks. */
  readonly isOffered: boolean
}

/** Stones whose points stay theirs in less than the first share of playouts are dead, in more than the second alive. */
const deadBelow = 0.25
const aliveAbove = 0.55

/**
 * The next move of marking: one chain at a time until no mark is wrong, then agreement. If the other side has agreed to
 * marks that are clearly wrong, play resumes instead of changing marks back and forth.
 */
export const markingMove = (
  board: string,
  { dead, isOffered }: GoMarking,
  owned: readonly number[],
  nameOf: (cell: number) => string,
): string => {
  const isMarked = new Set(dead)
  const wrong = chainsOn(board).find(([first, ...rest]) => {
    const stones = [first, ...rest]
    const kept = stones.reduce((sum, stone) => sum + shareOf(board, stone, owned), 0)
    const share = kept / stones.length
    return isMarked.has(first) ? share > aliveAbove : share < deadBelow
  })
  if (wrong === undefined) return 'agree'
  if (isOffered) return 'play on'
  return `${isMarked.has(wrong[0]) ? 'alive' : 'dead'} ${nameOf(wrong[0])}`
}

/** For a stone, the share of playouts in which its point belongs to its own side at the end. */
const shareOf = (board: string, stone: number, owned: readonly number[]): number => {
  const black = owned[stone] ?? 0
  return board[stone] === 'X' ? black : 1 - black
}

type Chain = readonly [number, ...number[]]

const chainsOn = (board: string): readonly Chain[] => {
  const size = Math.sqrt(board.length)
  const seen = new Set<number>()
  const chains: Chain[] = []
  for (let cell = 0; cell < board.length; cell++) {
    if (board[cell] === '.' || seen.has(cell)) continue
    const chain: [number, ...number[]] = [cell]
    seen.add(cell)
    for (const stone of chain)
      for (const next of around(stone, size))
        if (board[next] === board[cell] && !seen.has(next)) {
          seen.add(next)
          chain.push(next)
        }
    chains.push(chain)
  }
  return chains
}

const around = (cell: number, size: number): readonly number[] => [
  ...(cell % size > 0 ? [cell - 1] : []),
  ...(cell % size < size - 1 ? [cell + 1] : []),
  cell - size,
  cell + size,
]
