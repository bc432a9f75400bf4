import type { Account } from '../arena/account.ts'
import type { ArenaListener } from '../arena/arena-event.ts'
import type { Clock, Timer } from '../clock.ts'
import type { EventState } from '../events/state.ts'
import type { PartyEvent } from '../matchmaking/party-tables.ts'
import type { RoomEvent } from '../matchmaking/rooms.ts'
import type { WireCode, WireRefusal } from '../protocols/codes.ts'
import type { Connection, Size } from '../protocols/connection.ts'
import { slice } from '../scheduling/text-stream.ts'
import type { HubSession, SessionRequest } from '../wire/hub-session.ts'
import type { HubContext } from './context.ts'
import { drawFrame } from './draw-frame.ts'
import { ErrorBoundary } from './error-boundary.ts'
import type { Screen, ScreenSession } from './screen.ts'
import { ConfirmScreen } from './screens/confirm.ts'
import { KeysScreen } from './screens/keys.ts'
import type { Canvas } from './terminal/canvas.ts'
import { type Key, KeyDecoder, keyName } from './terminal/keys.ts'
import {
  type ColourDepth,
  colourDepth,
  type Role,
  sgrOf,
  type ThemeName,
} from './terminal/palette.ts'
import { Terminal } from './terminal/terminal.ts'

/** A session at a terminal: a stack of screens. The screen on top is drawn and gets the keys. */
export class TerminalSession implements HubSession, ScreenSession {
  readonly hub: HubContext
  readonly request: SessionRequest
  readonly clock: Clock
  account: Account | null
  theme: ThemeName = 'harbour'
  dismissedFor: WireCode | undefined
  readonly #connection: Connection
  readonly #boundary: ErrorBoundary
  readonly #depth: ColourDepth
  readonly #terminal: Terminal
  readonly #decoder: KeyDecoder
  readonly #screens: Screen[] = []
  #message: { readonly text: string; readonly role: Role } | null = null
  #idleTimer: Timer | null = null
  /** How many results the screen on top waits for. */
  #pending = 0
  /** The question whose answer the keys wait for. */
  #asked: Promise<unknown> | null = null
  /** Keys typed meanwhile. They go to the screen that the results lead to. */
  readonly #typedAhead: Key[] = []
  /** By screen: asks the newest question about what it shows. One is asked at a time. */
  readonly #refreshes = new Map<Screen, () => void>()
  /**
   * Until when keys are handled at once. 32 KiB of them may arrive together, and some take long: the rest wait in `#queue`
   * for a turn.
   */
  #handleUntil = 0
  #queue: Key[] = []
  #over = false

  constructor(
    hub: HubContext,
    request: SessionRequest,
    connection: Connection,
    first: (session: ScreenSession) => Screen,
  ) {
    this.hub = hub
    this.request = request
    this.account = request.login?.account ?? null
    this.#connection = connection
    this.#boundary = new ErrorBoundary(hub.clock, error => this.failed(error))
    this.clock = this.#boundary.clock
    const { term, variables, ...size } = request.screen!
    this.#depth = colourDepth(term, variables)
    const draw = (canvas: Canvas) => drawFrame(canvas, this, this.#top, this.#message)
    const sgr = sgrOf(this.theme, this.#depth)
    this.#terminal = new Terminal(this.clock, hub.scheduler, connection, size, sgr, draw)
    this.#decoder = new KeyDecoder(this.clock, key => this.#typed(key))
    this.#boundary.run(() => {
      this.show(first(this))
      this.#restartIdleTimer()
    })
  }

  // Called by the wire.

  receive(bytes: Buffer): void {
    this.#handleUntil = performance.now() + slice
    this.#boundary.run(() => this.#decoder.feed(bytes))
  }

  resized(size: Size): void {
    this.#boundary.run(() => this.#terminal.resize(size))
  }

  drained(): void {
    this.#boundary.run(() => this.#terminal.drained())
  }

  inputEnded(): void {
    this.leave()
  }

  dismiss({ code, detail }: WireRefusal): void {
    this.#connection.refused(code)
    this.dismissedFor = code
    this.#end(`${detail}\r\n`, 1)
  }

  closed(): void {
    this.#terminal.gone()
    this.#stop()
    this.#connection.end(1)
  }

  // Called by screens.

  show(screen: Screen): void {
    this.#screens.at(-1)?.hidden?.()
    this.#screens.push(screen)
    screen.shown?.()
    this.redraw()
  }

