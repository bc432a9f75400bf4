import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { games } from '../games/index.ts'
import type { Question } from './best-move.ts'
import { Thinker } from './thinker.ts'

const mustBlock: Question = {
  game: 'ttt',
  state: { board: ['X', 'X', '.', '.', 'O', '.', '.', '.', '.'], toMove: 1 },
  seat: 1,
  nodes: 1000,
  seed: 1,
}

it('answers from its thread, as often as it is asked', async () => {
  const thinker = new Thinker(fail)
  const answers = await Promise.all(Array.from({ length: 20 }, () => thinker.ask(mustBlock)))
  expect(answers).toEqual(Array(20).fill('2'))
})

it('outlives its thread, and refuses only the question that killed it', async () => {
  const faults: string[] = []
  const thinker = new Thinker(error => faults.push(error.message))
  const answers = await Promise.allSettled([
    thinker.ask(mustBlock),
    thinker.ask({ ...mustBlock, game: 'none' }),
    thinker.ask(mustBlock),
  ])
  expect(answers.map(answer => answer.status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(faults).toEqual(['no game "none"'])
})

it('leaves the one who asks free to do other things', async () => {
  const thinker = new Thinker(fail)
  await thinker.ask(mustBlock)
  let turns = 0
  const counting = setInterval(() => turns++, 1)
  const state = games.find(game => game.id === 'chess')!.start(0, 2)
  await thinker.ask({ game: 'chess', state, seat: 0, nodes: 20_000, seed: 1 })
  clearInterval(counting)
  expect(turns).toBeGreaterThan(3)
})

const built = new URL('../../dist/src/bots/thinker.js', import.meta.url)

it.skipIf(!existsSync(built))('runs from what was built as well', async () => {
  const { Thinker } = await import(built.href)
  expect(await new Thinker(fail).ask(mustBlock)).toBe('2')
})

const fail = (error: Error) => {
  throw error
}
