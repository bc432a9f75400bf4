import { Failure } from './command.ts'

/** Reads the time of an option, in UTC unless it says otherwise. */
export const timeOption =
  (option: string) =>
  (text: string): number => {
    const at = Date.parse(/T/.test(text) && !/(Z|[+-]\d\d:\d\d)$/.test(text) ? `${text}Z` : text)
    if (!Number.isNaN(at)) return at
    throw new Failure(
      `${option} ${JSON.stringify(text.slice(0, 40))}: a time such as 2026-01-31 or 2026-01-31T12:00`,
    )
  }

export const sinceTime = timeOption('--since')
