// How the pieces move: everything of chess that needs no memory of earlier positions.

import type { Seat } from './game.ts'

export type Position = {
  /** 64 characters from a8 to h1, pieces as in FEN, `.` where there is none. */
  readonly board: string
  /** 0 is White. */
  readonly toMove: Seat
  /** What is left of `KQkq`. */
  readonly castling: string
  /** Where a pawn has just passed and can be taken; null unless some move really takes it. */
  readonly enPassant: number | null
  /** Half moves since the last capture or pawn move. */
  readonly quiet: number
  /** Of the pair of moves, as players count them. */
  readonly number: number
}

export type Move = {
  readonly from: number
  readonly to: number
  /** The letter as in `e7e8q`, empty for other moves. */
  readonly promotion: string
}

export const squares: readonly string[] = [...'87654321'].flatMap(rank =>
  [...'abcdefgh'].map(file => file + rank),
)

export const fromFen = (fen: string): Position => {
  const [placement = '', side, castling = '-', enPassant = '-', quiet, number] = fen.split(' ')
  return withUsableEnPassant({
    board: placement.replaceAll('/', '').replace(/\d/g, digit => '.'.repeat(Number(digit))),
    toMove: side === 'b' ? 1 : 0,
    castling: castling === '-' ? '' : castling,
    enPassant: enPassant === '-' ? null : squares.indexOf(enPassant),
    quiet: Number(quiet ?? 0),
    number: Number(number ?? 1),
  })
}

export const toFen = ({ board, toMove, castling, enPassant, quiet, number }: Position): string =>
  [
    board
      .match(/.{8}/g)!
      .map(row => row.replace(/\.+/g, gap => String(gap.length)))
      .join('/'),
    toMove === 0 ? 'w' : 'b',
    castling || '-',
    enPassant === null ? '-' : squares[enPassant],
    quiet,
    number,
  ].join(' ')

export const toUci = ({ from, to, promotion }: Move): string =>
  `${squares[from]}${squares[to]}${promotion}`

export function legalMoves(position: Position): Move[] {
  const cells = cellsOf(position.board)
  const found: Move[] = []
  for (let from = 0; from < 64; from++)
    if (cells[from] !== 0 && side(cells[from]!) === position.toMove)
      for (const move of movesFrom(position, cells, from)) if (isSafe(cells, move)) found.push(move)
  return found
}

/** The legal move that is written so, if there is one. */
export function moveOf(position: Position, uci: unknown): Move | undefined {
  if (typeof uci !== 'string' || uci.length > 5) return undefined
  const from = squares.indexOf(uci.slice(0, 2))
  const cells = cellsOf(position.board)
  if (from < 0 || cells[from] === 0 || side(cells[from]!) !== position.toMove) return undefined
  return movesFrom(position, cells, from).find(move => toUci(move) === uci && isSafe(cells, move))
}

export function canMove(position: Position): boolean {
  const cells = cellsOf(position.board)
  for (let from = 0; from < 64; from++)
    if (cells[from] !== 0 && side(cells[from]!) === position.toMove)
      if (movesFrom(position, cells, from).some(move => isSafe(cells, move))) return true
  return false
}

export function inCheck({ board, toMove }: Position): boolean {
  const cells = cellsOf(board)
  return isAttacked(cells, cells.indexOf(piece(king, toMove)), 1 - toMove)
}

/** The position after a legal move. */
export function moved(position: Position, move: Move): Position {
  const { toMove, castling, quiet, number } = position
  const cells = cellsOf(position.board)
  const isPawn = kind(cells[move.from]!) === pawn
  const isCapture = cells[move.to] !== 0
  carryOut(cells, move)
  return withUsableEnPassant({
    board: boardOf(cells),
    toMove: 1 - toMove,
    castling: rightsAfter(castling, move),
    enPassant: isPawn && Math.abs(move.to - move.from) === 16 ? (move.from + move.to) / 2 : null,
    quiet: isPawn || isCapture ? 0 : quiet + 1,
    number: number + toMove,
  })
}

