import {
  canMove,
  fromFen,
  inCheck,
  legalMoves,
  moved,
  moveOf,
  type Position,
  toFen,
  toUci,
} from './chess-moves.ts'
import { uciOf, whyNone } from './chess-san.ts'
import { type Game, type Illegal, illegal } from './game.ts'
import { drawGrid, rowsOf } from './grid.ts'
import { got } from './json.ts'
import { readText } from './text-move.ts'

type Chess = Position & {
  readonly last: { readonly uci: string; readonly to: number } | null
  /** Every position that can still come back, the present one last. */
  readonly seen: readonly string[]
}

/** Chess, where a draw that could be claimed is a draw. Seat 0 is White. */
export const chess: Game<Chess> = {
  id: 'chess',
  title: 'Chess',
  summary: 'The game of kings; draws need no claim.',
  seats: 2,
  facts: { turns: 'alternate', luck: false, secrets: false },

  start: () => chessFrom('rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1'),

  status: state => {
    // Mate comes first: a game that is won cannot be drawn by counting.
    if (!canMove(state))
      return inCheck(state)
        ? { places: state.toMove === 0 ? [2, 1] : [1, 2], because: 'checkmate' }
        : { places: [1, 1], because: 'stalemate' }
    const because = reasonForDraw(state)
    return because ? { places: [1, 1], because } : { toMove: [state.toMove] }
  },

  moves: (state, seat) => (seat === state.toMove ? legalMoves(state).map(toUci) : []),

  read: (state, _seat, move) => readText(move, text => uciOf(state, text)),

  play: (state, _seat, uci): Chess | Illegal => {
    const move = moveOf(state, uci)
    if (!move)
      return illegal(
        (typeof uci === 'string' ? whyNone(state, uci) : undefined) ??
          `a move is from square to square, such as "e2e4" or "e7e8q", ${got(uci)}`,
      )
    const next = moved(state, move)
    const seen = next.quiet === 0 ? [] : state.seen
    return { ...next, last: { uci: toUci(move), to: move.to }, seen: [...seen, identity(next)] }
  },

  view: state => ({
    fen: toFen(state),
    board: rowsOf(state.board, 8),
    lastMove: state.last?.uci ?? null,
    check: inCheck(state),
  }),

  draw: ({ board, last }) => drawGrid(board, 'abcdefgh', [...'87654321'], last?.to ?? null),

  guess: ({ board }, seat) => Math.tanh((seat === 0 ? balance(board) : -balance(board)) / 10),
}

export function chessFrom(fen: string): Chess {
  const position = fromFen(fen)
  return { ...position, last: null, seen: [identity(position)] }
}

/** What makes two positions the same for the rule of repetition. */
const identity = ({ board, toMove, castling, enPassant }: Position): string =>
  `${board} ${toMove} ${castling} ${enPassant ?? ''}`

function reasonForDraw({ board, seen, quiet }: Chess): string | undefined {
  if (cannotMate(board)) return 'insufficient material'
  const present = seen.at(-1)
  if (seen.filter(position => position === present).length >= 3) return 'threefold repetition'
  if (quiet >= 100) return 'fifty moves without a capture or a pawn move'
  return undefined
}

/** Bare kings, a single knight, or bishops that all walk on squares of one colour. */
function cannotMate(board: string): boolean {
  const others = board.replace(/[.Kk]/g, '')
  if (others.length <= 1) return !/[PRQprq]/.test(others)
  if (/[^Bb]/.test(others)) return false
  const colours = [...board].flatMap((piece, i) =>
    piece === 'B' || piece === 'b' ? [((i >> 3) + i) % 2] : [],
  )
  return new Set(colours).size === 1
}

/** What White has more than Black, in pawns: what the pieces are worth, and a little for where they stand. */
function balance(board: string): number {
  const isEnding = !board.includes('Q') || !board.includes('q')
  let sum = 0
  for (let square = 0; square < 64; square++) {
    const letter = board[square]!
    if (letter === '.') continue
    const kind = letter.toLowerCase()
    const isWhite = letter !== kind
    const advance = isWhite ? 7 - (square >> 3) : square >> 3
    const place =
      kind === 'p'
        ? advance ** 2 / 40
        : ((kind === 'k' && !isEnding ? -1 : 1) * centrality[square]!) / 20
    sum += (isWhite ? 1 : -1) * (worth[kind]! + place)
  }
  return sum
}

const worth: Readonly<Record<string, number>> = { p: 1, n: 3, b: 3, r: 5, q: 9, k: 0 }

/** Steps from the corners inwards. */
const centrality = Array.from({ length: 64 }, (_, square) => {
  const [x, y] = [square % 8, square >> 3]
  return Math.min(x, 7 - x) + Math.min(y, 7 - y)
})
