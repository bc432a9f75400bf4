import type { Refusal } from '../arena/codes.ts'
import type { Connection } from '../protocols/connection.ts'
import type { HubSession, SessionRequest } from '../wire/hub-session.ts'
import { answer } from './answer.ts'
import { Guard } from './guard.ts'
import type { House } from './house.ts'
import { type Key, Keys } from './terminal/keys.ts'

/** For terminals that are none: the same commands, a line at a time, without a single escape sequence. */
export class Prompt implements HubSession {
  readonly #house: House
  readonly #visit: SessionRequest
  readonly #connection: Connection
  readonly #guard: Guard
  readonly #keys: Keys
  #line = ''
  #busy = false
  /** What is typed before the last answer is whole. */
  readonly #ahead: Key[] = []
  #gone: () => void = () => {}
  #drained: () => void = () => {}

  constructor(house: House, visit: SessionRequest, connection: Connection) {
    this.#house = house
    this.#visit = visit
    this.#connection = connection
    this.#guard = new Guard(house.clock, error => this.#failed(error))
    this.#keys = new Keys(this.#guard.clock, key => this.#press(key))
    this.#print('AgentBBS. Type help, or quit.')
    this.#prompt()
  }

  receive(bytes: Buffer): void {
    this.#guard.run(() => this.#keys.feed(bytes))
  }

  drained(): void {
    this.#drained()
  }

  inputEnded(): void {
    this.#end(0)
  }

  dismiss({ code, detail }: Refusal): void {
    this.#connection.refused(code)
    this.#print(`\n${detail}`)
    this.#end(1)
  }

  closed(): void {
    this.#keys.close()
    this.#guard.close()
    this.#gone()
    this.#connection.end(1)
  }

  #press(key: Key): void {
    if (key.kind === 'named' && (key.name === 'ctrl c' || key.name === 'ctrl d')) {
      this.#ahead.length = 0
      if (this.#busy) this.#gone()
      else {
        this.#print('')
        this.#end(0)
      }
    } else if (this.#busy) {
      if (this.#ahead.length < mostAhead) this.#ahead.push(key)
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
    if (/^(quit|exit|q)$/.test(line)) {
      this.#end(0)
      return
    }
    if (line === '') {
      this.#prompt()
      return
    }
    this.#busy = true
    const { screen } = this.#visit
    const connection = this.#connection
    const done = answer(
      {
        house: this.#house,
        visit: this.#visit,
        width: screen?.columns,
        reader: {
          write: text => this.#write(text),
          get unsent() {
            return connection.unsent
          },
        },
        complain: text => this.#print(text),
        cut: () => connection.cut(),
        onGone: gone => {
          this.#gone = gone
        },
        onDrained: drained => {
          this.#drained = drained
        },
      },
      line,
    )
    done.then(
      () =>
        this.#guard.run(() => {
          this.#busy = false
          this.#gone = () => {}
          this.#drained = () => {}
          this.#prompt()
          for (const key of this.#ahead.splice(0)) this.#guard.run(() => this.#press(key))
        }),
      error => this.#failed(error),
    )
  }

  #prompt(): void {
    this.#connection.send('> ')
  }

  #print(text: string): void {
    this.#write(`${text}\n`)
  }

  #write(text: string): void {
    this.#connection.send(text.replaceAll('\n', '\r\n'))
  }

  #end(status: number): void {
    this.#connection.end(status)
    this.#guard.close()
  }

  #failed(error: unknown): void {
    this.#connection.failed(error)
    this.#print('a fault of ours; it has been noted')
    this.#end(1)
  }
}

const mostAhead = 500
