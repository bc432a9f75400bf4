import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { FairScheduler } from './fair-scheduler.ts'
import { SlicedText } from './sliced-text.ts'
import { type TextSlice, TextStreamer, type TextStreamLimits } from './text-stream.ts'

const setUp = (limits: Partial<TextStreamLimits> = {}) => {
  const clock = new FakeClock()
  const later: (() => void)[] = []
  const used = new Map<string | undefined, number>()
  let left = 0
  const textStreamer = new TextStreamer(
    new FairScheduler(run => later.push(run)),
    clock,
    {
      left: () => left,
      use: (source, ms) => used.set(source, (used.get(source) ?? 0) + ms),
    },
    limits,
  )
  return {
    ...{ clock, textStreamer, used },
    over: (seconds: number) => {
      left = seconds
    },
    turn: () => later.shift()?.(),
    /** Runs turns until no work waits. */
    turns: (most = 10_000) => {
      for (let n = 0; n < most && later.length > 0; n++) later.shift()!()
    },
  }
}

/** A reader that reads only when the test tells it to. */
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
    const { textStreamer, turns } = setUp()
    const reader = new SlowReader()
    const { done } = textStreamer.stream('a', new SlicedText(5, pieces('one ', '', 'two')), reader)
    expect(reader.text).toBe('')
    turns()
    expect(await done).toBeNull()
    expect(reader.text).toBe('one two')
    expect(textStreamer.held()).toBe(0)
  })

  it('a text is produced no faster than it is read', async () => {
    const { textStreamer, turns } = setUp()
    const reader = new SlowReader()
    const made = { n: 0 }
    const textStream = textStreamer.stream('a', new SlicedText(0, () => endless(made)), reader)
    turns()
    expect(made.n).toBeGreaterThan(100)
    expect(made.n).toBeLessThan(200)
    const before = made.n
    reader.unsent = 0
    textStream.drained()
    turns()
    expect(made.n).toBeGreaterThan(before)
    expect(made.n).toBeLessThan(2 * before + 50)
    textStream.gone()
    expect(await textStream.done).toBe('gone')
  })

  it('a long text yields to the event loop, and its time counts for its source', () => {
    const { textStreamer, turn, used } = setUp()
    let made = 0
    const busy = function* () {
      for (; made < 1_000; made++) {
        for (const until = performance.now() + 1; performance.now() < until; );
        yield ''
      }
    }
    textStreamer.stream('a', new SlicedText(0, busy), new SlowReader())
    turn()
    // Each piece takes at least 1 ms.
    expect(made).toBeLessThan(10)
    expect(used.get('a')).toBeGreaterThanOrEqual(4)
  })

  it('a text stops when its reader is gone, and frees its memory', async () => {
    const { textStreamer, turns, turn } = setUp()
    let closed = false
    const begin = function* () {
      try {
        yield* endless({ n: 0 })
      } finally {
        closed = true
      }
    }
    const textStream = textStreamer.stream('a', new SlicedText(7, begin), new SlowReader())
    turn()
    expect(textStreamer.held()).toBe(7)
    textStream.gone()
    turns()
    expect(await textStream.done).toBe('gone')
    expect([closed, textStreamer.held()]).toEqual([true, 0])
  })

  it.each([
    ['stops reading', 60_000],
    ['reads for too long', 300_000],
  ])('a text stops when its reader %s', async (how, ms) => {
    const { textStreamer, turns, clock } = setUp()
    const reader = new SlowReader()
    const textStream = textStreamer.stream('a', new SlicedText(1, () => endless({ n: 0 })), reader)
    turns()
    for (let passed = 0; passed < ms - 10_000; passed += 10_000) {
      clock.pass(10_000)
      if (how === 'stops reading') continue
      reader.unsent = 0
      textStream.drained()
      turns()
    }
    expect(textStream.over).toBe(false)
    clock.pass(10_000)
    expect(await textStream.done).toBe('too-slow')
    expect(textStreamer.held()).toBe(0)
    expect(clock.pending).toBe(0)
  })

  it('a text that is too long is stopped', async () => {
    const { textStreamer, turns } = setUp({ length: 100_000 })
    const reader = { unsent: 0, write: () => {} }
    const { done } = textStreamer.stream('a', new SlicedText(0, () => endless({ n: 0 })), reader)
    turns()
    expect(await done).toBe('too-long')
  })

  it('a text waits while its source has used up its page time', () => {
    const { textStreamer, turns, clock, over } = setUp()
    over(3)
    const reader = new SlowReader()
    textStreamer.stream('a', new SlicedText(0, pieces('x')), reader)
    turns()
    expect(reader.text).toBe('')
    over(0)
    clock.pass(3_000)
    turns()
    expect(reader.text).toBe('x')
  })

  it('an error while a text is produced is reported', async () => {
    const { textStreamer, turns } = setUp()
    const begin = function* () {
      yield 'x'
      throw new Error('broken')
    }
    const { done } = textStreamer.stream('a', new SlicedText(3, begin), new SlowReader())
    turns()
    await expect(done).rejects.toThrow('broken')
    expect(textStreamer.held()).toBe(0)
  })
})

