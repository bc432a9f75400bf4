import type { Hint } from './screen.ts'
import type { Canvas } from './terminal/canvas.ts'
import type { Key } from './terminal/keys.ts'
import { widthOf } from './terminal/width.ts'
import { TextInput } from './text-input.ts'

/** A text input with a label, at the bottom of a screen. Enter submits the text, Esc cancels. */
export class InputForm {
  readonly hints: readonly Hint[]
  readonly #label: string
  readonly #input: TextInput
  readonly #maxLength: number
  readonly #submit: (text: string) => void
  #isOpen = true

  constructor(label: string, maxLength: number, action: string, submit: (text: string) => void) {
    this.hints = [
      ['Enter', action],
      ['Esc', 'cancel'],
    ]
    this.#label = label
    this.#maxLength = maxLength
    this.#input = new TextInput(maxLength)
    this.#submit = submit
  }

  get isOpen(): boolean {
    return this.#isOpen
  }

  press(key: Key): void {
    if (this.#input.press(key) || key.kind !== 'named') return
    if (key.name === 'enter' || key.name === 'escape') this.#isOpen = false
    if (key.name === 'enter') this.#submit(this.#input.text.trim())
  }

  /** Draws the input after the label, or on the next row if there are two. */
  draw(canvas: Canvas): void {
    canvas.text(0, 0, this.#label, 'title')
    const x = canvas.height > 1 ? 0 : widthOf(this.#label) + 1
    this.#input.draw(
      canvas,
      x,
      canvas.height - 1,
      Math.min(this.#maxLength + 2, canvas.width - x - 1),
    )
  }
}
