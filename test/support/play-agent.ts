// An agent that plays by JSON over HTTP, of `POST /api/v1/play/…`.

// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
export type Answer = any

export class PlayAgent {
  seat = ''
  readonly token: string
  readonly #port: number
  readonly #address: string

  /** `address`: where it comes from, as the edge says. */
  constructor(port: number, token: string, address = '192.0.2.7') {
    this.#port = port
    this.token = token
    this.#address = address
  }

  async ask(verb: string, body: unknown, init: RequestInit = {}): Promise<[number, Answer]> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/play/${verb}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
      headers: {
        Authorization: `Bearer ${this.token}`,
        'Content-Type': 'application/json',
        'X-Forwarded-For': this.#address,
        ...init.headers,
      },
    })
    return [response.status, await response.json()]
  }

  async join(game: string, options: object = {}): Promise<Answer> {
    const [, answer] = await this.ask('join', { game, ...options })
    this.seat = answer.seat ?? ''
    return answer
  }

  async wait(options: object = {}): Promise<Answer> {
    return (await this.ask('wait', { seat: this.seat, ...options }))[1]
  }

  async move(ply: number, move: unknown, options: object = {}): Promise<Answer> {
    return (await this.ask('move', { seat: this.seat, ply, move, ...options }))[1]
  }

  /** Plays from this answer on until the match is over. `choose` makes a move; null to wait instead. */
  async play(answer: Answer, choose: (answer: Answer) => unknown): Promise<Answer> {
    for (let last = answer; last.status !== 'over'; ) {
      // Another seat acted first: look again.
      const isCrossed = last.code === 'wrong-ply' || last.code === 'stale-move'
      if (last.code !== undefined && !isCrossed) throw new Error(JSON.stringify(last))
      const may = last.status === 'your_turn' || last.status === 'may_act'
      const move = may ? choose(last) : null
      answer = last = move === null ? await this.wait() : await this.move(last.ply, move)
    }
    return answer
  }
}
