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

/** Answers the calls that come in at a port. */
export const serve = (port: Port, service: object): void => {
  port.on('message', ({ call, path, given }: Question) => {
    void run(service, path, given)
      .then(value => port.postMessage({ call, value }))
      .catch(error => port.postMessage({ call, error: sent(error) }))
  })
}

/** Calls a service that another thread serves at a port. */
export class Caller {
  readonly #port: Port
  readonly #open = new Map<number, { resolve(value: unknown): void; reject(why: Error): void }>()
  #calls = 0

  constructor(port: Port) {
    this.#port = port
    port.on('message', (answer: Answer) => {
      const { resolve, reject } = this.#open.get(answer.call)!
      this.#open.delete(answer.call)
      if ('error' in answer) reject(received(answer.error))
      else resolve(answer.value)
    })
  }

  /** How many calls have not been answered. */
  get unanswered(): number {
    return this.#open.size
  }

  call(path: string, given: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const call = ++this.#calls
      // First, because it throws for what cannot be copied.
      this.#port.postMessage({ call, path, given } satisfies Question)
      this.#open.set(call, { resolve, reject })
    })
  }

  /** Rejects the calls that have not been answered: the other thread has ended. */
  ended(why: Error): void {
    for (const { reject } of this.#open.values()) reject(why)
    this.#open.clear()
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
