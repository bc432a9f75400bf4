import type { Close, Connection } from '../../src/protocols/connection.ts'
import { FakeClock } from './fake-clock.ts'

/**
 * A connection that records everything. It shows what a client has been sent once the host has done all that was asked of it
 * in this tick.
 */
export class TestConnection implements Connection {
  readonly id = 'test'
  readonly #sent: string[] = []
  /** The codes of all refusals. */
  readonly refusals: string[] = []
  readonly notes: string[] = []
  unsent = 0
  /** How many messages might be held for a batch. */
  batched = 0
  /** How a WebSocket would have been closed, if the session said so. */
  close: Close | undefined
  #ended: boolean | null = null

  send(text: string, canWait = false): void {
    if (this.#ended !== null) throw new Error(`sent after the end: ${text}`)
    this.#sent.push(text)
    if (canWait) this.batched++
  }

  note(text: string): void {
    this.notes.push(text)
  }

  refused(code: string): void {
    this.refusals.push(code)
  }

  failed(error: unknown): void {
    throw error
  }

  end(status: number, close?: Close): void {
    if (this.#ended !== null) throw new Error('ended twice')
    this.close = close
    this.#ended = status === 0
  }

  cut(): void {
    this.end(1)
  }

  get sent(): readonly string[] {
    FakeClock.finishTick()
    return this.#sent
  }

  get ended(): boolean | null {
    FakeClock.finishTick()
    return this.#ended
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  get messages(): any[] {
    return this.sent.map(text => JSON.parse(text))
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
  get last(): any {
    return this.messages.at(-1)
  }
}
