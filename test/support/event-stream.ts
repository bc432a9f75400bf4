import { type IncomingMessage, request } from 'node:http'
import { request as requestByTls } from 'node:https'

export interface ServerEvent {
  readonly event: string
  readonly id: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
  readonly data: any
}

/** Reads Server-Sent Events over a real socket. */
export class EventStream {
  readonly events: ServerEvent[] = []
  status = 0
  headers: IncomingMessage['headers'] = {}
  #read = 0
  #over = false
  #text = ''
  #wake: () => void = () => {}
  readonly #request: ReturnType<typeof request>

  constructor(url: string, lastId?: string) {
    const headers = lastId === undefined ? {} : { 'Last-Event-ID': lastId }
    const ask = url.startsWith('https:') ? requestByTls : request
    this.#request = ask(url, { headers, agent: false }, response => {
      this.status = response.statusCode!
      this.headers = response.headers
      response.setEncoding('utf8')
      response.on('data', (text: string) => this.#take(text))
      response.on('error', () => {})
      response.on('close', () => this.#end())
      this.#wake()
    })
    this.#request.on('error', () => this.#end())
    this.#request.end()
  }

  /** The next event; undefined once the host has ended the stream. */
  async next(): Promise<ServerEvent | undefined> {
    while (this.#read === this.events.length && !this.#over)
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    return this.events[this.#read++]
  }

  async rest(): Promise<readonly ServerEvent[]> {
    const rest: ServerEvent[] = []
    for (let event = await this.next(); event; event = await this.next()) rest.push(event)
    return rest
  }

  cut(): void {
    this.#request.destroy()
  }

  #take(text: string): void {
    this.#text += text
    const blocks = this.#text.split('\n\n')
    this.#text = blocks.pop()!
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block
          .split('\n')
          .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      )
      if (fields.event !== undefined)
        this.events.push({ event: fields.event, id: fields.id!, data: JSON.parse(fields.data!) })
    }
    this.#wake()
  }

  #end(): void {
    this.#over = true
    this.#wake()
  }
}
