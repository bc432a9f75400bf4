import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import type { Played } from '../arena/match-store.ts'
import type { Notes } from '../arena/note.ts'
import { replay as playAgain, ReplayError } from '../arena/replay.ts'
import { lookText } from '../drawing/look-text.ts'
import { votesOf } from '../games/game.ts'
import { programName } from '../process/program-name.ts'
import { countText } from '../record/count-text.ts'
import { ndjsonLines, notationOf, notationPieces } from '../record/export.ts'
import { jsonText } from '../record/json-text.ts'
import { commandRecord, type MatchRecord, replaySourceOf } from '../record/match-record.ts'
import { moveLabel, moveText, noteText } from '../record/move-text.ts'
import { protocolText } from '../record/protocol-text.ts'
import { ratingChangeText } from '../record/rating-text.ts'
import { readNdjson } from '../record/read-ndjson.ts'
import { faultsText, outcomeText, placesText, ratedText } from '../record/result-text.ts'
import { durationText } from '../record/time-text.ts'
import type { Pieces } from '../scheduling/text-stream.ts'
import { KeptMoves } from '../store/kept-moves.ts'
import { printable } from '../text/printable.ts'
import { voidedText, when } from '../text/words.ts'
import { type CommandContext, command, Failure } from './command.ts'
import { knownGame } from './known-game.ts'
import { number } from './numbers.ts'
import { withStore } from './with-store.ts'

export const replay = (context: CommandContext) =>
  command(
    'replay',
    'Show a match move by move.',
    'agentbbs replay 12',
    'agentbbs replay 12 --step 5',
    'agentbbs replay 12 --format pgn',
    ...(context.store === undefined ? ['agentbbs replay replays/0001.ndjson'] : []),
  )
    .argument(
      '<match>',
      `the number that ${programName()} matches shows${context.store === undefined ? `, or a file of ${programName()} play --replays` : ''}`,
      // Within the server the client is someone else, who may read no files of the host.
      context.store === undefined ? numberOrFile : number(1),
    )
    .option('--step <n>', 'only the board after this many moves; 0 is the start', number(0))
    .addOption(
      new Option('--format <format>', 'print the whole match in this format').choices(formats),
    )
    .action((which: number | string, options: Options) =>
      typeof which === 'string'
        ? show(context, ...matchIn(which), options)
        : withStore(context, store => {
            const match = store.matches.find(which)
            if (match === undefined) throw new Failure(`there is no match ${which}`)
            const { matches } = store
            return show(context, match, matches.keptMoves(which), matches.notes(which), options)
          }),
    )

const numberOrFile = (value: string): number | string =>
  value.endsWith('.ndjson') ? value : number(1)(value)

const matchIn = (path: string): [MatchRecord, KeptMoves, Notes] => {
  try {
    const { match, moves, notes } = readNdjson(readFileSync(path, 'utf8'))
    const text = JSON.stringify(moves)
    return [match, new KeptMoves(() => text, { length: moves.length, size: text.length }), notes]
  } catch (error) {
    throw new Failure(`cannot read ${path}: ${(error as Error).message}`)
  }
}

const show = async (
  context: CommandContext,
  match: MatchRecord,
  moves: KeptMoves,
  notes: Notes,
  { step, format, json }: Options,
): Promise<void> => {
  if (step !== undefined && step > moves.length)
    throw new Failure(`match ${match.id} has ${countText(moves.length, 'move')}`)
  await context.stream(piecesOf(match, moves, notes, step, json ? 'json' : format), moves.size)
}

const formats = ['pgn', 'sgf', 'ndjson', 'json'] as const

interface Options {
  readonly step?: number
  readonly format?: (typeof formats)[number]
  readonly json?: true
}

