import type { Played } from '../arena/match-store.ts'

/**
 * The moves of a kept match. Each iteration reads their text from disk and parses one move at a time: a long match,
 * parsed whole, may take ten times the memory of its text, and block the event loop for longer than players should wait.
 */
export class KeptMoves implements Iterable<Played> {
  /** The number of moves. */
  readonly length: number
  /** The size of their text in bytes. */
  readonly size: number
  readonly #read: () => string

  constructor(read: () => string, { length, size }: { length: number; size: number }) {
    this.#read = read
    this.length = length
    this.size = size
  }

  *[Symbol.iterator](): Iterator<Played> {
    for (const element of elementsOf(this.#read())) yield JSON.parse(element)
  }
}

/** The elements of a JSON list, each as text. The list is trusted to be valid JSON. */
function* elementsOf(text: string): Iterable<string> {
  let depth = 0
  let from = -1
  for (let at = text.indexOf('[') + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (from < 0) from = at
      at = endOfString(text, at)
    } else if (code === openList || code === openObject) {
      if (from < 0) from = at
      depth++
    } else if (depth > 0) {
      if (code === closeList || code === closeObject) depth--
    } else if (code === comma || code === closeList) {
      if (from >= 0) yield text.slice(from, at)
      from = -1
    } else if (from < 0 && code > space) from = at
  }
}

/** The position of the closing quote of the string that begins here. */
const endOfString = (text: string, begin: number): number => {
  for (let at = begin + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === backslash) at++
    else if (code === quote || Number.isNaN(code)) return at
  }
}

const [space, quote, comma, backslash] = [0x20, 0x22, 0x2c, 0x5c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]
