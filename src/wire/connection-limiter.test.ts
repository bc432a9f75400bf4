import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { guardedWith } from '../../test/support/limits.ts'
import type { Limits } from '../config.ts'
import { unmetered } from '../meter.ts'
import { ConnectionSlot } from './connection-limiter.ts'

const setUp = (limits: Partial<Limits> = {}) => {
  const clock = new FakeClock()
  const logged: { [field: string]: unknown }[] = []
  const log = pino({}, { write: line => logged.push(JSON.parse(line)) })
  const told: string[] = []
  const { connectionLimiter } = guardedWith(clock, log, limits, {
    ...unmetered,
    refused: code => told.push(code),
    loginFailed: wire => told.push(wire),
  })
  const cut: string[] = []
  const come = (
    source: string | undefined,
    name = source ?? '',
    entrance: 'ssh' | 'http' = 'ssh',
  ) => connectionLimiter.admit(entrance, source, { destroy: () => void cut.push(name) })
  return {
    ...{ clock, logged, told, connectionLimiter, cut, come },
    /** So many logins from there that fail, one after the other. */
    fail: (source: string, times = 1, weight = 1) => {
      for (let i = 0; i < times; i++) {
        const slot = come(source)
        if (!(slot instanceof ConnectionSlot)) throw new Error(slot.code)
        slot.loginFailed(weight)
        slot.left()
      }
    },
    locked: (source: string) => connectionLimiter.lockout('ssh', source)?.retryAfter ?? 0,
  }
}
const code = (answer: object) => ('code' in answer ? answer.code : 'in')

describe('a lockout', () => {
  it('begins with the tenth failed login, ends by itself, and lasts twice as long each time', () => {
    const { clock, fail, locked } = setUp()
    fail('a', 9)
    expect(locked('a')).toBe(0)
    fail('a')
    for (const seconds of [30, 60, 120, 240, 480, 960, 1920, 3600, 3600]) {
      expect(locked('a')).toBe(seconds)
      expect(locked('b')).toBe(0)
      clock.pass(seconds * 1000 - 1)
      expect(locked('a')).toBe(1)
      clock.pass(1)
      expect(locked('a')).toBe(0)
      fail('a')
    }
  })

  it('is forgotten after ten minutes without a failure', () => {
    const { clock, fail, locked } = setUp()
    fail('a', 10)
    clock.pass(30_000 + 600_000)
    fail('a', 9)
    expect(locked('a')).toBe(0)
    fail('a')
    expect(locked('a')).toBe(30)
  })

  it('does not begin for failures that are far apart in time', () => {
    const { clock, fail, locked } = setUp()
    for (let i = 0; i < 200; i++) {
      fail('a')
      clock.pass(60_000)
    }
    expect(locked('a')).toBe(0)
  })

  it('does not grow by logins that were under way when it began', () => {
    const { clock, fail, locked } = setUp()
    fail('a', 250)
    expect(locked('a')).toBe(30)
    clock.pass(30_000)
    fail('a')
    expect(locked('a')).toBe(60)
  })

  it('is put off by successful logins from the same address', () => {
    const { come, fail, locked } = setUp()
    for (let i = 0; i < 100; i++) {
      fail('lab')
      const slot = come('lab') as ConnectionSlot
      slot.loginSucceeded()
      slot.left()
    }
    expect(locked('lab')).toBe(0)
  })

  it('is put off by one failure for each login that succeeds, and no more', () => {
    const { come, fail, locked } = setUp()
    fail('lab', 9)
    ;(come('lab') as ConnectionSlot).loginSucceeded()
    fail('lab')
    expect(locked('lab')).toBe(0)
    fail('lab')
    expect(locked('lab')).toBe(30)
  })

  it('counts five small failures as one', () => {
    const { fail, locked } = setUp()
    fail('a', 49, 0.2)
    expect(locked('a')).toBe(0)
    fail('a', 2, 0.2)
    expect(locked('a')).toBe(30)
  })

  it('counts a connection once, and not at all when the host has closed it', () => {
    const { come, locked } = setUp({ lockoutAfter: 2 })
    const slot = come('a') as ConnectionSlot
    slot.loginFailed()
    slot.loginFailed()
    slot.loginSkipped()
    const other = come('a') as ConnectionSlot
    other.left()
    other.loginFailed()
    expect(locked('a')).toBe(0)
  })

  it('is remembered for the ten thousand sources that failed last', () => {
    const { fail, locked } = setUp({ lockoutAfter: 1 })
    for (let i = 0; i <= 10_000; i++) fail(`source ${i}`)
    expect([locked('source 0'), locked('source 1'), locked('source 10000')]).toEqual([0, 30, 30])
  })
})

