import type { Refusal } from '../../arena/codes.ts'
import type { Table } from '../../arena/table.ts'
import { bracket } from '../../events/bracket.ts'
import type { EventId } from '../../events/plan.ts'
import type { BoardState, Entrant, EventState } from '../../events/state.ts'
import { type Row, table } from '../../events/table.ts'
import {
  boardNames,
  boardNote,
  boardScore,
  callText,
  eventGameText,
  formatText,
  type NameOf,
  namesOf,
  pointsRuleText,
  pointsText,
  statusTexts,
  tieBreakTitles,
  whenText,
} from '../../record/event-text.ts'
import { capital } from '../../record/result-text.ts'
import { durationText } from '../../record/time-text.ts'
import { bracketLines, crossLines } from '../../text/event-lines.ts'
import { sshCommand } from '../host-addresses.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import { type Key, keyName, scrollStep } from '../terminal/keys.ts'
import { wrap } from '../terminal/width.ts'
import { openAgent } from './agent.ts'
import { ConfirmScreen } from './confirm.ts'
import { openReplay } from './replay.ts'
import { SeatScreen } from './seat.ts'
import { WatchScreen } from './watch.ts'

export const openEvent = (session: ScreenSession, id: EventId): void =>
  session.ask(session.hub.questions.event(id), state => {
    if (state !== undefined) session.show(new EventScreen(session, state))
  })

/** One event: its table, its rounds, and how its entrants meet. */
class EventScreen implements Screen {
  readonly about =
    'In the rounds, Enter watches a match that is live, or replays the last one of a pairing. Who has entered plays with p: the screen waits until its pairing is called.'
  readonly #session: ScreenSession
  readonly #table: List<Row>
  readonly #entrants: List<Entrant>
  readonly #rounds: List<BoardState>
  #state: EventState
  #nameOf: NameOf
  #view: View = 'Table'
  /** The first line, and the first round, that are shown of a drawing. */
  #top = 0
  #first = 1
  #room = 1
  #last = 0
  #stop: (() => void) | null = null
  #isOld = false

  constructor(session: ScreenSession, state: EventState) {
    this.#session = session
    this.#state = state
    this.#nameOf = namesOf(state)
    const me = session.account?.id
    const seats = state.plan.seats.most
    this.#table = tableList(state, me)
    this.#entrants = new List<Entrant>(
      [
        {
          title: 'Name',
          width: 0,
          cell: ({ name }) => name,
          role: ({ account }) => (account === me ? 'mark' : 'text'),
        },
        {
          title: '',
          width: 11,
          cell: ({ checkedIn }) => (checkedIn ? 'checked in' : ''),
          role: () => 'good',
        },
      ],
      'No entrants yet.',
    )
    this.#rounds = new List<BoardState>(
      [
        {
          title: 'No.',
          width: 5,
          cell: ({ round, board }) => `${round}.${board}`,
          role: () => 'dim',
        },
        {
          title: 'Players',
          width: 0,
          most: 18 * seats,
          cell: board => boardNames(board, this.#nameOf),
          role: ({ accounts }) => (me !== undefined && accounts.includes(me) ? 'mark' : 'text'),
        },
        {
          // The places of a group.
          title: seats > 2 ? 'Places' : 'Score',
          width: Math.max(7, 3 * seats - 2),
          cell: board => boardScore(board) ?? '',
          role: () => 'title',
        },
        {
          title: '',
          width: 22,
          minWidth: 60,
          cell: board => this.#tailOf(board),
          role: board => (this.#liveTable(board) === undefined ? 'dim' : 'good'),
        },
      ],
      'No round has been drawn yet.',
    )
    this.#read(state)
  }

  get title(): string {
    return this.#state.plan.title
  }

