import type { Ladder } from '../../arena/ladder.ts'
import { gameOf } from '../../games/index.ts'
import { standingText } from '../../record/rating-text.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { LadderScreen } from './ladder.ts'

/** All ladders, each with its first account. */
export class LaddersScreen implements Screen {
  readonly title = 'Ladders'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #list = new List<Row>(
    [
      { title: 'Ladder', width: 20, cell: ({ ladder }) => ladder.id, role: () => 'title' },
      { title: 'Ranked', width: 7, align: 'right', cell: ({ ranked }) => String(ranked) },
      {
        title: 'Prov.',
        width: 7,
        align: 'right',
        minWidth: 60,
        cell: ({ provisional }) => String(provisional),
        role: () => 'dim',
      },
      { title: 'First', width: 24, cell: ({ best }) => best, minWidth: 50 },
      {
        title: '',
        width: 0,
        cell: ({ ladder }) => gameOf(ladder.game)!.summary,
        role: () => 'dim',
        minWidth: 100,
      },
    ],
    '',
  )

  constructor(session: ScreenSession) {
    this.#session = session
  }

  shown(): void {
    const { ladders, rankings } = this.#session.hub.store
    this.#list.rows = ladders.all().map(ladder => {
      const { rows, ranked, total } = rankings.page(ladder, { offset: 0, limit: 1 })
      const [first] = rows
      const best = first === undefined ? '–' : `${first.name} ${standingText(first, ladder)}`
      return { ladder, ranked, provisional: total - ranked, best }
    })
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    return this.#list.press(key, ({ ladder }) =>
      this.#session.show(new LadderScreen(this.#session, ladder)),
    )
  }
}

interface Row {
  readonly ladder: Ladder
  readonly ranked: number
  readonly provisional: number
  readonly best: string
}
