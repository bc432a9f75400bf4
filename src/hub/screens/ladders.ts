import { standingText } from '../../record/rating-text.ts'
import { type Ladder, laddersIn } from '../../store/ladders.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { LadderScreen } from './ladder.ts'

/** All ladders. */
export class LaddersScreen implements Screen {
  readonly title = 'Ladders'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['Esc', 'back'],
  ]
  readonly #caller: Caller
  readonly #list = new List<Entry>(
    [
      { title: 'Ladder', width: 20, cell: ({ ladder }) => ladder.id, role: () => 'title' },
      { title: 'Ranked', width: 7, align: 'right', cell: ({ ranked }) => String(ranked) },
      {
        title: 'Prov.',
        width: 7,
        align: 'right',
        from: 60,
        cell: ({ provisional }) => String(provisional),
        role: () => 'dim',
      },
      { title: 'First', width: 24, cell: ({ best }) => best, from: 50 },
      {
        title: '',
        width: 0,
        cell: ({ ladder }) => ladder.game.summary,
        role: () => 'dim',
        from: 100,
      },
    ],
    '',
  )

  constructor(caller: Caller) {
    this.#caller = caller
  }

  shown(): void {
    const { rankings } = this.#caller.house.store
    this.#list.rows = laddersIn(rankings).map(ladder => {
      const { rows, ranked, total } = rankings.page(ladder.id, { offset: 0, limit: 1 })
      const [first] = rows
      const best = first === undefined ? '–' : `${first.name} ${standingText(first)}`
      return { ladder, ranked, provisional: total - ranked, best }
    })
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    if (key.kind === 'named' && (key.name === 'enter' || key.name === 'right')) {
      this.#caller.show(new LadderScreen(this.#caller, this.#list.row!.ladder))
      return true
    }
    return this.#list.press(key)
  }
}

interface Entry {
  readonly ladder: Ladder
  readonly ranked: number
  readonly provisional: number
  readonly best: string
}
