import type { GroupColour } from '../games/look.ts'

/** What a piece of text is. A theme chooses its colour. These roles are a subset of the roles of the hub. */
export type TextRole =
  | 'text'
  | 'dim'
  | 'board'
  | (typeof seatRoles)[number]
  | 'mark'
  | 'key'
  | GroupColour

const seatRoles = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'] as const

/** Each seat of up to six has a colour of its own. */
export const seatRole = (seat: number): TextRole => seatRoles[seat] ?? 'text'

export interface Span {
  readonly text: string
  readonly role: TextRole
}

/** A grid of characters, one column wide each, that grows as text is written to it. */
export class Sheet {
  readonly #rows: ({ readonly character: string; readonly role: TextRole } | undefined)[][] = []

  put(x: number, y: number, text: string, role: TextRole): void {
    while (this.#rows.length <= y) this.#rows.push([])
    for (const [i, character] of [...text].entries())
      if (x + i >= 0) this.#rows[y]![x + i] = { character, role }
  }

  /** Each row as spans of one role, without trailing blanks. */
  get lines(): readonly (readonly Span[])[] {
    return this.#rows.map(row => {
      const spans: { text: string; role: TextRole }[] = []
      for (const cell of row) {
        const { character, role } = cell ?? { character: ' ', role: 'text' }
        const last = spans.at(-1)
        if (last?.role === role) last.text += character
        else spans.push({ text: character, role })
      }
      while (spans.at(-1)?.text.trim() === '') spans.pop()
      const last = spans.at(-1)
      if (last !== undefined) last.text = last.text.trimEnd()
      return spans
    })
  }
}
