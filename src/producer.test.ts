import { describe, expect, it } from 'vitest'
import { FakeClock } from '../test/support/fake-clock.ts'
import { Producer, type ProducerLimits } from './producer.ts'
import { Turns } from './turns.ts'

const setUp = (limits: Partial<ProducerLimits> = {}) => {
  const clock = new FakeClock()
  const later: (() => void)[] = []
  const used = new Map<string | undefined, number>()
  let left = 0
  const producer = new Producer(
    new Turns(run => later.push(run)),
    clock,
    {
      left: () => left,
      use: (source, ms) => used.set(source, (used.get(source) ?? 0) + ms),
    },
    limits,
  )
  return {
    ...{ clock, producer, used },
    over: (seconds: number) => {
      left = seconds
    },
    turn: () => later.shift()?.(),
    /** Until nothing waits for its turn. */
    turns: (most = 10_000) => {
      for (let n = 0; n < most && later.length > 0; n++) later.shift()!()
    },
  }
}

/** Reads nothing until it is told to. */
class SlowReader {
  text = ''
  unsent = 0
  write(text: string): void {
    this.text += text
    this.unsent += text.length
  }
}

const endless = function* (made: { n: number }) {
  for (;;) {
    made.n++
    yield 'x'.repeat(1024)
  }
}

const pieces =
  (...texts: string[]) =>
  () =>
    texts

describe('a text stream', () => {
  it('a text arrives complete and in order', async () => {
    const { producer, turns } = setUp()
    const reader = new SlowReader()
    const { done } = producer.produce('a', { holds: 5, begin: pieces('one ', '', 'two') }, reader)
    expect(reader.text).toBe('')
    turns()
    expect(await done).toBeNull()
    expect(reader.text).toBe('one two')
    expect(producer.held()).toBe(0)
  })

  it('a text is produced no faster than it is read', async () => {
    const { producer, turns } = setUp()
    const reader = new SlowReader()
    const made = { n: 0 }
    const producing = producer.produce('a', { holds: 0, begin: () => endless(made) }, reader)
    turns()
    expect(made.n).toBeGreaterThan(100)
    expect(made.n).toBeLessThan(200)
    const before = made.n
    reader.unsent = 0
    producing.drained()
    turns()
    expect(made.n).toBeGreaterThan(before)
    expect(made.n).toBeLessThan(2 * before + 50)
    producing.gone()
    expect(await producing.done).toBe('gone')
  })

  it('a long text yields to the event loop, and its time counts for its source', () => {
    const { producer, turn, used } = setUp()
    let made = 0
    const busy = function* () {
      for (; made < 1_000; made++) {
        for (const until = performance.now() + 1; performance.now() < until; );
        yield ''
      }
    }
    producer.produce('a', { holds: 0, begin: busy }, new SlowReader())
    turn()
    // Each piece takes a millisecond at least.
    expect(made).toBeLessThan(10)
    expect(used.get('a')).toBeGreaterThanOrEqual(4)
  })

  it('a text stops when its reader is gone, and frees its memory', async () => {
    const { producer, turns, turn } = setUp()
    let closed = false
    const begin = function* () {
      try {
        yield* endless({ n: 0 })
      } finally {
        closed = true
      }
    }
    const producing = producer.produce('a', { holds: 7, begin }, new SlowReader())
    turn()
    expect(producer.held()).toBe(7)
    producing.gone()
    turns()
    expect(await producing.done).toBe('gone')
    expect([closed, producer.held()]).toEqual([true, 0])
  })

  it.each([
    ['stops reading', 60_000],
    ['reads for too long', 300_000],
  ])('is given up when its reader %s', async (how, ms) => {
    const { producer, turns, clock } = setUp()
    const reader = new SlowReader()
    const producing = producer.produce('a', { holds: 1, begin: () => endless({ n: 0 }) }, reader)
    turns()
    for (let passed = 0; passed < ms - 10_000; passed += 10_000) {
      clock.pass(10_000)
      if (how === 'stops reading') continue
      reader.unsent = 0
      producing.drained()
      turns()
    }
    expect(producing.over).toBe(false)
    clock.pass(10_000)
    expect(await producing.done).toBe('too-slow')
    expect(producer.held()).toBe(0)
    expect(clock.pending).toBe(0)
  })

  it('a text that is too long is stopped', async () => {
    const { producer, turns } = setUp({ length: 100_000 })
    const reader = { unsent: 0, write: () => {} }
    const { done } = producer.produce('a', { holds: 0, begin: () => endless({ n: 0 }) }, reader)
    turns()
    expect(await done).toBe('too-long')
  })

  it('a text waits while its source has used up its page time', () => {
    const { producer, turns, clock, over } = setUp()
    over(3)
    const reader = new SlowReader()
    producer.produce('a', { holds: 0, begin: pieces('x') }, reader)
    turns()
    expect(reader.text).toBe('')
    over(0)
    clock.pass(3_000)
    turns()
    expect(reader.text).toBe('x')
  })

  it('an error while a text is produced is reported', async () => {
    const { producer, turns } = setUp()
    const begin = function* () {
      yield 'x'
      throw new Error('broken')
    }
    const { done } = producer.produce('a', { holds: 3, begin }, new SlowReader())
    turns()
    await expect(done).rejects.toThrow('broken')
    expect(producer.held()).toBe(0)
  })
})

describe('the memory of text streams', () => {
  const slow = (producer: Producer, source: string, holds: number) => {
    const made = { n: 0 }
    const producing = producer.produce(
      source,
      { holds, begin: () => endless(made) },
      new SlowReader(),
    )
    return { made, producing }
  }

  it('a source at its share of the memory waits, and other sources do not wait for it', () => {
    const { producer, turns } = setUp({ held: 100 })
    const [first, second] = [slow(producer, 'a', 20), slow(producer, 'a', 20)]
    const other = slow(producer, 'b', 20)
    turns()
    expect([first, second, other].map(({ made }) => made.n > 0)).toEqual([true, false, true])
    expect([producer.held('a'), producer.held()]).toEqual([20, 40])
    first.producing.gone()
    turns()
    expect(second.made.n).toBeGreaterThan(0)
  })

  it('streams never hold more than the memory limit, and one that is larger runs alone', () => {
    const { producer, turns } = setUp({ held: 100 })
    const many = Array.from({ length: 9 }, (_, i) => slow(producer, `s${i}`, 25))
    const large = slow(producer, 'large', 1_000)
    turns()
    expect(producer.held()).toBe(100)
    expect(large.made.n).toBe(0)
    for (const { producing } of many) producing.gone()
    turns()
    expect(producer.held()).toBe(1_000)
    expect(large.made.n).toBeGreaterThan(0)
  })

  it('a waiting text whose reader is gone never begins', () => {
    const { producer, turns } = setUp({ held: 100 })
    const [first, second] = [slow(producer, 'a', 100), slow(producer, 'b', 100)]
    second.producing.gone()
    first.producing.gone()
    turns()
    expect(second.made.n).toBe(0)
    expect(producer.held()).toBe(0)
  })
})
