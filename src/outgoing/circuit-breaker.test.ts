import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { CircuitBreaker } from './circuit-breaker.ts'

const scene = () => {
  const clock = new FakeClock()
  const breaker = new CircuitBreaker(clock, result => result === 'bad')
  const run = (result: string) => breaker.run(async () => result)
  const failing = async (times: number) => {
    for (let i = 0; i < times; i++) await run('bad')
  }
  return { clock, breaker, run, failing }
}

describe('a circuit', () => {
  it('opens at the fifth failure in a row, for 60 s', async () => {
    const { clock, breaker, failing } = scene()
    await failing(4)
    expect(breaker.wait).toBe(0)
    await failing(1)
    expect(breaker.wait).toBe(60)
    clock.pass(59_500)
    expect(breaker.wait).toBe(1)
    clock.pass(500)
    expect(breaker.wait).toBe(0)
  })

  it('stays closed where a success comes between failures', async () => {
    const { breaker, run, failing } = scene()
    await failing(4)
    await run('good')
    await failing(4)
    expect(breaker.wait).toBe(0)
  })

  it('closes after a trial that succeeds', async () => {
    const { clock, breaker, run, failing } = scene()
    await failing(5)
    clock.pass(60_000)
    expect(await run('good')).toBe('good')
    await failing(4)
    expect(breaker.wait).toBe(0)
  })

  it('opens again after a trial that fails', async () => {
    const { clock, breaker, failing } = scene()
    await failing(5)
    clock.pass(60_000)
    await failing(1)
    expect(breaker.wait).toBe(60)
    clock.pass(60_000)
    await failing(1)
    expect(breaker.wait).toBe(60)
  })

  it('lets one call through as a trial', async () => {
    const { clock, breaker, failing } = scene()
    await failing(5)
    clock.pass(60_000)
    let settle = (_: string) => {}
    const trial = breaker.run(
      () =>
        new Promise<string>(resolve => {
          settle = resolve
        }),
    )
    expect(breaker.wait).toBe(1)
    settle('good')
    await trial
    expect(breaker.wait).toBe(0)
  })

  it('goes by its clock, also when the wall clock is set', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
    onTestFinished(() => void vi.useRealTimers())
    const { clock, breaker, run, failing } = scene()
    await failing(5)
    vi.setSystemTime(2_000_000_000)
    await expect(run('good')).rejects.toThrow()
    vi.setSystemTime(0)
    clock.pass(60_000)
    expect(breaker.wait).toBe(0)
    expect(await run('good')).toBe('good')
  })
})
