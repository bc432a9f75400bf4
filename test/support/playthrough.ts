import { lookText } from '../../src/drawing/look-text.ts'
import { type Final, type Game, isFinal, type Json } from '../../src/games/game.ts'
import { randomGame, type Turn } from './random-games.ts'

const mostBoards = 12
const mostMoves = 240

/**
 * One random game as text for people: every move of a short game, and some boards. The later moves of a long game
 * are only counted; its later boards show their result.
 */
export function playthrough(game: Game): string {
  const first = randomGame(game, 1)
  // A match that a seat leaves at once, out of turn, shows little: in the fourth none does.
  const isLeft = game.facts.outOfTurn === true && first.turns.length <= 2
  const played = isLeft ? randomGame(game, 4) : first
  const every = Math.ceil(played.turns.length / mostBoards)
  const chapters: string[] = []
  for (let at = 0; at < played.turns.length; at += every) {
    const turns = played.turns.slice(at, at + every)
    chapters.push(board(game, at, turns[0]!.state), movesOf(turns, at))
  }
  return `${[
    `${game.title} (${game.id}): seed ${played.seed}, ${played.seats} seats, ${played.turns.length} moves`,
    ...chapters,
    board(game, played.turns.length, played.end),
    ending(played.final),
  ].join('\n\n')}\n`
}

function board(game: Game, at: number, state: unknown): string {
  const status = game.status(state)
  const open = isFinal(status) ? [] : status.toMove.map(seat => openMoves(game, state, seat))
  const heading = at === 0 ? 'at the start' : `after move ${at}`
  return `${heading}${open.join('')}\n\n${lookText(game.look(state, 'replay'))}`
}

const openMoves = (game: Game, state: unknown, seat: number) =>
  game.moves
    ? `, seat ${seat} has ${game.moves(state, seat).length} to choose from`
    : `, seat ${seat} is to move`

function movesOf(turns: readonly Turn[], at: number): string {
  const shown = turns.slice(0, Math.max(0, mostMoves - at))
  const words = shown.map(({ seat, move }) => `${seat}: ${inWords(move)}`)
  const rest = turns.length - shown.length
  return wrap(rest > 0 ? [...words, `… ${rest} more`] : words)
}

const inWords = (move: Json) => (typeof move === 'string' ? move : JSON.stringify(move))

function wrap(words: readonly string[]): string {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 76)
      lines[lines.length - 1] = `${last}  ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

const ending = ({ because, places, scores }: Final) =>
  [
    `over: ${because}`,
    `places ${places.join(' ')}`,
    ...(scores ? [`scores ${scores.join(' ')}`] : []),
  ].join('\n')
