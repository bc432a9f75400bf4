import type { MessagePort, Worker } from 'node:worker_threads'

/** The functions of a service as another thread calls them: each answers with a promise. Arguments and answers are copied. */
export type Remote<S> = {
  readonly [K in keyof S]: S[K] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Awaited<Answer>>
    : Remote<S[K]>
}

/** Calls a function of a service by its path, such as `users.find`. */
type Call = (path: string, given: readonly unknown[]) => Promise<unknown>

/** An error class that stays the same class when it crosses threads. It is made from its message alone. */
type Crossing = new (message: string) => Error

const crossing = new Map<string, Crossing>()

/** To be called in both threads, as where the class is defined. */
export const crossesThreads = (kind: Crossing): void => {
  crossing.set(kind.name, kind)
}

/** Where messages go to and come from: a port, or a worker. */
type Port = MessagePort | Worker

interface Question {
  readonly call: number
  readonly path: string
  readonly given: readonly unknown[]
}

type Answer = { readonly call: number } & ({ readonly value: unknown } | { readonly error: Sent })

/** An error on its way: not all kinds can be copied. */
type Sent = Readonly<Record<'kind' | 'message' | 'stack', string>>

/**
 * Messages to another thread, which leave together: to wake a thread costs more than all else. `uncopied` is called for
 * each message that cannot be copied.
 */
class Outbox<Message> {
  readonly #port: Port
  readonly #later: (post: () => void) => void
  readonly #uncopied: (message: Message, why: Error) => void
  #messages: Message[] = []
  readonly #post = () => {
    const messages = this.#messages
    this.#messages = []
    try {
      this.#port.postMessage(messages)
    } catch {
      for (const message of messages) this.#postAlone(message)
    }
  }

  /** `later` runs a function once all is added that belongs together. */
  constructor(
    port: Port,
    later: (post: () => void) => void,
    uncopied: (message: Message, why: Error) => void,
  ) {
    this.#port = port
    this.#later = later
    this.#uncopied = uncopied
  }

  add(message: Message): void {
    if (this.#messages.push(message) === 1) this.#later(this.#post)
  }

  #postAlone(message: Message): void {
    try {
      this.#port.postMessage([message])
    } catch (error) {
      this.#uncopied(message, error as Error)
    }
  }
}

/** Answers the calls that come in at a port. */
export const serve = (port: Port, service: object): void => {
  const outbox = new Outbox<Answer>(port, process.nextTick, ({ call }, why) =>
    outbox.add({ call, error: sent(why) }),
  )
  const answer = ({ call, path, given }: Question) =>
    run(service, path, given).then(
      value => outbox.add({ call, value }),
      error => outbox.add({ call, error: sent(error) }),
    )
  port.on('message', (questions: readonly Question[]) => {
    for (const question of questions) void answer(question)
  })
}

/** Calls a service that another thread serves at a port. */
export class Caller {
  readonly #open = new Map<number, { resolve(value: unknown): void; reject(why: Error): void }>()
  readonly #outbox: Outbox<Question>
  #calls = 0

  constructor(port: Port) {
    // All calls of one turn of the event loop leave together.
    this.#outbox = new Outbox(port, setImmediate, ({ call }, why) => this.#take(call).reject(why))
    port.on('message', (answers: readonly Answer[]) => {
      for (const answer of answers) {
        const { resolve, reject } = this.#take(answer.call)
        if ('error' in answer) reject(received(answer.error))
        else resolve(answer.value)
      }
    })
  }

  /** How many calls have not been answered. */
  get unanswered(): number {
    return this.#open.size
  }

  call(path: string, given: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = ++this.#calls
      this.#open.set(call, { resolve, reject })
      this.#outbox.add({ call, path, given })
    })
  }

  /** Rejects the calls that have not been answered: the other thread has ended. */
  ended(why: Error): void {
    for (const { reject } of this.#open.values()) reject(why)
    this.#open.clear()
  }

  #take(call: number) {
    const waiting = this.#open.get(call)!
    this.#open.delete(call)
    return waiting
  }
}

/** A service in this thread, called as it would be from another. */
export const inThisThread = <S extends object>(service: S): Remote<S> =>
  remote(async (path, given) => structuredClone(await run(service, path, structuredClone(given))))

/** The same service; `done` is called after each call, before its answer is given. */
export const followed = <S extends object>(service: Remote<S>, done: () => void): Remote<S> =>
  remote(async (path, given) => {
    try {
      return await run(service, path, given)
    } finally {
      done()
    }
  })

/** A service whose functions are called by their paths. */
export const remote = <S extends object>(call: Call): Remote<S> => branch(call, '') as Remote<S>

/** Each function is made once, when it is first named. */
const branch = (call: Call, path: string): object => {
  const known = new Map<string, object>()
  return new Proxy((...given: unknown[]) => call(path, given), {
    get: (_, name) => {
      // A promise that resolves with a service asks whether it is a promise, too.
      if (typeof name === 'symbol' || name === 'then') return undefined
      let below = known.get(name)
      if (below === undefined) {
        below = branch(call, path === '' ? name : `${path}.${name}`)
        known.set(name, below)
      }
      return below
    },
  })
}

const run = async (service: object, path: string, given: readonly unknown[]): Promise<unknown> => {
  const names = path.split('.')
  const last = names.pop()!
  let group: unknown = service
  for (const name of names) group = (group as Record<string, unknown>)[name]
  return (group as Record<string, (...given: readonly unknown[]) => unknown>)[last]!(...given)
}

const sent = (error: unknown): Sent => {
  const known = error instanceof Error ? error : new Error(String(error))
  const { message, stack = message } = known
  return { kind: known.constructor.name, message, stack }
}

const received = ({ kind, message, stack }: Sent): Error => {
  const Kind = crossing.get(kind) ?? Error
  return Object.assign(new Kind(message), { stack })
}
