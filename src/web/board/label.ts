import type { Json } from '../../games/game.ts'

/** A move in a few words. */
export const labelOf = (move: Json): string => {
  const line = wordsOf(move)
  return line.length > 40 ? `${[...line].slice(0, 39).join('')}…` : line
}

/** Lists and places as numbers, goods as how many of what, and of all else the values without their names. */
const wordsOf = (value: Json | undefined): string => {
  if (Array.isArray(value)) {
    const parts = value.map(wordsOf)
    return parts.join(value.every(part => typeof part === 'number') ? '-' : ' ')
  }
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  const { row, col, offer, request, direction, action } = value as { [key: string]: Json }
  if (offer !== undefined && request !== undefined)
    return `offers ${goods(offer)} for ${goods(request)}`
  if (row !== undefined && col !== undefined)
    return `${'type' in value ? 'place ' : ''}${row},${col}`
  if ('beatIndex' in value) return wordsOf(direction ?? action)
  return Object.entries(value)
    .filter(([name]) => name !== 'memory' && name !== 'thought' && name !== 'type')
    .map(([, part]) => wordsOf(part))
    .join(' ')
}

const goods = (value: Json): string =>
  Object.entries(value ?? {})
    .map(([good, count]) => `${count} ${good}`)
    .join(' + ') || 'nothing'
