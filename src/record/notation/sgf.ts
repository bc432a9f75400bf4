import type { GameRecord, Result } from './game-record.ts'

type Board = {
  /** The number of the game in the SGF standard. */
  readonly number: number
  readonly size: number
  readonly columns: string
  /** Whether row 1 is the top one. */
  readonly fromTop?: boolean
  readonly komi?: number
}

const goColumns = 'ABCDEFGHJKLMNOPQRST'
const boards: Readonly<Record<string, Board>> = {
  go9: { number: 1, size: 9, columns: goColumns, komi: 6.5 },
  go13: { number: 1, size: 13, columns: goColumns, komi: 7.5 },
  go19: { number: 1, size: 19, columns: goColumns, komi: 7.5 },
  gomoku: { number: 4, size: 15, columns: 'ABCDEFGHIJKLMNO' },
  othello: { number: 2, size: 8, columns: 'abcdefgh', fromTop: true },
}

export const hasSgf = (game: string): boolean => Object.hasOwn(boards, game)

/** A match of go, gomoku or othello in the Smart Game Format, version 4. Seat 0 has the black stones. In pieces. */
export function* sgfPieces(record: GameRecord): Iterable<string> {
  const board = boards[record.game]
  if (!board) throw new Error(`${record.game} has no SGF`)
  const { event, site, date, players, opening, moves, notes, result } = record
  const root = [
    ['GM', board.number],
    ['FF', 4],
    ['CA', 'UTF-8'],
    ['AP', 'AgentBBS:1'],
    ['SZ', board.size],
    // Of the rule sets with a standard name, this one has area scoring and forbids repeated positions.
    ...(board.komi === undefined ? [] : [['KM', board.komi] as const, ['RU', 'Chinese'] as const]),
    ['EV', text(event)],
    ['PC', text(site)],
    ['DT', date],
    ['PB', text(players[0])],
    ['PW', text(players[1])],
    ['RE', resultOf(result)],
  ] as const
  yield `(;${root.map(([name, value]) => `${name}[${value}]`).join('')}\n`
  let width = 0
  let seat = 0
  let ply = -opening.length
  for (const move of inOrder(opening, moves)) {
    const note = ++ply === 0 ? 'The match begins after this move.' : notes[ply]
    if (isMarking(move)) continue
    const comment = note === undefined ? '' : `C[${text(note)}]`
    const node = `;${'BW'[seat]}[${pointOf(board, move)}]${comment}`
    const fits = width + node.length <= 60
    yield fits ? node : `\n${node}`
    width = fits ? width + node.length : node.length
    seat = 1 - seat
  }
  yield ')\n'
}

function* inOrder(opening: readonly string[], moves: Iterable<string>): Iterable<string> {
  yield* opening
  yield* moves
}

function resultOf(result: Result | null): string {
  if (result === null) return 'Void'
  if (result.winner === null) return 'Draw'
  return `${result.winner === 0 ? 'B' : 'W'}+${marginOf(result)}`
}

function marginOf({ how, scores }: Result): string {
  switch (how) {
    case 'resigned':
      return 'R'
    case 'late':
      return 'T'
    case 'illegal':
    case 'gone':
      return 'F'
    default:
      return scores ? String(Math.abs(scores[0]! - scores[1]!)) : ''
  }
}

/** Marking and agreeing on dead stones are not moves on the board. */
const isMarking = (move: string): boolean => /^(dead|alive) |^(agree|play on)$/.test(move)

const text = (value: string): string =>
  value.replace(/\p{Cc}+/gu, ' ').replace(/[\\\]]/g, mark => `\\${mark}`)

/** Two small letters, column and row from the top; empty for a pass. */
function pointOf({ columns, size, fromTop }: Board, move: string): string {
  if (move === 'pass') return ''
  const row = Number(move.slice(1)) - 1
  return letter(columns.indexOf(move[0]!)) + letter(fromTop ? row : size - 1 - row)
}

const letter = (index: number): string => String.fromCharCode(97 + index)
