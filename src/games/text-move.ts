import type { Json } from './game.ts'

const longest = 64

/**
 * A move that is text, as the one that is meant by it: spaces around it, tabs and line breaks mean nothing. What means
 * none is handed back as it came, so that the refusal can quote it.
 */
export const readText = (move: Json, meant: (text: string) => string | undefined): Json =>
  typeof move === 'string' && move.length <= longest ? (meant(bare(move)) ?? move) : move

export const bare = (text: string): string => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '')
