import type { WireRefusal } from '../protocols/codes.ts'
import type { Connection } from '../protocols/connection.ts'
import type { HubSession, SessionRequest } from '../wire/hub-session.ts'
import type { HubContext } from './context.ts'
import { RunningCommand, runCommand } from './run-command.ts'

/** A session of one command and its answer. */
export class CommandSession implements HubSession {
  readonly #connection: Connection
  readonly #running: RunningCommand

  constructor(hub: HubContext, request: SessionRequest, connection: Connection) {
    this.#connection = connection
    const printError = (text: string) => connection.note(text)
    this.#running = new RunningCommand(hub, request, connection, printError)
    runCommand(this.#running, request.command).then(
      status => connection.end(status),
      error => {
        connection.failed(error)
        this.#running.printError('internal error: it has been logged')
        connection.end(1)
      },
    )
  }

  receive(bytes: Buffer): void {
    // A terminal sends Ctrl-C and Ctrl-D as bytes.
    if (bytes.includes(3) || bytes.includes(4)) this.#connection.end(130)
  }

  drained(): void {
    this.#running.drained()
  }

  dismiss({ code, detail }: WireRefusal): void {
    this.#connection.refused(code)
    this.#connection.note(`${detail}\r\n`)
    this.#connection.end(1)
  }

  closed(): void {
    this.#running.closed()
    this.#connection.end(1)
  }
}