// A piece is a number: its kind in the low bits and its side in the fourth, 0 for an empty square.
const pieces = '.PNBRQK..pnbrqk'
const [pawn, knight, bishop, rook, queen, king] = [1, 2, 3, 4, 5, 6] as const
const piece = (kind: number, side: Seat) => kind | (side << 3)
const kind = (cell: number) => cell & 7
const side = (cell: number): Seat => cell >> 3
const numbers = new Uint8Array(128)
for (const letter of 'PNBRQKpnbrqk') numbers[letter.charCodeAt(0)] = pieces.indexOf(letter)

const straight = [
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, 0],
] as const
const diagonal = [
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
] as const
const leaps = [
  [-2, -1],
  [-2, 1],
  [-1, -2],
  [-1, 2],
  [1, -2],
  [1, 2],
  [2, -1],
  [2, 1],
] as const

type Step = readonly [down: number, right: number]

const straightRays = raysAlong(straight)
const diagonalRays = raysAlong(diagonal)
const allRays = straightRays.map((rays, from) => [...rays, ...diagonalRays[from]!])
const knightTargets = targetsOf(leaps)
const kingTargets = targetsOf([...straight, ...diagonal])
const pawnTargets = [targetsOf(diagonal.slice(0, 2)), targetsOf(diagonal.slice(2))] as const

const castles = [
  { right: 'K', side: 0, from: 60, to: 62, rook: 63, rookTo: 61, free: [61, 62], safe: [60, 61] },
  {
    right: 'Q',
    side: 0,
    from: 60,
    to: 58,
    rook: 56,
    rookTo: 59,
    free: [57, 58, 59],
    safe: [60, 59],
  },
  { right: 'k', side: 1, from: 4, to: 6, rook: 7, rookTo: 5, free: [5, 6], safe: [4, 5] },
  { right: 'q', side: 1, from: 4, to: 2, rook: 0, rookTo: 3, free: [1, 2, 3], safe: [4, 3] },
] as const

function cellsOf(board: string): Uint8Array {
  const cells = new Uint8Array(64)
  for (let i = 0; i < 64; i++) cells[i] = numbers[board.charCodeAt(i)]!
  return cells
}

function boardOf(cells: Uint8Array): string {
  let board = ''
  for (let i = 0; i < 64; i++) board += pieces[cells[i]!]
  return board
}

/** Every move of one piece, as if the king could be left in check. */
function movesFrom(position: Position, cells: Uint8Array, from: number): Move[] {
  switch (kind(cells[from]!)) {
    case pawn:
      return pawnMoves(position, cells, from)
    case knight:
      return leapsFrom(cells, from, knightTargets[from]!)
    case bishop:
      return slidesFrom(cells, from, diagonalRays[from]!)
    case rook:
      return slidesFrom(cells, from, straightRays[from]!)
    case queen:
      return slidesFrom(cells, from, allRays[from]!)
    default:
      return [...leapsFrom(cells, from, kingTargets[from]!), ...castlingMoves(position, cells)]
  }
}

function pawnMoves({ toMove, enPassant }: Position, cells: Uint8Array, from: number): Move[] {
  const found: Move[] = []
  const ahead = toMove === 0 ? -8 : 8
  const add = (to: number) => {
    if (to >= 8 && to < 56) found.push({ from, to, promotion: '' })
    else for (const promotion of 'qrbn') found.push({ from, to, promotion })
  }
  if (cells[from + ahead] === 0) {
    add(from + ahead)
    const atHome = from >> 3 === (toMove === 0 ? 6 : 1)
    if (atHome && cells[from + 2 * ahead] === 0) add(from + 2 * ahead)
  }
  for (const to of pawnTargets[toMove]![from]!)
    if (to === enPassant || isTheirs(cells, to, toMove)) add(to)
  return found
}

const isTheirs = (cells: Uint8Array, at: number, mine: Seat) =>
  cells[at] !== 0 && side(cells[at]!) !== mine

function leapsFrom(cells: Uint8Array, from: number, targets: readonly number[]): Move[] {
  const mine = side(cells[from]!)
  const found: Move[] = []
  for (const to of targets)
    if (cells[to] === 0 || side(cells[to]!) !== mine) found.push({ from, to, promotion: '' })
  return found
}

function slidesFrom(cells: Uint8Array, from: number, rays: readonly (readonly number[])[]): Move[] {
  const mine = side(cells[from]!)
  const found: Move[] = []
  for (const ray of rays)
    for (const to of ray) {
      if (cells[to] === 0) found.push({ from, to, promotion: '' })
      else {
        if (side(cells[to]!) !== mine) found.push({ from, to, promotion: '' })
        break
      }
    }
  return found
}

