import { randomUUID } from 'node:crypto'
import { SlicedText } from '../scheduling/sliced-text.ts'
import type { TextSlice } from '../scheduling/text-stream.ts'
import type { LongBody } from './answer.ts'

/** Long bodies that another thread takes slice by slice. Another thread stops those that it does not take to their end. */
export class Texts {
  readonly #open = new Map<string, SlicedText>()

  /** Its id is that of no text of an earlier thread. */
  open({ holds, begin }: LongBody): string {
    const id = randomUUID()
    this.#open.set(id, new SlicedText(holds, begin))
    return id
  }

  next(id: string): TextSlice {
    const text = this.#open.get(id)
    if (text === undefined) throw new Error('this text was begun in a thread that has ended')
    let isOver = true
    try {
      const next = text.next()
      isOver = next.isLast
      return next
    } finally {
      if (isOver) this.#open.delete(id)
    }
  }

  stop(id: string): void {
    this.#open.get(id)?.stop()
    this.#open.delete(id)
  }
}
