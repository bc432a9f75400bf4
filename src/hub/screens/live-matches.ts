import type { Table } from '../../arena/table.ts'
import { ratingText } from '../../record/rating-text.ts'
import { clockText } from '../../record/time-text.ts'
import { everySecond } from '../every-second.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { WatchScreen } from './watch.ts'

/** The live matches. */
export class LiveMatchesScreen implements Screen {
  readonly title = 'Now'
  readonly about = 'The live matches. Players cannot see who watches.'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'watch'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #list: List<Table>
  #stop: (() => void) | null = null

  constructor(session: ScreenSession) {
    this.#session = session
    const name = (seat: number) => (table: Table) => table.accounts[seat]?.name ?? ''
    const rating = (seat: number) => (table: Table) => {
      const rating = session.hub.ratings(table.deal)[seat] ?? null
      return rating === null ? '' : ratingText(rating)
    }
    const clocks = (table: Table) => table.clocks.map(clockText).join(' ')
    this.#list = new List<Table>(
      [
        { title: 'Match', width: 7, align: 'right', minWidth: 60, cell: table => String(table.id) },
        { title: 'Game', width: 12, minWidth: 30, cell: table => table.deal.game.id },
        { title: 'Player', width: 0, cell: name(0), role: () => 'first' },
        { title: 'Rtg', width: 4, align: 'right', minWidth: 60, cell: rating(0) },
        { title: 'Player', width: 0, cell: otherNames, role: () => 'second' },
        { title: 'Rtg', width: 4, align: 'right', minWidth: 60, cell: rating(1) },
        { title: 'Move', width: 4, align: 'right', cell: table => String(table.moves.length) },
        { title: 'Clocks', width: 10, align: 'right', minWidth: 50, cell: clocks },
      ],
      'No live matches. New ones appear here by themselves.',
    )
  }

  shown(): void {
    const unwatch = this.#session.watch(() => this.#session.redraw())
    const stopClock = everySecond(this.#session.clock, () => this.#session.redraw())
    this.#stop = () => {
      unwatch()
      stopClock()
    }
  }

  hidden(): void {
    this.#stop?.()
  }

  draw(canvas: Canvas): void {
    // The chosen match stays chosen while others begin and end.
    const chosen = this.#list.row?.id
    this.#list.rows = [...this.#session.hub.arena.tables.values()].reverse()
    const at = this.#list.rows.findIndex(table => table.id === chosen)
    if (at >= 0) this.#list.chosen = at
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    return this.#list.press(key, table => this.#session.show(new WatchScreen(this.#session, table)))
  }
}

const otherNames = ({ accounts }: Table) =>
  accounts
    .slice(1)
    .map(({ name }) => name)
    .join(', ')
