import type { AccountId } from '../arena/account.ts'
import { type EntryKind, entryKinds } from './entry.ts'

/** Where entries come from: a connection of an account. */
export interface Source {
  readonly account: AccountId
  readonly connection: string
  /** With which the agent has logged in, to be left out of the log; null for an SSH key. */
  readonly secret: string | null
}

/** Entries on their way to the thread that writes, in the order of time. */
export interface Batch {
  readonly sources: readonly Source[]
  /** For each entry: its source, kind, time and match, and the lengths of its text and of its other fields. */
  readonly numbers: Float64Array
  /** The texts and other fields of all entries, one after the other. */
  readonly text: string
}

/** An entry in a batch. */
export interface Draft {
  readonly source: Source
  readonly kind: EntryKind
  /** Milliseconds since 1970. */
  readonly at: number
  /** Null for none. */
  readonly match: number | null
  readonly text: string | null
  /** Other fields, as they stand in JSON between the braces. */
  readonly fields: string
}

const none = -1
const perEntry = 6

/**
 * Gathers entries. One string and one array of numbers for all of them take half of what objects would: less to make, to copy for the
 * other thread, and to collect.
 */
export class BatchBuilder {
  #sources: Source[] = []
  #numbers = new Float64Array(perEntry * 256)
  #length = 0
  #text = ''

  get isEmpty(): boolean {
    return this.#length === 0
  }

  /** Returns the place of a source, by which its entries are added to this batch. */
  addSource(source: Source): number {
    return this.#sources.push(source) - 1
  }

  add(
    source: number,
    kind: EntryKind,
    at: number,
    match: number | null,
    text: string | null,
    fields: string,
  ): void {
    if (this.#length === this.#numbers.length) {
      const longer = new Float64Array(2 * this.#length)
      longer.set(this.#numbers)
      this.#numbers = longer
    }
    const numbers = this.#numbers
    let n = this.#length
    numbers[n++] = source
    numbers[n++] = entryKinds.indexOf(kind)
    numbers[n++] = at
    numbers[n++] = match ?? none
    numbers[n++] = text?.length ?? none
    numbers[n++] = fields.length
    this.#length = n
    if (text !== null) this.#text += text
    if (fields !== '') this.#text += fields
  }

  /** Takes what there is; what follows is another batch. */
  take(): Batch {
    const numbers = this.#numbers.slice(0, this.#length)
    const batch = { sources: this.#sources, numbers, text: this.#text }
    this.#sources = []
    this.#length = 0
    this.#text = ''
    return batch
  }
}

/** The entries of a batch. */
export function* draftsIn({ sources, numbers, text }: Batch): Generator<Draft> {
  let at = 0
  const take = (length: number) => {
    at += length
    return text.slice(at - length, at)
  }
  for (let n = 0; n < numbers.length; n += perEntry) {
    const match = numbers[n + 3]!
    const length = numbers[n + 4]!
    yield {
      source: sources[numbers[n]!]!,
      kind: entryKinds[numbers[n + 1]!]!,
      at: numbers[n + 2]!,
      match: match === none ? null : match,
      text: length === none ? null : take(length),
      fields: take(numbers[n + 5]!),
    }
  }
}