describe('a text that another thread makes', () => {
  /** Its slices come when the test says so. */
  const remote = () => {
    const asked: { resolve(slice: TextSlice): void; reject(error: Error): void }[] = []
    const stopped = { n: 0 }
    return {
      ...{ asked, stopped },
      text: {
        holds: 5,
        next: () => new Promise<TextSlice>((resolve, reject) => asked.push({ resolve, reject })),
        stop: () => void stopped.n++,
      },
      answer: async (text: string, isLast = false) => {
        asked.at(-1)!.resolve({ text, isLast, ms: 2 })
        for (let i = 0; i < 5; i++) await Promise.resolve()
      },
    }
  }

  it('is asked for one slice at a time, and no faster than it is read', async () => {
    const { textStreamer, turns, used } = setUp()
    const reader = new SlowReader()
    const { text, asked, stopped, answer } = remote()
    const textStream = textStreamer.stream('a', text, reader)
    turns()
    turns()
    expect(asked).toHaveLength(1)
    await answer('x'.repeat(200_000))
    turns()
    expect([asked.length, textStreamer.held()]).toEqual([1, 5])
    reader.unsent = 0
    textStream.drained()
    turns()
    expect(asked).toHaveLength(2)
    await answer('end', true)
    expect(await textStream.done).toBeNull()
    expect(reader.text).toBe(`${'x'.repeat(200_000)}end`)
    expect([used.get('a'), stopped.n, textStreamer.held()]).toEqual([4, 0, 0])
  })

  it('is stopped when its reader is gone, also before its first slice and while one is made', async () => {
    const { textStreamer, turns } = setUp()
    const [early, late] = [remote(), remote()]
    textStreamer.stream('a', early.text, new SlowReader()).gone()
    const reader = new SlowReader()
    const textStream = textStreamer.stream('a', late.text, reader)
    turns()
    expect([early.asked.length, late.asked.length]).toEqual([0, 1])
    textStream.gone()
    await late.answer('x')
    turns()
    expect([early.stopped.n, late.stopped.n, late.asked.length, reader.text]).toEqual([1, 1, 1, ''])
  })

  it('fails if that thread ends', async () => {
    const { textStreamer, turns } = setUp()
    const { text, asked } = remote()
    const { done } = textStreamer.stream('a', text, new SlowReader())
    turns()
    asked[0]!.reject(new Error('the thread ended'))
    await expect(done).rejects.toThrow('the thread ended')
    expect(textStreamer.held()).toBe(0)
  })
})

describe('the memory of text streams', () => {
  const slow = (textStreamer: TextStreamer, source: string, holds: number) => {
    const made = { n: 0 }
    const textStream = textStreamer.stream(
      source,
      new SlicedText(holds, () => endless(made)),
      new SlowReader(),
    )
    return { made, textStream }
  }

  it('a source at its share of the memory waits, and other sources do not wait for it', () => {
    const { textStreamer, turns } = setUp({ held: 100 })
    const [first, second] = [slow(textStreamer, 'a', 20), slow(textStreamer, 'a', 20)]
    const other = slow(textStreamer, 'b', 20)
    turns()
    expect([first, second, other].map(({ made }) => made.n > 0)).toEqual([true, false, true])
    expect([textStreamer.held('a'), textStreamer.held()]).toEqual([20, 40])
    first.textStream.gone()
    turns()
    expect(second.made.n).toBeGreaterThan(0)
  })

  it('streams never hold more than the memory limit, and one that is larger runs alone', () => {
    const { textStreamer, turns } = setUp({ held: 100 })
    const many = Array.from({ length: 9 }, (_, i) => slow(textStreamer, `s${i}`, 25))
    const large = slow(textStreamer, 'large', 1_000)
    turns()
    expect(textStreamer.held()).toBe(100)
    expect(large.made.n).toBe(0)
    for (const { textStream } of many) textStream.gone()
    turns()
    expect(textStreamer.held()).toBe(1_000)
    expect(large.made.n).toBeGreaterThan(0)
  })

  it('a waiting text whose reader is gone never begins', () => {
    const { textStreamer, turns } = setUp({ held: 100 })
    const [first, second] = [slow(textStreamer, 'a', 100), slow(textStreamer, 'b', 100)]
    second.textStream.gone()
    first.textStream.gone()
    turns()
    expect(second.made.n).toBe(0)
    expect(textStreamer.held()).toBe(0)
  })
})
