import { expect, it } from 'vitest'
import { FairQueue } from './fair-queue.ts'

/** Serves all waiting items, each at its cost, and returns their accounts in order. */
const serve = (queue: FairQueue<number>, times: number): readonly number[] =>
  Array.from({ length: times }, () => {
    const { account, item } = queue.take()!
    queue.spend(account, item)
    return account
  })

it('accounts are served in turn, however many items one of them has', () => {
  const queue = new FairQueue<number>(100, 1000)
  for (let i = 0; i < 100; i++) queue.add(1, 5)
  for (let i = 0; i < 3; i++) queue.add(2, 5)
  expect(serve(queue, 7)).toEqual([1, 2, 1, 2, 1, 2, 1])
})

it('accounts get equal time, not equal numbers of items', () => {
  const queue = new FairQueue<number>(100, 1000)
  for (let i = 0; i < 10; i++) {
    queue.add(1, 100)
    queue.add(2, 10)
  }
  expect(serve(queue, 12)).toEqual([1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1])
})

it('an account saves up no time while it has no items', () => {
  const queue = new FairQueue<number>(100, 1000)
  for (let i = 0; i < 100; i++) queue.add(1, 10)
  serve(queue, 50)
  for (let i = 0; i < 10; i++) queue.add(2, 10)
  expect(serve(queue, 6)).toEqual([2, 1, 2, 1, 2, 1])
})

it('a full queue drops the newest item of the account with the most items', () => {
  const queue = new FairQueue<string>(3, 4)
  for (const item of ['a', 'b', 'c']) expect(queue.add(1, item)).toBeUndefined()
  expect(queue.add(1, 'd')).toBe('d')
  expect(queue.add(2, 'e')).toBeUndefined()
  expect(queue.add(3, 'f')).toBe('c')
  expect(Array.from({ length: 5 }, () => queue.take()?.item)).toEqual([
    'a',
    'b',
    'e',
    'f',
    undefined,
  ])
})

it('a removed item is never served', () => {
  const queue = new FairQueue<string>(3, 4)
  queue.add(1, 'a')
  queue.add(1, 'b')
  expect(queue.remove(1, 'a')).toBe(true)
  expect(queue.remove(1, 'a')).toBe(false)
  expect(queue.take()?.item).toBe('b')
  expect(queue.take()).toBeUndefined()
})
