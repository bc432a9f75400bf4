import type { Json } from '../games/game.ts'

/** What is different in a later value: `=` holds a new value, anything else the parts that differ, by key or index. */
export type Delta = { readonly [key: string]: Delta | { readonly '=': Json | undefined } }

/** Undefined when nothing is different. */
export const changes = (before: Json, after: Json): Delta | undefined => {
  if (before === after) return undefined
  if (!alike(before, after)) return { '=': after } as unknown as Delta
  const parts: Record<string, Delta> = {}
  let some = false
  for (const key of Object.keys(after as object)) {
    const part = changes(at(before, key), at(after, key))
    if (part === undefined) continue
    parts[key] = part
    some = true
  }
  return some ? parts : undefined
}

/** The later value, sharing with the earlier one whatever is the same. */
export const changed = (before: Json, delta: Delta): Json => {
  if ('=' in delta) return (delta as { '=': Json })['=']
  const copy: Record<string, Json> | Json[] = Array.isArray(before)
    ? [...before]
    : { ...(before as object) }
  for (const [key, part] of Object.entries(delta))
    (copy as Record<string, Json>)[key] = changed(at(before, key), part as Delta)
  return copy
}

/** Two objects with the same keys, or two lists of the same length. */
const alike = (a: Json, b: Json): boolean => {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const keys = Object.keys(b)
  return Object.keys(a).length === keys.length && keys.every(key => Object.hasOwn(a, key))
}

const at = (value: Json, key: string): Json => (value as { [key: string]: Json })[key] ?? null
