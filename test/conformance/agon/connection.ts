import WebSocket from 'ws'
import { type Agent, sleep } from './agent.ts'
import { type Frame, faultOf, isRecord, isSpectatorEvent } from './frames.ts'
import { TOLERANCE } from './options.ts'
import type { Report } from './report.ts'
import { show } from './report.ts'

/** A frame as it came: when, and whether its receiver sat at a table or played at that moment. */
export interface Received {
  readonly frame: Frame
  readonly at: number
  readonly seated: boolean
  readonly playing: boolean
}

export interface Closed {
  readonly code: number
  readonly at: number
}

const ORDER = '§4 events come in the stated order, none besides'

/** One WebSocket of one agent. Every frame is checked on arrival; a scenario then takes the frames in their order. */
export class Connection {
  readonly opened: Promise<void>
  readonly closed: Promise<Closed>
  readonly pings: number[] = []
  private readonly socket: WebSocket
  private readonly inbox: Received[] = []
  private waiting: (() => void) | null = null
  private isClosed: Closed | null = null
  private seated = false
  /** The match this agent plays or, for a spectator, watches. Frames of other matches in the room are passed over. */
  matchId: string | null = null
  private playing = false

  private readonly report: Report
  readonly agent: Agent | null
  private readonly spectator: boolean

  constructor(
    report: Report,
    agent: Agent | null,
    url: string,
    spectator: boolean,
    autoPong: boolean,
  ) {
    this.report = report
    this.agent = agent
    this.spectator = spectator
    this.socket = new WebSocket(url, { autoPong, perMessageDeflate: false })
    this.opened = new Promise((resolve, reject) => {
      this.socket.once('open', () => resolve())
      this.socket.once('error', reject)
    })
    this.opened.catch(() => {})
    this.closed = new Promise(resolve => {
      this.socket.once('close', code => {
        this.isClosed = { code, at: Date.now() }
        resolve(this.isClosed)
        this.waiting?.()
      })
    })
    this.socket.on('error', () => {})
    this.socket.on('ping', () => this.pings.push(Date.now()))
    this.socket.on('message', (data, binary) => this.arrived(String(data), binary))
  }

  get isOpen(): boolean {
    return this.isClosed === null
  }

  /** Sends an action, after waiting if the agent has sent many lately. */
  async act(action: string, fields: object = {}): Promise<void> {
    await this.agent?.budget(1)
    this.agent?.count()
    if (action === 'enter_room' && !this.playing) this.seated = false
    this.raw(JSON.stringify({ action, ...fields }))
  }

  /** Sends a message that should be accepted; those are not counted by the rate rule. */
  say(matchId: string, content: string): void {
    this.raw(JSON.stringify({ action: 'send_message', match_id: matchId, content }))
  }

  raw(data: string | Buffer): void {
    this.socket.send(data)
  }

  watch(matchId: string): void {
    this.matchId = matchId
  }

  /** This connection is to take up the match again, so that what comes is what a participant gets. */
  resume(matchId: string): void {
    this.matchId = matchId
    this.seated = this.playing = true
  }

  /** The next frame, if it is of this event; other frames before it are failures. Stops the scenario if it does not come. */
  async expect(event: string, within = 5000): Promise<Frame> {
    return (await this.expectAt(event, within)).frame
  }

  async expectAt(event: string, within = 5000): Promise<Received> {
    const until = Date.now() + within + TOLERANCE.late
    for (;;) {
      const next = await this.next(until)
      if (next === null) {
        this.report.stop(
          ORDER,
          `${event} for ${this.who()}`,
          this.isClosed === null ? 'nothing' : `close ${this.isClosed.code}`,
        )
      }
      if (this.isForeign(next)) continue
      if (next.frame.event === event) {
        this.report.ok(ORDER, true, event, event)
        return next
      }
      if (this.isPassing(next)) continue
      this.report.ok(ORDER, false, `${event} for ${this.who()}`, next.frame)
    }
  }

  /** Takes one of several events, in whatever order the reference leaves open. */
  async expectAny(events: readonly string[], within = 5000): Promise<Frame> {
    const until = Date.now() + within + TOLERANCE.late
    for (;;) {
      const next = await this.next(until)
      if (next === null)
        this.report.stop(
          ORDER,
          `${events.join(' or ')} for ${this.who()}`,
          this.isClosed === null ? 'nothing' : `close ${this.isClosed.code}`,
        )
      if (this.isForeign(next)) continue
      if (events.includes(next.frame.event)) return next.frame
      if (!this.isPassing(next))
        this.report.ok(ORDER, false, `${events.join(' or ')} for ${this.who()}`, next.frame)
    }
  }

