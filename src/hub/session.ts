import type { Account } from '../arena/account.ts'
import type { ArenaListener } from '../arena/arena-event.ts'
import type { Code, Refusal } from '../arena/codes.ts'
import type { Clock, Timer } from '../clock.ts'
import type { Connection, Size } from '../protocols/connection.ts'
import { slice } from '../scheduling/text-stream.ts'
import type { HubSession, SessionRequest } from '../wire/hub-session.ts'
import { drawFrame } from './frame.ts'
import { Guard } from './guard.ts'
import type { House } from './house.ts'
import type { Caller, Screen } from './screen.ts'
import { KeysHelp } from './screens/keys-help.ts'
import { Question } from './screens/question.ts'
import type { Canvas } from './terminal/canvas.ts'
import { type Key, Keys } from './terminal/keys.ts'
import { type Depth, depthOf, type Role, sgrOf, type ThemeName } from './terminal/palette.ts'
import { Terminal } from './terminal/terminal.ts'

/** A person at a terminal: a pile of screens, of which the topmost is seen and has the keys. */
export class Session implements HubSession, Caller {
  readonly house: House
  readonly visit: SessionRequest
  readonly clock: Clock
  account: Account | null
  theme: ThemeName = 'harbour'
  readonly #connection: Connection
  readonly #guard: Guard
  readonly #depth: Depth
  readonly #terminal: Terminal
  readonly #keys: Keys
  readonly #screens: Screen[] = []
  #word: { readonly text: string; readonly role: Role } | null = null
  #idle: Timer | null = null
  #awaited = 0
  /** Typed before what is awaited was there: for the screen that it leads to. */
  readonly #ahead: Key[] = []
  /** Until when keys are seen to at once: 32 KiB of them may come in one go, and some lead to the database. */
  #typing = 0
  /** Keys that wait for their turn, the next one first. */
  #waiting: Key[] = []
  sentAwayFor: Code | undefined
  #over = false

