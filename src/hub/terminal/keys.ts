import type { Clock, Timer } from '../../clock.ts'

/** What a person does at a keyboard. */
export type Key =
  /** One character that can be seen, a blank included. */
  | { readonly kind: 'char'; readonly char: string }
  | { readonly kind: 'named'; readonly name: KeyName }
  | { readonly kind: 'paste'; readonly text: string }

type KeyName =
  | ('up' | 'down' | 'left' | 'right' | 'home' | 'end' | 'page up' | 'page down')
  | ('enter' | 'escape' | 'tab' | 'back tab' | 'backspace' | 'delete')
  | ('ctrl c' | 'ctrl d' | 'ctrl l' | 'ctrl u' | 'ctrl w')

/** Turns the bytes of a terminal into keys, however they are cut into pieces. */
export class Keys {
  readonly #clock: Clock
  readonly #pressed: (key: Key) => void
  readonly #text = new TextDecoder()
  #pending = ''
  #timer: Timer | null = null
  #closed = false
  /** What has been pasted so far; null outside of a paste. */
  #pasted: string | null = null

  constructor(clock: Clock, pressed: (key: Key) => void) {
    this.#clock = clock
    this.#pressed = pressed
  }

  feed(bytes: Uint8Array): void {
    this.#timer?.cancel()
    this.#timer = null
    this.#pending += this.#text.decode(bytes, { stream: true })
    // A key may be the last one: what was typed behind it is for nobody.
    while (!this.#closed && this.#pending !== '' && this.#next());
    if (this.#closed) return
    // An escape with nothing behind it is the key of that name, unless the rest is still on its way.
    if (this.#pending !== '' && this.#pasted === null)
      this.#timer = this.#clock.after(escapeWithin, () => this.#settle())
  }

  close(): void {
    this.#closed = true
    this.#timer?.cancel()
  }

  /** Takes one key off what is pending; false when it is not whole yet. */
  #next(): boolean {
    if (this.#pasted !== null) return this.#paste()
    const pending = this.#pending
    if (pending[0] !== '\x1b') {
      const char = String.fromCodePoint(pending.codePointAt(0)!)
      this.#pending = pending.slice(char.length)
      // Return is sent as \r; some programs that type for people send \r\n.
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
      const name = sequences.get(simple(sequence))
      if (name !== undefined) this.#pressed({ kind: 'named', name })
    }
    return true
  }

  #paste(): boolean {
    const end = this.#pending.indexOf(pasteEnd)
    // The end may have come in part.
    const upTo = end >= 0 ? end : Math.max(0, this.#pending.length - pasteEnd.length)
    this.#pasted = (this.#pasted + this.#pending.slice(0, upTo)).slice(0, longestPaste)
    this.#pending = this.#pending.slice(end >= 0 ? end + pasteEnd.length : upTo)
    if (end < 0) return false
    const text = this.#pasted
    this.#pasted = null
    this.#pressed({ kind: 'paste', text })
    return true
  }

  #settle(): void {
    this.#timer = null
    const rest = this.#pending.slice(1)
    this.#pending = ''
    this.#pressed({ kind: 'named', name: 'escape' })
    if (rest !== '' && !this.#closed) this.feed(Buffer.from(rest))
  }
}

/** In whatever mode the terminal is, and without the keys that were held down with it. */
const simple = (sequence: string) => sequence.replace('\x1bO', '\x1b[').replace(/1;\d+/, '')

const escapeWithin = 60
const longestSequence = 32
const longestPaste = 16 * 1024
const pasteStart = '\x1b[200~'
const pasteEnd = '\x1b[201~'

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: this is where they are read
const wholeSequence = /^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[A-Za-z])/
const startOfSequence = /^\x1b(?:\[[0-?]*[ -/]*|O)?$/
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: this is where they are read

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
  // As less and vi have them.
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
