import { TokenBucket } from '../../limits/token-bucket.ts'
import type { WireRefusal } from '../codes.ts'
import type { Close, Connection, Message, Session } from '../connection.ts'
import type { MessageLimits } from '../protocol.ts'
import { closeCodes, invalidAction, logCode, type Refused } from './codes.ts'
import type { Lobby } from './lobby.ts'
import { parseAction, printed } from './messages.ts'
import type { ClawpolySeat, SeatClient } from './seat.ts'

/** So many seconds of messages may be sent at once. */
const burst = 5

/** The WebSocket of an agent. */
export class AgentSocket implements Session<Message>, SeatClient {
  readonly isLegacy: boolean
  readonly #lobby: Lobby
  readonly #seat: ClawpolySeat
  readonly #connection: Connection
  readonly #rate: TokenBucket
  #isOver = false

  constructor(
    lobby: Lobby,
    seat: ClawpolySeat,
    connection: Connection,
    { messages }: Pick<MessageLimits, 'messages'>,
    isLegacy: boolean,
  ) {
    this.#lobby = lobby
    this.#seat = seat
    this.#connection = connection
    this.isLegacy = isLegacy
    this.#rate = new TokenBucket(lobby.clock, { perSecond: messages, burst: burst * messages })
    seat.attach(this)
  }

  receive(message: Message): Promise<void> | undefined {
    if (this.#isOver) return undefined
    // After one that is too long the wire ends the connection.
    if (typeof message !== 'string' && message.code === 'line-too-long') return undefined
    const isDue = this.#seat.prompt !== null
    const action =
      typeof message === 'string' ? parseAction(message, this.isLegacy) : message.detail
    const refused = typeof action === 'string' ? invalidAction(action) : this.#seat.act(action)
    // What answers a prompt is never too much.
    if (refused === null && isDue) return undefined
    // Clients of the public implementation send what is not asked for, and are not answered.
    if (refused !== null && !(this.isLegacy && refused.code === 'NOT_YOUR_TURN'))
      this.refuse(refused)
    return this.#pauseOf(this.#rate.take())
  }

  /** Who sends too much is read more slowly. */
  #pauseOf(seconds: number): Promise<void> | undefined {
    if (seconds === 0) return undefined
    const { clock } = this.#lobby
    return new Promise(resolve => clock.after(1000 * seconds, resolve))
  }

  send(type: string, data: object): void {
    if (this.#isOver) return
    this.#connection.send(printed(type, data, this.#lobby.clock.date()))
  }

  refuse(refused: Refused): void {
    if (this.#isOver) return
    this.#connection.refused(logCode(refused.code))
    this.send('error', refused)
  }

  replaced(): void {
    this.#end({ code: closeCodes.replaced, reason: 'A newer connection has taken this seat.' })
  }

  over(): void {
    this.#end({ code: closeCodes.over, reason: 'The game is over.' })
  }

  /** The wire ends the connection, in the words of this protocol. */
  dismiss({ code }: WireRefusal): void {
    this.#leave(code)
  }

  closed(): void {
    this.#leave()
  }

  #leave(cause?: string): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#seat.detach(this, cause)
  }

  #end(close: Close): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#connection.end(close.code === closeCodes.over ? 0 : 1, close)
  }
}

/** A session that is told why it ends, and nothing more. */
export const sentAway = (
  connection: Connection,
  error: Refused,
  close: Close,
  at: number,
): Session<Message> => {
  connection.refused(logCode(error.code))
  connection.send(printed('error', error, at))
  connection.end(1, close)
  return { receive: () => {}, dismiss: () => {}, closed: () => {} }
}
