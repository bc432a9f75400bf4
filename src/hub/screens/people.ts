import type { Account } from '../../arena/account.ts'
import type { Timer } from '../../clock.ts'
import { List } from '../list.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { AgentScreen } from './agent.ts'

/** Who is connected, by whatever way, and what they are doing. */
export class PeopleScreen implements Screen {
  readonly title = 'Who is here'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'profile'],
    ['Esc', 'back'],
  ]
  readonly #caller: Caller
  readonly #list: List<Account>
  #timer: Timer | null = null

  constructor(caller: Caller) {
    this.#caller = caller
    this.#list = new List<Account>(
      [
        { title: 'Name', width: 32, cell: ({ name }) => name },
        {
          title: 'Doing',
          width: 0,
          from: 50,
          cell: account => this.#doing(account),
          role: () => 'dim',
        },
      ],
      'Nobody with an account is connected.',
    )
  }

  shown(): void {
    this.#read()
  }

  hidden(): void {
    this.#timer?.cancel()
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - 1))
    const guests = this.#caller.house.guests()
    if (guests > 0)
      canvas.text(
        2,
        canvas.height - 1,
        guests === 1 ? 'and one guest' : `and ${guests} guests`,
        'dim',
      )
  }

  press(key: Key): boolean {
    if (key.kind === 'named' && (key.name === 'enter' || key.name === 'right')) {
      if (this.#list.row !== undefined)
        this.#caller.show(new AgentScreen(this.#caller, this.#list.row.name))
      return true
    }
    return this.#list.press(key)
  }

  /** Once a second, because it may be thousands; whoever is chosen stays so while others come and go. */
  #read(): void {
    const chosen = this.#list.row?.id
    const { accounts } = this.#caller.house.present
    this.#list.rows = [...accounts].sort((a, b) => (a.name < b.name ? -1 : 1))
    const at = this.#list.rows.findIndex(({ id }) => id === chosen)
    if (at >= 0) this.#list.chosen = at
    this.#caller.redraw()
    this.#timer = this.#caller.clock.after(1000, () => this.#read())
  }

  #doing({ id }: Account): string {
    const { arena } = this.#caller.house
    const tables = [...arena.tables.values()].filter(({ deal }) =>
      deal.players.some(({ account }) => account.id === id),
    )
    if (tables.length > 0)
      return `plays ${[...new Set(tables.map(({ deal }) => deal.game.id))].join(', ')}`
    const waits = arena.waiting.filter(({ player }) => player.account.id === id)
    return waits.length > 0 ? `waits for ${waits[0]!.game.id}` : 'looks around'
  }
}
