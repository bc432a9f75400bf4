import type { Refusal } from '../arena/codes.ts'
import type { Presence, Visit, Way } from '../wire/people.ts'
import { answer } from './answer.ts'
import { Guard } from './guard.ts'
import type { House } from './house.ts'

/** One command and its answer, for programs and for people in a hurry. */
export class CommandLine implements Presence {
  readonly #way: Way
  #gone: () => void = () => {}
  #drained: () => void = () => {}

  constructor(house: House, visit: Visit, way: Way) {
    this.#way = way
    // With a terminal at the other end nothing else turns the line breaks into what it needs.
    const lines = (text: string) => (visit.screen === null ? text : text.replaceAll('\n', '\r\n'))
    const guard = new Guard(house.clock, error => this.#failed(error))
    const done = answer(
      {
        house: { ...house, clock: guard.clock },
        visit,
        width: visit.screen?.columns,
        reader: {
          write: text => way.write(lines(text)),
          get unsent() {
            return way.unsent
          },
        },
        complain: text => way.note(lines(`${text}\n`)),
        cut: () => way.cut(),
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
      status => way.end(status),
      error => this.#failed(error),
    )
  }

  data(bytes: Buffer): void {
    // A terminal sends Ctrl-C and Ctrl-D as bytes.
    if (bytes.includes(3) || bytes.includes(4)) this.#way.end(130)
  }

  resized(): void {}

  drained(): void {
    this.#drained()
  }

  ended(): void {}

  dismiss({ code, detail }: Refusal): void {
    this.#way.refused(code)
    this.#way.note(`${detail}\r\n`)
    this.#way.end(1)
  }

  closed(): void {
    this.#gone()
    this.#way.end(1)
  }

  #failed(error: unknown): void {
    this.#way.failed(error)
    this.#way.note('a fault of ours; it has been noted\r\n')
    this.#way.end(1)
  }
}
