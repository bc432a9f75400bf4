import type { Ladder } from '../../arena/ladder.ts'
import { ladderTitle } from '../../record/ladder-title.ts'
import { ratingText } from '../../record/rating-text.ts'
import { restartText, type Season, type SeasonRow } from '../../record/season-record.ts'
import { dayText } from '../../record/time-text.ts'
import { type Column, List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openAgent } from './agent.ts'

/** The closed seasons of a ladder. */
export const openSeasons = (session: ScreenSession, ladder: Ladder): void =>
  session.ask(session.hub.questions.seasons(ladder), seasons =>
    session.show(
      new ListScreen(
        `${ladderTitle(ladder)} · seasons`,
        'When a season is closed, its table is kept, and the ladder starts again.',
        new List(seasonColumns, 'No season of this ladder is closed yet.'),
        seasons,
        season => openSeason(session, ladder, season),
      ),
    ),
  )

/** The table of a season. */
const openSeason = (session: ScreenSession, ladder: Ladder, season: Season): void =>
  session.ask(session.hub.questions.seasonTable(season), rows =>
    session.show(
      new ListScreen(
        `${ladderTitle(ladder)} · ${season.title}`,
        `Season ${season.number}, closed on ${dayText(season.closedAt)}. ${restartText(season.rule)}`,
        new List(rowColumns, ''),
        rows,
        ({ name }) => openAgent(session, name),
      ),
    ),
  )

/** A list whose rows open something. */
export class ListScreen<Row> implements Screen {
  readonly title: string
  readonly about: string
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['Esc', 'back'],
  ]
  readonly #list: List<Row>
  readonly #open: (row: Row) => void

  constructor(
    title: string,
    about: string,
    list: List<Row>,
    rows: readonly Row[],
    open: (row: Row) => void,
  ) {
    this.title = title
    this.about = about
    this.#list = list
    this.#list.rows = rows
    this.#open = open
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    return this.#list.press(key, row => this.#open(row))
  }
}

const seasonColumns: readonly Column<Season>[] = [
  { title: 'No.', width: 4, align: 'right', cell: ({ number }) => String(number) },
  { title: 'Title', width: 0, cell: ({ title }) => title, role: () => 'title' },
  { title: 'Closed', width: 10, cell: ({ closedAt }) => dayText(closedAt) },
  {
    title: 'Matches',
    width: 8,
    align: 'right',
    minWidth: 60,
    cell: ({ matches }) => String(matches),
  },
]

const rowColumns: readonly Column<SeasonRow>[] = [
  {
    title: 'Rank',
    width: 5,
    align: 'right',
    cell: ({ rank }) => (rank === null ? '–' : String(rank)),
    role: () => 'dim',
  },
  { title: 'Name', width: 0, cell: ({ name }) => name },
  {
    title: 'Strength',
    width: 10,
    align: 'right',
    cell: ({ strength, error }) =>
      strength === null ? '–' : `${ratingText(strength)} ±${ratingText(error!)}`,
    role: () => 'title',
  },
  {
    title: 'Elo',
    width: 6,
    align: 'right',
    minWidth: 50,
    cell: ({ rating, rank }) => `${ratingText(rating)}${rank === null ? '?' : ' '}`,
  },
  { title: 'Games', width: 6, align: 'right', minWidth: 56, cell: ({ games }) => String(games) },
  { title: 'Won', width: 6, align: 'right', minWidth: 72, cell: ({ wins }) => String(wins) },
  { title: 'Drawn', width: 6, align: 'right', minWidth: 72, cell: ({ draws }) => String(draws) },
  { title: 'Lost', width: 6, align: 'right', minWidth: 72, cell: ({ losses }) => String(losses) },
]
