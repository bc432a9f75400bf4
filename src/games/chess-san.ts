// Moves as people write them: Nf3, exd5, O-O, e8=Q#.

import {
  canMove,
  inCheck,
  legalMoves,
  type Move,
  moved,
  moveOf,
  type Position,
  squares,
  toUci,
} from './chess-moves.ts'
import { bare } from './text-move.ts'
import { quoted } from './words.ts'

/** A legal move, given as UCI, in standard algebraic notation. */
export function sanOf(position: Position, uci: string): string {
  const move = moveOf(position, uci)
  if (!move) throw new Error(`${uci} is no legal move`)
  const next = moved(position, move)
  return `${bareSan(position, move)}${inCheck(next) ? (canMove(next) ? '+' : '#') : ''}`
}

/**
 * The one legal move that this text can mean, as UCI: first as it is written, then whatever its capitals. Marks of
 * check and praise are not looked at.
 */
export function uciOf(position: Position, text: string): string | undefined {
  if (text.length > longest) return undefined
  const listed = moveOf(position, text)
  if (listed) return toUci(listed)
  const legal = legalIfSan(position, text)
  for (const reading of readings(text)) {
    const [one, another] = uciForm.test(reading)
      ? [moveOf(position, reading)]
      : meanings(position, legal, reading)
    if (one && !another) return toUci(one)
  }
  return undefined
}

/** Why a text in UCI or SAN is no legal move here, and what to write instead; undefined for other texts. */
export function whyNone(position: Position, text: string): string | undefined {
  if (text.length > longest) return undefined
  const written = quoted(text)
  const trimmed = bare(text)
  const uci = trimmed.toLowerCase()
  if (uciForm.test(uci) && !isPiece(trimmed))
    return moveOf(position, `${uci}q`)
      ? needsPiece(
          written,
          ['q', 'r', 'b', 'n'].map(piece => uci + piece),
        )
      : `${written} is not possible here`
  if (!isSan(trimmed)) return undefined
  const legal = legalIfSan(position, trimmed)
  for (const reading of readings(trimmed)) {
    const several = meanings(position, legal, reading).map(move => bareSan(position, move))
    if (several.length > 1) return `${written} is ambiguous: ${several.join(' or ')}`
    const fits = fitting(position, legal, reading)
    const promotions = fits.filter(move => move.promotion !== '')
    if (promotions.length > 0 && ordinarySan.exec(reading)?.[5] === undefined)
      return needsPiece(
        written,
        promotions.map(move => bareSan(position, move)),
      )
    for (const move of fits) {
      const castling = castlingSan(position, move)
      if (castling) return `${written} would be castling: write ${castling} or ${toUci(move)}`
    }
  }
  return `${written} is not possible here`
}

const needsPiece = (written: string, moves: readonly string[]) =>
  `${written} needs a promotion piece: ${moves.slice(0, -1).join(', ')} or ${moves.at(-1)}`

const longest = 16
const uciForm = /^([a-h][1-8]){2}[qrbn]?$/
const castlingForm = /^([O0o])-\1(-\1)?[+#]?[!?]*$/
const ordinarySan =
  /^([KQRBN]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([QRBN]))?(?: ?e\.?p\.?)?[+#]?[!?]*$/

/**
 * As it is written, and with other capitals: as the move of a pawn and as that of a piece, the likelier first. What
 * names a piece by its capital and is right in all else can be read in no other way: `Bxc3` is no pawn's move.
 */
function readings(text: string): readonly string[] {
  if (isPiece(text)) return [text]
  const low = text.toLowerCase()
  if (uciForm.test(low)) return [text, low]
  const pawn = low.replace(/=?[qrbn](?=[+#]?[!?]*$)/, piece => piece.toUpperCase())
  const piece = `${low.slice(0, 1).toUpperCase()}${low.slice(1)}`
  return /^[A-Z]/.test(text) ? [text, piece, pawn, low] : [text, pawn, low, piece]
}

const isPiece = (text: string) => Boolean(ordinarySan.exec(text)?.[1])

const isSan = (text: string) =>
  readings(text).some(reading => castlingForm.test(reading) || ordinarySan.test(reading))

const legalIfSan = (position: Position, text: string): readonly Move[] =>
  isSan(text) ? legalMoves(position) : []

/** The legal moves that this text is exact about. */
function meanings(position: Position, legal: readonly Move[], text: string): readonly Move[] {
  const castling = castlingForm.exec(text)
  if (castling)
    return legal.filter(move => castlingSan(position, move) === (castling[2] ? 'O-O-O' : 'O-O'))
  const promotion = ordinarySan.exec(text)?.[5] ?? ''
  return fitting(position, legal, text).filter(
    move => castlingSan(position, move) === undefined && move.promotion.toUpperCase() === promotion,
  )
}

/** The legal moves that this text fits, whatever a pawn becomes, and castling by the step of the king. */
function fitting(position: Position, legal: readonly Move[], text: string): readonly Move[] {
  const ordinary = ordinarySan.exec(text)
  if (!ordinary) return []
  const [, letter, file = '', rank = '', to] = ordinary
  return legal.filter(
    move =>
      squares[move.to] === to &&
      letterOf(position, move) === letter &&
      squares[move.from]!.startsWith(file) &&
      squares[move.from]!.endsWith(rank),
  )
}

function bareSan(position: Position, move: Move): string {
  const castling = castlingSan(position, move)
  if (castling) return castling
  const letter = letterOf(position, move)
  const from = squares[move.from]!
  const to = squares[move.to]!
  if (letter === '') {
    const takes = from[0] !== to[0] ? `${from[0]}x` : ''
    return `${takes}${to}${move.promotion && `=${move.promotion.toUpperCase()}`}`
  }
  const takes = position.board[move.to] === '.' ? '' : 'x'
  return `${letter}${whichOne(position, move)}${takes}${to}`
}

function castlingSan({ board }: Position, { from, to }: Move): string | undefined {
  if (board[from]!.toUpperCase() !== 'K' || Math.abs(to - from) !== 2) return undefined
  return to > from ? 'O-O' : 'O-O-O'
}

const letterOf = ({ board }: Position, { from }: Move): string =>
  board[from]!.toUpperCase().replace('P', '')

/** As much of the starting square as it takes to tell this piece from others of its kind. */
function whichOne(position: Position, move: Move): string {
  const name = squares[move.from]!
  const others = legalMoves(position)
    .filter(
      ({ from, to }) =>
        to === move.to && from !== move.from && position.board[from] === position.board[move.from],
    )
    .map(({ from }) => squares[from]!)
  if (others.length === 0) return ''
  if (others.every(other => other[0] !== name[0])) return name[0]!
  if (others.every(other => other[1] !== name[1])) return name[1]!
  return name
}
