// How the same things are said on every screen.

import type { Played } from '../arena/keeper.ts'
import { faultText } from '../arena/quick.ts'
import type { Json } from '../games/game.ts'
import type { MatchRecord } from '../store/matches.ts'

/** "0:07", or "–" where no move is owed. */
export const clockText = (ms: number | null): string => {
  if (ms === null) return '–'
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** How long ago, in one word. */
export const agoText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / 60 / 24)} d ago`
}

export const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** A move as far as `playedText` tells it. */
export const briefMove = ([seat, move, ms, fault]: Played): Played =>
  fault === undefined ? [seat, briefly(move).slice(0, longestBrief), ms] : [seat, null, ms, fault]

const longestBrief = 200

export const playedText = ([, move, , fault]: Played): string => fault ?? briefly(move)

/**
 * What a move says, without how it is written: `{"type":"place","position":{"row":3,"col":7}}` is "place 3 7". What an
 * agent thinks and remembers with it is no part of it.
 */
const briefly = (move: Json | undefined): string =>
  typeof move === 'object' && move !== null
    ? Object.entries(move)
        .filter(([name, part]) => part !== undefined && name !== 'thought' && name !== 'memory')
        .map(([, part]) => briefly(part))
        .join(' ')
    : String(move)

/** Why it does not count, or how it was forfeited; empty where all was in order. */
export const remark = (match: MatchRecord): string => {
  const faults = match.players.flatMap(player =>
    player.fault === null ? [] : [`${player.name}: ${faultText(player)}`],
  )
  const why = unratedText(match)
  return [...faults, ...(why === null ? [] : [why])].join('; ')
}

/** Why it changed no rating; null where it did. */
export const unratedText = ({
  unrated,
  voided,
}: Pick<MatchRecord, 'unrated' | 'voided'>): string | null =>
  voided !== null
    ? `voided${voided.reason === null ? '' : `, ${voided.reason}`}`
    : unrated === null
      ? null
      : `unrated, ${unrated}`

export const capital = (text: string): string => `${text[0]!.toUpperCase()}${text.slice(1)}`

const bars = '▁▂▃▄▅▆▇█'

/** A row of numbers as a row of bars. */
export const sparkline = (numbers: readonly number[], width: number): string => {
  const shown = numbers.slice(-width)
  const [low, high] = [Math.min(...shown), Math.max(...shown)]
  return shown
    .map(n => bars[high === low ? 3 : Math.round(((n - low) / (high - low)) * 7)])
    .join('')
}
