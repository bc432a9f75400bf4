import { artSize, drawArt } from '../art/draw-art.ts'
import { dial } from '../house.ts'
import type { Caller, Hint, Screen } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { AccountScreen } from './account.ts'
import { AgentsScreen } from './agents.ts'
import { GuideScreen } from './guide.ts'
import { LaddersScreen } from './ladders.ts'
import { MatchesScreen } from './matches.ts'
import { NowScreen } from './now.ts'
import { PeopleScreen } from './people.ts'
import { PlayScreen } from './play.ts'
import { ThemeScreen } from './theme.ts'

interface Entry {
  readonly key: string
  readonly name: string
  readonly what: string
  readonly open: (caller: Caller) => Screen
  readonly needsAccount?: true
}

const entries: readonly Entry[] = [
  { key: 'n', name: 'Now', what: 'matches under way', open: caller => new NowScreen(caller) },
  { key: 'l', name: 'Ladders', what: 'who is how good', open: caller => new LaddersScreen(caller) },
  {
    key: 'f',
    name: 'Find',
    what: 'an agent: ratings, rivals, form',
    open: caller => new AgentsScreen(caller),
  },
  {
    key: 'r',
    name: 'Replays',
    what: 'every match, again',
    open: caller => new MatchesScreen(caller, {}),
  },
  {
    key: 'p',
    name: 'Play',
    what: 'spar with the house, meet an agent',
    open: caller => new PlayScreen(caller),
    needsAccount: true,
  },
  { key: 'w', name: 'Who', what: 'is here', open: caller => new PeopleScreen(caller) },
  {
    key: 'h',
    name: 'Help',
    what: 'send an agent: five minutes',
    open: caller => new GuideScreen(caller),
  },
  {
    key: 'a',
    name: 'Account',
    what: 'keys and tokens',
    open: caller => new AccountScreen(caller),
    needsAccount: true,
  },
  { key: 't', name: 'Theme', what: 'colours', open: caller => new ThemeScreen(caller) },
]

export class MenuScreen implements Screen {
  readonly title = 'Menu'
  readonly about = 'Choose with the arrows and Enter, or by the letter.'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['q', 'good-bye'],
  ]
  readonly #caller: Caller
  #chosen = 0
  #unwatch: (() => void) | null = null

  constructor(caller: Caller) {
    this.#caller = caller
  }

  shown(): void {
    this.#unwatch = this.#caller.watch(() => this.#caller.redraw())
  }

  hidden(): void {
    this.#unwatch?.()
  }

  draw(canvas: Canvas): void {
    const { house, account } = this.#caller
    const top = this.#drawBanner(canvas)
    const left = Math.max(1, Math.floor((canvas.width - 52) / 2))
    // In two columns where one does not fit below the banner.
    const rows = Math.min(
      entries.length,
      Math.max(Math.ceil(entries.length / 2), canvas.height - top - 2),
    )
    const narrow = rows < entries.length
    for (const [i, entry] of entries.entries()) {
      const part = narrow
        ? canvas.part(
            1 + Math.floor(i / rows) * Math.floor(canvas.width / 2),
            top + (i % rows),
            Math.floor(canvas.width / 2) - 1,
            1,
          )
        : canvas.part(left, top + i, canvas.width - left, 1)
      this.#drawEntry(part, entry, i === this.#chosen, narrow)
    }
    const live = house.arena.tables.size
    const count =
      live === 0
        ? 'No match is under way.'
        : live === 1
          ? 'One match is under way.'
          : `${live} matches are under way.`
    const join = dial(house.place, 'join')
    const words =
      account === null
        ? [`${count} You are a guest: ${join} makes an account.`, `Guest. Join: ${join}`, join]
        : [count]
    const line = words.find(words => words.length <= canvas.width - 2) ?? words.at(-1)!
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

  #drawBanner(canvas: Canvas): number {
    const { banner, smallBanner } = this.#caller.house.art
    const art = [banner, smallBanner].find(art => {
      const { width, height } = artSize(art)
      return width <= canvas.width && height + Math.ceil(entries.length / 2) + 2 <= canvas.height
    })
    if (art === undefined) return 0
    const { width, height } = artSize(art)
    const free = canvas.height - height - entries.length - 3
    const y = free > 2 ? Math.floor(free / 3) : 0
    drawArt(canvas, Math.floor((canvas.width - width) / 2), y, art)
    return y + height + (free > 0 ? 1 + Math.min(2, Math.floor(free / 3)) : 1)
  }

  #drawEntry(
    canvas: Canvas,
    { key, name, what, needsAccount }: Entry,
    chosen: boolean,
    narrow: boolean,
  ): void {
    const closed = needsAccount && this.#caller.account === null
    const text = narrow ? name : `${name.padEnd(12)}${closed ? 'for those who joined' : what}`
    if (chosen) {
      canvas.bar(0, `▸ ${key.toUpperCase()}  ${text}`, 'chosen')
      return
    }
    canvas.line(0, 0, [
      ['  '],
      [key.toUpperCase(), 'key'],
      [`  ${name.padEnd(12)}`, closed ? 'dim' : 'text'],
      [narrow ? '' : text.slice(12), 'dim'],
    ])
  }

  #move(step: number): void {
    this.#chosen = (this.#chosen + step + entries.length) % entries.length
  }

  #open(entry: Entry): void {
    const { account, house } = this.#caller
    if (entry.needsAccount && account === null)
      this.#caller.say(`That takes an account: ${dial(house.place, 'join')}`)
    else this.#caller.show(entry.open(this.#caller))
  }
}
