import xterm from '@xterm/headless'

/** A terminal emulator without a window, whose screen a test can read. */
export class HeadlessScreen {
  readonly #terminal: xterm.Terminal
  /** Bytes received so far. */
  received = 0

  constructor(columns: number, rows: number, measures: 'today' | 'long ago' = 'today') {
    this.#terminal = new xterm.Terminal({
      cols: columns,
      rows,
      allowProposedApi: true,
      scrollback: 0,
    })
    // By default, emoji have the wrong width.
    this.#terminal.unicode.register({
      version: 'today',
      wcwidth,
      charProperties: (point, preceding) => {
        const width = wcwidth(point)
        const joins = width === 0 && preceding !== 0
        const shown = joins ? (preceding >> 1) & 3 : width
        return (shown << 1) | (joins ? 1 : 0)
      },
    })
    if (measures === 'today') this.#terminal.unicode.activeVersion = 'today'
  }

  /** Resolves when the screen shows all of it. */
  write(text: string): Promise<void> {
    this.received += Buffer.byteLength(text)
    return new Promise(resolve => this.#terminal.write(text, resolve))
  }

  resize(columns: number, rows: number): void {
    this.#terminal.resize(columns, rows)
  }

  get lines(): readonly string[] {
    const { active } = this.#terminal.buffer
    return Array.from(
      { length: this.#terminal.rows },
      (_, y) =>
        active
          .getLine(active.baseY + y)
          ?.translateToString()
          .trimEnd() ?? '',
    )
  }

  get text(): string {
    return this.lines.join('\n')
  }

  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate'
  }
}

const wcwidth = (point: number): 0 | 1 | 2 => {
  const char = String.fromCodePoint(point)
  if (/\p{M}|\p{Cf}/u.test(char)) return 0
  return /\p{Emoji_Presentation}|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]/u.test(
    char,
  )
    ? 2
    : 1
}
