// Chess as the checker needs it: legal moves, SAN and FEN, written for clarity and not for speed.

export interface Position {
  /** 64 squares, a8 first, h1 last; '.' is empty. */
  readonly board: readonly string[]
  readonly white: boolean
  readonly castling: string
  /** The square behind a pawn that has just moved two squares, or -1. */
  readonly passant: number
  readonly halfmoves: number
  readonly fullmoves: number
}

export interface Move {
  readonly from: number
  readonly to: number
  readonly promotion: string
}

export const START: Position = {
  board: [...'rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR'],
  white: true,
  castling: 'KQkq',
  passant: -1,
  halfmoves: 0,
  fullmoves: 1,
}

const STRAIGHT = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
] as const
const DIAGONAL = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
] as const
const KNIGHT = [
  [1, 2],
  [1, -2],
  [-1, 2],
  [-1, -2],
  [2, 1],
  [2, -1],
  [-2, 1],
  [-2, -1],
] as const
const ROOK_HOME: Readonly<Record<number, string>> = { 0: 'q', 7: 'k', 56: 'Q', 63: 'K' }

export function legalMoves(position: Position): Move[] {
  return pseudoMoves(position).filter(
    move => !isAttacked(apply(position, move).board, position.white),
  )
}

export function inCheck(position: Position): boolean {
  return isAttacked(position.board, position.white)
}

export function apply(position: Position, { from, to, promotion }: Move): Position {
  const board = [...position.board]
  const piece = at(board, from)
  const kind = piece.toUpperCase()
  const capture = at(board, to) !== '.'
  board[to] = promotion === '' ? piece : position.white ? promotion : promotion.toLowerCase()
  board[from] = '.'
  if (kind === 'P' && to === position.passant) board[to + (position.white ? 8 : -8)] = '.'
  if (kind === 'K' && Math.abs(to - from) === 2) {
    const [rook, target] = to > from ? [from + 3, from + 1] : [from - 4, from - 1]
    board[target] = at(board, rook)
    board[rook] = '.'
  }
  let castling = position.castling
  if (kind === 'K') castling = castling.replace(position.white ? /[KQ]/g : /[kq]/g, '')
  for (const square of [from, to]) castling = castling.replace(ROOK_HOME[square] ?? '-', '')
  return {
    board,
    white: !position.white,
    castling,
    passant: kind === 'P' && Math.abs(to - from) === 16 ? (from + to) / 2 : -1,
    halfmoves: kind === 'P' || capture ? 0 : position.halfmoves + 1,
    fullmoves: position.fullmoves + (position.white ? 0 : 1),
  }
}

/** Canonical SAN, with check and mate marks. */
export function san(position: Position, move: Move, legal = legalMoves(position)): string {
  const piece = at(position.board, move.from).toUpperCase()
  const capture =
    at(position.board, move.to) !== '.' || (piece === 'P' && move.to === position.passant)
  const after = apply(position, move)
  const mark = !inCheck(after) ? '' : legalMoves(after).length === 0 ? '#' : '+'
  if (piece === 'K' && Math.abs(move.to - move.from) === 2)
    return (move.to > move.from ? 'O-O' : 'O-O-O') + mark
  if (piece === 'P') {
    const promotion = move.promotion === '' ? '' : `=${move.promotion}`
    return `${capture ? `${square(move.from)[0]}x` : ''}${square(move.to)}${promotion}${mark}`
  }
  const rivals = legal.filter(
    m =>
      m.to === move.to &&
      m.from !== move.from &&
      at(position.board, m.from) === at(position.board, move.from),
  )
  return `${piece}${disambiguation(move.from, rivals)}${capture ? 'x' : ''}${square(move.to)}${mark}`
}

export function sansOf(position: Position): string[] {
  const legal = legalMoves(position)
  return legal.map(move => san(position, move, legal))
}

