import { champion } from '../events/champion.ts'
import type { BoardMatch } from '../events/log.ts'
import type { BoardState, EventState, Round } from '../events/state.ts'
import { table as tableOf } from '../events/table.ts'
import { countText } from '../record/count-text.ts'
import { eventRecord } from '../record/event-record.ts'
import {
  boardNames,
  boardNote,
  boardScore,
  eventGameText,
  formatText,
  namesOf,
  pointsRuleText,
  pointsText,
  stateText,
  tieBreakTitles,
} from '../record/event-text.ts'
import { bracketLines } from '../text/event-lines.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, Failure, printJson } from './command.ts'
import { eventNamed } from './known-event.ts'
import { number } from './numbers.ts'
import { withStore } from './with-store.ts'

/** `name` is what the command is called: `show` among the commands of an operator. */
export const event = (context: CommandContext, name: string, example: string) =>
  command(name, 'Show an event: its table, and a round with its results.', example)
    .argument('<event>', 'the name of the event')
    .option('--round <n>', 'this round; the last one unless given', number(1))
    .action((id: string, { round, json }: { round?: number; json?: true }) =>
      withStore(context, store => {
        const state = eventNamed(store, id)
        const matches = store.events.boardMatches(state.plan.id)
        if (json) return printJson(context, eventRecord(state, matches))
        if (round !== undefined && state.rounds[round - 1] === undefined)
          throw new Failure(`${state.plan.id} has ${countText(state.rounds.length, 'round')}`)
        const shown = state.rounds.at((round ?? 0) - 1)
        const parts = [head(state), people(state, context.width)]
        if (state.plan.format.kind === 'knockout' && shown !== undefined)
          parts.push(bracketLines(state).join('\n'))
        if (shown !== undefined) parts.push(roundText(state, shown, matches, context.width))
        context.print(parts.join('\n\n'))
      }),
    )

const head = (state: EventState): string => {
  const { plan } = state
  const best = champion(state)
  const counts = plan.rated ? 'rated' : 'unrated'
  return [
    `${plan.title} (${plan.id})`,
    `${eventGameText(state)}: ${formatText(plan.format)}, ${counts}. ${pointsRuleText(plan.points)}.`,
    `${stateText(state)}${best === null ? '' : `. Champion: ${best.name}`}`,
  ].join('\n')
}

const people = (state: EventState, width: number | undefined): string => {
  if (state.entrants.length === 0) return 'No entrants yet.'
  if (state.startedAt === null)
    return table(
      [
        { title: 'ENTRANT', long: true },
        { title: 'RATING', right: true },
        ...(state.plan.checkIn > 0 ? [{ title: 'CHECKED IN' }] : []),
      ],
      state.entrants.map(({ name, rating, checkedIn }) => [
        name,
        String(Math.round(rating)),
        ...(state.plan.checkIn > 0 ? [checkedIn ? 'yes' : 'no'] : []),
      ]),
      width,
    )
  const rows = tableOf(state)
  return table(
    [
      { title: 'RANK', right: true },
      { title: 'NAME', long: true },
      { title: 'POINTS', right: true },
      { title: 'PLAYED', right: true },
      { title: 'WON', right: true },
      { title: 'DRAWN', right: true },
      { title: 'LOST', right: true },
      ...rows[0]!.tieBreaks.map(({ name }) => ({
        title: tieBreakTitles[name].toUpperCase(),
        right: true as const,
      })),
    ],
    rows.map(row => [
      String(row.rank),
      row.withdrawn ? `${row.name} (withdrawn)` : row.name,
      pointsText(row.points),
      ...[row.played, row.wins, row.draws, row.losses].map(String),
      ...row.tieBreaks.map(({ value }) => (value === null ? '-' : pointsText(value))),
    ]),
    width,
  )
}

const roundText = (
  state: EventState,
  { round, boards, byes }: Round,
  matches: readonly BoardMatch[],
  width: number | undefined,
): string => {
  const nameOf = namesOf(state)
  const rows = boards.map(board => [
    `${round}.${board.board}`,
    boardNames(board, nameOf),
    boardScore(board) ?? '-',
    boardNote(board, nameOf) ?? matchesText(board, matches),
  ])
  const resting = byes.map(account => ['-', nameOf(account), '-', 'bye'])
  return `Round ${round}\n\n${table(
    [
      { title: 'NO.' },
      { title: 'PLAYERS', long: true },
      { title: state.plan.seats.most > 2 ? 'PLACES' : 'SCORE' },
      { title: 'MATCHES' },
    ],
    [...rows, ...resting],
    width,
  )}`
}

const matchesText = (
  { round, board, legs }: BoardState,
  matches: readonly BoardMatch[],
): string => {
  const live = matches
    .filter(({ status, board: of }) => status === 'live' && of.startsWith(`${round}.${board}.`))
    .map(({ match }) => `${match} (live)`)
  return [...legs.flatMap(({ match }) => match ?? []), ...live].join(', ') || '-'
}
