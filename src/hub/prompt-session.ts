import type { WireRefusal } from '../protocols/codes.ts'
import type { Connection } from '../protocols/connection.ts'
import type { HubSession, SessionRequest } from '../wire/hub-session.ts'
import type { HubContext } from './context.ts'
import { ErrorBoundary } from './error-boundary.ts'
import { RunningCommand, runCommand } from './run-command.ts'
import { type Key, KeyDecoder } from './terminal/keys.ts'

/** A prompt for commands, on dumb terminals: it sends no escape sequences. */
export class PromptSession implements HubSession {
  readonly #hub: HubContext
  readonly #request: SessionRequest
  readonly #connection: Connection
  readonly #boundary: ErrorBoundary
  readonly #keys: KeyDecoder
  #line = ''
  #running: RunningCommand | null = null
  /** Keys typed while a command runs. */
  readonly #typedAhead: Key[] = []

  constructor(hub: HubContext, request: SessionRequest, connection: Connection) {
    this.#hub = hub
    this.#request = request
    this.#connection = connection
    this.#boundary = new ErrorBoundary(hub.clock, error => this.#failed(error))
    this.#keys = new KeyDecoder(this.#boundary.clock, key => this.#press(key))
    this.#print('AgentBBS. Type help, or quit.')
    this.#prompt()
  }

  receive(bytes: Buffer): void {
    this.#boundary.run(() => this.#keys.feed(bytes))
  }

  drained(): void {
    this.#running?.drained()
  }

  inputEnded(): void {
    this.#end(0)
  }

  dismiss({ code, detail }: WireRefusal): void {
    this.#connection.refused(code)
    this.#print(`\n${detail}`)
    this.#end(1)
  }

  closed(): void {
    this.#keys.close()
    this.#boundary.close()
    this.#running?.closed()
    this.#connection.end(1)
  }

  #press(key: Key): void {
    if (key.kind === 'named' && (key.name === 'ctrl c' || key.name === 'ctrl d')) {
      this.#typedAhead.length = 0
      if (this.#running !== null) this.#running.closed()
      else {
        this.#print('')
        this.#end(0)
      }
    } else if (this.#running !== null) {
      if (this.#typedAhead.length < mostTypedAhead) this.#typedAhead.push(key)
    } else if (key.kind === 'char') this.#type(key.char)
    else if (key.kind === 'paste') this.#type(key.text.replace(/[^ -~]/g, ''))
    else if (key.name === 'enter') this.#enter()
    else if (key.name === 'backspace' && this.#line !== '') {
      this.#line = this.#line.slice(0, -1)
      this.#connection.send('\b \b')
    }
  }

  #type(text: string): void {
    if (this.#line.length + text.length > 500 || /[^ -~]/.test(text)) return
    this.#line += text
    this.#connection.send(text)
  }

  #enter(): void {
    const line = this.#line.trim()
    this.#line = ''
    this.#print('')
    if (/^(quit|exit|q)$/.test(line)) this.#end(0)
    else if (line === '') this.#prompt()
    else this.#run(line)
  }

  #run(line: string): void {
    const printError = (text: string) => this.#connection.send(text)
    this.#running = new RunningCommand(this.#hub, this.#request, this.#connection, printError)
    runCommand(this.#running, line).then(
      () =>
        this.#boundary.run(() => {
          this.#running = null
          this.#prompt()
          for (const key of this.#typedAhead.splice(0)) this.#boundary.run(() => this.#press(key))
        }),
      error => this.#failed(error),
    )
  }

  #prompt(): void {
    this.#connection.send('> ')
  }

  #print(text: string): void {
    this.#connection.send(`${text}\n`.replaceAll('\n', '\r\n'))
  }

  #end(status: number): void {
    this.#connection.end(status)
    this.#boundary.close()
  }

  #failed(error: unknown): void {
    this.#connection.failed(error)
    this.#print('internal error: it has been logged')
    this.#end(1)
  }
}

const mostTypedAhead = 500
