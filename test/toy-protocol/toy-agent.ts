import type { Heard } from '../support/scripted-agent.ts'

type Said = Omit<Heard, 'type'>

/** An agent of the toy protocol. */
export class ToyAgent {
  key = ''
  readonly #port: number
  readonly #address: string
  #seat = ''
  #unread: Said[] = []
  #cut = new AbortController()

  /** `address`: where it comes from, as the edge says. */
  constructor(port: number, address = '192.0.2.7') {
    this.#port = port
    this.#address = address
  }

  async ask(method: string, path: string, body?: object): Promise<readonly [number, Said]> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/toy${path}`, {
      method,
      headers: {
        'X-Forwarded-For': this.#address,
        Authorization: `Toy ${this.key}`,
        'Content-Type': 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: this.#cut.signal,
    })
    return [response.status, (await response.json()) as Said]
  }

  async register(name: string): Promise<readonly [number, Said]> {
    const answer = await this.ask('POST', '/accounts', { name })
    this.key = answer[1].key ?? ''
    return answer
  }

  /** Asks for a match, or comes back to its seat. */
  async join(game = 'ttt'): Promise<readonly [number, Said]> {
    const answer = await this.ask('POST', '/seats', { game })
    this.#seat = answer[1].seat
    this.#unread = []
    return answer
  }

  poll(): Promise<readonly [number, Said]> {
    return this.ask('GET', `/seats/${this.#seat}`)
  }

  move(move: unknown): Promise<readonly [number, Said]> {
    return this.ask('POST', `/seats/${this.#seat}`, { move })
  }

  leave(): Promise<readonly [number, Said]> {
    return this.ask('DELETE', `/seats/${this.#seat}`)
  }

  /** The next news with this field. */
  async next(field: string): Promise<Said> {
    for (;;) {
      for (let said = this.#unread.shift(); said !== undefined; said = this.#unread.shift())
        if (field in said) return said
      const [status, news] = await this.poll()
      if (status !== 200) throw new Error(`${status} before ${field}: ${JSON.stringify(news)}`)
      this.#unread = news as unknown as Said[]
    }
  }

  /** The next board on which it is to move. */
  async turn(): Promise<Said> {
    for (;;) {
      const said = await this.next('board')
      if (said.yours) return said
    }
  }

  /** Cuts the connections of polls, until one was waiting and the host has noticed. */
  async cut(): Promise<void> {
    do {
      const poll = this.poll().catch(() => {})
      // On another connection, and so answered after the poll has come.
      await this.ask('GET', '/nothing')
      this.#cut.abort()
      this.#cut = new AbortController()
      await poll
    } while ((await this.move(0))[0] !== 410)
  }

  /** Another session of the same account. */
  again(address = this.#address): ToyAgent {
    const other = new ToyAgent(this.#port, address)
    other.key = this.key
    other.#seat = this.#seat
    return other
  }
}
