import { drawArt, largestBanner } from '../art/draw-art.ts'
import { sshCommand } from '../host-addresses.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { AccountScreen } from './account.ts'
import { openEvents } from './events.ts'
import { openFindAgent } from './find-agent.ts'
import { GuideScreen } from './guide.ts'
import { openLadders } from './ladders.ts'
import { LiveMatchesScreen } from './live-matches.ts'
import { OnlineScreen } from './online.ts'
import { openPastMatches } from './past-matches.ts'
import { PlayScreen } from './play.ts'
import { RoomsScreen } from './rooms.ts'
import { ThemeScreen } from './theme.ts'

interface Entry {
  readonly key: string
  readonly name: string
  readonly description: string
  readonly open: (session: ScreenSession) => void
  readonly needsAccount?: true
}

const showing =
  (Kind: new (session: ScreenSession) => Screen) =>
  (session: ScreenSession): void =>
    session.show(new Kind(session))

const entries: readonly Entry[] = [
  { key: 'n', name: 'Now', description: 'live matches', open: showing(LiveMatchesScreen) },
  { key: 'o', name: 'Rooms', description: 'tables to sit down at', open: showing(RoomsScreen) },
  { key: 'l', name: 'Ladders', description: 'ratings in each game', open: openLadders },
  { key: 'e', name: 'Events', description: 'tournaments', open: openEvents },
  { key: 'f', name: 'Find', description: 'an agent and its results', open: openFindAgent },
  {
    key: 'r',
    name: 'Replays',
    description: 'past matches',
    open: session => openPastMatches(session),
  },
  {
    key: 'p',
    name: 'Play',
    description: 'against a house player or an agent',
    open: showing(PlayScreen),
    needsAccount: true,
  },
  { key: 'w', name: 'Who', description: 'is online', open: showing(OnlineScreen) },
  { key: 'h', name: 'Help', description: 'connect an agent', open: showing(GuideScreen) },
  {
    key: 'a',
    name: 'Account',
    description: 'keys and tokens',
    open: showing(AccountScreen),
    needsAccount: true,
  },
  { key: 't', name: 'Theme', description: 'colours', open: showing(ThemeScreen) },
]

export class MenuScreen implements Screen {
  readonly title = 'Menu'
  readonly about = 'Choose with the arrows and Enter, or press the letter.'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['q', 'quit'],
  ]
  readonly #session: ScreenSession
  #chosen = 0
  #unwatch: (() => void) | null = null

  constructor(session: ScreenSession) {
    this.#session = session
  }

  shown(): void {
    this.#unwatch = this.#session.watch(() => this.#session.redraw())
  }

  hidden(): void {
    this.#unwatch?.()
  }

  draw(canvas: Canvas): void {
    const { hub, account } = this.#session
    const top = this.#drawBanner(canvas)
    const left = Math.max(1, Math.floor((canvas.width - 52) / 2))
    // Two columns where one does not fit below the banner.
    const rows = Math.min(
      entries.length,
      Math.max(Math.ceil(entries.length / 2), canvas.height - top - 2),
    )
    const isTwoColumns = rows < entries.length
    for (const [i, entry] of entries.entries()) {
      const part = isTwoColumns
        ? canvas.part(
            1 + Math.floor(i / rows) * Math.floor(canvas.width / 2),
            top + (i % rows),
            Math.floor(canvas.width / 2) - 1,
            1,
          )
        : canvas.part(left, top + i, canvas.width - left, 1)
      this.#drawEntry(part, entry, i === this.#chosen, isTwoColumns)
    }
    const live = hub.arena.tables.size
    const count =
      live === 0 ? 'No live matches.' : live === 1 ? '1 live match.' : `${live} live matches.`
    const join = sshCommand(hub.addresses, 'join')
    const texts =
      account === null
        ? [`${count} You are a guest. To register: ${join}`, `Guest. Register: ${join}`, join]
        : [count]
    const line = texts.find(text => text.length <= canvas.width - 2) ?? join
    canvas.text(
      Math.max(1, Math.floor((canvas.width - line.length) / 2)),
      canvas.height - 1,
      line,
      'dim',
    )
  }

  press(key: Key): boolean {
    if (key.kind === 'named') {
      if (key.name === 'up') this.#move(-1)
      else if (key.name === 'down' || key.name === 'tab') this.#move(1)
      else if (key.name === 'enter' || key.name === 'right') this.#open(entries[this.#chosen]!)
      else return false
      return true
    }
    if (key.kind !== 'char') return false
    if (key.char === 'j') this.#move(1)
    else if (key.char === 'k') this.#move(-1)
    else {
      const at = entries.findIndex(entry => entry.key === key.char.toLowerCase())
      if (at < 0) return false
      this.#chosen = at
      this.#open(entries[at]!)
    }
    return true
  }

  /** Draws the banner. Returns the row where the entries begin. */
  #drawBanner(canvas: Canvas): number {
    const entryRows = Math.ceil(entries.length / 2) + 2
    const banner = largestBanner(this.#session.hub.art, canvas.width, canvas.height - entryRows)
    if (banner === undefined) return 0
    const { art, width, height } = banner
    const free = canvas.height - height - entries.length - 3
    const y = free > 2 ? Math.floor(free / 3) : 0
    drawArt(canvas, Math.floor((canvas.width - width) / 2), y, art)
    return y + height + (free > 0 ? 1 + Math.min(2, Math.floor(free / 3)) : 1)
  }

  #drawEntry(
    canvas: Canvas,
    { key, name, description, needsAccount }: Entry,
    chosen: boolean,
    isTwoColumns: boolean,
  ): void {
    const isLocked = needsAccount && this.#session.account === null
    const text = isTwoColumns
      ? name
      : `${name.padEnd(12)}${isLocked ? 'needs an account' : description}`
    if (chosen) {
      canvas.bar(0, `▸ ${key.toUpperCase()}  ${text}`, 'chosen')
      return
    }
    canvas.line(0, 0, [
      ['  '],
      [key.toUpperCase(), 'key'],
      [`  ${name.padEnd(12)}`, isLocked ? 'dim' : 'text'],
      [isTwoColumns ? '' : text.slice(12), 'dim'],
    ])
  }

  #move(step: number): void {
    this.#chosen = (this.#chosen + step + entries.length) % entries.length
  }

  #open(entry: Entry): void {
    const { account, hub } = this.#session
    if (entry.needsAccount && account === null)
      this.#session.showMessage(
        `You need an account for that: ${sshCommand(hub.addresses, 'join')}`,
      )
    else entry.open(this.#session)
  }
}
