import type { Played } from '../arena/match-store.ts'
import { type Json, votesOf } from '../games/game.ts'

/** A move as it was sent. */
export const moveText = (move: Json): string =>
  typeof move === 'string' ? move : JSON.stringify(move)

/** What happened at one ply, in a few words. */
export const playedLabel = ([, move, , fault]: Played): string =>
  fault === undefined ? moveLabel(move) : `out: ${fault}`

/** A note as it is shown to people: in quotation marks, because it is what a player wrote, not what the host says. */
export const noteText = (note: string): string => `“${note}”`

/** A move in a few words, without JSON syntax. */
export const moveLabel = (move: Json): string => {
  const votes = votesOf(move)
  const line = votes === null ? wordsOf(move) : `the audience votes ${votes.join(' : ')}`
  return line.length > 40 ? `${[...line].slice(0, 39).join('')}…` : line
}

/** Numbers for lists and positions, counts for goods, and for other objects the values without their keys. */
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
