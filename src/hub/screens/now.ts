import type { Table } from '../../arena/table.ts'
import { ratingText } from '../../record/rating-text.ts'
import { clockText } from '../../record/time-text.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { WatchScreen } from './watch.ts'

/** The matches under way. */
export class NowScreen implements Screen {
  readonly title = 'Now'
  readonly about = 'Matches as they are being played. Nobody at the table notices who watches.'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'watch'],
    ['Esc', 'back'],
  ]
  readonly #caller: Caller
  readonly #list: List<Table>
  #stop: (() => void) | null = null

  constructor(caller: Caller) {
    this.#caller = caller
    const name = (seat: number) => (table: Table) => table.deal.players[seat]?.account.name ?? ''
    const rating = (seat: number) => (table: Table) => {
      const player = table.deal.players[seat]
      return player === undefined
        ? ''
        : ratingText(caller.house.rating(player.account.id, table.deal.game.id))
    }
    const clocks = (table: Table) => table.clocks.map(clockText).join(' ')
    this.#list = new List<Table>(
      [
        { title: 'Match', width: 7, align: 'right', from: 60, cell: table => String(table.id) },
        { title: 'Game', width: 12, from: 30, cell: table => table.deal.game.id },
        { title: 'Player', width: 0, cell: name(0), role: () => 'first' },
        { title: 'Rtg', width: 4, align: 'right', from: 60, cell: rating(0) },
        { title: 'Player', width: 0, cell: table => others(table), role: () => 'second' },
        { title: 'Rtg', width: 4, align: 'right', from: 60, cell: rating(1) },
        { title: 'Move', width: 4, align: 'right', cell: table => String(table.moves.length) },
        { title: 'Clocks', width: 10, align: 'right', from: 50, cell: clocks },
      ],
      'Nobody is playing just now. Matches appear here by themselves.',
    )
  }

  shown(): void {
    const unwatch = this.#caller.watch(() => this.#caller.redraw())
    const tick = () => {
      this.#caller.redraw()
      timer = this.#caller.clock.after(1000, tick)
    }
    let timer = this.#caller.clock.after(1000, tick)
    this.#stop = () => {
      unwatch()
      timer.cancel()
    }
  }

  hidden(): void {
    this.#stop?.()
  }

  draw(canvas: Canvas): void {
    // Whoever is chosen stays chosen while others come and go.
    const chosen = this.#list.row?.id
    this.#list.rows = [...this.#caller.house.arena.tables.values()].reverse()
    const at = this.#list.rows.findIndex(table => table.id === chosen)
    if (at >= 0) this.#list.chosen = at
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    if (key.kind === 'named' && (key.name === 'enter' || key.name === 'right')) {
      const table = this.#list.row
      if (table !== undefined) this.#caller.show(new WatchScreen(this.#caller, table))
      return true
    }
    return this.#list.press(key)
  }
}

const others = ({ deal }: Table) =>
  deal.players
    .slice(1)
    .map(({ account }) => account.name)
    .join(', ')
