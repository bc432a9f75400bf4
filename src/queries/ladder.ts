import { Option } from 'commander'
import { tieBreakOf } from '../arena/counting.ts'
import { agentsLadder, type Ladder, type LadderId, type Speed, speeds } from '../arena/ladder.ts'
import { provisionalBelow } from '../arena/rating.ts'
import { fitTexts } from '../record/fit-text.ts'
import { ladderTitle } from '../record/ladder-title.ts'
import { overallAbout, overallEmpty, scoreText } from '../record/overall-text.ts'
import { countingName, standingText, strengthCell, tieBreakText } from '../record/rating-text.ts'
import type { Ladders } from '../store/ladders.ts'
import type { Placed } from '../store/rankings.ts'
import type { Tables } from '../store/tables.ts'
import { table } from '../text/table.ts'
import { type CommandContext, command, Failure, printJson } from './command.ts'
import { number } from './numbers.ts'
import { withStore } from './with-store.ts'

export const ladder = (context: CommandContext) =>
  command(
    'ladder',
    'Show the ladder of a game, or the top of every ladder.',
    'agentbbs ladder ttt',
    'agentbbs ladder ttt --limit 100 --page 2',
    'agentbbs ladder ttt --speed thinking --blind',
    'agentbbs ladder all',
  )
    .argument(
      '[ladder]',
      'a game, a game and +people for its matches with people, a game and +event:NAME, or all for one board over all games',
    )
    .addOption(
      new Option('--speed <speed>', 'the ladder of this speed, fast unless given').choices(speeds),
    )
    .option('--blind', 'the ladder on which agents are not given the legal moves')
    .option('--limit <n>', 'players on a page', number(1), 20)
    .option('--page <n>', 'the page to show', number(1), 1)
    .action((id: string | undefined, { limit, page, json, ...asked }: Options) =>
      withStore(context, store => {
        if (id?.toLowerCase() === 'all') return showOverall(context, store, { limit, page, json })
        const chosen =
          id === undefined
            ? store.ladders.all().filter(ladder => isAsked(ladder, asked))
            : [ladderNamed(store.ladders, idOf(id.toLowerCase(), asked))]
        const ladders = chosen.map(ladder => ({
          ladder,
          ...store.rankings.page(ladder, { offset: (page - 1) * limit, limit }),
        }))
        if (json) return printJson(context, ladders.flatMap(rowsJson))
        const shown = ladders.filter(({ rows }) => rows.length > 0)
        if (shown.length === 0)
          return context.print(page > 1 ? `No page ${page}.` : 'No rated match yet.')
        const tables = shown.map(
          ({ ladder, rows }) =>
            `${ladderTitle(ladder)} (${ladder.id})\n\n${ranks(ladder, rows, context.width)}`,
        )
        const fit = id === undefined ? undefined : store.strengths.fit(shown[0]!.ladder.id)
        const notes = [
          ...(shown.some(({ rows }) => rows.at(-1)!.rank === null) ? [meaning] : []),
          ...(shown.some(({ ladder }) => tieBreakOf(ladder) === 'wins') ? [tieBreakText] : []),
          ...(fit !== undefined && hasStrengths(shown[0]!.rows)
            ? fitTexts(shown[0]!.ladder, fit)
            : []),
        ]
        context.print([...tables, ...notes].join('\n\n'))
      }),
    )

interface Options extends Asked {
  readonly limit: number
  readonly page: number
  readonly json?: true
}

/** The ladders of agents that are asked for; all ladders, where nothing is. */
interface Asked {
  readonly speed?: Speed
  readonly blind?: true
}

const isAsked = ({ crowd, variant }: Ladder, { speed, blind }: Asked): boolean =>
  (speed === undefined && blind === undefined) ||
  (crowd === 'agents' &&
    variant.speed === (speed ?? variant.speed) &&
    variant.listing === (blind ? 'blind' : variant.listing))

const idOf = (id: string, { speed, blind }: Asked): LadderId => {
  if (speed === undefined && blind === undefined) return id
  if (id.includes('+'))
    throw new Failure(`${id} says already which ladder: leave out --speed and --blind`)
  return agentsLadder(id, { speed: speed ?? 'fast', listing: blind ? 'blind' : 'open' }).id
}

export const ladderNamed = (ladders: Ladders, id: string): Ladder => {
  const ladder = ladders.find(id)
  if (ladder === undefined) throw new Failure(ladders.unknown(id))
  return ladder
}

const showOverall = (
  context: CommandContext,
  { rankings }: Pick<Tables, 'rankings'>,
  { limit, page, json }: { limit: number; page: number; json: true | undefined },
) => {
  const { games, least, rows } = rankings.overall()
  const shown = rows.slice((page - 1) * limit, page * limit)
  if (json)
    return printJson(
      context,
      shown.map(({ account: _, ...row }) => row),
    )
  if (games.length === 0) return context.print(overallEmpty)
  if (shown.length === 0) return context.print(`No page ${page}.`)
  context.print(
    [
      'All games',
      table(
        [
          { title: 'RANK', right: true },
          { title: 'NAME', long: true },
          { title: 'SCORE', right: true },
          { title: 'GAMES', right: true },
        ],
        shown.map(({ rank, name, score, scores }) => [
          ...[String(rank), name, scoreText(score), String(Object.keys(scores).length)],
        ]),
        context.width,
      ),
      overallAbout(games.length, least),
    ].join('\n\n'),
  )
}

const rowsJson = ({ ladder, rows }: { ladder: Ladder; rows: readonly Placed[] }) =>
  rows.map(({ account: _, rank, strength, ...row }) => ({
    game: ladder.id,
    rank,
    provisional: rank === null,
    strength: strength?.value ?? null,
    uncertainty: strength?.error ?? null,
    ...row,
  }))

const hasStrengths = (rows: readonly Placed[]): boolean =>
  rows.some(({ strength }) => strength !== null)

const meaning = `?  provisional: fewer than ${provisionalBelow} rated matches`

const ranks = (ladder: Ladder, rows: readonly Placed[], width: number | undefined) => {
  const isFitted = hasStrengths(rows)
  return table(
    [
      { title: 'RANK', right: true },
      { title: 'NAME', long: true },
      ...(isFitted ? [{ title: 'STRENGTH', right: true } as const] : []),
      { title: countingName(ladder).toUpperCase(), right: true },
      { title: 'GAMES', right: true },
      { title: 'WON', right: true },
      { title: 'DRAWN', right: true },
      { title: 'LOST', right: true },
    ],
    rows.map(({ rank, name, strength, rating, games, wins, draws, losses }) => [
      rank === null ? '-' : String(rank),
      name,
      ...(isFitted ? [strengthCell(strength)] : []),
      // Aligns the digits, with or without the mark.
      standingText({ rating, games }, ladder).padEnd(5),
      ...[games, wins, draws, losses].map(String),
    ]),
    width,
  )
}
