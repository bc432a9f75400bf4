import { gameOf } from '../games/index.ts'
import { oneLine, quoted } from '../games/words.ts'
import { didYouMean } from '../nearest.ts'
import type { EventPlan } from './plan.ts'
import { PlanError, type PlanWords, planOptions, readPlan, titleOf } from './read-plan.ts'
import { readDuration } from './read-words.ts'

/** An event that comes again: "every Saturday 18:00 UTC, arena, c4, 60 min". */
export interface Recurring {
  /** What the ids of its events begin with; the day follows, as in `c4-arena-2026-11-21`. */
  readonly name: string
  /** As it was written, in one line. */
  readonly line: string
  /** From 0 for Sunday. */
  readonly days: readonly number[]
  /** Of the day, in UTC. */
  readonly minute: number
  readonly words: PlanWords
}

/** Why a line is no recurring event, with the line. */
export class RecurringError extends Error {}

export const readRecurring = (text: string): Recurring => {
  const line = oneLine(text).trim()
  const [when = '', ...parts] = line.split(',').map(part => part.trim())
  try {
    const { days, minute } = readWhen(when)
    const { name, ...words } = readParts(parts)
    const called = name ?? `${words.game}-${words.format}`
    if (called === true || !isName.test(called))
      throw new Error(
        `name${called === true ? '' : ` ${quoted(called)}`}: up to 29 lower-case letters, digits and hyphens`,
      )
    const recurring = { name: called, line, days, minute, words }
    // Whatever is wrong with its events is wrong with the next one.
    nextOf(recurring, 0, () => '0'.repeat(32))
    return recurring
  } catch (error) {
    const why = error instanceof PlanError ? `${error.option}${error.detail}` : error
    throw new RecurringError(
      `${quoted(line, 120)}: ${why instanceof Error ? why.message : why}. Write it like "every Saturday 18:00 UTC, arena, c4, 60 min"`,
    )
  }
}

/** The next event of it that starts after `now`. */
export const nextOf = (
  { name, days, minute, words }: Recurring,
  now: number,
  newSeed: () => string,
): EventPlan => {
  const startsAt = Array.from(
    { length: 8 },
    (_, i) => Math.floor(now / day) * day + i * day + minute * 60_000,
  ).find(at => at > now && days.includes(new Date(at).getUTCDay()))!
  const start = new Date(startsAt).toISOString()
  const date = start.slice(0, 10)
  const title = `${words.title ?? titleOf(name)} ${date}`
  return readPlan({ ...words, id: `${name}-${date}`, title, start }, { now, newSeed })
}

const day = 86_400_000

/** With a hyphen and the day it is the id of an event. */
const isName = /^[a-z0-9][a-z0-9-]{0,28}$/

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const everyDay = dayNames.map((_, i) => i)

const readWhen = (text: string): Pick<Recurring, 'days' | 'minute'> => {
  const [, names, hours, minutes] =
    /^every (.+?) (?:at )?([01]?\d|2[0-3]):([0-5]\d) ?(?:UTC|Z)$/i.exec(text) ?? []
  if (names === undefined)
    throw new Error('it begins with "every", a day, and a time in UTC, as in "every day 06:30 UTC"')
  const minute = Number(hours) * 60 + Number(minutes)
  if (names.toLowerCase() === 'day') return { days: everyDay, minute }
  return { days: names.split(/ and | & |\//i).map(dayOf), minute }
}

const dayOf = (text: string): number => {
  const name = text.trim().toLowerCase()
  const found = dayNames.findIndex(
    day => day === name || (name.length === 3 && day.startsWith(name)),
  )
  if (found >= 0) return found
  throw new Error(
    `no day is called ${quoted(text)}${didYouMean(name, [...dayNames, 'day'])}: there are Monday to Sunday, and day`,
  )
}

/** Its start is given by the line. */
const ownOptions = planOptions.filter(option => !['id', 'start', 'start-with'].includes(option))

type LineWords = PlanWords & { readonly name?: string | true }

const readParts = (parts: readonly string[]): LineWords => {
  const words = new Map<string, string | true>()
  for (const part of parts)
    for (const [option, value] of Object.entries(readPart(part))) {
      if (words.has(option)) throw new Error(`${option} is given twice: ${quoted(part)}`)
      words.set(option, value)
    }
  return Object.fromEntries(words)
}

/** One part between commas: a format, a game, a length of time, or an option with its value. */
const readPart = (part: string): { readonly [option: string]: string | true } => {
  const text = part.toLowerCase()
  const format = text.replaceAll(' ', '-')
  if (format === 'double-round-robin') return { format: 'round-robin', cycles: '2' }
  if (['round-robin', 'swiss', 'knockout', 'arena', 'series'].includes(format)) return { format }
  if (gameOf(text) !== undefined) return { game: text }
  if (readDuration(text) !== undefined) return { lasts: text }
  const rounds = /^(\d+) rounds?$/.exec(text)?.[1]
  if (rounds !== undefined) return { rounds }
  const bestOf = /^best of (\d+)$/.exec(text)?.[1]
  if (bestOf !== undefined) return { 'best-of': bestOf }
  for (const option of ['name', ...ownOptions]) {
    const found = new RegExp(`^${option.replace('-', '[ -]')}(?: (.+))?$`, 'i').exec(part)
    if (found !== null) return { [option]: found[1] ?? true }
  }
  const [first = ''] = text.split(' ')
  throw new Error(
    `${quoted(part)} is no format, game or option${didYouMean(first, ['name', ...ownOptions])}`,
  )
}
