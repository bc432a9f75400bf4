import { moveLabel } from '../../record/move-text.ts'
import { type Html, html } from '../html.ts'
import {
  chessBoard,
  connectFour,
  type Grid,
  othelloBoard,
  skillBoard,
  stones,
  ticTacToe,
} from './grids.ts'
import { danceFloor, rushLand } from './land.ts'
import {
  bazaarPanel,
  blottoPanel,
  dancePanel,
  echoPanel,
  evenOddPanel,
  goPanel,
  type Panel,
  plainPanel,
  rushPanel,
  skillPanel,
} from './panels.ts'
import type { Scene } from './scene.ts'
import { list, type Position, rows, text } from './sight.ts'
import { svgOf } from './svg.ts'

export interface Viewed {
  /** The id of the game. */
  readonly game: string
  readonly title: string
  /** By seat. */
  readonly names: readonly string[]
  readonly flipped?: boolean
}

/** A position as HTML: the board, where there is one, and what stands beside it. */
export const draw = (viewed: Viewed, position: Position): Html => {
  const { board, panel } = looks[viewed.game] ?? plain
  return html`${board && svgOf(board(position, viewed.flipped ?? false), describe(viewed, position))}${panel?.(
    position,
    viewed.names,
  )}`
}

/** The board alone, for lists and pictures; null for games that have none. */
export const boardOf = (game: string, position: Position): Scene | null =>
  looks[game]?.board?.(position, false) ?? null

/** Can it be turned round? */
export const turnable = (game: string): boolean => looks[game]?.turns === true

/** What a board shows, for those who cannot see it. */
export const describe = ({ title }: Viewed, { view, last }: Position): string => {
  const board = rows(Array.isArray(list(view.board)[0]) ? view.board : [])
  const lines = board.length === 0 ? list(view.board).map(text).join(' ') : ''
  const move = moveLabel(view.lastMove ?? last)
  return [
    `${title}.`,
    move === '' ? 'No move yet.' : `Last move ${move}.`,
    typeof view.fen === 'string' ? `FEN ${view.fen}.` : '',
    lines && `Cells by row: ${lines}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** The board as lines of characters. */
export const textOf = ({ view }: Position): string => {
  const board = list(view.board)
  if (board.length === 9 && !Array.isArray(board[0]))
    return [0, 3, 6]
      .map(row =>
        board
          .slice(row, row + 3)
          .map(text)
          .join(' '),
      )
      .join('\n')
  return rows(view.board)
    .map(row => row.join(' '))
    .join('\n')
}

/** What a seat is called in its game, where it has a name. */
export const sideOf = (game: string, seat: number): string => looks[game]?.sides?.[seat] ?? ''

interface Look {
  readonly board?: Grid
  readonly panel?: Panel
  readonly turns?: boolean
  readonly sides?: readonly string[]
}

const plain: Look = { panel: plainPanel }
const blackFirst = ['Black', 'White']
const goBoard: Look = {
  board: stones('ABCDEFGHJKLMNOPQRST'),
  panel: goPanel,
  turns: true,
  sides: blackFirst,
}

const looks: Readonly<Record<string, Look>> = {
  ttt: { board: ticTacToe, sides: ['X', 'O'] },
  c4: { board: connectFour, sides: ['X', 'O'] },
  chess: { board: chessBoard, turns: true, sides: ['White', 'Black'] },
  go9: goBoard,
  go13: goBoard,
  go19: goBoard,
  gomoku: { board: stones('ABCDEFGHIJKLMNO'), turns: true, sides: blackFirst },
  othello: { board: othelloBoard, turns: true, sides: blackFirst },
  'skill-gomoku': { board: skillBoard, panel: skillPanel, turns: true, sides: blackFirst },
  'resource-rush': { board: rushLand, panel: rushPanel },
  'dance-battle': { board: danceFloor, panel: dancePanel },
  echo: { panel: echoPanel },
  blotto: { panel: blottoPanel },
  'even-odd': { panel: evenOddPanel },
  bazaar: { panel: bazaarPanel },
}
