import { agentOf } from '../../arena/account.ts'
import { roomIds } from '../../arena/room-setup.ts'
import { type RoomTable, withFewOver } from '../../matchmaking/rooms.ts'
import { roomText } from '../../record/room-text.ts'
import { everySecond } from '../every-second.ts'
import { sshCommand } from '../host-addresses.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import type { Role } from '../terminal/palette.ts'
import { sanitized } from '../terminal/sanitize.ts'
import { clip, wrap } from '../terminal/width.ts'
import { openReplay } from './replay.ts'
import { type SeatOffer, SeatScreen } from './seat.ts'
import { TablesScreen } from './tables.ts'

/** The rooms with their tables, at which people and agents sit down. */
export class RoomsScreen implements Screen {
  readonly title = 'Rooms'
  readonly about =
    'Sit down at a table, and the match begins when another player does, of whatever protocol. A player who sits alone for 10 s also meets those who wait in the queue of the game. Each table with a free seat says what is played there: how fast, or the topic of a debate. t shows the tables that players have set up, for games of more seats, too.'
  readonly #session: ScreenSession
  readonly #list: List<RoomTable>
  /** By table: when its match begins. */
  readonly #begins = new Map<string, number>()
  #stop: (() => void) | null = null

  constructor(session: ScreenSession) {
    this.#session = session
    const own = (table: RoomTable) => isOwn(session, table)
    this.#list = new List<RoomTable>(
      [
        { title: 'Room', width: 13, minWidth: 60, cell: ({ room }) => roomText(room) },
        {
          title: 'Table',
          width: 0,
          most: 60,
          cell: ({ prompt }) => prompt.title,
          role: table => (own(table) ? 'mark' : 'title'),
        },
        { title: 'First', width: 13, minWidth: 70, cell: table => sitterName(table, 0) },
        { title: 'Second', width: 13, minWidth: 70, cell: table => sitterName(table, 1) },
        {
          title: 'State',
          width: 11,
          cell: table => this.#state(table),
          role: ({ status, seats }) =>
            status === 'finished' ? 'dim' : seats.every(seat => seat === null) ? 'text' : 'good',
        },
      ],
      'No tables: the host has no room open.',
    )
  }

  get hints(): readonly Hint[] {
    const table = this.#list.row
    return [
      ['↑↓', 'choose'],
      ['Enter', table === undefined ? 'sit down' : actionAt(table)],
      ['t', 'tables by code'],
      ['Esc', 'back'],
    ]
  }

  shown(): void {
    const unwatch = this.#session.watchRooms(event => {
      if (event.kind === 'countdown')
        this.#begins.set(event.table.id, this.#session.clock.now() + event.seconds * 1000)
      this.#session.redraw()
    })
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
    // The chosen table stays chosen while others come and go.
    const chosen = this.#list.row?.id
    this.#list.rows = roomIds.flatMap(room => withFewOver(this.#session.hub.rooms.tables(room)))
    const at = this.#list.rows.findIndex(({ id }) => id === chosen)
    if (at >= 0) this.#list.chosen = at
    const table = this.#list.row
    const lines = table === undefined ? [] : this.#details(table, canvas.width)
    this.#list.draw(canvas.part(0, 0, canvas.width, canvas.height - lines.length - 1))
    const top = canvas.height - lines.length
    for (const [y, { text, role }] of lines.entries()) canvas.text(2, top + y, text, role)
  }

  press(key: Key): boolean {
    if (key.kind === 'char' && key.char === 't') {
      this.#session.show(new TablesScreen(this.#session))
      return true
    }
    return this.#list.press(key, table => this.#open(table))
  }

  #open(table: RoomTable): void {
    const session = this.#session
    const { status, match, seats } = table
    if (status !== 'waiting') {
      if (match !== null) openReplay(session, match)
    } else if (session.account === null)
      session.showMessage(
        `To sit down you need an account: ${sshCommand(session.hub.addresses, 'join')}`,
      )
    else if (isOwn(session, table)) session.showMessage('You sit here already.')
    else if (seats.every(seat => seat !== null))
      session.showMessage('Both seats are taken: in a moment you can watch the match.')
    else session.show(new SeatScreen(session, tableOffer(session, table)))
  }

  #state(table: RoomTable): string {
    if (table.status === 'finished') return 'over'
    const sitting = table.seats.filter(seat => seat !== null).length
    if (table.status === 'in_match') {
      const live =
        table.match === null ? undefined : this.#session.hub.arena.tables.get(table.match)
      return live === undefined
        ? 'live'
        : live.vote === null
          ? `live, ${live.moves.length}`
          : 'vote'
    }
    if (table.match === null) return sitting === 0 ? 'free' : '1 waits'
    const at = this.#begins.get(table.id)
    return at === undefined ? 'begins' : `in ${secondsTo(at, this.#session.clock.now())} s`
  }

  /** The whole prompt of a table, and who sits there. */
  #details(table: RoomTable, width: number): readonly { text: string; role: Role }[] {
    const { prompt, seats } = table
    const names = seats.map(sitter => sitter?.player.account.name ?? 'a free seat').join(' – ')
    const prompts = wrap(sanitized(prompt.title), width - 2).slice(0, 3)
    return [
      ...prompts.map(text => ({ text, role: 'bright' as const })),
      {
        text: clip(
          sanitized(`${prompt.game.title}: ${names}. Enter: ${actionAt(table)}.`),
          width - 2,
        ),
        role: 'dim',
      },
    ]
  }
}

/** The seat of a person at a table. After the match it is one at a table of the same kind. */
const tableOffer = (session: ScreenSession, table: RoomTable): SeatOffer => {
  const { hub, account } = session
  const { prompt, room } = table
  return {
    title: prompt.game.title,
    waiting: () => {
      const at = account === null ? undefined : hub.rooms.tableOf(agentOf(account))
      const other = at?.seats.find(
        sitter => sitter != null && sitter.player.account.id !== account?.id,
      )
      return [
        `${roomText(room)}: ${prompt.title}`,
        other != null
          ? `${other.player.account.name} sits down, too. The match begins in a moment.`
          : 'You sit at this table. The match begins when another player sits down. After 10 s you also meet those who wait in the queue.',
      ]
    },
    again: 'sit down again',
    next: () => {
      const free = hub.rooms
        .tables(room)
        .filter(({ status, seats }) => status === 'waiting' && seats.some(seat => seat === null))
      return tableOffer(
        session,
        free.find(at => at.prompt.title === prompt.title) ?? free[0] ?? table,
      )
    },
    join: player =>
      hub.matchmaking.seek(player, {
        game: prompt.game,
        table: table.id,
        ladder: hub.peopleRated ? 'people' : 'none',
        inOrder: true,
      }),
  }
}

const isOwn = ({ account }: ScreenSession, { seats }: RoomTable): boolean =>
  account !== null && seats.some(sitter => sitter?.player.account.id === account.id)

const sitterName = ({ seats }: RoomTable, seat: 0 | 1): string =>
  seats[seat]?.player.account.name ?? '·'

const actionAt = ({ status }: RoomTable): string =>
  status === 'waiting' ? 'sit down' : status === 'in_match' ? 'watch' : 'replay'

const secondsTo = (at: number, now: number): number => Math.max(1, Math.ceil((at - now) / 1000))
