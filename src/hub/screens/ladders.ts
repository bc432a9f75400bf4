import type { Game } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { LadderScreen } from './ladder.ts'

/** All games, each the way to its ladder. */
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
      { title: 'Game', width: 14, cell: ({ game }) => game.id, role: () => 'title' },
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
      { title: '', width: 0, cell: ({ game }) => game.summary, role: () => 'dim', from: 100 },
    ],
    '',
  )

  constructor(caller: Caller) {
    this.#caller = caller
  }

  shown(): void {
    const { rankings } = this.#caller.house.store
    this.#list.rows = games.map(game => {
      const ranked = rankings.page(game.id, { provisional: false, offset: 0, limit: 1 })
      const { total } = rankings.page(game.id, { provisional: true, offset: 0, limit: 1 })
      return { game, ranked: ranked.total, provisional: total, best: ranked.rows[0]?.name ?? '–' }
    })
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    if (key.kind === 'named' && (key.name === 'enter' || key.name === 'right')) {
      this.#caller.show(new LadderScreen(this.#caller, this.#list.row!.game))
      return true
    }
    return this.#list.press(key)
  }
}

interface Entry {
  readonly game: Game
  readonly ranked: number
  readonly provisional: number
  readonly best: string
}
