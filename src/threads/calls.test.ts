import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import {
  Caller,
  crossesThreads,
  followed,
  inThisThread,
  type Remote,
  remote,
  serve,
} from './calls.ts'

class Refused extends Error {}
crossesThreads(Refused)

class Adder {
  readonly #to = 40
  add(n: number): number {
    return this.#to + n
  }
}

const service = {
  adder: new Adder(),
  later: async (text: string) => `${text}!`,
  keep: (given: { list: number[] }) => given.list.push(1),
  refuse: () => {
    throw new Refused('not today')
  },
  fail: () => {
    throw new TypeError('a bug')
  },
  uncopied: () => () => {},
}
type Service = typeof service

const { port1, port2 } = new MessageChannel()
serve(port1, service)
const caller = new Caller(port2)
afterEach(() => expect(caller.unanswered).toBe(0))

const ways: readonly [string, Remote<Service>][] = [
  ['from another thread', remote((path, given) => caller.call(path, given))],
  ['in this thread', inThisThread(service)],
]

describe.each(ways)('a service called %s', (_, there) => {
  it('answers by a promise, also where a method is called', async () => {
    expect(await there.adder.add(2)).toBe(42)
    expect(await there.later('so')).toBe('so!')
  })

  it('gets a copy of what it is given', async () => {
    const given = { list: [] }
    expect(await there.keep(given)).toBe(1)
    expect(given.list).toEqual([])
  })

  it('throws errors of a class that crosses threads as that class', async () => {
    const error = await there.refuse().catch(error => error)
    expect(error).toBeInstanceOf(Refused)
    expect(error.message).toBe('not today')
  })

  it('throws all other errors with their messages', async () => {
    await expect(there.fail()).rejects.toThrow('a bug')
    await expect((there as never as Remote<{ none(): void }>).none()).rejects.toThrow()
  })

  it('rejects what cannot be copied', async () => {
    await expect(there.later((() => {}) as never)).rejects.toThrow('could not be cloned')
    await expect(there.uncopied()).rejects.toThrow('could not be cloned')
  })

  it('can be awaited itself', async () => {
    expect(await (await there).later('a')).toBe('a!')
  })
})

it('what follows each call of a service comes before its answer, also if that is an error', async () => {
  const order: string[] = []
  const there = followed(inThisThread(service), () => order.push('followed'))
  await there.adder.add(2).then(answer => order.push(`answered ${answer}`))
  await there.refuse().catch(error => order.push(`threw ${error.message}`))
  expect(order).toEqual(['followed', 'answered 42', 'followed', 'threw not today'])
})

it('calls that the other thread leaves unanswered are rejected', async () => {
  const { port1 } = new MessageChannel()
  const caller = new Caller(port1)
  const answer = caller.call('later', ['never'])
  caller.ended(new Error('the thread ended'))
  await expect(answer).rejects.toThrow('the thread ended')
  port1.close()
})

it('closes its ports', () => {
  port1.close()
  port2.close()
})
