// Dates and durations as text. Always in UTC: local time would differ from the times in the log.

/** "2026-11-05T14:03:07.123Z". */
export function isoTime(at: number): string
export function isoTime(at: number | null): string | null
export function isoTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString()
}

/** "2026-11-05 14:03Z". */
export const momentText = (at: number): string => `${isoTime(at).slice(0, 16).replace('T', ' ')}Z`

/** "2026-11-05". */
export const dayText = (at: number): string => isoTime(at).slice(0, 10)

/** "350 ms", "3.2 s", "45 s" or "12 min". */
export const durationText = (ms: number): string =>
  ms < 1_000
    ? `${Math.round(ms)} ms`
    : ms < 10_000
      ? `${(ms / 1_000).toFixed(1)} s`
      : ms < 120_000
        ? `${Math.round(ms / 1_000)} s`
        : `${Math.round(ms / 60_000)} min`

/** The time left on a clock: "0:07"; "–" if no move is owed. */
export const clockText = (ms: number | null): string => {
  if (ms === null) return '–'
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** How long ago: "just now", "5 min ago", "3 h ago" or "2 d ago". */
export const agoText = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / 60 / 24)} d ago`
}
