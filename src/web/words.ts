// How the pages put things.

import { endings } from '../arena/ending.ts'
import type { MatchRecord } from '../store/matches.ts'
import { units } from '../text/units.ts'

/** Who won, in a few words. */
export const resultOf = ({ end, players }: MatchRecord): string => {
  if (end === null) return 'live'
  if (end.ending === 'aborted') return 'no result'
  const first = players.filter(({ place }) => place === 1)
  if (first.length === players.length) return 'draw'
  return first.length === 1
    ? `${first[0]!.name} won`
    : `${first.map(({ name }) => name).join(', ')} share the first place`
}

/** How it ended, in a sentence's words. */
export const endingOf = ({ end }: MatchRecord): string =>
  end === null
    ? 'still being played'
    : end.ending === 'rules'
      ? end.detail
      : `${end.ending}: ${end.detail || endings[end.ending]}`

export const versus = ({ players }: MatchRecord): string =>
  players.map(({ name }) => name).join(' – ')

/** As in 2026-11-05 14:03, in UTC. */
export const moment = (at: number): string =>
  new Date(at).toISOString().slice(0, 16).replace('T', ' ')

export const day = (at: number): string => new Date(at).toISOString().slice(0, 10)

export const duration = (ms: number): string =>
  ms < 10_000
    ? `${(ms / 1000).toFixed(ms < 1000 ? 2 : 1)} s`
    : ms < 120_000
      ? `${Math.round(ms / 1000)} s`
      : `${Math.round(ms / 60_000)} min`

export const count = (n: number, unit: string): string => `${thousands(n)} ${units(n, unit)}`

/** Groups of three digits, set apart by a narrow space. */
export const thousands = (n: number): string => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f')
