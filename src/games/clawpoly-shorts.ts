// The names of the squares of Clawpoly on small screens, by which people type them.

import { ownables } from './clawpoly-board.ts'

/** At most six letters for each square, by index. Those that can be owned have one of their own. */
export const shorts: readonly string[] = [
  ...['SAIL', 'TIDAL', 'CHEST', 'MANGRV', 'TAX', 'POSEID', 'NINGAL', 'TIDE', 'REDSEA', 'BELIZE'],
  ...['POT', 'RAJA', 'EEL', 'CORAL', 'TUBBAT', 'MAELST', 'MALDIV', 'CHEST', 'SEYCH', 'GALAP'],
  ...['ANCHOR', 'VENTS', 'TIDE', 'ABYSS', 'DRAGON', 'CHARYB', 'SARGAS', 'PALAU', 'GENER', 'CHAGOS'],
  ...['NET', 'KRAKEN', 'SERPNT', 'CHEST', 'CITADL', 'DRIFT', 'TIDE', 'LEVIAT', 'PEARLS', 'EMPER'],
]

/** The square that a word stands for, which is its number or its short name; null for any other word. */
export const squareTyped = (word: string): number | null =>
  /^\d{1,2}$/.test(word) ? Number(word) : (byShort.get(word.toUpperCase()) ?? null)

const byShort: ReadonlyMap<string, number> = new Map(
  ownables.map(({ index }) => [shorts[index]!, index]),
)
