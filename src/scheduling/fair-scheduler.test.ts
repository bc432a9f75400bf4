import { describe, expect, it } from 'vitest'
import { FairScheduler } from './fair-scheduler.ts'

const setUp = () => {
  const later: (() => void)[] = []
  const done: string[] = []
  const scheduler = new FairScheduler(run => later.push(run))
  return {
    ...{ scheduler, done },
    add: (name: string, source?: string) => scheduler.add(() => void done.push(name), source),
    /** Runs one turn of the event loop. */
    turn: () => later.shift()?.(),
  }
}

describe('the fair scheduler', () => {
  it('one piece of work runs at a time', () => {
    const { add, turn, done } = setUp()
    for (const name of ['a', 'b', 'c']) add(name)
    expect(done).toEqual([])
    turn()
    expect(done).toEqual(['a'])
    add('d')
    for (let i = 0; i < 5; i++) turn()
    expect(done).toEqual(['a', 'b', 'c', 'd'])
  })

  it('sources with work take turns', () => {
    const { add, turn, done } = setUp()
    for (let i = 1; i <= 4; i++) add(`a${i}`, 'a')
    turn()
    for (let i = 1; i <= 2; i++) add(`b${i}`, 'b')
    for (let i = 0; i < 6; i++) turn()
    expect(done).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  it('the next piece waits until asynchronous work is done', async () => {
    const { scheduler, add, turn, done } = setUp()
    let finish = () => {}
    scheduler.add(() => new Promise<void>(resolve => (finish = resolve)))
    add('a')
    for (let i = 0; i < 3; i++) turn()
    expect(done).toEqual([])
    finish()
    await new Promise(setImmediate)
    turn()
    expect(done).toEqual(['a'])
  })

  it('a piece that throws does not stop the scheduler', () => {
    const { scheduler, add, turn, done } = setUp()
    scheduler.add(() => {
      throw new Error('broken')
    })
    add('a')
    expect(turn).toThrow('broken')
    turn()
    expect(done).toEqual(['a'])
  })
})
