import type { Json } from './game.ts'
import { quoted } from './words.ts'

/** The fields of a JSON object, none of them certain. */
export type Fields = { readonly [key: string]: Json | undefined }

/** A JSON object: what a move that cannot be listed comes as. */
export const isRecord = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const isWhole = (value: Json | undefined, low: number, high: number): value is number =>
  Number.isSafeInteger(value) && (value as number) >= low && (value as number) <= high

/** What came instead of the expected, to end a refusal with. */
export const got = (value: Json | undefined): string => {
  if (value === undefined) return 'got nothing'
  if (Array.isArray(value)) return `got a list of ${value.length}`
  if (typeof value === 'string') return `got ${quoted(value)}`
  return isRecord(value) ? 'got an object' : `got ${value}`
}