  back(): void {
    this.#closeTop()
    if (this.#screens.length === 0) this.leave()
    else {
      this.#top.shown?.()
      this.redraw()
    }
  }

  replace(screen: Screen): void {
    this.#closeTop()
    this.show(screen)
  }

  redraw(): void {
    this.#terminal.redraw()
  }

  showMessage(text: string, role: Role = 'warning'): void {
    this.#message = { text, role }
    this.redraw()
  }

  setTheme(theme: ThemeName): void {
    this.theme = theme
    this.#terminal.setColours(sgrOf(theme, this.#depth))
  }

  setAccount(account: Account): void {
    this.account = account
    this.whenDone(this.hub.loginOf(this.request.key!), login => {
      if (login !== undefined && !this.#over) this.hub.onRegistered(login, this)
    })
  }

  leave(message = this.hub.art.goodbye): void {
    this.#end(message === '' ? '' : `${message.replaceAll('\n', '\r\n')}\r\n`, 0)
  }

  watch(listener: ArenaListener): () => void {
    return this.hub.arena.watch(event => this.#boundary.run(() => listener(event)))
  }

  watchEvents(listener: (state: EventState) => void): () => void {
    return this.hub.events.watch(state => this.#boundary.run(() => listener(state)))
  }

  watchRooms(listener: (event: RoomEvent) => void): () => void {
    return this.hub.rooms.watch(event => this.#boundary.run(() => listener(event)))
  }

  watchParties(listener: (event: PartyEvent) => void): () => void {
    return this.hub.parties.watch(event => this.#boundary.run(() => listener(event)))
  }

  whenDone<T>(work: Promise<T>, then: (result: T) => void): void {
    this.#pending++
    work.then(
      result =>
        this.#boundary.run(() => {
          this.#pending--
          then(result)
          this.#pressTypedAhead()
        }),
      error => this.failed(error),
    )
  }

  ask<T>(question: Promise<T>, then: (answer: T) => void): void {
    this.#asked = question
    this.#whenAnswered(question, answer => {
      if (this.#asked !== question) return
      this.#asked = null
      then(answer)
      this.redraw()
      this.#pressTypedAhead()
    })
  }

  refresh<T>(screen: Screen, question: () => Promise<T>, then: (answer: T) => void): void {
    const ask = () =>
      this.#whenAnswered(question(), answer => {
        const newest = this.#refreshes.get(screen)
        if (newest !== ask) {
          newest?.()
          return
        }
        this.#refreshes.delete(screen)
        then(answer)
        this.redraw()
      })
    const isAsking = this.#refreshes.has(screen)
    this.#refreshes.set(screen, ask)
    if (!isAsking) ask()
  }

  /** Ends this session alone, and leaves the terminal as it was before. */
  failed(error: unknown): void {
    this.#connection.failed(error)
    this.#end('This session ended by an internal error. It has been logged.\r\n', 1)
  }

  get #top(): Screen {
    return this.#screens.at(-1)!
  }

  #closeTop(): void {
    const screen = this.#screens.pop()
    if (screen === undefined) return
    this.#refreshes.delete(screen)
    screen.hidden?.()
    screen.closed?.()
  }

  /** An answer that comes after the end of the session is dropped, and so is an error. */
  #whenAnswered<T>(question: Promise<T>, then: (answer: T) => void): void {
    question.then(
      answer => this.#boundary.run(() => then(answer)),
      error => this.#boundary.run(() => this.failed(error)),
    )
  }

  get #isWaiting(): boolean {
    return this.#pending > 0 || this.#asked !== null
  }

  #pressTypedAhead(): void {
    while (!this.#isWaiting && this.#typedAhead.length > 0 && !this.#over)
      this.#press(this.#typedAhead.shift()!)
  }

  #typed(key: Key): void {
    if (this.#queue.length === 0 && performance.now() < this.#handleUntil) this.#press(key)
    else if (this.#queue.length < mostQueued && this.#queue.push(key) === 1) this.#waitForTurn()
  }

  #waitForTurn(): void {
    this.hub.scheduler.add(() => this.#boundary.run(() => this.#handleQueue()), this.request.source)
  }

  #handleQueue(): void {
    const began = performance.now()
    let handled = 0
    while (!this.#over && handled < this.#queue.length && performance.now() < began + slice)
      this.#press(this.#queue[handled++]!)
    this.#queue = this.#queue.slice(handled)
    this.hub.pageTime.use(this.request.source, performance.now() - began)
    if (!this.#over && this.#queue.length > 0) this.#waitForTurn()
  }

  #press(key: Key): void {
    this.#restartIdleTimer()
    this.#message = null
    this.redraw()
    if (key.kind === 'named' && (key.name === 'ctrl c' || key.name === 'ctrl d')) this.leave()
    else if (this.#isWaiting) {
      if (this.#asked !== null && this.#typedAhead.length === 0 && keyName(key) === 'escape')
        this.#asked = null
      else if (this.#typedAhead.length < mostTypedAhead) this.#typedAhead.push(key)
    } else if (key.kind === 'named' && key.name === 'ctrl l') this.#terminal.refresh()
    else if (!this.#top.press(key)) this.#pressCommon(key)
  }

  /** Handles the keys that work on every screen. */
  #pressCommon(key: Key): void {
    const name = keyName(key)
    const screen = this.#top
    const { leaveQuestion, takesText } = screen
    if (name === '?' && !(screen instanceof KeysScreen)) this.show(new KeysScreen(this, screen))
    else if (name === 'escape' || name === 'q' || name === 'left' || name === 'h') {
      if (leaveQuestion != null)
        this.show(new ConfirmScreen(this, leaveQuestion, () => screen.abandon?.()))
      else if (this.#screens.length > 1) this.back()
      // Esc or an arrow may be pressed once too often, and must not end the session.
      else if (name === 'q' || takesText)
        this.show(new ConfirmScreen(this, 'Leave AgentBBS?', () => this.leave()))
      else this.showMessage('Press q to quit.', 'dim')
    }
  }

  #restartIdleTimer(): void {
    this.#idleTimer?.cancel()
    const { idleTimeout } = this.hub
    const warning = Math.min(60_000, idleTimeout / 2)
    this.#idleTimer = this.clock.after(idleTimeout - warning, () => {
      const seconds = Math.round(warning / 1000)
      this.showMessage(`Still there? This session ends in ${seconds} s: press any key.`)
      this.#idleTimer = this.clock.after(warning, () =>
        this.leave('This session was idle for too long, so it was closed.'),
      )
    })
  }

  #end(message: string, status: number): void {
    if (this.#over) return
    this.#terminal.close(message)
    this.#connection.end(status)
    this.#stop()
  }

  #stop(): void {
    if (this.#over) return
    this.#over = true
    this.#idleTimer?.cancel()
    this.#decoder.close()
    while (this.#screens.length > 0) this.#closeTop()
    this.#boundary.close()
  }
}

const mostTypedAhead = 500
const mostQueued = 4_096
