import type { Refusal } from '../arena/codes.ts'
import type { Connection } from '../protocols/connection.ts'
import type { HubSession, SessionRequest } from '../wire/hub-session.ts'
import { answer } from './answer.ts'
import { Guard } from './guard.ts'
import type { House } from './house.ts'

/** One command and its answer, for programs and for people in a hurry. */
export class CommandLine implements HubSession {
  readonly #connection: Connection
  #gone: () => void = () => {}
  #drained: () => void = () => {}

  constructor(house: House, visit: SessionRequest, connection: Connection) {
    this.#connection = connection
    // With a terminal at the other end nothing else turns the line breaks into what it needs.
    const lines = (text: string) => (visit.screen === null ? text : text.replaceAll('\n', '\r\n'))
    const guard = new Guard(house.clock, error => this.#failed(error))
    const done = answer(
      {
        house: { ...house, clock: guard.clock },
        visit,
        width: visit.screen?.columns,
        reader: {
          write: text => connection.send(lines(text)),
          get unsent() {
            return connection.unsent
          },
        },
        complain: text => connection.note(lines(`${text}\n`)),
        cut: () => connection.cut(),
        onGone: gone => {
          this.#gone = gone
        },
        onDrained: drained => {
          this.#drained = drained
        },
      },
      visit.command,
    )
    done.then(
      status => connection.end(status),
      error => this.#failed(error),
    )
  }

  receive(bytes: Buffer): void {
    // A terminal sends Ctrl-C and Ctrl-D as bytes.
    if (bytes.includes(3) || bytes.includes(4)) this.#connection.end(130)
  }

  drained(): void {
    this.#drained()
  }

  dismiss({ code, detail }: Refusal): void {
    this.#connection.refused(code)
    this.#connection.note(`${detail}\r\n`)
    this.#connection.end(1)
  }

  closed(): void {
    this.#gone()
    this.#connection.end(1)
  }

  #failed(error: unknown): void {
    this.#connection.failed(error)
    this.#connection.note('a fault of ours; it has been noted\r\n')
    this.#connection.end(1)
  }
}
