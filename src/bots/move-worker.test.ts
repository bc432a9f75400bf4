import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { gameOf, games } from '../games/index.ts'
import type { Question } from './best-move.ts'
import { BusyError, MoveWorker } from './move-worker.ts'

const mustBlock: Question = {
  game: 'ttt',
  state: { board: ['X', 'X', '.', '.', 'O', '.', '.', '.', '.'], toMove: 1 },
  seat: 1,
  nodes: 1000,
  seed: 1,
}

it('the worker answers every question from its thread', async () => {
  const moveWorker = new MoveWorker(new FakeClock(), fail)
  const answers = await Promise.all(Array.from({ length: 20 }, () => moveWorker.ask(mustBlock, 1)))
  expect(answers).toEqual(Array(20).fill('2'))
})

it('if the thread dies, only its current question fails, and a new thread starts', async () => {
  const faults: string[] = []
  const moveWorker = new MoveWorker(new FakeClock(), error => faults.push(error.message))
  const answers = await Promise.allSettled([
    moveWorker.ask(mustBlock, 1),
    moveWorker.ask({ ...mustBlock, game: 'none' }, 1),
    moveWorker.ask(mustBlock, 1),
  ])
  expect(answers.map(answer => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(faults).toEqual(['no game "none"'])
})

it('the event loop turns while the worker searches', async () => {
  const moveWorker = new MoveWorker(new FakeClock(), fail)
  await moveWorker.ask(mustBlock, 1)
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const state = games.find(game => game.id === 'chess')!.start(0, 2)
  await moveWorker.ask({ game: 'chess', state, seat: 0, nodes: 20_000, seed: 1 }, 1)
  clearInterval(counting)
  expect(turns).toBeGreaterThan(3)
})

const thinking: Question = {
  game: 'chess',
  state: gameOf('chess')!.start(0, 2),
  seat: 0,
  nodes: 3_000,
  seed: 1,
}

it('another account is answered next, however many questions one account has asked', async () => {
  const moveWorker = new MoveWorker(new FakeClock(), fail)
  const order: number[] = []
  const ask = (account: number) => moveWorker.ask(thinking, account).then(() => order.push(account))
  await Promise.all([...Array.from({ length: 6 }, () => ask(1)), ask(2)])
  expect(order.slice(0, 2)).toEqual([1, 2])
})

it('a question beyond the limits, or one that waits too long, is refused as busy', async () => {
  const clock = new FakeClock()
  const moveWorker = new MoveWorker(clock, fail)
  const asked = Array.from({ length: 40 }, () => moveWorker.ask(thinking, 1))
  const answers = Promise.allSettled(asked)
  clock.pass(10_000)
  const refused = (await answers).filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(39)
  for (const { reason } of refused as PromiseRejectedResult[])
    expect(reason).toBeInstanceOf(BusyError)
  expect(clock.pending).toBe(0)
})

it('a cancelled question is not searched', async () => {
  const moveWorker = new MoveWorker(new FakeClock(), fail)
  const unwanted = new AbortController()
  const first = moveWorker.ask(mustBlock, 1)
  const second = moveWorker.ask({ ...mustBlock, game: 'none' }, 1, unwanted.signal)
  unwanted.abort()
  await expect(second).rejects.toThrow('no longer wanted')
  expect(await first).toBe('2')
  expect(await moveWorker.ask(mustBlock, 1)).toBe('2')
})

const built = new URL('../../dist/src/bots/move-worker.js', import.meta.url)

it.skipIf(!existsSync(built))('the worker also runs from the built files', async () => {
  const { MoveWorker } = await import(built.href)
  expect(await new MoveWorker(new FakeClock(), fail).ask(mustBlock, 1)).toBe('2')
})

const fail = (error: Error) => {
  throw error
}
