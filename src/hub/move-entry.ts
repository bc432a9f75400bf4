import type { BoardView } from '../drawing/board-text.ts'
import { Dice } from '../games/dice.ts'
import { type Game, isIllegal, type Json, type Seat } from '../games/game.ts'
import { type Board, type Cell, cellMove } from '../games/look.ts'
import { Field } from './field.ts'
import { Pointer } from './pointer.ts'
import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import { clip } from './terminal/width.ts'

/** Where a person is in a game, as far as moving needs it. */
export interface Stand {
  readonly game: Game
  readonly state: unknown
  readonly seat: Seat
  /** Where the game lists its moves. */
  readonly legal: readonly string[] | null
}

/** A move as it comes about: pointed at on the board, or typed. */
export class MoveEntry {
  readonly #field = new Field(2000)
  readonly #pointer = new Pointer()

  /** Another position: what was pointed at means nothing any more. */
  forget(): void {
    this.#pointer.from = null
  }

  press(key: Key, board: Board | null, flipped: boolean): boolean {
    const isBegun = this.#field.text !== '' || this.#pointer.from !== null
    if (key.kind === 'named' && key.name === 'escape' && isBegun) {
      this.#field.text = ''
      this.#pointer.from = null
      return true
    }
    if (board !== null && this.#field.text === '' && this.#pointer.press(key, board, flipped))
      return true
    // A question mark begins no move: it asks for help.
    if (key.kind === 'char' && key.char === '?' && this.#field.text === '') return false
    return this.#field.press(key)
  }

  /** The move that is meant; undefined when it is not whole yet, null when there is none. */
  take(stand: Stand, board: Board | null): Json | undefined {
    const typed = this.#field.text.trim()
    this.#field.text = ''
    if (typed !== '') return readMove(stand.game, typed)
    if (board === null) return null
    if (stand.legal !== null) return this.#pointer.choose(board, stand.legal)
    return moveAt(stand, board, this.#pointer.at(board))
  }

  view(board: Board | null): BoardView {
    if (board === null) return {}
    const { from } = this.#pointer
    return { cursor: this.#pointer.at(board), chosen: from === null ? [] : [from] }
  }

  /** In two rows: what would be taken, and what is being typed. */
  draw(canvas: Canvas, legal: readonly string[] | null): void {
    if (legal !== null && legal.length > 0)
      canvas.text(0, 0, clip(`legal: ${legal.slice(0, 40).join(' ')}`, canvas.width), 'dim')
    canvas.text(0, 1, 'Move:', 'title')
    this.#field.draw(canvas, 6, 1, canvas.width - 6)
  }
}

/** A move that could be made, for those who have never seen one; null where moves are plain words. */
export const exampleOf = (stand: Omit<Stand, 'legal'>): string | null => {
  const [first] = examples(stand, 1)
  return first === undefined ? null : JSON.stringify(first)
}

/** What is typed is a move as it is, or the JSON that an agent would send. */
const readMove = (game: Game, text: string): Json => {
  if (game.moves !== undefined || !/^[[{"\d]/.test(text)) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The move that this cell stands for, where moves are JSON. */
const moveAt = ({ game, state, seat }: Stand, board: Board, cell: Cell): Json => {
  const move: Json = JSON.parse(cellMove(board, cell) ?? 'null')
  return isIllegal(game.play(state, seat, move)) ? null : move
}

/** Moves that the game itself would make. */
const examples = (
  { game, state, seat }: Omit<Stand, 'legal'>,
  tries: number,
): readonly { readonly [key: string]: Json | undefined }[] =>
  Array.from({ length: tries }, (_, i) =>
    game.anyMove?.(state, seat, Dice.fromSeed((i * 2654435761) >>> 0)),
  ).filter(
    (move): move is { readonly [key: string]: Json | undefined } =>
      typeof move === 'object' && move !== null && !Array.isArray(move),
  )
