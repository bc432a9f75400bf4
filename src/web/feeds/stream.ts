import type { ServerResponse } from 'node:http'
import type { Clock, Timer } from '../../clock.ts'
import { securityHeaders } from '../answer.ts'

/** The unread bytes at which a client is cut. Its browser reconnects and continues where it was. */
const maxUnread = 256 * 1024
/** How often events are sent, in milliseconds. People see no difference below this, and it bounds the cost of a fast match. */
const sendInterval = 100
/** How many clients are written to in one turn of the event loop. */
const batchSize = 20
/** How often a comment is sent, in milliseconds, so that proxies and browsers keep the connection open. */
const keepAliveInterval = 20_000

/** Server-Sent Events for many clients. Each event is encoded once for all of them. */
export class Stream {
  readonly #clock: Clock
  readonly #events: Buffer[] = []
  readonly #clients = new Map<ServerResponse, number>()
  /** The number of the first event that is still kept. */
  #first: number
  #timer: Timer | null = null
  #keepAliveTimer: Timer | null = null
  #isSending = false
  #ended = false
  /** Called when the last client has left. */
  readonly #onEmpty: () => void

  constructor(clock: Clock, onEmpty: () => void, first = 0) {
    this.#clock = clock
    this.#onEmpty = onEmpty
    this.#first = first
  }

  get clientCount(): number {
    return this.#clients.size
  }

  /** The number of the next event. */
  get next(): number {
    return this.#first + this.#events.length
  }

  add(event: string, id: string, data: unknown): void {
    this.#events.push(encodeEvent(event, id, data))
    this.#scheduleSend()
  }

  /** Sends an event to the connected clients at once, and does not keep it. */
  sendNow(event: string, data: unknown): void {
    const bytes = encodeEvent(event, null, data)
    for (const response of this.#clients.keys()) response.write(bytes)
  }

  /** Keeps only the newest `count` events. */
  keepNewest(count: number): void {
    const surplus = this.#events.length - count
    if (surplus <= 0) return
    this.#events.splice(0, surplus)
    this.#first += surplus
  }

  /** Adds a client, which gets every event from number `from` on. It alone gets `before` first. */
  open(response: ServerResponse, from: number, before: readonly Buffer[] = []): void {
    response.writeHead(200, {
      ...securityHeaders,
      'Content-Type': eventStreamType,
      ...eventStreamHeaders,
    })
    response.on('error', () => response.destroy())
    response.on('close', () => {
      if (this.#clients.delete(response) && this.#clients.size === 0) this.#stop()
    })
    response.write(Buffer.concat([Buffer.from(streamStart), ...before]))
    this.#clients.set(response, Math.max(from, this.#first))
    this.#scheduleKeepAlive()
    this.#scheduleSend()
  }

  /** Ends all responses once every event is sent. */
  end(): void {
    this.#ended = true
    this.#scheduleSend()
  }

  /** Cuts all clients at once. */
  cut(): void {
    const clients = [...this.#clients.keys()]
    this.#clients.clear()
    for (const response of clients) response.destroy()
    this.#stop()
  }

  #scheduleSend(): void {
    if (this.#isSending || this.#clients.size === 0) return
    this.#timer ??= this.#clock.after(sendInterval, () => {
      this.#timer = null
      this.#isSending = true
      this.#sendBatch([...this.#clients.keys()], 0)
    })
  }

  #sendBatch(clients: readonly ServerResponse[], from: number): void {
    for (const response of clients.slice(from, from + batchSize)) this.#sendTo(response)
    if (from + batchSize < clients.length) {
      setImmediate(() => this.#sendBatch(clients, from + batchSize))
      return
    }
    this.#isSending = false
    const hasUnsent = [...this.#clients.values()].some(next => next < this.next)
    if (hasUnsent || (this.#ended && this.#clients.size > 0)) this.#scheduleSend()
  }

  #sendTo(response: ServerResponse): void {
    const next = this.#clients.get(response)
    if (next === undefined) return
    // Bytes of the last write had until now to be sent.
    if (response.writableLength > maxUnread) {
      response.destroy()
      return
    }
    const events = this.#events.slice(Math.max(0, next - this.#first))
    this.#clients.set(response, this.next)
    if (events.length > 0) response.write(events.length === 1 ? events[0] : Buffer.concat(events))
    if (this.#ended) response.end()
  }

  #scheduleKeepAlive(): void {
    this.#keepAliveTimer ??= this.#clock.after(keepAliveInterval, () => {
      this.#keepAliveTimer = null
      for (const response of this.#clients.keys()) response.write(keepAliveComment)
      if (this.#clients.size > 0) this.#scheduleKeepAlive()
    })
  }

  #stop(): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#keepAliveTimer?.cancel()
    this.#keepAliveTimer = null
    this.#onEmpty()
  }
}

export const eventStreamType = 'text/event-stream; charset=utf-8'

export const eventStreamHeaders = {
  'Cache-Control': 'no-store',
  'X-Accel-Buffering': 'no',
  'Access-Control-Allow-Origin': '*',
}

export const encodeEvent = (event: string, id: string | null, data: unknown): Buffer =>
  Buffer.from(eventText(event, id, data))

export const eventText = (event: string, id: string | null, data: unknown): string =>
  `event: ${event}\n${id === null ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** The first bytes of a stream: how long a browser waits before it reconnects, in milliseconds. */
export const streamStart = 'retry: 1000\n\n'
const keepAliveComment = Buffer.from(': keep-alive\n\n')
