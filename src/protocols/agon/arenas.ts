// What AGON says of the game of a room: what a message has beside its text, and why one is no move.

import type { RoomId } from '../../arena/room-setup.ts'
import { type Game, isIllegal, type Json, type Seat, type View } from '../../games/game.ts'
import { cut } from '../../games/words.ts'
import type { Refused } from './codes.ts'

export interface ArenaWords {
  /** Messages are moves on a board: what is too long is refused. Elsewhere they are texts, and are cut. */
  readonly isBoard: boolean
  /** What a message that was played has beside its text. */
  extras(view: View): object
  /** Why a text is no move. `made`: how many in a row were none. */
  illegal(attempt: Attempt): Refused
}

interface Attempt {
  readonly content: string
  readonly game: Game
  readonly state: unknown
  readonly seat: Seat
  readonly made: number
}

export const wordsOf = (room: RoomId): ArenaWords =>
  room === 'chess' ? chessWords : room === 'go' ? goWords : textWords

/** From the third illegal move in a row on, those that there are are listed. */
const listedFrom = 3

const chessWords: ArenaWords = {
  isBoard: true,
  extras: ({ fen }) => ({ fen }),
  illegal: ({ content, game, state, seat, made }) => {
    const message = `Illegal move: ${content}`
    if (made < listedFrom) return { code: 'VALIDATION_FAILED', message }
    const legal = game.moves!(state, seat).map(move => game.label!(state, move))
    return {
      code: 'VALIDATION_FAILED',
      message: `${message} Legal moves: ${legal.join(', ')}`,
      legal_moves: legal,
    }
  },
}

const goWords: ArenaWords = {
  isBoard: true,
  extras: ({ board, captures }) => {
    const [black, white] = captures as readonly [number, number]
    const rows = board as readonly (readonly string[])[]
    return {
      board: rows.map(row => row.map(mark => stones.indexOf(mark))),
      captures: { black, white },
    }
  },
  illegal: ({ content, game, state, seat }) => {
    const message = `Illegal move: ${content} (${goReason(game, state, seat, content)})`
    return { code: 'VALIDATION_FAILED', message }
  },
}

/** By the number that AGON has for each. */
const stones = '.XO'

const goReason = (game: Game, state: unknown, seat: Seat, content: string): string => {
  const move = game.read!(state, seat, content)
  const { board, size } = game.view(state, 'audience') as {
    readonly board: readonly (readonly string[])[]
    readonly size: number
  }
  const [, letter = '', digit = ''] = /^([A-HJ])([1-9])$/.exec(String(move)) ?? []
  if (letter === '') return 'format'
  const mark = board[size - Number(digit)]?.['ABCDEFGHJ'.indexOf(letter)]
  if (mark !== '.') return 'occupied'
  const answer = game.play(state, seat, move)
  return isIllegal(answer) && answer.reason.includes('repeats') ? 'ko' : 'suicide'
}

const textWords: ArenaWords = {
  isBoard: false,
  extras: () => ({}),
  // Length, emptiness and characters have been looked at before.
  illegal: ({ content }) => ({
    code: 'VALIDATION_FAILED',
    message: `Illegal move: ${cut(content, 40)}`,
  }),
}

/** What a client writes, as a move of the game. */
export const moveOf = (words: ArenaWords, content: string): Json =>
  words.isBoard ? content : { action: 'message', content }
