import type { Clock, Timer } from '../../clock.ts'

/** A key that was pressed, or a pasted text. */
export type Key =
  /** A printable character or a blank. */
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'named'; readonly name: KeyName }
  | { readonly kind: 'paste'; readonly text: string }

type KeyName =
  | ('up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'page up' | 'page down')
  | ('enter' | 'escape' | 'tab' | 'back tab' | 'backspace' | 'delete')
  | ('ctrl c' | 'ctrl d' | 'ctrl l' | 'ctrl u' | 'ctrl w')

/** The name of a named key, or the character; empty for a paste. */
export const keyName = (key: Key): string =>
  key.kind === 'named' ? key.name : key.kind === 'char' ? key.char : ''

/** By how many rows a key scrolls a list; null if it does not scroll. */
export const scrollStep = (key: Key, page: number, length: number): number | null => {
  switch (keyName(key)) {
    case 'up':
    case 'k':
      return -1
    case 'down':
    case 'j':
      return 1
    case 'page up':
      return -page
    case 'page down':
    case ' ':
      return page
    case 'home':
    case 'g':
      return -length
    case 'end':
    case 'G':
      return length
    default:
      return null
  }
}

/** Decodes the bytes of a terminal into keys, however the bytes are split. */
export class KeyDecoder {
  readonly #clock: Clock
  readonly #pressed: (key: Key) => void
  readonly #text = new TextDecoder()
  #pending = ''
  #timer: Timer | null = null
  #closed = false
  /** The text of a paste that has not ended; null outside of a paste. */
  #pasted: string | null = null

  constructor(clock: Clock, pressed: (key: Key) => void) {
    this.#clock = clock
    this.#pressed = pressed
  }

  feed(bytes: Uint8Array): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#pending += this.#text.decode(bytes, { stream: true })
    // A key may end the session. The keys after it are dropped.
    while (!this.#closed && this.#pending !== '' && this.#next());
    if (this.#closed) return
    // An escape alone is the Esc key, unless the rest of a sequence follows soon.
    if (this.#pending !== '' && this.#pasted === null)
      this.#timer = this.#clock.after(escapeTimeout, () => this.#flush())
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
  }

  /** Decodes one pending key. Answers false if it is not complete yet. */
  #next(): boolean {
    if (this.#pasted !== null) return this.#paste()
    const pending = this.#pending
    if (pending[0] !== '\x1b') {
      const char = String.fromCodePoint(pending.codePointAt(0)!)
      this.#pending = pending.slice(char.length)
      // Return is sent as \r. Some programs that type for people send \r\n.
      if (char === '\r' && this.#pending[0] === '\n') this.#pending = this.#pending.slice(1)
      const name = controls.get(char)
      if (name !== undefined) this.#pressed({ kind: 'named', name })
      else if (char >= ' ' && !(char >= '\x7f' && char < '\xa0'))
        this.#pressed({ kind: 'char', char })
      return true
    }
    const sequence = wholeSequence.exec(pending)?.[0]
    if (sequence === undefined) {
      if (startOfSequence.test(pending) && pending.length < longestSequence) return false
      this.#pending = pending.slice(1)
      this.#pressed({ kind: 'named', name: 'escape' })
      return true
    }
    this.#pending = pending.slice(sequence.length)
    if (sequence === pasteStart) this.#pasted = ''
    else {
      const name = sequences.get(normalized(sequence))
      if (name !== undefined) this.#pressed({ kind: 'named', name })
    }
    return true
  }

  #paste(): boolean {
    const end = this.#pending.indexOf(pasteEnd)
    // The end marker may have arrived in part.
    const upTo = end >= 0 ? end : Math.max(0, this.#pending.length - pasteEnd.length)
    this.#pasted = (this.#pasted + this.#pending.slice(0, upTo)).slice(0, longestPaste)
    this.#pending = this.#pending.slice(end >= 0 ? end + pasteEnd.length : upTo)
    if (end < 0) return false
    const text = this.#pasted
    this.#pasted = null
    this.#pressed({ kind: 'paste', text })
    return true
  }

  #flush(): void {
    this.#timer = null
    const rest = this.#pending.slice(1)
    this.#pending = ''
    this.#pressed({ kind: 'named', name: 'escape' })
    if (rest !== '' && !this.#closed) this.feed(Buffer.from(rest))
  }
}

/** The sequence without modifier keys, and as it is outside of application mode. */
const normalized = (sequence: string) => sequence.replace('\x1bO', '\x1b[').replace(/1;\d+/, '')

/** Milliseconds in which the rest of an escape sequence arrives. */
const escapeTimeout = 60
const longestSequence = 32
const longestPaste = 16 * 1024
const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: escape sequences are parsed here
const wholeSequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-Za-z])/
const startOfSequence = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: escape sequences are parsed here

const controls = new Map<string, KeyName>([
  ['\r', 'enter'],
  ['\n', 'enter'],
  ['\t', 'tab'],
  ['\x7f', 'backspace'],
  ['\b', 'backspace'],
  ['\x03', 'ctrl c'],
  ['\x04', 'ctrl d'],
  ['\x0c', 'ctrl l'],
  ['\x15', 'ctrl u'],
  ['\x17', 'ctrl w'],
  // As in less and vi.
  ['\x06', 'page down'],
  ['\x02', 'page up'],
])

const sequences = new Map<string, KeyName>([
  ['\x1b[A', 'up'],
  ['\x1b[B', 'down'],
  ['\x1b[C', 'right'],
  ['\x1b[D', 'left'],
  ['\x1b[H', 'home'],
  ['\x1b[F', 'end'],
  ['\x1b[1~', 'home'],
  ['\x1b[7~', 'home'],
  ['\x1b[4~', 'end'],
  ['\x1b[8~', 'end'],
  ['\x1b[3~', 'delete'],
  ['\x1b[5~', 'page up'],
  ['\x1b[6~', 'page down'],
  ['\x1b[Z', 'back tab'],
  ['\x1b[M', 'enter'],
])
