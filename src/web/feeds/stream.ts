import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../clock.ts'
import { guard } from '../answer.ts'

/** How much may lie unread before a watcher is dropped. Its browser comes back and goes on where it was. */
const cap = 256 * 1024
/** People see no difference below this, and a fast match then costs no more than a slow one. */
const pace = 100
/** So many are written to before the matches get their turn again. */
const slice = 20
/** How often a comment is sent, so that proxies and browsers know the line is alive. */
const heartbeat = 20_000

/** Server-Sent Events for all who watch the same thing: each event is encoded once, whoever reads it. */
export class Stream {
  readonly #clock: Clock
  readonly #events: Buffer[] = []
  readonly #watchers = new Map<ServerResponse, number>()
  /** The number of the first event that is still here. */
  #first: number
  #timer: Timer | null = null
  #pulse: Timer | null = null
  #sweeping = false
  #ended = false
  /** Called when nobody watches any more. */
  readonly #emptied: () => void

  constructor(clock: Clock, emptied: () => void, first = 0) {
    this.#clock = clock
    this.#emptied = emptied
    this.#first = first
  }

  get watchers(): number {
    return this.#watchers.size
  }

  /** The number that the next event gets. */
  get next(): number {
    return this.#first + this.#events.length
  }

  add(event: string, id: string, data: unknown): void {
    this.#events.push(encoded(event, id, data))
    this.#soon()
  }

  /** Tells everybody who watches now, and nobody who comes back for it. */
  tell(event: string, data: unknown): void {
    const bytes = encoded(event, null, data)
    for (const response of this.#watchers.keys()) response.write(bytes)
  }

  /** Forgets all but so many events. */
  keep(count: number): void {
    const surplus = this.#events.length - count
    if (surplus <= 0) return
    this.#events.splice(0, surplus)
    this.#first += surplus
  }

  /** Opens a line that gets every event from this number on; `before` are for it alone. */
  open(response: ServerResponse, from: number, before: readonly Buffer[] = []): void {
    response.writeHead(200, {
      ...guard,
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'Access-Control-Allow-Origin': '*',
    })
    response.on('error', () => response.destroy())
    response.on('close', () => {
      if (this.#watchers.delete(response) && this.#watchers.size === 0) this.#rest()
    })
    response.write(Buffer.concat([Buffer.from(hello), ...before]))
    this.#watchers.set(response, Math.max(from, this.#first))
    this.#beat()
    this.#soon()
  }

  /** Ends every line once all has been said. */
  end(): void {
    this.#ended = true
    this.#soon()
  }

  /** Ends every line at once. */
  cut(): void {
    const all = [...this.#watchers.keys()]
    this.#watchers.clear()
    for (const response of all) response.destroy()
    this.#rest()
  }

  #soon(): void {
    if (this.#sweeping || this.#watchers.size === 0) return
    this.#timer ??= this.#clock.after(pace, () => {
      this.#timer = null
      this.#sweeping = true
      this.#sweep([...this.#watchers.keys()], 0)
    })
  }

  #sweep(all: readonly ServerResponse[], from: number): void {
    for (const response of all.slice(from, from + slice)) this.#serve(response)
    if (from + slice < all.length) {
      setImmediate(() => this.#sweep(all, from + slice))
      return
    }
    this.#sweeping = false
    const behind = [...this.#watchers.values()].some(seen => seen < this.next)
    if (behind || (this.#ended && this.#watchers.size > 0)) this.#soon()
  }

  #serve(response: ServerResponse): void {
    const seen = this.#watchers.get(response)
    if (seen === undefined) return
    // What was written last time has had its chance to leave.
    if (response.writableLength > cap) {
      response.destroy()
      return
    }
    const news = this.#events.slice(Math.max(0, seen - this.#first))
    this.#watchers.set(response, this.next)
    if (news.length > 0) response.write(news.length === 1 ? news[0] : Buffer.concat(news))
    if (this.#ended) response.end()
  }

  #beat(): void {
    this.#pulse ??= this.#clock.after(heartbeat, () => {
      this.#pulse = null
      for (const response of this.#watchers.keys()) response.write(alive)
      if (this.#watchers.size > 0) this.#beat()
    })
  }

  #rest(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#pulse?.cancel()
    this.#pulse = null
    this.#emptied()
  }
}

export const encoded = (event: string, id: string | null, data: unknown): Buffer =>
  Buffer.from(eventText(event, id, data))

export const eventText = (event: string, id: string | null, data: unknown): string =>
  `event: ${event}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** With how long a browser waits before it comes back, in milliseconds. */
export const hello = 'retry: 1000\n\n'
const alive = Buffer.from(': still here\n\n')
