import type { Reaction } from '../arena/reactions.ts'
import type { Clock } from '../clock.ts'
import type { Canvas } from './terminal/canvas.ts'
import type { Role } from './terminal/palette.ts'
import { sanitized } from './terminal/sanitize.ts'
import { widthOf } from './terminal/width.ts'

const shown = 8
/** Milliseconds after which a reaction is gone, and before that fades. */
const lifetime = 10_000

/** The last reactions of spectators to a match, which fade as time passes. */
export class RecentReactions {
  readonly #clock: Clock
  #all: readonly { readonly reaction: Reaction; readonly at: number }[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(reaction: Reaction): void {
    this.#all = [...this.#alive, { reaction, at: this.#clock.now() }].slice(-shown)
  }

  /** How many are still seen. */
  get count(): number {
    return this.#alive.length
  }

  /** Draws them at the right end of a row, the newest last. */
  draw(canvas: Canvas, y: number): void {
    const now = this.#clock.now()
    let x = canvas.width
    for (const { reaction, at } of this.#alive.toReversed()) {
      const text = sanitized(reaction)
      x -= widthOf(text) + 1
      canvas.text(x, y, text, roleAt(now - at))
    }
  }

  get #alive() {
    const now = this.#clock.now()
    return this.#all.filter(({ at }) => now - at < lifetime)
  }
}

/** Terminals draw emoji in their own colours; bold and dim are seen on most. */
const roleAt = (age: number): Role =>
  age < lifetime / 4 ? 'bright' : age < lifetime / 2 ? 'text' : 'dim'
