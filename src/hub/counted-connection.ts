import type { Connection } from '../protocols/connection.ts'

/** Calls `over` once when the session ends its connection. Every session does so, even when the client hung up. */
export class CountedConnection implements Connection {
  readonly #connection: Connection
  readonly #over: () => void
  #isOver = false

  constructor(connection: Connection, over: () => void) {
    this.#connection = connection
    this.#over = over
  }

  get isOver(): boolean {
    return this.#isOver
  }

  get id(): string {
    return this.#connection.id
  }

  get unsent(): number {
    return this.#connection.unsent
  }

  send(text: string): void {
    this.#connection.send(text)
  }

  note(text: string): void {
    this.#connection.note(text)
  }

  refused(code: string): void {
    this.#connection.refused(code)
  }

  failed(error: unknown): void {
    this.#connection.failed(error)
  }

  end(status: number): void {
    this.#setOver()
    this.#connection.end(status)
  }

  cut(): void {
    this.#setOver()
    this.#connection.cut()
  }

  #setOver(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#over()
  }
}
