import { chess } from '../chess.ts'
import { type Move, moved, moveOf, type Position } from '../chess-moves.ts'
import { sanOf } from '../chess-san.ts'
import type { GameRecord, Result } from './record.ts'

/** A match of chess as Portable Game Notation, in its export format: seven tags first, lines below 80 characters. */
export function pgnOf(record: GameRecord): string {
  const { event, site, date, players, result } = record
  const tags = {
    Event: event,
    Site: site,
    Date: date.replaceAll('-', '.'),
    Round: '-',
    White: players[0],
    Black: players[1],
    Result: resultOf(result),
    Termination: terminationOf(result),
  }
  return [
    ...Object.entries(tags).map(([name, value]) => `[${name} "${quoted(value)}"]`),
    '',
    ...wrapped([...movesOf(record.moves), resultOf(result)]),
    '',
  ].join('\n')
}

const resultOf = (result: Result | null): string =>
  result === null ? '*' : result.winner === null ? '1/2-1/2' : result.winner === 0 ? '1-0' : '0-1'

function terminationOf(result: Result | null): string {
  switch (result?.how) {
    case undefined:
      return 'unterminated'
    case 'late':
      return 'time forfeit'
    case 'illegal':
      return 'rules infraction'
    case 'gone':
      return 'abandoned'
    default:
      return 'normal'
  }
}

const quoted = (text: string): string =>
  text.replace(/\p{Cc}+/gu, ' ').replace(/["\\]/g, mark => `\\${mark}`)

function movesOf(moves: readonly string[]): string[] {
  const words: string[] = []
  let position: Position = chess.start(0, 2)
  for (const uci of moves) {
    if (position.toMove === 0) words.push(`${position.number}.`)
    words.push(sanOf(position, uci))
    position = moved(position, moveOf(position, uci) as Move)
  }
  return words
}

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = []
  for (const word of words) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < 79)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
