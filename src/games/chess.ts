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
import { sanOf, uciOf, whyNone } from './chess-san.ts'
import { type CatalogueGame, type Illegal, illegal } from './game.ts'
import { cellAt, linesOfBoard, rowsOf } from './grid.ts'
import { got } from './json.ts'
import { type Chessman, lastMoveWords, type Piece } from './look.ts'
import { about, flag, grid, oneOf, orNull, textLike } from './schema.ts'
import { readText } from './text-move.ts'

type Chess = Position & {
  readonly last: { readonly uci: string; readonly to: number } | null
  /** Every position that can still come back, the present one last. */
  readonly seen: readonly string[]
}

const uciSchema = textLike('[a-h][1-8][a-h][1-8][qrbn]?')

/** Chess, where a draw that could be claimed is a draw. Seat 0 is White. */
export const chess: CatalogueGame<Chess> = {
  id: 'chess',
  title: 'Chess',
  summary: 'The game of kings; draws need no claim.',
  seats: 2,
  sides: ['White', 'Black'],
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

  schema: {
    move: about(
      'UCI: from square to square, and the piece of a promotion, such as "e2e4", "e1g1" to castle, "e7e8q".',
      uciSchema,
    ),
    view: {
      fen: about(
        'The position in Forsyth-Edwards Notation.',
        textLike(
          '([KQRBNPkqrbnp1-8]{1,8}/){7}[KQRBNPkqrbnp1-8]{1,8} [wb] (-|(?=.)K?Q?k?q?) (-|[a-h][36]) \\d+ \\d+',
        ),
      ),
      board: about(
        'board[row][column], row 0 is rank 8, column 0 is file a. Letters as in FEN: capitals are White (player 0); "." is empty.',
        grid(8, 8, oneOf([...'KQRBNPkqrbnp.'])),
      ),
      lastMove: about('The last move in UCI; null before the first.', orNull(uciSchema)),
      check: about('Whether the player to move is in check.', flag),
    },
  },

  look: state => {
    const { board, last, toMove } = state
    const king = inCheck(state) ? [board.indexOf(toMove === 0 ? 'K' : 'k')] : []
    return {
      board: {
        surface: 'squares',
        rows: linesOfBoard(board, 8),
        pieces,
        columns: files,
        rowNames: ranks,
        last: last === null ? [] : [squareAt(last.uci), squareAt(last.uci.slice(2))],
        marks: [{ kind: 'ring', cells: king.map(square => cellAt(square, 8)), means: 'in check' }],
        turns: 'seat',
        move: '{column}{row}',
      },
      alt: `${lastMoveWords(last?.uci ?? null)} FEN ${toFen(state)}.`,
    }
  },

  label: (state, uci) => sanOf(state, String(uci)),

  guess: ({ board }, seat) => Math.tanh((seat === 0 ? balance(board) : -balance(board)) / 10),
}

const files = [...'abcdefgh']
const ranks = [...'87654321']

const squareAt = (uci: string) => [files.indexOf(uci[0]!), ranks.indexOf(uci[1]!)] as const

const chessmen: Readonly<Record<string, Chessman>> = {
  k: 'king',
  q: 'queen',
  r: 'rook',
  b: 'bishop',
  n: 'knight',
  p: 'pawn',
}

const pieces: Readonly<Record<string, Piece>> = Object.fromEntries(
  Object.entries(chessmen).flatMap(([letter, kind]): [string, Piece][] => [
    [letter.toUpperCase(), { kind, seat: 0, colour: 'white' }],
    [letter, { kind, seat: 1, colour: 'black' }],
  ]),
)

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