  /** Waits, and fails `name` if any frame comes in that time. */
  async quiet(name: string, milliseconds: number): Promise<void> {
    const until = Date.now() + milliseconds
    let came: Frame | null = null
    for (;;) {
      const next = await this.next(until)
      if (next === null) break
      if (!this.isPassing(next)) came ??= next.frame
    }
    this.report.ok(name, came === null, `no event for ${this.who()} in ${milliseconds} ms`, came)
  }

  /** Fails if frames are left that no step of the scenario expected. */
  nothingLeft(): void {
    if (this.spectator) return
    const left = this.inbox.splice(0).filter(received => !this.isPassing(received))
    this.report.ok(
      ORDER,
      left.length === 0,
      `no further event for ${this.who()}`,
      left.map(({ frame }) => frame),
    )
  }

  /** Whether a frame like this has come and was not taken yet. */
  has(like: (frame: Frame) => boolean): boolean {
    return this.inbox.some(({ frame }) => like(frame))
  }

  /** All frames that were not taken yet. */
  takeAll(): Frame[] {
    return this.inbox.splice(0).map(({ frame }) => frame)
  }

  /** Cuts the connection without a close frame, as a lost network does. */
  cut(): void {
    this.socket.terminate()
  }

  async close(): Promise<void> {
    if (this.isClosed !== null) return
    this.socket.close()
    await Promise.race([this.closed, sleep(1000)])
    this.socket.terminate()
  }

  private who(): string {
    return this.agent?.name ?? 'this connection'
  }

  /** An event that a connection may get at any time while it does not play: the room's list, or what other matches do. */
  private isPassing(received: Received): boolean {
    return this.isForeign(received) || (received.frame.event === 'room_state' && !received.playing)
  }

  /** A spectator's event of a match that this connection does not follow. */
  private isForeign({ frame, seated }: Received): boolean {
    return !seated && isSpectatorEvent(frame.event) && frame.match_id !== this.matchId
  }

  private async next(until: number): Promise<Received | null> {
    for (;;) {
      const received = this.inbox.shift()
      if (received !== undefined) return received
      const left = until - Date.now()
      if (left <= 0 || this.isClosed !== null) return null
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>(resolve => {
        this.waiting = resolve
        timer = setTimeout(resolve, left)
      })
      clearTimeout(timer)
      this.waiting = null
    }
  }

  private arrived(data: string, binary: boolean): void {
    const frame = this.parse(data, binary)
    if (frame === null) return
    const mine = frame.match_id === undefined || frame.match_id === this.matchId
    this.follow(frame)
    if (this.seated && (frame.event === 'spectator_message' || frame.event === 'reaction')) {
      this.report.ok(
        '§3 Participants never get spectator_message or reaction',
        false,
        `neither, for ${this.who()}, who is seated`,
        frame,
      )
      return
    }
    const asParticipant =
      !this.spectator &&
      (this.seated || (frame.event === 'match_end' && mine) || !isSpectatorEvent(frame.event))
    const fault = faultOf(frame, asParticipant)
    const form = isSpectatorEvent(frame.event) && !asParticipant ? ' to spectators' : ''
    this.report.ok(
      `§5 ${frame.event}${form}: exactly the fields of the reference`,
      fault === null,
      'these fields',
      `${fault}; in ${show(frame)}`,
    )
    this.inbox.push({ frame, at: Date.now(), seated: this.seated, playing: this.playing })
    if (frame.event === 'match_end' && mine) this.seated = this.playing = false
    this.waiting?.()
  }

  private parse(data: string, binary: boolean): Frame | null {
    const name = '§1 server frames are JSON text frames with "event"'
    try {
      const frame: unknown = JSON.parse(data)
      if (
        this.report.ok(
          name,
          !binary && isRecord(frame) && typeof frame.event === 'string',
          'a text frame with event',
          data,
        )
      )
        return frame as Frame
    } catch {
      this.report.ok(name, false, 'JSON', data)
    }
    return null
  }

  /** Notes where this connection is in the life of a match. */
  private follow(frame: Frame): void {
    if (this.spectator) return
    if (frame.event === 'seated') {
      this.seated = true
      this.playing = false
    }
    if (frame.event === 'match_countdown' || frame.event === 'reconnect_state') {
      this.seated = this.playing = true
      this.matchId = frame.match_id
    }
  }
}
