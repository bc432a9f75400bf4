import { chess } from '../../games/chess.ts'
import { type Move, moved, moveOf, type Position } from '../../games/chess-moves.ts'
import { sanOf } from '../../games/chess-san.ts'
import { scoreMark } from '../result-text.ts'
import type { GameRecord, Result } from './game-record.ts'

/** A match of chess in the export format of Portable Game Notation, in pieces: tags first, lines below 80 characters. */
export function* pgnPieces(record: GameRecord): Iterable<string> {
  const { event, site, date, players, result } = record
  const tags = {
    Event: event,
    Site: site,
    Date: date.replaceAll('-', '.'),
    Round: record.round ?? '-',
    White: players[0],
    Black: players[1],
    Result: resultOf(result),
    Termination: terminationOf(result),
  }
  for (const [name, value] of Object.entries(tags)) yield `[${name} "${quoted(value)}"]\n`
  let width = 0
  for (const word of wordsOf(record, resultOf(result))) {
    // A line that begins with a percent sign would be no part of the game.
    const fits = width > 0 && (width + word.length < 79 || word.startsWith('%'))
    yield `${fits ? ' ' : '\n'}${word}`
    width = fits ? width + 1 + word.length : word.length
  }
  yield '\n'
}

const resultOf = (result: Result | null): string =>
  result === null ? '*' : scoreMark(result.winner)

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
    case 'limit':
      return 'adjudication'
    default:
      return 'normal'
  }
}

const quoted = (text: string): string =>
  text.replace(/\p{Cc}+/gu, ' ').replace(/["\\]/g, mark => `\\${mark}`)

function* wordsOf({ opening, moves, notes }: GameRecord, result: string): Iterable<string> {
  let position: Position = chess.start(0, 2)
  for (const uci of opening) {
    if (position.toMove === 0) yield `${position.number}.`
    yield sanOf(position, uci)
    position = moved(position, moveOf(position, uci) as Move)
  }
  if (opening.length > 0) yield* commentOf('The match begins here.')
  let ply = 0
  for (const uci of moves) {
    if (position.toMove === 0) yield `${position.number}.`
    else if (notes[ply] !== undefined || (ply === 0 && opening.length > 0))
      yield `${position.number}...`
    yield sanOf(position, uci)
    const note = notes[++ply]
    if (note !== undefined) yield* commentOf(note)
    position = moved(position, moveOf(position, uci) as Move)
  }
  yield result
}

/** A comment ends at the first closing brace. What begins with `[%` is a command to some programs. */
const commentOf = (note: string): readonly string[] => {
  const text = note.replaceAll('{', '(').replaceAll('}', ')').replaceAll('[%', '[ %')
  return `{${text}}`.match(/[^ ]{1,60}/gu) ?? []
}
