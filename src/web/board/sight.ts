// Reading what a game shows, which reaches the browser as bare JSON.

import type { Json, View } from '../../games/game.ts'

/** A position as the audience sees it, and the move that led to it. */
export interface Position {
  readonly view: View
  /** What was last played, in the game's own notation; null at the start, or where it is not to be seen. */
  readonly last: Json
}

export type Fields = { readonly [key: string]: Json | undefined }

export const fields = (value: Json | undefined): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const list = (value: Json | undefined): readonly Json[] =>
  Array.isArray(value) ? value : []

export const text = (value: Json | undefined): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value)

export const number = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)

/** A board as rows of text. */
export const rows = (value: Json | undefined): readonly (readonly string[])[] =>
  list(value).map(row => list(row).map(text))