/** Where the king arrives is looked at with every other move, so only its way is looked at here. */
function castlingMoves({ castling, toMove }: Position, cells: Uint8Array): Move[] {
  if (castling === '') return []
  return castles
    .filter(
      castle =>
        castle.side === toMove &&
        castling.includes(castle.right) &&
        castle.free.every(at => cells[at] === 0) &&
        !castle.safe.some(at => isAttacked(cells, at, 1 - toMove)),
    )
    .map(({ from, to }) => ({ from, to, promotion: '' }))
}

const scratch = new Uint8Array(64)

/** Whether the mover's king is out of reach afterwards. */
function isSafe(cells: Uint8Array, move: Move): boolean {
  const mine = side(cells[move.from]!)
  scratch.set(cells)
  carryOut(scratch, move)
  return !isAttacked(scratch, scratch.indexOf(piece(king, mine)), 1 - mine)
}

function carryOut(cells: Uint8Array, { from, to, promotion }: Move): void {
  const mover = cells[from]!
  const mine = side(mover)
  if (kind(mover) === pawn && cells[to] === 0 && (to - from) % 8 !== 0)
    cells[to + (mine === 0 ? 8 : -8)] = 0
  if (kind(mover) === king && Math.abs(to - from) === 2) {
    const castle = castles.find(castle => castle.to === to)!
    cells[castle.rook] = 0
    cells[castle.rookTo] = piece(rook, mine)
  }
  cells[from] = 0
  cells[to] = promotion ? piece(pieces.indexOf(promotion) & 7, mine) : mover
}

function isAttacked(cells: Uint8Array, at: number, by: Seat): boolean {
  for (const from of knightTargets[at]!) if (cells[from] === piece(knight, by)) return true
  for (const from of kingTargets[at]!) if (cells[from] === piece(king, by)) return true
  // A pawn takes from where a pawn of the other side, standing here, would take.
  for (const from of pawnTargets[1 - by]![at]!) if (cells[from] === piece(pawn, by)) return true
  return (
    isSeenBy(cells, straightRays[at]!, piece(rook, by), piece(queen, by)) ||
    isSeenBy(cells, diagonalRays[at]!, piece(bishop, by), piece(queen, by))
  )
}

function isSeenBy(
  cells: Uint8Array,
  rays: readonly (readonly number[])[],
  one: number,
  other: number,
): boolean {
  for (const ray of rays)
    for (const from of ray) {
      const cell = cells[from]!
      if (cell === 0) continue
      if (cell === one || cell === other) return true
      break
    }
  return false
}

/** A right is lost when its king or rook moves, or the rook is taken. */
const rightsAfter = (castling: string, { from, to }: Move): string =>
  castles.reduce(
    (left, castle) =>
      from === castle.from || from === castle.rook || to === castle.rook
        ? left.replace(castle.right, '')
        : left,
    castling,
  )

/** Two positions are the same only if the same moves are possible, so the square stays only if it can be used. */
function withUsableEnPassant(position: Position): Position {
  const { board, toMove, enPassant } = position
  if (enPassant === null) return position
  const cells = cellsOf(board)
  const isUsable = pawnTargets[1 - toMove]![enPassant]!.some(
    from =>
      cells[from] === piece(pawn, toMove) && isSafe(cells, { from, to: enPassant, promotion: '' }),
  )
  return isUsable ? position : { ...position, enPassant: null }
}

function raysAlong(steps: readonly Step[]): number[][][] {
  return squares.map((_, from) =>
    steps.map(step => ray(from, step, 7)).filter(ray => ray.length > 0),
  )
}

function targetsOf(steps: readonly Step[]): number[][] {
  return squares.map((_, from) => steps.flatMap(step => ray(from, step, 1)))
}

function ray(from: number, [down, right]: Step, length: number): number[] {
  const found: number[] = []
  let y = (from >> 3) + down
  let x = (from & 7) + right
  while (found.length < length && y >= 0 && y < 8 && x >= 0 && x < 8) {
    found.push(y * 8 + x)
    y += down
    x += right
  }
  return found
}