const piecesOf = (
  match: MatchRecord,
  moves: KeptMoves,
  notes: Notes,
  only: number | undefined,
  format: Options['format'],
): (() => Pieces) => {
  if (format === 'ndjson') return () => ndjsonLines(match, moves, notes)
  if (format === 'pgn' || format === 'sgf') {
    if (notationOf(match.game) === format)
      return () => notationPieces(match, moves, notes, 'AgentBBS')
    throw new Failure(
      `a match of ${match.game} has no ${format.toUpperCase()}: ${notationOf(match.game) ?? 'ndjson'} is what it has`,
    )
  }
  return () =>
    (format === 'json' ? jsonPieces : textPieces)(match, stepsOf(match, moves, notes, only))
}

interface Step {
  readonly step: number
  /** The move before this board. All are null at the start; the move is null where a seat was out. */
  readonly seat: number | null
  readonly name: string | null
  readonly move: Played[1]
  readonly ms: number | null
  readonly fault: string | null
  /** What the player wrote beside the move. */
  readonly note: string | null
  readonly board: string
  readonly view: unknown
}

/** Every step, or only one: the others are null. */
function* stepsOf(
  match: MatchRecord,
  moves: KeptMoves,
  notes: Notes,
  only: number | undefined,
): Iterable<Step | null> {
  const game = knownGame(match.game)
  let step = 0
  try {
    for (const { state, played } of playAgain(replaySourceOf(game, match, moves))) {
      const [seat = null, move = null, ms = null, fault = null] = played ?? []
      yield only !== undefined && step !== only
        ? null
        : {
            step,
            seat,
            name: seat === null || votesOf(move) !== null ? null : match.players[seat]!.name,
            move,
            ms,
            fault,
            note: notes[step] ?? null,
            board: lookText(game.look(state, 'replay')),
            view: game.view(state, 'replay'),
          }
      if (step++ === only) return
    }
  } catch (error) {
    if (error instanceof ReplayError)
      throw new Failure(`move ${error.ply} of match ${match.id} cannot be played: ${error.why}`)
    throw error
  }
}

/** The match as `matches` gives it, and its steps, each on a line of its own. */
function* jsonPieces(match: MatchRecord, steps: Iterable<Step | null>): Pieces {
  yield `${jsonText(commandRecord(match), 2).replace(/\n}$/, '')},\n  "steps": [`
  let between = '\n    '
  for (const step of steps) {
    if (step === null) yield ''
    else {
      yield between + jsonText(step)
      between = ',\n    '
    }
  }
  yield '\n  ]\n}\n'
}

function* textPieces(match: MatchRecord, steps: Iterable<Step | null>): Pieces {
  yield printable(`${heading(match)}\n\n`)
  for (const step of steps) yield step === null ? '' : printable(`${block(step)}\n\n`)
  yield printable(`${ending(match)}\n`)
}

const heading = (match: MatchRecord) => {
  const players = match.players.map(({ name, rating, protocol }, seat) =>
    [
      `  ${seat}  ${name}`,
      ...(rating === null ? [] : [ratingChangeText(rating)]),
      ...(protocol === null ? [] : [protocolText(protocol)]),
    ].join('  '),
  )
  return [
    `Match ${match.id}: ${knownGame(match.game).title}, ${ratedText(match)}, ${when(match.startedAt)}`,
    ...(match.voided === null ? [] : [`Voided ${voidedText(match.voided)}`]),
    ...players,
  ].join('\n')
}

const block = ({ step, name, move, ms, fault, note, board }: Step) => {
  const what =
    step === 0
      ? 'Start'
      : votesOf(move) !== null
        ? `${step}. ${moveLabel(move)}`
        : fault === null
          ? `${step}. ${name}: ${moveText(move)}  (${durationText(ms!)})`
          : `${step}. ${name} is out: ${fault}`
  return `${what}${note === null ? '' : `\n   note: ${noteText(note)}`}\n\n${board}`
}

const ending = (match: MatchRecord) => {
  const places = match.players.length > 2 ? placesText(match) : ''
  const line = [outcomeText(match), ...faultsText(match)].join('; ')
  return places === '' ? line : `${line}\n${places}`
}