describe('unauthenticated connections', () => {
  it('are limited for each address, and stop counting when they log in or close', () => {
    const { come } = setUp({ unauthenticatedPerAddress: 2 })
    const [one, two] = [come('a') as ConnectionSlot, come('a') as ConnectionSlot]
    expect(come('a')).toMatchObject({ code: 'too-many-connections', retryAfter: 15 })
    expect(code(come('b'))).toBe('in')
    one.authenticated()
    expect(code(come('a'))).toBe('in')
    expect(code(come('a'))).toBe('too-many-connections')
    two.left()
    two.left()
    expect(code(come('a'))).toBe('in')
    expect(code(come('a'))).toBe('too-many-connections')
  })

  it('beyond the limit in all close the oldest one of the address that has the most', () => {
    const { come, cut } = setUp({ unauthenticated: 4 })
    for (const name of ['a1', 'a2', 'a3']) come('a', name)
    come('b')
    expect([code(come('c')), cut]).toEqual(['in', ['a1']])
    expect(code(come('a'))).toBe('full')
    expect([code(come('d')), cut]).toEqual(['in', ['a1', 'a2']])
    expect([code(come('e')), cut]).toEqual(['full', ['a1', 'a2']])
  })

  it('have limits of their own for each port', () => {
    const { come } = setUp({ unauthenticated: 1, requests: 1 })
    expect([code(come('a')), code(come('b', 'b', 'http'))]).toEqual(['in', 'in'])
    expect([code(come('c')), code(come('c', 'c', 'http'))]).toEqual(['full', 'full'])
  })

  it('without a source count in all alone', () => {
    const { come } = setUp({
      unauthenticatedPerAddress: 1,
      connectionsPerAddress: 1,
      unauthenticated: 3,
    })
    expect([1, 2, 3, 4].map(() => code(come(undefined)))).toEqual(['in', 'in', 'in', 'full'])
  })
})

describe('the rate of SSH connections', () => {
  it('limits each address, however soon its connections close', () => {
    const { clock, come } = setUp({ sshConnectionRate: 2 })
    const connect = (source: string) => {
      const slot = come(source)
      if (slot instanceof ConnectionSlot) slot.left()
      return 'code' in slot ? [slot.code, slot.retryAfter] : 'in'
    }
    for (let i = 0; i < 101; i++) expect(connect('a')).toBe('in')
    expect(connect('a')).toEqual(['too-many-connections', 1])
    expect(connect('b')).toBe('in')
    expect(code(come('a', 'a', 'http'))).toBe('in')
    clock.pass(500)
    expect(connect('a')).toBe('in')
    expect(connect('a')).toEqual(['too-many-connections', 1])
  })
})

describe('connections', () => {
  it('are counted for each address after the login too, and in all', () => {
    const { come } = setUp({ connectionsPerAddress: 2, connections: 3 })
    const [one] = [come('a'), come('a')] as ConnectionSlot[]
    one!.authenticated()
    expect(code(come('a'))).toBe('too-many-connections')
    expect([code(come('b')), code(come('c'))]).toEqual(['in', 'full'])
    one!.left()
    expect(code(come('a'))).toBe('in')
  })
})

describe('pages', () => {
  it('for one source may take as long as it has time left, which comes back second by second', () => {
    const { clock, connectionLimiter, told } = setUp({ pageTime: 100 })
    connectionLimiter.pageTime.use('a', 4_999)
    expect(connectionLimiter.pageRefusal('http', 'a')).toBeUndefined()
    connectionLimiter.pageTime.use('a', 201)
    expect(connectionLimiter.pageRefusal('http', 'a')).toEqual({
      code: 'too-fast',
      detail: 'pages for your address have taken too long to be made: try again in 2 s',
      retryAfter: 2,
    })
    expect(told).toEqual(['too-fast'])
    expect(connectionLimiter.pageRefusal('http', 'b')).toBeUndefined()
    clock.pass(2_000)
    expect(connectionLimiter.pageRefusal('http', 'a')).toBeUndefined()
    connectionLimiter.pageTime.use('a', 1_000)
    expect(connectionLimiter.pageRefusal('http', 'a')).toMatchObject({ retryAfter: 10 })
    // Time that was not used is not saved up beyond that.
    clock.pass(1_000_000)
    connectionLimiter.pageTime.use('a', 5_100)
    expect(connectionLimiter.pageRefusal('http', 'a')).toMatchObject({ retryAfter: 1 })
  })

  it('for a client without a source may take any time', () => {
    const { connectionLimiter } = setUp({ pageTime: 1 })
    connectionLimiter.pageTime.use(undefined, 1_000_000)
    expect(connectionLimiter.pageRefusal('http', undefined)).toBeUndefined()
  })

  it('are remembered for the ten thousand sources that asked last', () => {
    const { connectionLimiter } = setUp({ pageTime: 1 })
    for (let i = 0; i <= 10_000; i++) connectionLimiter.pageTime.use(`source ${i}`, 1_000)
    const left = ['source 0', 'source 1', 'source 10000'].map(
      name => connectionLimiter.pageRefusal('http', name)?.code,
    )
    expect(left).toEqual([undefined, 'too-fast', 'too-fast'])
  })
})

describe('a refused connection', () => {
  it('is logged once a minute for each source, and then only counted', () => {
    const { clock, come, logged, told, connectionLimiter } = setUp({ unauthenticatedPerAddress: 1 })
    come('a')
    for (let i = 0; i < 500; i++) come('a')
    expect(logged).toMatchObject([{ wire: 'ssh', address: 'a', code: 'too-many-connections' }])
    expect(told).toHaveLength(500)
    clock.pass(60_000)
    expect(logged.slice(1)).toMatchObject([{ more: { 'too-many-connections': 499 } }])
    clock.pass(60_000)
    expect(logged).toHaveLength(2)
    come('a')
    expect(logged).toHaveLength(3)
    connectionLimiter.close()
    expect(clock.pending).toBe(0)
  })

  it('from many sources does not flood the log', () => {
    const { clock, come, logged } = setUp({ unauthenticated: 1 })
    for (let i = 0; i <= 1000; i++) come(`source ${i}`)
    expect(logged).toHaveLength(10)
    clock.pass(60_000)
    expect(logged.slice(10)).toMatchObject([{ more: { full: 990 } }])
  })
})
