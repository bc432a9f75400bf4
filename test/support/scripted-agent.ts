export interface Heard {
  readonly type: string
  // biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
  readonly [field: string]: any
}

/** An agent that sends what a test tells it to send, and keeps all messages until the test reads them. */
export abstract class ScriptedAgent {
  /** All messages, in the order in which they came. */
  readonly heard: Heard[] = []
  /** The same, as they came. */
  readonly lines: string[] = []
  /** The close code or exit status, once the connection is closed. */
  abstract readonly closed: Promise<number>
  #read = 0
  #over = false
  #wake: () => void = () => {}

  abstract write(text: string): void

  say(message: object): void {
    this.write(JSON.stringify(message))
  }

  move(move: unknown): void {
    this.say({ type: 'move', move })
  }

  /** The next message, or the next one of this type. */
  async next(type?: string): Promise<Heard> {
    for (;;) {
      while (this.#read < this.heard.length) {
        const message = this.heard[this.#read++]!
        if (type === undefined || message.type === type) return message
      }
      if (this.#over)
        throw new Error(
          `closed before ${type ?? 'another message'} came, after ${JSON.stringify(this.heard.slice(-2))}`,
        )
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Plays the first legal move whenever it is its turn, until a result or an error. */
  playFirstLegal(): Promise<Heard> {
    return this.playBy(({ observation }) => observation.legal[0])
  }

  async playBy(choose: (state: Heard) => unknown): Promise<Heard> {
    for (;;) {
      const message = await this.next()
      if (message.type === 'state' && message.yourTurn) this.move(choose(message))
      if (message.type === 'result' || message.type === 'error') return message
    }
  }

  protected hear(text: string): void {
    this.heard.push(JSON.parse(text))
    this.lines.push(text)
    this.#wake()
  }

  protected over(): void {
    this.#over = true
    this.#wake()
  }
}
