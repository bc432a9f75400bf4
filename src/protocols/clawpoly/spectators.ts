import type { Audience, Spectator } from '../audience.ts'
import type { Connection, Message, Session } from '../connection.ts'
import { closeCodes } from './codes.ts'
import type { Lobby } from './lobby.ts'
import { printed } from './messages.ts'
import type { Room } from './room.ts'
import { roomState } from './room-words.ts'

/** The WebSocket of one that watches a room. What it sends is not read. */
export class SpectatorSocket implements Session<Message>, Spectator {
  readonly #connection: Connection
  readonly #audience: Audience
  #isOver = false

  constructor(lobby: Lobby, room: Room, connection: Connection) {
    this.#connection = connection
    this.#audience = room.audience
    connection.send(printed('game:state', roomState(room), lobby.clock.date()))
    if (room.status === 'finished') this.#end()
    else this.#audience.add(this)
  }

  get unsent(): number {
    return this.#connection.unsent
  }

  /** Nothing waits for a batch: that would write to all spectators at once. */
  hear(lines: readonly string[]): void {
    if (!this.#isOver) for (const line of lines) this.#connection.send(line)
  }

  left(): void {
    this.#end()
  }

  receive(): void {}

  drained(): void {
    this.#audience.drained(this)
  }

  dismiss(): void {
    this.#leave()
  }

  closed(): void {
    this.#leave()
  }

  #leave(): void {
    this.#isOver = true
    this.#audience.remove(this)
  }

  #end(): void {
    if (this.#isOver) return
    this.#leave()
    this.#connection.end(0, { code: closeCodes.over, reason: 'The game is over.' })
  }
}
