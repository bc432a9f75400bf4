import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { AgentError } from './agent-error.ts'
import { Retry } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Tries until it is given up, and answers how often. */
const triesUntil = async (retry: Retry, error: unknown): Promise<number> => {
  let tries = 0
  const given = (async () => {
    for (;;) {
      tries++
      await retry.after(error)
    }
  })()
  given.catch(() => {})
  await vi.runAllTimersAsync()
  await expect(given).rejects.toBe(error)
  return tries
}

const full = new AgentError('full', 'full', { retryAfter: 10 })

it('a host that names a time is asked again after it, until patience ends', async () => {
  expect(await triesUntil(new Retry(), full)).toBe(13)
  expect(await triesUntil(new Retry(30), full)).toBe(4)
  expect(await triesUntil(new Retry(0), full)).toBe(1)
})

it('patience starts anew after a success', async () => {
  const retry = new Retry(30)
  await triesUntil(retry, full)
  retry.reset()
  expect(await triesUntil(retry, full)).toBe(4)
})

it('without a time a refusal waits longer each time, and a cut is tried again soon', async () => {
  const refusals = await triesUntil(new Retry(), new AgentError('http-503', 'full'))
  const cuts = await triesUntil(new Retry(), new AgentError('connection-closed', 'cut'))
  expect([6, 7]).toContain(refusals)
  expect(cuts).toBeGreaterThan(18)
  expect(cuts).toBeLessThan(32)
})

it('what does not pass is not tried again', async () => {
  for (const error of [new AgentError('banned', 'no'), new Error('no idea')])
    expect(await triesUntil(new Retry(), error)).toBe(1)
})

it('aborting ends the wait, and leaves no timer', async () => {
  const controller = new AbortController()
  const waiting = new Retry(120, controller.signal).after(full)
  controller.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  expect(vi.getTimerCount()).toBe(0)
})
