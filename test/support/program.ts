import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

export interface Message {
  readonly type: string
  readonly [field: string]: unknown
}

export interface Exit {
  readonly code: number | null
  readonly messages: readonly Message[]
  readonly stderr: string
}

/** A client process that reads and writes one JSON object on each line. */
export class Program {
  readonly process: ChildProcessWithoutNullStreams
  /** Resolves when the process has ended; text on its stdout that is not JSON is an error. */
  readonly exit: Promise<Exit>
  readonly #messages: Message[] = []
  #read = 0
  #over = false
  #stderr = ''
  #heard: () => void = () => {}

  constructor(command: string, ...args: string[]) {
    this.process = spawn(command, args, { env: { PATH: process.env.PATH, HOME: '/nonexistent' } })
    this.process.stdin.on('error', () => {})
    this.process.stderr.setEncoding('utf8').on('data', text => {
      this.#stderr += text
    })
    this.exit = new Promise((resolve, reject) => {
      this.process.on('error', error => {
        this.#over = true
        reject(error)
        this.#heard()
      })
      createInterface({ input: this.process.stdout }).on('line', line => {
        try {
          this.#messages.push(JSON.parse(line))
        } catch {
          reject(new Error(`not JSON on stdout: ${line}`))
        }
        this.#heard()
      })
      this.process.on('close', code => {
        this.#over = true
        resolve({ code, messages: this.#messages, stderr: this.#stderr })
        this.#heard()
      })
    })
    this.exit.catch(() => {})
  }

  send(message: unknown): void {
    this.process.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`)
  }

  /** The next message; undefined after the last one. */
  async next(): Promise<Message | undefined> {
    while (this.#read === this.#messages.length && !this.#over)
      await new Promise<void>(resolve => {
        this.#heard = resolve
      })
    return this.#messages[this.#read++]
  }

  /** Skips to the next message of this type. */
  async until(type: string): Promise<Message> {
    for (;;) {
      const message = await this.next()
      if (message?.type === type) return message
      if (message === undefined)
        throw new Error(`ended without "${type}": ${JSON.stringify(await this.exit)}`)
    }
  }

  /** Plays the first legal move until there are no more messages. */
  async play(): Promise<Exit> {
    for (let message = await this.next(); message !== undefined; message = await this.next())
      if (message.type === 'state' && message.yourTurn)
        this.send({
          type: 'move',
          move: (message.observation as { legal: readonly string[] }).legal[0],
        })
    return this.exit
  }
}
