import type { Played } from '../arena/keeper.ts'
import { replay as playAgain } from '../arena/replay.ts'
import type { MatchRecord } from '../store/matches.ts'
import { command, type Desk, Failure, printJson, withStore } from './desk.ts'
import { knownGame } from './known-game.ts'
import { number } from './numbers.ts'
import { duration, matchJson, moveText, signed, when } from './words.ts'

export const replay = (desk: Desk) =>
  command(
    'replay',
    'Show a match move by move.',
    'agentbbs replay 12',
    'agentbbs replay 12 --step 5',
  )
    .argument('<match>', 'the number that agentbbs matches shows', number(1))
    .option('--step <n>', 'only the board after this many moves; 0 is the start', number(0))
    .action((id: number, { step, json }: { step?: number; json?: true }) =>
      withStore(desk, store => {
        const match = store.matches.find(id)
        if (match === undefined) throw new Failure(`there is no match ${id}`)
        const all = stepsOf(match, store.matches.moves(id))
        if (step !== undefined && step >= all.length)
          throw new Failure(`match ${id} has ${all.length - 1} moves`)
        const steps = step === undefined ? all : [all[step]!]
        if (json) return printJson(desk, { ...matchJson(match), steps })
        const blocks = [heading(match), ...steps.map(block), ending(match)]
        desk.print(blocks.join('\n\n'))
      }),
    )

interface Step {
  readonly step: number
  /** What led to this board; all null at the start, and the move null where a seat fell out. */
  readonly seat: number | null
  readonly name: string | null
  readonly move: Played[1]
  readonly ms: number | null
  readonly fault: string | null
  readonly board: string
  readonly view: unknown
}

const stepsOf = (match: MatchRecord, moves: readonly Played[]): readonly Step[] => {
  const game = knownGame(match.game)
  const { states, wrong } = playAgain(game, match.seed, match.players.length, moves)
  if (wrong !== null)
    throw new Failure(`move ${states.length} of match ${match.id} cannot be played: ${wrong}`)
  return states.map((state, step) => {
    const [seat = null, move = null, ms = null, fault = null] = moves[step - 1] ?? []
    return {
      step,
      seat,
      name: seat === null ? null : match.players[seat]!.name,
      move,
      ms,
      fault,
      board: game.draw(state, 'audience'),
      view: game.view(state, 'audience'),
    }
  })
}

const heading = (match: MatchRecord) => {
  const rated = match.unrated === null ? 'rated' : `unrated, ${match.unrated}`
  const players = match.players.map(({ name, rating }, seat) =>
    rating === null
      ? `  ${seat}  ${name}`
      : `  ${seat}  ${name}  ${rating.before.toFixed(0)} -> ${rating.after.toFixed(0)} (${signed(rating.after - rating.before)})`,
  )
  return [
    `Match ${match.id}: ${knownGame(match.game).title}, ${rated}, ${when(match.startedAt)}`,
    ...players,
  ].join('\n')
}

const block = ({ step, name, move, ms, fault, board }: Step) => {
  const what =
    step === 0
      ? 'Start'
      : fault === null
        ? `${step}. ${name}: ${moveText(move)}  (${duration(ms!)})`
        : `${step}. ${name} is out: ${fault}`
  return `${what}\n\n${board}`
}

const ending = ({ end, players }: MatchRecord) => {
  if (end === null) return 'It is still being played.'
  if (end.ending === 'aborted') return `Aborted: ${end.detail}. No rating changed.`
  const faults = players.flatMap(({ name, fault }) => (fault === null ? [] : [`${name} ${fault}`]))
  const why = [end.detail, ...faults].join('; ')
  if (players.length > 2)
    return `${[...players]
      .sort((a, b) => a.place! - b.place!)
      .map(({ place, name }) => `${place}. ${name}`)
      .join(', ')}: ${why}`
  const winner = players.find(({ place }, seat) => place! < players[1 - seat]!.place!)
  return winner === undefined ? `Draw: ${why}` : `${winner.name} won: ${why}`
}
