import type { Json } from '../games/game.ts'

/** The difference between two values: `=` holds a new value, other keys hold the differences of parts, by key or index. */
export type Delta = { readonly [key: string]: Delta | { readonly '=': Json | undefined } }

/** The difference from `before` to `after`; undefined if there is none. */
export const differenceBetween = (before: Json, after: Json): Delta | undefined => {
  if (before === after) return undefined
  if (!haveSameShape(before, after)) return { '=': after } as unknown as Delta
  const parts: Record<string, Delta> = {}
  for (const key of Object.keys(after as object)) {
    const part = differenceBetween(at(before, key), at(after, key))
    if (part === undefined) continue
    parts[key] = part
  }
  return Object.keys(parts).length > 0 ? parts : undefined
}

/** The value after a difference. It shares all equal parts with the value before. */
export const applyDelta = (before: Json, delta: Delta): Json => {
  if ('=' in delta) return (delta as { '=': Json })['=']
  const copy: Record<string, Json> | Json[] = Array.isArray(before)
    ? [...before]
    : { ...(before as object) }
  for (const [key, part] of Object.entries(delta))
    (copy as Record<string, Json>)[key] = applyDelta(at(before, key), part as Delta)
  return copy
}

/** Two objects with the same keys, or two lists of the same length. */
const haveSameShape = (a: Json, b: Json): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(b)
  return Object.keys(a).length === keys.length && keys.every(key => Object.hasOwn(a, key))
}

const at = (value: Json, key: string): Json => (value as { [key: string]: Json })[key] ?? null
