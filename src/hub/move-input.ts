import type { BoardView } from '../drawing/board-text.ts'
import { Dice } from '../games/dice.ts'
import { type Game, isIllegal, type Json, type Seat } from '../games/game.ts'
import { type Board, type Cell, cellMove } from '../games/look.ts'
import { BoardCursor } from './board-cursor.ts'
import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import { clip } from './terminal/width.ts'
import { TextInput } from './text-input.ts'

/** A position, as the seat to move sees it. */
export interface Position {
  readonly game: Game
  readonly state: unknown
  readonly seat: Seat
  /** The legal moves; null where the game does not list them. */
  readonly legal: readonly string[] | null
}

/** Takes a move from the keyboard: selected on the board by arrows and Enter, or typed. */
export class MoveInput {
  readonly #input = new TextInput(2000)
  readonly #cursor = new BoardCursor()

  /** Called for a new position, in which a selected cell means nothing. */
  clearSelection(): void {
    this.#cursor.from = null
  }

  press(key: Key, board: Board | null, flipped: boolean): boolean {
    const hasBegun = this.#input.text !== '' || this.#cursor.from !== null
    if (key.kind === 'named' && key.name === 'escape' && hasBegun) {
      this.#input.text = ''
      this.#cursor.from = null
      return true
    }
    if (board !== null && this.#input.text === '' && this.#cursor.press(key, board, flipped))
      return true
    // No move begins with a question mark: the key asks for help.
    if (key.kind === 'char' && key.char === '?' && this.#input.text === '') return false
    return this.#input.press(key)
  }

  /** The text after `note`, if that was typed; null otherwise. */
  takeNote(): string | null {
    const [, note] = /^note +(\S.*)/s.exec(this.#input.text.trim()) ?? []
    if (note === undefined) return null
    this.#input.text = ''
    return note
  }

  /** The move that was entered; undefined if it needs a second cell, null if it is no move. */
  submit(position: Position, board: Board | null): Json | undefined {
    const typed = this.#input.text.trim()
    this.#input.text = ''
    if (typed !== '') return readMove(position.game, typed)
    if (board === null) return null
    if (position.legal !== null) return this.#cursor.select(board, position.legal)
    return moveAt(position, board, this.#cursor.at(board))
  }

  view(board: Board | null): BoardView {
    if (board === null) return {}
    const { from } = this.#cursor
    return { cursor: this.#cursor.at(board), chosen: from === null ? [] : [from] }
  }

  /** Draws two rows: the legal moves, and the text input. */
  draw(canvas: Canvas, legal: readonly string[] | null): void {
    if (legal !== null && legal.length > 0)
      canvas.text(0, 0, clip(`legal: ${legal.slice(0, 40).join(' ')}`, canvas.width), 'dim')
    canvas.text(0, 1, 'Move:', 'title')
    this.#input.draw(canvas, 6, 1, canvas.width - 6)
  }
}

/** How to type a move: an example of a legal one as JSON, or what the game says; null where moves are plain words. */
export const typingHelp = ({ game, state, seat }: Position): string | null => {
  if (game.typing !== undefined) return game.typing.now?.(state, seat) ?? game.typing.help
  const move = game.anyMove?.(state, seat, Dice.fromSeed(0))
  const isObject = typeof move === 'object' && move !== null && !Array.isArray(move)
  return isObject ? `A move is JSON, such as ${JSON.stringify(move)}` : null
}

/** Reads typed text: a move as it is, or the JSON that an agent would send. */
const readMove = (game: Game, text: string): Json => {
  if (game.typing !== undefined && !text.startsWith('{')) return game.typing.read(text)
  if (game.moves !== undefined || !/^[[{"\d]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The JSON move of a cell, or null if it is illegal. */
const moveAt = ({ game, state, seat }: Position, board: Board, cell: Cell): Json => {
  const move: Json = JSON.parse(cellMove(board, cell) ?? 'null')
  return isIllegal(game.play(state, seat, move)) ? null : move
}
