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

/** A legal move, given as UCI, in standard algebraic notation. */
export function sanOf(position: Position, uci: string): string {
  const move = moveOf(position, uci)
  if (!move) throw new Error(`${uci} is no legal move`)
  const next = moved(position, move)
  return `${bareSan(position, move)}${inCheck(next) ? (canMove(next) ? '+' : '#') : ''}`
}

/** The one legal move that this text can mean, as UCI. Marks of check and praise are not looked at. */
export function uciOf(position: Position, text: string): string | undefined {
  if (text.length > longest) return undefined
  const castling = /^([O0o])-\1(-\1)?[+#]?[!?]*$/.exec(text)
  const ordinary =
    /^([KQRBN]?)([a-h]?)([1-8]?)[x-]?([a-h][1-8])(?:=?([QRBN]))?(?: ?e\.?p\.?)?[+#]?[!?]*$/.exec(
      text,
    )
  const meant = legalMoves(position).filter(move => {
    if (castling) return castlingSan(position, move) === (castling[2] ? 'O-O-O' : 'O-O')
    if (!ordinary) return false
    const [, letter, file = '', rank = '', to, promotion = ''] = ordinary
    return (
      squares[move.to] === to &&
      letterOf(position, move) === letter &&
      castlingSan(position, move) === undefined &&
      squares[move.from]!.startsWith(file) &&
      squares[move.from]!.endsWith(rank) &&
      move.promotion.toUpperCase() === promotion
    )
  })
  return meant.length === 1 ? toUci(meant[0]!) : undefined
}

const longest = 16

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
