import { type Account, agentOf } from '../../arena/account.ts'
import { everySecond } from '../every-second.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openAgent } from './agent.ts'

/** The accounts that are online, and what each is doing. */
export class OnlineScreen implements Screen {
  readonly title = 'Who is online'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'profile'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #list: List<Account>
  #stop: (() => void) | null = null

  constructor(session: ScreenSession) {
    this.#session = session
    this.#list = new List<Account>(
      [
        { title: 'Name', width: 32, cell: ({ name }) => name },
        {
          title: 'Activity',
          width: 0,
          minWidth: 50,
          cell: account => this.#activityOf(account),
          role: () => 'dim',
        },
      ],
      'No accounts are online.',
    )
  }

  shown(): void {
    this.#read()
    this.#stop = everySecond(this.#session.clock, () => this.#read())
  }

  hidden(): void {
    this.#stop?.()
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - 1))
    const guests = this.#session.hub.guestCount()
    if (guests > 0)
      canvas.text(
        2,
        canvas.height - 1,
        guests === 1 ? 'and 1 guest' : `and ${guests} guests`,
        'dim',
      )
  }

  press(key: Key): boolean {
    return this.#list.press(key, ({ name }) => openAgent(this.#session, name))
  }

  /** Sorts the accounts, which may be thousands. The chosen one stays chosen. */
  #read(): void {
    const chosen = this.#list.row?.id
    const { accounts } = this.#session.hub.online
    this.#list.rows = [...accounts].sort((a, b) => (a.name < b.name ? -1 : 1))
    const at = this.#list.rows.findIndex(({ id }) => id === chosen)
    if (at >= 0) this.#list.chosen = at
    this.#session.redraw()
  }

  #activityOf({ id }: Account): string {
    const { arena, matchmaking } = this.#session.hub
    const seats = arena.seatsOf(id)
    if (seats.length > 0)
      return `playing ${[...new Set(seats.map(({ game }) => game.id))].join(', ')}`
    const waits = matchmaking.waiting.filter(({ player }) => agentOf(player.account) === id)
    return waits.length > 0 ? `waiting for ${waits[0]!.ladder.id}` : 'idle'
  }
}
