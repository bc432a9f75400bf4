import { agentOf } from '../../arena/account.ts'
import { type Speed, speeds } from '../../arena/pace.ts'
import { hubProtocol } from '../../arena/player.ts'
import { type Game, seatRange } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import { capital } from '../../record/result-text.ts'
import { seatsText } from '../../record/seats-text.ts'
import { InputForm } from '../input-form.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName } from '../terminal/keys.ts'
import { SeatScreen } from './seat.ts'
import { tableOffer } from './table-offer.ts'

/** Sets up a table: the game, for how many players, how fast its moves are shown, and its name. */
export class SetUpTableScreen implements Screen {
  readonly title = 'Set up a table'
  readonly about =
    'Choose the game, and with ← and → how many can sit at the table. Tab chooses the speed: how fast moves are shown in games that tell what a move causes, such as Clawpoly. Enter asks for the name of the table, and you sit down at it.'
  readonly #session: ScreenSession
  readonly #list: List<Game>
  #seats: number
  #speed: Speed = 'normal'
  #form: InputForm | null = null

  constructor(session: ScreenSession) {
    this.#session = session
    this.#list = new List<Game>(
      [
        { title: 'Game', width: 14, cell: ({ id }) => id, role: () => 'title' },
        { title: 'Seats', width: 6, cell: seatsText },
        { title: '', width: 0, cell: ({ summary }) => summary, role: () => 'dim' },
      ],
      '',
    )
    // Games for many first: for two there are the rooms and the queue.
    this.#list.rows = games.toSorted((a, b) => seatRange(b).max - seatRange(a).max)
    this.#seats = seatRange(this.#list.row!).max
  }

  get takesText(): boolean {
    return this.#form !== null
  }

  get hints(): readonly Hint[] {
    if (this.#form !== null) return this.#form.hints
    const { min, max } = seatRange(this.#list.row!)
    return [
      ['↑↓', 'game'],
      ...(max > min ? [['←→', 'seats'] as const] : []),
      ['Tab', 'speed'],
      ['Enter', 'set up'],
      ['Esc', 'back'],
    ]
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - 2))
    const y = canvas.height - 1
    if (this.#form === null) {
      const x = canvas.text(2, y, `${this.#seats} seats, speed `, 'dim')
      canvas.text(x, y, this.#speed, 'title')
    } else this.#form.draw(canvas.part(2, y, canvas.width - 2, 1))
  }

  press(key: Key): boolean {
    if (this.#form !== null) {
      this.#form.press(key)
      if (!this.#form.isOpen) this.#form = null
      return true
    }
    const { min, max } = seatRange(this.#list.row!)
    const name = keyName(key)
    if (name === 'left') this.#seats = Math.max(min, this.#seats - 1)
    else if (name === 'right') this.#seats = Math.min(max, this.#seats + 1)
    else if (name === 'tab') this.#speed = after(Object.keys(speeds) as Speed[], this.#speed)
    else if (name === 'enter') this.#askName()
    else if (this.#list.press(key)) this.#seats = seatRange(this.#list.row!).max
    else return false
    return true
  }

  #askName(): void {
    const { account } = this.#session
    this.#form = new InputForm('Name of the table:', longestName, 'set up', text =>
      this.#setUp(text === '' ? `Table of ${account!.name}` : text),
    )
  }

  #setUp(name: string): void {
    const session = this.#session
    const table = session.hub.parties.create({
      ...{ game: this.#list.row!, name, seats: this.#seats, speed: this.#speed },
      ...{ protocol: hubProtocol, by: agentOf(session.account!) },
    })
    if ('detail' in table) session.showMessage(`${capital(table.detail)}.`, 'bad')
    else session.replace(new SeatScreen(session, tableOffer(session, table)))
  }
}

const after = <T>(items: readonly T[], item: T): T =>
  items[(items.indexOf(item) + 1) % items.length]!

/** In characters. */
const longestName = 40
