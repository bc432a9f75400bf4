import { describe, expect, it } from 'vitest'
import { Soon, systemClock } from './clock.ts'

describe('what is asked to be done soon', () => {
  const setUp = () => {
    const scheduled: (() => void)[] = []
    const done: string[] = []
    const soon = new Soon(run => scheduled.push(run))
    const ask = (name: string, then = () => {}) =>
      soon.do(() => {
        done.push(name)
        then()
      })
    return { soon, scheduled, done, ask }
  }

  it('is done once the code that asks has returned, and scheduled once for all', () => {
    const { scheduled, done, ask } = setUp()
    ask('a')
    ask('b')
    expect([done, scheduled.length]).toEqual([[], 1])
    scheduled[0]!()
    expect(done).toEqual(['a', 'b'])
    ask('c')
    expect(scheduled).toHaveLength(2)
  })

  it('keeps the order of plain calls: what a task asks comes before what was asked after the task', () => {
    const { scheduled, done, ask } = setUp()
    ask('a', () => {
      ask('a1', () => ask('a11'))
      ask('a2')
      done.push('a returns')
    })
    ask('b')
    scheduled[0]!()
    expect(done).toEqual(['a', 'a returns', 'a1', 'a11', 'a2', 'b'])
  })

  it('is done at the end of a turn, after all that was asked before it', () => {
    const { soon, scheduled, done, ask } = setUp()
    ask('before')
    soon.turn(() => {
      done.push('turn')
      ask('asked')
      soon.turn(() => ask('asked in a turn within'))
    })
    expect(done).toEqual(['before', 'turn', 'asked', 'asked in a turn within'])
    scheduled[0]!()
    expect(done).toHaveLength(4)
  })

  it('is done later where another task throws', () => {
    const { soon, scheduled, done, ask } = setUp()
    ask('a', () => {
      throw new Error('a bug')
    })
    ask('b')
    expect(() => soon.turn(() => done.push('turn'))).toThrow('a bug')
    expect(done).toEqual(['a'])
    for (const run of scheduled) run()
    expect(done).toEqual(['a', 'b'])
  })

  it('is done by the system clock before any timer and any input', async () => {
    const done: string[] = []
    setImmediate(() => done.push('immediate'))
    systemClock.soon.do(() => done.push('soon'))
    done.push('return')
    await new Promise(resolve => setTimeout(resolve, 1))
    expect(done.slice(0, 2)).toEqual(['return', 'soon'])
  })
})
