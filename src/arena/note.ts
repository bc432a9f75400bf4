import { quoted, unbroken } from '../games/words.ts'

/** What players wrote beside their moves, by the number of the move. Most matches have none. */
export type Notes = { readonly [ply: number]: string }

export const noNotes: Notes = {}

/** As it is kept: JSON, or null where there are none. */
export const notesText = (notes: Notes): string | null => {
  for (const _ in notes) return JSON.stringify(notes)
  return null
}

/** In characters, once it is cleaned. */
const longestNote = 280

/** A note as it is kept, undefined where it says nothing; or why it is refused. */
export const readNote = (raw: unknown): string | undefined | { readonly problem: string } => {
  if (raw === undefined) return undefined
  if (typeof raw !== 'string')
    return {
      problem: `a note is a string, got ${quoted(JSON.stringify(raw))}: send text, or leave it out; the move was not played`,
    }
  const note = unbroken(raw).trim()
  const length = [...note].length
  if (length > longestNote)
    return {
      problem: `a note has at most ${longestNote} characters, got ${length}: ${quoted(note)}; shorten it, or leave it out; the move was not played`,
    }
  return note === '' ? undefined : note
}

/** What spectators are told with a move or an end: the note of the move before it. */
export const noteBefore = (notes: Notes, ply: number): { readonly noteBefore?: string } => {
  const note = notes[ply - 1]
  return note === undefined ? {} : { noteBefore: note }
}
