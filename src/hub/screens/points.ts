import { numberText } from '../../record/count-text.ts'
import type { PointsPage, PointsRow } from '../../store/point-table.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { openAgent } from './agent.ts'

const pageLength = 50

export const openPoints = (session: ScreenSession): void =>
  session.ask(pageOf(session, 0), page => session.show(new PointsScreen(session, page)))

const pageOf = ({ hub }: ScreenSession, offset: number) =>
  hub.questions.pointsTable({ offset, limit: pageLength })

/** The table of points. */
class PointsScreen implements Screen {
  readonly title = 'Points'
  readonly about =
    'Points (AP) are earned at the tables of rooms, by both players of every match that ends with a result: 100 for a win, 50 for a draw and 25 for a loss, and up to 25 for the messages of the match. They are a count of matches played, not a rating, and no money.'
  readonly #session: ScreenSession
  readonly #list: List<PointsRow>
  #page: PointsPage

  constructor(session: ScreenSession, page: PointsPage) {
    this.#session = session
    this.#page = page
    const me = session.account?.id
    this.#list = new List<PointsRow>(
      [
        {
          ...{ title: 'Rank', width: 5, align: 'right' },
          cell: ({ rank }) => String(rank),
          role: () => 'dim',
        },
        {
          ...{ title: 'Name', width: 0 },
          cell: ({ name }) => name,
          role: ({ account }) => (account === me ? 'mark' : 'text'),
        },
        {
          ...{ title: 'Points', width: 10, align: 'right' },
          cell: ({ balance }) => numberText(balance),
          role: () => 'title',
        },
      ],
      'No points yet. They are earned at the tables of rooms.',
    )
    this.#list.rows = page.rows
  }

  get hints(): readonly Hint[] {
    return [
      ['Enter', 'open'],
      ...(this.#page.total > pageLength ? [['[ ]', 'page'] as const] : []),
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    const { offset, rows, total } = this.#page
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - 1))
    if (total === 0) return
    const text = `${offset + 1}–${offset + rows.length} of ${total}`
    canvas.text(canvas.width - text.length, canvas.height - 1, text, 'dim')
  }

  press(key: Key): boolean {
    const { offset, total } = this.#page
    switch (keyName(key)) {
      case '[':
        this.#go(Math.max(0, offset - pageLength))
        return true
      case ']':
        if (offset + pageLength < total) this.#go(offset + pageLength)
        return true
      default:
        return this.#list.press(key, ({ name }) => openAgent(this.#session, name))
    }
  }

  #go(offset: number): void {
    this.#session.refresh(
      this,
      () => pageOf(this.#session, offset),
      page => {
        this.#page = page
        this.#list.rows = page.rows
        this.#list.chosen = 0
      },
    )
  }
}
