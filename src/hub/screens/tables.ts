import type { PartyTable } from '../../matchmaking/party-tables.ts'
import { freeSeats, listedTables, sitterName } from '../../record/table-record.ts'
import { sshCommand } from '../host-addresses.ts'
import { InputForm } from '../input-form.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { wrap } from '../terminal/width.ts'
import { openReplay } from './replay.ts'
import { SeatScreen } from './seat.ts'
import { SetUpTableScreen } from './set-up-table.ts'
import { tableOffer } from './table-offer.ts'

/** The tables that players have set up, at which people and agents sit down. */
export class TablesScreen implements Screen {
  readonly title = 'Tables'
  readonly about =
    'Tables that players have set up, for as many as the game has seats. Sit down at one, or set one up and tell others its code: agents of every protocol join by it, and people find the table here. The match begins when all seats are taken, or when one who sits there starts it.'
  readonly #session: ScreenSession
  readonly #list: List<PartyTable>
  #form: InputForm | null = null
  #unwatch: (() => void) | null = null

  constructor(session: ScreenSession) {
    this.#session = session
    this.#list = new List<PartyTable>(
      [
        { title: 'Code', width: 6, cell: ({ code }) => code },
        {
          title: 'Table',
          width: 0,
          cell: ({ name }) => name,
          role: table => (isOwn(session, table) ? 'mark' : 'title'),
        },
        { title: 'Game', width: 14, minWidth: 60, cell: ({ game }) => game.id },
        { title: 'Players', width: 7, cell: playersAt },
        {
          title: 'State',
          width: 9,
          cell: ({ status }) => states[status],
          role: ({ status }) =>
            status === 'finished' ? 'dim' : status === 'playing' ? 'good' : 'text',
        },
      ],
      'No table waits. Press n to set one up.',
    )
  }

  get takesText(): boolean {
    return this.#form !== null
  }

  get hints(): readonly Hint[] {
    if (this.#form !== null) return this.#form.hints
    const table = this.#list.row
    return [
      ['↑↓', 'choose'],
      ...(table === undefined ? [] : [['Enter', actionAt(table)] as const]),
      ['c', 'by code'],
      ['n', 'set one up'],
      ['Esc', 'back'],
    ]
  }

  shown(): void {
    this.#unwatch = this.#session.watchParties(() => this.#session.redraw())
  }

  hidden(): void {
    this.#unwatch?.()
  }

  draw(canvas: Canvas): void {
    // The chosen table stays chosen while others come and go.
    const chosen = this.#list.row?.id
    this.#list.rows = listedTables(this.#session.hub.parties)
    const at = this.#list.rows.findIndex(({ id }) => id === chosen)
    if (at >= 0) this.#list.chosen = at
    const table = this.#list.row
    const lines = table === undefined ? [] : detailsOf(table, canvas.width - 2)
    const below = Math.max(lines.length, this.#form === null ? 0 : 1)
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - below - 1))
    const top = canvas.height - below
    if (this.#form !== null) this.#form.draw(canvas.part(2, canvas.height - 1, canvas.width - 2, 1))
    else for (const [y, line] of lines.entries()) canvas.text(2, top + y, line, 'dim')
  }

  press(key: Key): boolean {
    if (this.#form !== null) {
      this.#form.press(key)
      if (!this.#form.isOpen) this.#form = null
      return true
    }
    if (key.kind === 'char' && key.char === 'n') this.#setUp()
    else if (key.kind === 'char' && key.char === 'c') this.#askCode()
    else return this.#list.press(key, table => openTable(this.#session, table))
    return true
  }

  #setUp(): void {
    const session = this.#session
    if (session.account === null) needAccount(session)
    else session.show(new SetUpTableScreen(session))
  }

  #askCode(): void {
    const session = this.#session
    this.#form = new InputForm('Code of the table:', 6, 'sit down', code => {
      const table = session.hub.parties.table(code)
      if (table === undefined) session.showMessage(`There is no table ${code}.`, 'bad')
      else openTable(session, table)
    })
  }
}

const openTable = (session: ScreenSession, table: PartyTable): void => {
  const { status, match } = table
  if (status !== 'waiting') {
    if (match !== null) openReplay(session, match)
  } else if (session.account === null) needAccount(session)
  else if (isOwn(session, table)) session.showMessage('You sit here already.')
  else if (freeSeats(table) === 0) session.showMessage('All seats are taken.')
  else session.show(new SeatScreen(session, tableOffer(session, table)))
}

const needAccount = (session: ScreenSession): void =>
  session.showMessage(
    `To sit down you need an account: ${sshCommand(session.hub.addresses, 'join')}`,
  )

/** The whole name of a table, and who sits there. */
const detailsOf = (table: PartyTable, width: number): readonly string[] => {
  const who = table.sitters.flatMap((sitter, slot) =>
    sitter === null ? [] : [sitterName(sitter, slot)],
  )
  const sitting = who.length === 0 ? 'nobody sits there yet' : who.join(', ')
  return wrap(sanitized(`${table.name}, ${table.game.title}: ${sitting}.`), width).slice(0, 3)
}

const isOwn = ({ account }: ScreenSession, { sitters }: PartyTable): boolean =>
  account !== null &&
  sitters.some(sitter => sitter?.kind === 'account' && sitter.player.account.id === account.id)

const playersAt = (table: PartyTable): string =>
  `${table.seats - freeSeats(table)} of ${table.seats}`

const states = { waiting: 'waits', playing: 'live', finished: 'over' } as const

const actionAt = ({ status }: PartyTable): string =>
  status === 'waiting' ? 'sit down' : status === 'playing' ? 'watch' : 'replay'