/** The move a text names: SAN with or without marks, 0-0, or coordinates. */
export function find(position: Position, text: string): Move {
  const bare = text.replace(/[+#]$/, '').replace(/0/g, 'O')
  const legal = legalMoves(position)
  const move = legal.find(
    m => coordinates(m) === text || san(position, m, legal).replace(/[+#]$/, '') === bare,
  )
  if (move === undefined) throw new Error(`checker: ${text} is not legal in ${fen(position)}`)
  return move
}

export function coordinates(move: Move): string {
  return square(move.from) + square(move.to) + move.promotion.toLowerCase()
}

/** FEN with the en passant square only where a capture is legal, as in the example of §5. */
export function fen(position: Position): string {
  return `${keyOf(position)} ${position.halfmoves} ${position.fullmoves}`
}

/** The part of a FEN that counts for repetition. */
export function keyOf(position: Position): string {
  const rows = [0, 1, 2, 3, 4, 5, 6, 7].map(r =>
    position.board
      .slice(8 * r, 8 * r + 8)
      .join('')
      .replace(/\.+/g, dots => String(dots.length)),
  )
  const passant =
    position.passant >= 0 &&
    legalMoves(position).some(
      m => m.to === position.passant && at(position.board, m.from).toUpperCase() === 'P',
    )
  return `${rows.join('/')} ${position.white ? 'w' : 'b'} ${position.castling || '-'} ${passant ? square(position.passant) : '-'}`
}

/** Bare kings, or one knight or bishop besides: no side can mate. */
export function isInsufficient(position: Position): boolean {
  const pieces = position.board
    .filter(p => p !== '.' && p.toUpperCase() !== 'K')
    .join('')
    .toUpperCase()
  return pieces === '' || pieces === 'N' || pieces === 'B'
}

export function isCapture(position: Position, move: Move): boolean {
  return at(position.board, move.to) !== '.'
}

export function isPawnMove(position: Position, move: Move): boolean {
  return at(position.board, move.from).toUpperCase() === 'P'
}

function disambiguation(from: number, rivals: readonly Move[]): string {
  const [file, rank] = square(from)
  if (rivals.length === 0) return ''
  if (rivals.every(m => square(m.from)[0] !== file)) return file ?? ''
  if (rivals.every(m => square(m.from)[1] !== rank)) return rank ?? ''
  return square(from)
}

function pseudoMoves(position: Position): Move[] {
  const moves: Move[] = []
  for (let from = 0; from < 64; from++) {
    const piece = at(position.board, from)
    if (piece === '.' || isWhite(piece) !== position.white) continue
    for (const to of targets(position, from, piece)) {
      const promotes = piece.toUpperCase() === 'P' && (to < 8 || to >= 56)
      for (const promotion of promotes ? ['Q', 'R', 'B', 'N'] : [''])
        moves.push({ from, to, promotion })
    }
  }
  return moves
}

function targets(position: Position, from: number, piece: string): number[] {
  switch (piece.toUpperCase()) {
    case 'P':
      return pawnTargets(position, from)
    case 'N':
      return walk(position, from, KNIGHT, 1)
    case 'B':
      return walk(position, from, DIAGONAL, 7)
    case 'R':
      return walk(position, from, STRAIGHT, 7)
    case 'Q':
      return walk(position, from, [...STRAIGHT, ...DIAGONAL], 7)
    default:
      return [
        ...walk(position, from, [...STRAIGHT, ...DIAGONAL], 1),
        ...castlingTargets(position, from),
      ]
  }
}

function pawnTargets({ board, white, passant }: Position, from: number): number[] {
  const ahead = white ? -8 : 8
  const found: number[] = []
  if (at(board, from + ahead) === '.') {
    found.push(from + ahead)
    const home = white ? 6 : 1
    if (Math.floor(from / 8) === home && at(board, from + 2 * ahead) === '.')
      found.push(from + 2 * ahead)
  }
  for (const aside of [-1, 1]) {
    const file = (from % 8) + aside
    const to = from + ahead + aside
    if (file < 0 || file > 7) continue
    const there = at(board, to)
    if (to === passant || (there !== '.' && isWhite(there) !== white)) found.push(to)
  }
  return found
}

function castlingTargets({ board, white, castling }: Position, king: number): number[] {
  if (king !== (white ? 60 : 4) || isAttacked(board, white)) return []
  const safe = (to: number): boolean => {
    const moved = [...board]
    moved[to] = at(board, king)
    moved[king] = '.'
    return at(board, to) === '.' && !isAttacked(moved, white)
  }
  const found: number[] = []
  if (castling.includes(white ? 'K' : 'k') && safe(king + 1) && at(board, king + 2) === '.')
    found.push(king + 2)
  if (
    castling.includes(white ? 'Q' : 'q') &&
    safe(king - 1) &&
    at(board, king - 2) === '.' &&
    at(board, king - 3) === '.'
  )
    found.push(king - 2)
  return found
}

function walk(
  { board, white }: Position,
  from: number,
  directions: readonly (readonly [number, number])[],
  far: number,
): number[] {
  const found: number[] = []
  for (const [down, right] of directions) {
    let row = Math.floor(from / 8)
    let file = from % 8
    for (let steps = 0; steps < far; steps++) {
      row += down
      file += right
      if (row < 0 || row > 7 || file < 0 || file > 7) break
      const there = at(board, 8 * row + file)
      if (there !== '.' && isWhite(there) === white) break
      found.push(8 * row + file)
      if (there !== '.') break
    }
  }
  return found
}

/** Whether the king of this colour stands in check. */
function isAttacked(board: readonly string[], white: boolean): boolean {
  const king = board.indexOf(white ? 'K' : 'k')
  const seen = (
    directions: readonly (readonly [number, number])[],
    far: number,
    kinds: string,
  ): boolean =>
    walk(
      { board, white, castling: '', passant: -1, halfmoves: 0, fullmoves: 1 },
      king,
      directions,
      far,
    ).some(to => {
      const there = at(board, to)
      return there !== '.' && kinds.includes(there.toUpperCase())
    })
  const pawnRow: readonly (readonly [number, number])[] = white
    ? [
        [-1, -1],
        [-1, 1],
      ]
    : [
        [1, -1],
        [1, 1],
      ]
  return (
    seen(KNIGHT, 1, 'N') ||
    seen(STRAIGHT, 7, 'RQ') ||
    seen(DIAGONAL, 7, 'BQ') ||
    seen([...STRAIGHT, ...DIAGONAL], 1, 'K') ||
    seen(pawnRow, 1, 'P')
  )
}

function at(board: readonly string[], square: number): string {
  return board[square] ?? '.'
}

function isWhite(piece: string): boolean {
  return piece === piece.toUpperCase()
}

function square(index: number): string {
  return 'abcdefgh'.charAt(index % 8) + String(8 - Math.floor(index / 8))
}
