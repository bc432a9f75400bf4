import { afterEach, beforeEach, expect, it } from 'vitest'
import { type TestClient, TestHub } from '../../test/support/test-hub.ts'
import { type Questions, questionsOf } from '../store/questions.ts'
import { inThisThread, type Remote, remote } from '../threads/calls.ts'

/** A hub whose questions wait for the test to let them be answered. */
let hub: TestHub
let client: TestClient
let held: (() => void)[]
let isSlow: boolean

beforeEach(async () => {
  held = []
  isSlow = false
  const questions: Remote<Questions> = remote(async (path, given) => {
    if (isSlow) await new Promise<void>(resolve => held.push(resolve))
    const answers: object = inThisThread(questionsOf(hub.store, hub.ownerLogs))
    return (answers as Record<string, (...given: unknown[]) => unknown>)[path]!(...given)
  })
  hub = await TestHub.open({ questions })
  // Accounts a100 to a229, the best first: three pages of a ladder.
  const rate = hub.store.db.file.prepare(
    "insert into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (?, 'ttt', ?, 50, 0, 0, 50, 0)",
  )
  for (let n = 100; n < 230; n++) rate.run(hub.account(`a${n}`).id, 3000 - n)
  client = hub.connect(null, 80, 60)
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

/** Opens the ladder of ttt. */
const openLadder = async () => {
  const at = hub.store.ladders.all().findIndex(({ id }) => id === 'ttt')
  expect(await client.type('l', ...Array(at).fill('<down>'), '<enter>')).toContain('1–50 of 130')
}

const answerOne = async () => {
  held.shift()!()
  return client.text()
}

it('opens a screen when its answer comes, and then gives it the keys typed until then', async () => {
  isSlow = true
  expect(await client.type('f', 'a', '2', '0')).toContain('Menu')
  expect(held).toHaveLength(1)
  isSlow = false
  expect(await answerOne()).toMatch(/Name: a20.*▸ a200$/ms)
})

it('drops the question of a screen that is not open yet by Esc', async () => {
  isSlow = true
  expect(await client.type('l')).toContain('Menu')
  const menu = await client.type('<esc>')
  expect(await answerOne()).toBe(menu)
  expect(await client.type('?')).toContain('Choose with the arrows')
})

it('drops an answer to a screen that is closed by then', async () => {
  await openLadder()
  isSlow = true
  await client.type(']')
  expect(await client.type('<esc>')).toContain('Ranked')
  const menu = await client.type('<esc>')
  expect(menu).toContain('Menu')
  while (held.length > 0) await answerOne()
  expect(await client.text()).toBe(menu)
})

it('pages on by as many pages as were asked for, and shows no page between', async () => {
  await openLadder()
  isSlow = true
  expect(await client.type(']', ']')).toContain('1–50 of 130')
  expect(await answerOne()).toContain('1–50 of 130')
  expect(await answerOne()).toContain('101–130 of 130')
  expect(held).toEqual([])
  expect(await client.type('[', '[', '[', ']')).toContain('101–130 of 130')
  await answerOne()
  expect(await answerOne()).toContain('51–100 of 130')
})

it('opens what is on the screen, while another page is on its way', async () => {
  await openLadder()
  isSlow = true
  await client.type(']', '<down>', '<enter>')
  await answerOne()
  expect(await answerOne()).toMatch(/^.*a101/)
  isSlow = false
  expect(await client.type('<esc>')).toContain('51–100 of 130')
})

it('opens the account whose letters were typed before Enter, listed or not', async () => {
  await client.type('f')
  isSlow = true
  await client.type('a', '2', '2', '9', '<enter>')
  isSlow = false
  for (const resolve of held.splice(0)) resolve()
  expect(await client.text()).toMatch(/^.*a229/)
})

it('ends a session whose question fails, and logs why', async () => {
  Object.defineProperty(hub.store.ladders, 'all', {
    value: () => {
      throw new Error('a fault')
    },
  })
  expect(await client.type('l')).toContain('internal error')
  expect(client.status).toBe(1)
  expect(hub.failures.splice(0)).toMatchObject([{ message: 'a fault' }])
})

it('logs nothing of a question that fails after the session', async () => {
  isSlow = true
  await client.type('l')
  client.session.closed()
  Object.defineProperty(hub.store.ladders, 'all', { value: undefined })
  await answerOne()
  expect(hub.failures).toEqual([])
})