  constructor(
    house: House,
    visit: SessionRequest,
    connection: Connection,
    first: (caller: Caller) => Screen,
  ) {
    this.house = house
    this.visit = visit
    this.account = visit.login?.account ?? null
    this.#connection = connection
    this.#guard = new Guard(house.clock, error => this.failed(error))
    this.clock = this.#guard.clock
    const { term, variables, columns, rows } = visit.screen!
    this.#depth = depthOf(term, variables)
    const out = {
      write: (text: string) => connection.send(text),
      get unsent() {
        return connection.unsent
      },
      cut: () => connection.cut(),
    }
    this.#terminal = new Terminal(
      this.clock,
      house.scheduler,
      out,
      { columns, rows },
      sgrOf(this.theme, this.#depth),
      canvas => this.#draw(canvas),
    )
    this.#keys = new Keys(this.clock, key => this.#typed(key))
    this.#guard.run(() => {
      this.show(first(this))
      this.#stayAwake()
    })
  }

  // What the wire tells.

  receive(bytes: Buffer): void {
    this.#typing = performance.now() + slice
    this.#guard.run(() => this.#keys.feed(bytes))
  }

  resized(size: Size): void {
    this.#guard.run(() => this.#terminal.resize(size))
  }

  drained(): void {
    this.#guard.run(() => this.#terminal.drained())
  }

  inputEnded(): void {
    this.leave()
  }

  dismiss(refusal: Refusal): void {
    this.#connection.refused(refusal.code)
    this.sentAwayFor = refusal.code
    this.#end(`${refusal.detail}\r\n`, 1)
  }

  closed(): void {
    this.#terminal.gone()
    this.#stop()
    this.#connection.end(1)
  }

  // What screens do.

  get top(): Screen {
    return this.#screens.at(-1)!
  }

  show(screen: Screen): void {
    this.#screens.at(-1)?.hidden?.()
    this.#screens.push(screen)
    screen.shown?.()
    this.redraw()
  }

  back(): void {
    const screen = this.#screens.pop()
    screen?.hidden?.()
    screen?.closed?.()
    if (this.#screens.length === 0) this.leave()
    else {
      this.top.shown?.()
      this.redraw()
    }
  }

  replace(screen: Screen): void {
    const old = this.#screens.pop()
    old?.hidden?.()
    old?.closed?.()
    this.show(screen)
  }

  redraw(): void {
    this.#terminal.redraw()
  }

  say(text: string, role: Role = 'warning'): void {
    this.#word = { text, role }
    this.redraw()
  }

  setTheme(theme: ThemeName): void {
    this.theme = theme
    this.#terminal.setColours(sgrOf(theme, this.#depth))
  }

  setAccount(account: Account): void {
    this.account = account
    this.house.joined(this.visit.key!, this)
  }

  leave(words = this.house.art.goodbye): void {
    this.#end(words === '' ? '' : `${words.replaceAll('\n', '\r\n')}\r\n`, 0)
  }

  watch(listener: ArenaListener): () => void {
    return this.house.arena.watch(event => this.#guard.run(() => listener(event)))
  }

  await<T>(work: Promise<T>, then: (result: T) => void): void {
    this.#awaited++
    work.then(
      result =>
        this.#guard.run(() => {
          this.#awaited--
          then(result)
          while (this.#awaited === 0 && this.#ahead.length > 0 && !this.#over)
            this.#press(this.#ahead.shift()!)
        }),
      error => this.failed(error),
    )
  }

  #draw(canvas: Canvas): void {
    drawFrame(canvas, this, this.top, this.#word)
  }

  #typed(key: Key): void {
    if (this.#waiting.length === 0 && performance.now() < this.#typing) this.#press(key)
    else if (this.#waiting.length < mostWaiting && this.#waiting.push(key) === 1) this.#later()
  }

  #later(): void {
    this.house.scheduler.add(() => this.#guard.run(() => this.#turn()), this.visit.source)
  }

  #turn(): void {
    const began = performance.now()
    let pressed = 0
    while (!this.#over && pressed < this.#waiting.length && performance.now() < began + slice)
      this.#press(this.#waiting[pressed++]!)
    this.#waiting = this.#waiting.slice(pressed)
    this.house.pageTime.use(this.visit.source, performance.now() - began)
    if (!this.#over && this.#waiting.length > 0) this.#later()
  }

  #press(key: Key): void {
    this.#stayAwake()
    this.#word = null
    this.redraw()
    if (key.kind === 'named' && (key.name === 'ctrl c' || key.name === 'ctrl d')) this.leave()
    else if (this.#awaited > 0) {
      if (this.#ahead.length < mostAhead) this.#ahead.push(key)
    } else if (key.kind === 'named' && key.name === 'ctrl l') this.#terminal.refresh()
    else if (!this.top.press(key)) this.#pressed(key)
  }

  /** Keys that mean the same everywhere. */
  #pressed(key: Key): void {
    const name = key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''
    const { holds } = this.top
    if (name === '?' && !(this.top instanceof KeysHelp)) this.show(new KeysHelp(this, this.top))
    else if (name === 'escape' || name === 'q' || name === 'left' || name === 'h') {
      if (holds != null) this.show(new Question(this, holds, () => this.top.givenUp?.()))
      else if (this.#screens.length > 1) this.back()
      // What closed the screen before may be pressed once too often.
      else if (name === 'q' || this.top.types)
        this.show(new Question(this, 'Leave AgentBBS?', () => this.leave()))
      else this.say('q says good-bye.', 'dim')
    }
  }

  #stayAwake(): void {
    this.#idle?.cancel()
    const { idle } = this.house
    const warning = Math.min(60_000, idle / 2)
    this.#idle = this.clock.after(idle - warning, () => {
      this.say(`Still there? This session ends in ${Math.round(warning / 1000)} s: press any key.`)
      this.#idle = this.clock.after(warning, () =>
        this.leave('You were away for a while, so the line was closed.'),
      )
    })
  }

  /** A fault of ours ends this session, with the terminal as it was before, and no other. */
  failed(error: unknown): void {
    this.#connection.failed(error)
    this.#end('A fault of ours ended this session; it has been noted.\r\n', 1)
  }

  #end(words: string, status: number): void {
    if (this.#over) return
    this.#terminal.close(words)
    this.#connection.end(status)
    this.#stop()
  }

  #stop(): void {
    if (this.#over) return
    this.#over = true
    this.#idle?.cancel()
    this.#keys.close()
    for (const screen of this.#screens.splice(0).reverse()) {
      screen.hidden?.()
      screen.closed?.()
    }
    this.#guard.close()
  }
}

const mostAhead = 500
const mostWaiting = 4_096