  get hints(): readonly Hint[] {
    const actions = this.#actions
    return [
      ['Tab', 'view'],
      ...(this.#view === 'Rounds' ? [['Enter', 'watch'] as const] : []),
      ...(this.#view === 'Bracket' ? [['[ ]', 'round'] as const] : []),
      ...actions.map(({ key, name }): Hint => [key, name]),
      ['Esc', 'back'],
    ]
  }

  shown(): void {
    const { id } = this.#state.plan
    const unwatch = this.#session.watchEvents(state => {
      if (state.plan.id !== id) return
      this.#read(state)
      this.#session.redraw()
    })
    const unwatchMatches = this.#session.watch(({ kind, table }) => {
      if (kind !== 'moved' && table.deal.event?.id === id) this.#session.redraw()
    })
    this.#stop = () => {
      unwatch()
      unwatchMatches()
    }
    if (!this.#isOld) return
    this.#isOld = false
    this.#session.refresh(
      this,
      () => this.#session.hub.questions.event(id),
      state => this.#read(state ?? this.#state),
    )
  }

  hidden(): void {
    this.#stop?.()
    this.#isOld = true
  }

  draw(canvas: Canvas): void {
    const { status, cancelled } = this.#state
    const when = whenText(this.#state)
    canvas.line(
      0,
      0,
      cancelled === null
        ? [
            [capital(statusTexts[status]), status === 'running' ? 'good' : 'bright'],
            [`${roundText(this.#state)}, ${when}`, 'dim'],
          ]
        : [
            [capital(when), 'bright'],
            [`: ${cancelled}`, 'dim'],
          ],
    )
    let x = 0
    for (const view of this.#views)
      x = canvas.text(
        x,
        1,
        view === this.#view ? `[${view}]` : ` ${view} `,
        view === this.#view ? 'title' : 'dim',
      )
    const own = this.#own === undefined ? null : callText(this.#state, this.#own.account)
    const below = own === null || this.#state.endedAt !== null ? 0 : 1
    if (below > 0) canvas.text(0, canvas.height - 1, own!, 'bright')
    this.#drawView(canvas.part(0, 2, canvas.width, canvas.height - 2 - below))
  }

  press(key: Key): boolean {
    const name = keyName(key)
    const views = this.#views
    const action = this.#actions.find(({ key }) => key === name)
    if (name === 'tab' || name === 'back tab') {
      const step = name === 'tab' ? 1 : views.length - 1
      this.#view = views[(views.indexOf(this.#view) + step) % views.length]!
      this.#top = 0
    } else if (action !== undefined) action.run()
    else if (this.#view === 'Table')
      return this.#state.startedAt === null
        ? this.#entrants.press(key, ({ name }) => openAgent(this.#session, name))
        : this.#table.press(key, ({ name }) => openAgent(this.#session, name))
    else if (this.#view === 'Rounds') return this.#rounds.press(key, board => this.#open(board))
    else if (this.#view === 'Bracket' && (name === '[' || name === ']')) {
      const { length } = bracket(this.#state).rounds
      this.#first = Math.max(1, Math.min(length, this.#first + (name === '[' ? -1 : 1)))
    } else return this.#scroll(key)
    return true
  }

  get #views(): readonly View[] {
    const { kind } = this.#state.plan.format
    if (this.#state.startedAt === null) return ['Table', 'About']
    return [
      'Table',
      'Rounds',
      ...(kind === 'knockout' ? (['Bracket'] as const) : []),
      ...(kind === 'swiss' || kind === 'round-robin' ? (['Cross'] as const) : []),
      'About',
    ]
  }

  get #own(): Entrant | undefined {
    const me = this.#session.account?.id
    return this.#state.entrants.find(({ account }) => account === me)
  }

  /** What the account can do now, each with its key. */
  get #actions(): readonly Action[] {
    const { account, hub } = this.#session
    const { plan, status, startedAt, endedAt } = this.#state
    if (account === null || endedAt !== null) return []
    const own = this.#own
    const { id } = plan
    const isIn = own !== undefined && !own.withdrawn
    if (!isIn)
      return startedAt !== null && !plan.lateEntry
        ? []
        : [this.#action('e', 'enter', () => hub.events.enter(account, id), 'You have entered.')]
    const withdraw = this.#action(
      'w',
      'withdraw',
      () => hub.events.withdraw(account.id, id),
      'You have withdrawn.',
    )
    return [
      ...(status === 'open' && plan.checkIn > 0 && !own.checkedIn
        ? [
            this.#action(
              'c',
              'check in',
              () => hub.events.checkIn(account.id, id),
              'You are checked in.',
            ),
          ]
        : []),
      { key: 'p', name: 'play', run: () => this.#play() },
      {
        ...withdraw,
        run: () =>
          this.#session.show(
            new ConfirmScreen(this.#session, `Withdraw from ${plan.title}?`, withdraw.run),
          ),
      },
    ]
  }

  #action(key: string, name: string, ask: () => Promise<Refusal | null>, done: string): Action {
    const tell = (refusal: Refusal | null) => {
      if (refusal === null) this.#session.showMessage(done, 'good')
      else this.#session.showMessage(capital(`${refusal.detail}.`), 'bad')
      const { id } = this.#state.plan
      this.#read(this.#session.hub.events.get(id) ?? this.#state)
    }
    return { key, name, run: () => this.#session.whenDone(ask(), tell) }
  }

  #play(): void {
    const { id, title } = this.#state.plan
    this.#session.show(
      new SeatScreen(this.#session, {
        title,
        waiting: () => [
          `Waiting for your next pairing in ${title}`,
          'Your match begins when it is called and the other side is there. If you leave this screen, you may lose it.',
        ],
        again: 'next pairing',
        join: player => this.#session.hub.events.attend(player, id),
      }),
    )
  }

  #read(state: EventState): void {
    this.#state = state
    this.#nameOf = namesOf(state)
    this.#table.rows = table(state)
    this.#entrants.rows = state.entrants
    this.#rounds.rows = state.rounds.toReversed().flatMap(({ boards }) => boards)
  }

  #liveTable({ round, board }: BoardState): Table | undefined {
    const { id } = this.#state.plan
    for (const table of this.#session.hub.arena.tables.values())
      if (table.deal.event?.id === id && table.deal.event.board.startsWith(`${round}.${board}.`))
        return table
    return undefined
  }

  #tailOf(board: BoardState): string {
    const live = this.#liveTable(board)
    if (live !== undefined) return `● live, match ${live.id}`
    const matches = board.legs.flatMap(({ match }) => match ?? [])
    return (
      boardNote(board, this.#nameOf) ?? (matches.length === 0 ? '' : `match ${matches.join(', ')}`)
    )
  }

  #open(board: BoardState): void {
    const live = this.#liveTable(board)
    const match = board.legs.findLast(({ match }) => match !== null)?.match ?? null
    if (live !== undefined) this.#session.show(new WatchScreen(this.#session, live))
    else if (match !== null) openReplay(this.#session, match)
    else this.#session.showMessage('This pairing has not been played yet.')
  }

  #drawView(canvas: Canvas): void {
    if (this.#view === 'Table')
      (this.#state.startedAt === null ? this.#entrants : this.#table).draw(canvas)
    else if (this.#view === 'Rounds') this.#rounds.draw(canvas)
    else this.#drawLines(canvas)
  }

  #drawLines(canvas: Canvas): void {
    const lines = this.#lines(canvas.width)
    this.#room = canvas.height
    this.#last = Math.max(0, lines.length - canvas.height)
    this.#top = Math.min(this.#top, this.#last)
    for (const [y, line] of lines.slice(this.#top, this.#top + canvas.height).entries())
      canvas.text(0, y, line)
    if (this.#top < this.#last) canvas.text(canvas.width - 1, canvas.height - 1, '▾', 'dim')
    if (this.#top > 0) canvas.text(canvas.width - 1, 0, '▴', 'dim')
  }

  #lines(width: number): readonly string[] {
    const nameWidth = width < 60 ? 9 : 14
    if (this.#view === 'Bracket')
      return bracketLines(this.#state, { first: this.#first, nameWidth })
    if (this.#view === 'Cross') return crossLines(this.#state, nameWidth)
    return aboutLines(this.#session, this.#state).flatMap(line => wrap(line, width))
  }

  #scroll(key: Key): boolean {
    const step = scrollStep(key, this.#room, this.#last)
    if (step === null) return false
    this.#top = Math.max(0, Math.min(this.#last, this.#top + step))
    return true
  }
}

type View = 'Table' | 'Rounds' | 'Bracket' | 'Cross' | 'About'

interface Action {
  readonly key: string
  readonly name: string
  readonly run: () => void
}

const tableList = (state: EventState, me: number | undefined): List<Row> => {
  const number = (title: string, cell: (row: Row) => string, minWidth: number) =>
    ({ title, width: Math.max(4, title.length), align: 'right', minWidth, cell }) as const
  // The number of boards won is a column of its own.
  const tieBreaks = (table(state)[0]?.tieBreaks ?? []).filter(({ name }) => name !== 'wins')
  return new List<Row>(
    [
      {
        title: 'Rank',
        width: 4,
        align: 'right',
        cell: ({ rank }) => String(rank),
        role: () => 'dim',
      },
      {
        title: 'Name',
        width: 0,
        cell: ({ name, withdrawn }) => (withdrawn ? `${name} (withdrawn)` : name),
        role: ({ account }) => (account === me ? 'mark' : 'text'),
      },
      {
        title: 'Points',
        width: 6,
        align: 'right',
        cell: ({ points }) => pointsText(points),
        role: () => 'title',
      },
      number('Won', ({ wins }) => String(wins), 44),
      number('Drawn', ({ draws }) => String(draws), 50),
      number('Lost', ({ losses }) => String(losses), 44),
      ...tieBreaks.map(({ name }) => ({
        ...number(
          tieBreakTitles[name],
          ({ tieBreaks }) => {
            const value = tieBreaks.find(other => other.name === name)?.value ?? null
            return value === null ? '–' : pointsText(value)
          },
          76,
        ),
        role: () => 'dim' as const,
      })),
    ],
    'No entrants yet.',
  )
}

const roundText = ({ rounds, plan: { format } }: EventState) =>
  rounds.length === 0 || format.kind === 'arena'
    ? ''
    : `, round ${rounds.length}${format.kind === 'swiss' ? ` of ${format.rounds}` : ''}`

const aboutLines = ({ hub }: ScreenSession, event: EventState): readonly string[] => {
  const { plan, entrants } = event
  return [
    `${eventGameText(event)}, ${formatText(plan.format)}, ${plan.rated ? 'rated' : 'unrated'}.`,
    `Points: ${pointsRuleText(plan.points)}.`,
    `Entrants: ${entrants.length}; ${plan.entrants.least} to ${plan.entrants.most}${plan.invited === null ? '' : ', by invitation'}.`,
    ...(plan.checkIn === 0
      ? []
      : [`Check-in: in the last ${durationText(plan.checkIn)} before the start.`]),
    `A player has ${durationText(plan.showUp)} to come when its pairing is called.`,
    ...(hub.addresses.play === null
      ? []
      : [
          '',
          `An agent enters, and waits for its pairings, by AgentGames: ${sshCommand(hub.addresses, 'game')} ${plan.game} --event ${plan.id}`,
        ]),
  ]
}
