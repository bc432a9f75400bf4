// What people write in commands and settings: lengths of time, and moments.

/** "90 s", "60min", "1 h", "2 days" in milliseconds; undefined where it is no length of time. */
export const readDuration = (text: string): number | undefined => {
  const [, count, unit] = /^(\d{1,6}(?:\.\d{1,3})?) ?([a-z]+)$/i.exec(text.trim()) ?? []
  const found = units.find(([names]) => names.test(unit ?? ''))
  return found === undefined ? undefined : Math.round(Number(count) * found[1])
}

const units: readonly (readonly [RegExp, number])[] = [
  [/^(s|secs?|seconds?)$/i, 1_000],
  [/^(m|mins?|minutes?)$/i, 60_000],
  [/^(h|hours?)$/i, 3_600_000],
  [/^(d|days?)$/i, 86_400_000],
]

/** "2026-11-21", "2026-11-21T18:00" or "2026-11-21 18:00 UTC" as a Unix time: in UTC unless it says otherwise; undefined where it is no time. */
export const readMoment = (text: string): number | undefined => {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?) ?(Z|UTC|[+-]\d\d:\d\d)?)?$/i.exec(
      text.trim(),
    ) ?? []
  if (day === undefined) return undefined
  const at = Date.parse(`${day}T${time ?? '00:00'}${/^(z|utc)$/i.test(zone) ? 'Z' : zone}`)
  // A day that the month does not have would be one of the next month.
  const isDay = new Date(`${day}T00:00Z`).toJSON()?.startsWith(day)
  return Number.isNaN(at) || !isDay ? undefined : at
}
