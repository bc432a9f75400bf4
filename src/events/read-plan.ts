import { speeds, standard, type Variant } from '../arena/ladder.ts'
import { type Game, listsMoves, seatRange } from '../games/game.ts'
import { gameOf, games } from '../games/index.ts'
import { openingsOf } from '../games/openings.ts'
import { oneLine, quoted } from '../games/words.ts'
import { didYouMean } from '../nearest.ts'
import { queueId, wrongLeagueOption } from './league-options.ts'
import type { EventPlan, Format, Points } from './plan.ts'
import { readDuration, readMoment } from './read-words.ts'

/** What an operator has written of an event, by option: on a command line, or in a line of settings. */
export type PlanWords = { readonly [option in PlanOption]?: string | true | undefined }

export type PlanOption = keyof typeof options

/** Why there is no such event, in words that say what to do. */
export class PlanError extends Error {
  readonly option: PlanOption
  readonly detail: string

  constructor(option: PlanOption, detail: string) {
    super(`${option}${detail}`)
    this.option = option
    this.detail = detail
  }
}

/** Makes a plan of what was written, or throws a PlanError. */
export const readPlan = (
  written: PlanWords,
  { now, newSeed }: { readonly now: number; readonly newSeed: () => string },
): EventPlan => {
  const words = readAll(written)
  const { id, game, format: kind, start: startsAt = null } = words
  const refuse = (option: PlanOption, why: string) => refusal(written, option, why)
  for (const [option, kinds] of Object.entries(onlyOf) as [OwnOption, readonly Kind[]][])
    if (words[option] !== undefined && !kinds.includes(kind))
      throw refuse(
        option,
        `it is an option of ${kinds.join(' and ')}, and this event is ${kind}: leave it out`,
      )
  const groups = seatRange(game).max > 2
  if (groups && kind === 'series')
    throw refuse('format', `${game.id} is for more than two, and a series is between two`)
  if (groups && words['third-place'])
    throw refuse('third-place', `${game.id} is played in groups, and the best half of each goes on`)
  if (id === queueId)
    throw refuse('id', 'league.v2 names the queue of the host so: give the event another name')
  const entrants = entrantsOf(words, refuse)
  if (startsAt !== null && startsAt <= now)
    throw refuse('start', `the time is over: it is ${new Date(now).toISOString().slice(0, 16)}Z`)
  const startsWith = words['start-with'] ?? null
  if (startsWith !== null && (startsWith < entrants.least || startsWith > entrants.most))
    throw refuse('start-with', `a number from ${entrants.least} to ${entrants.most}, its entrants`)
  if (words['check-in'] && startsAt === null)
    throw refuse('check-in', 'it is a time before the start: give --start as well')
  if (words.openings && openingsOf(game.id).length === 0)
    throw refuse('openings', `${game.id} has none; ${gamesWithOpenings.join(', ')} have some`)
  if (words.blind && !listsMoves(game))
    throw refuse('blind', `${game.id} never lists moves, so it has no blind ladder: leave it out`)
  const protocol = words.protocol ?? null
  if (protocol !== null && (kind !== 'round-robin' || groups))
    throw refuse('protocol', 'its leagues are round robins of games for two: --format round-robin')
  if (protocol === null && words.set !== undefined)
    throw refuse('set', 'it is for what a protocol lays down: give --protocol as well')
  const wrong = wrongLeagueOption(words.set ?? {})
  if (wrong !== undefined)
    throw refuse(
      'set',
      `${wrong}: there are times in milliseconds (join, choice, reply, report, queued), and true or false (lenient, referees, strict-sender, throwaway-token)`,
    )
  return {
    id,
    title: words.title ?? titleOf(id),
    game: game.id,
    seats: seatsOf(game),
    format: formatOf(words, refuse),
    points: pointsOf(words, refuse),
    rated: !words.unrated,
    variant: variantOf(words),
    time: words.time ?? null,
    seed: words.seed ?? newSeed(),
    startsAt,
    startsWith,
    invited: words.invite ?? null,
    checkIn: words['check-in'] ?? 0,
    showUp: words['show-up'] ?? 60_000,
    lateEntry: words['late-entry'] ?? false,
    entrants,
    openings: words.openings ?? false,
    protocol,
    options: words.set ?? {},
  }
}

const gamesWithOpenings = games.map(({ id }) => id).filter(id => openingsOf(id).length > 0)

const seatsOf = (game: Game) => {
  const { min: least, max: most } = seatRange(game)
  return { least, most }
}

type Kind = Format['kind']
type Refuse = (option: PlanOption, why: string) => PlanError

const kinds = ['round-robin', 'swiss', 'knockout', 'arena', 'series'] as const satisfies Kind[]

/** How many may take part at most: rounds are drawn in the thread that plays, and a round robin grows by the square. */
const mostOf: Readonly<Record<Kind, number>> = {
  'round-robin': 64,
  swiss: 256,
  knockout: 512,
  arena: 512,
  series: 2,
}

/** The options that only some formats have. */
const onlyOf = {
  cycles: ['round-robin'],
  rounds: ['swiss'],
  'best-of': ['knockout', 'series'],
  'third-place': ['knockout'],
  lasts: ['arena'],
  'late-entry': ['swiss', 'arena'],
} as const satisfies { readonly [option in PlanOption]?: readonly Kind[] }

type OwnOption = keyof typeof onlyOf

// By hand, because config.ts reads recurring events, and zod takes 36 ms of the start of every command.

/** Reads the value of an option, or answers why it cannot. */
type Reader<T> = (value: string | true) => T | Wrong

interface Wrong {
  readonly wrong: string
}

const flag: Reader<true> = value => value === true || { wrong: 'it takes no value' }

/** Read by a function that answers undefined for what it cannot read. */
const readBy =
  <T>(read: (text: string) => T | undefined, expected: string): Reader<T> =>
  value =>
    value === true ? { wrong: ': it needs a value' } : (read(value) ?? { wrong: expected })

const matching = (pattern: RegExp, expected: string) =>
  readBy(text => (pattern.test(text) ? text : undefined), expected)

const oneOf =
  <T extends string>(what: string, known: readonly T[]): Reader<T> =>
  value =>
    known.find(word => word === value) ?? {
      wrong: `no ${what} is called so${value === true ? '' : didYouMean(value, known)}: there are ${known.join(', ')}`,
    }

const whole = (least: number, most: number) =>
  readBy(text => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most ? value : undefined
  }, `a whole number from ${least} to ${most}`)

const lasting = (least: number, most: number, expected: string) =>
  readBy(text => {
    const time = readDuration(text)
    return time !== undefined && time >= least && time <= most ? time : undefined
  }, expected)

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** "30s", or "30s+10min": for each move, and a bank for all of them. */
const readTime = (text: string): EventPlan['time'] | undefined => {
  const [move, bank, ...rest] = text.split('+')
  const time = { move: readDuration(move!), bank: bank === undefined ? 0 : readDuration(bank) }
  if (time.move === undefined || time.bank === undefined || rest.length > 0) return undefined
  if (time.move < 1_000 || time.move > hour || time.bank > day) return undefined
  return { move: time.move, bank: time.bank }
}

/** "3/1/0" or "1/½/0": halves are exact. */
const readPoints = (text: string): readonly number[] | undefined => {
  const worth = text.split('/').map(part => {
    const [, n, half] = /^\s*(\d{1,4})?(½|\.5|\.0)?\s*$/.exec(part) ?? []
    if (n === undefined && half !== '½') return Number.NaN
    return Number(n ?? 0) + (half === undefined || half === '.0' ? 0 : 0.5)
  })
  const falls = worth.every((points, i) => i === 0 || points <= worth[i - 1]!)
  return falls && worth[0]! > worth.at(-1)! ? worth : undefined
}

const readNames = (text: string): readonly string[] | undefined => {
  const names = [...new Set(text.split(/[,\s]+/).filter(name => name !== ''))]
  return names.length > 0 ? names : undefined
}

/** "join=5 lenient=true": numbers, true, false, or a word. */
const readSet = (text: string): EventPlan['options'] | undefined => {
  const pairs = text.split(/[,\s]+/).filter(pair => pair !== '')
  const read = pairs.map(pair => /^([a-z][a-z0-9-]{0,39})=(\S{1,200})$/.exec(pair))
  if (read.length === 0 || read.includes(null)) return undefined
  return Object.fromEntries(read.map(found => [found![1]!, optionOf(found![2]!)]))
}

const optionOf = (text: string) =>
  text === 'true' || text === 'false'
    ? text === 'true'
    : /^\d{1,9}(\.\d{1,3})?$/.test(text)
      ? Number(text)
      : text

const readTitle = (text: string): string | undefined => {
  const title = oneLine(text).trim()
  return title.length > 0 && title.length <= 80 ? title : undefined
}

const readOdd = (text: string): number | undefined =>
  /^\d?[13579]$/.test(text) ? Number(text) : undefined

/** Every option of an event, and how what is written for it is read. */
const options = {
  id: matching(/^[a-z0-9][a-z0-9-]{0,39}$/, 'up to 40 lower-case letters, digits and hyphens'),
  title: readBy(readTitle, 'a title of 1 to 80 characters'),
  game: oneOf(
    'game',
    games.map(({ id }) => id),
  ),
  format: oneOf('format', kinds),
  cycles: whole(1, 2),
  rounds: whole(1, 30),
  'best-of': readBy(readOdd, 'an odd number up to 99, so that it can be decided'),
  'third-place': flag,
  lasts: lasting(minute, 7 * day, 'a time from 1 min to 7 days, such as 60min'),
  points: readBy(readPoints, 'points from the best result to the worst, such as 3/1/0 or 1/½/0'),
  unrated: flag,
  speed: oneOf('speed', speeds),
  blind: flag,
  time: readBy(
    readTime,
    'the time for a move, 1 s to 1 h, and perhaps a bank, such as 10s or 10s+5min',
  ),
  seed: matching(/^[0-9a-f]{32}$/, '32 hex digits'),
  start: readBy(readMoment, 'a time such as 2026-11-21T18:00, in UTC'),
  'start-with': whole(2, 512),
  invite: readBy(readNames, 'names of accounts, separated by commas'),
  'check-in': lasting(minute, day, 'a time from 1 min to 1 day, such as 15min'),
  'show-up': lasting(1_000, day, 'a time from 1 s to 1 day, such as 60s'),
  'late-entry': flag,
  least: whole(2, 512),
  most: whole(2, 512),
  openings: flag,
  protocol: oneOf('protocol for events', ['league.v2']),
  set: readBy(readSet, 'name=value, separated by blanks or commas'),
} satisfies { readonly [option: string]: Reader<unknown> }

type Read = {
  readonly [O in PlanOption]?: Exclude<ReturnType<(typeof options)[O]>, Wrong>
}

type Words = Omit<Read, 'game'> & Required<Pick<Read, 'id' | 'format'>> & { readonly game: Game }

export const planOptions = Object.keys(options) as readonly PlanOption[]

const readAll = (written: PlanWords): Words => {
  const read: { [option in PlanOption]?: unknown } = {}
  for (const option of planOptions) {
    const value = written[option]
    if (value === undefined) continue
    const found = (options[option] as Reader<unknown>)(value)
    if (isWrong(found)) throw refusal(written, option, found.wrong)
    read[option] = found
  }
  for (const option of ['id', 'game', 'format'] as const)
    if (read[option] === undefined)
      throw new PlanError(option, `: give the ${option === 'id' ? 'name' : option} of the event`)
  return { ...read, game: gameOf(read.game as string) } as Words
}

const isWrong = (found: unknown): found is Wrong =>
  typeof found === 'object' && found !== null && 'wrong' in found

const refusal = (written: PlanWords, option: PlanOption, why: string): PlanError => {
  const value = written[option]
  if (why.startsWith(':')) return new PlanError(option, why)
  return new PlanError(option, `${typeof value === 'string' ? ` ${quoted(value)}` : ''}: ${why}`)
}

const formatOf = (words: Words, refuse: Refuse): Format => {
  const { format: kind, rounds, lasts, cycles = 1, 'best-of': bestOf } = words
  if (kind === 'round-robin') return { kind, cycles: cycles as 1 | 2 }
  if (kind === 'swiss') {
    if (rounds === undefined) throw refuse('rounds', ': give the number of rounds of the Swiss')
    return { kind, rounds }
  }
  if (kind === 'arena') {
    if (lasts === undefined) throw refuse('lasts', ': give how long the arena lasts, such as 60min')
    return { kind, lasts }
  }
  if (kind === 'series') {
    if (bestOf === undefined) throw refuse('best-of', ': give the number of matches of the series')
    return { kind, bestOf }
  }
  return { kind, bestOf: bestOf ?? 1, thirdPlace: words['third-place'] ?? false }
}

const entrantsOf = (words: Words, refuse: Refuse): EventPlan['entrants'] => {
  const { format: kind, game, rounds = 0 } = words
  const limit = mostOf[kind]
  const most = words.most ?? limit
  if (most > limit) throw refuse('most', `at most ${limit} can enter an event that is ${kind}`)
  const { min, max } = seatRange(game)
  // With fewer entrants, a pair would have to meet again, or an entrant to sit out twice.
  const fewest = kind === 'swiss' && max === 2 ? rounds + 1 : Math.max(2, min)
  const least = words.least ?? fewest
  if (least < fewest)
    throw refuse(
      'least',
      kind === 'swiss' && max === 2
        ? `a Swiss of ${rounds} rounds takes ${fewest} entrants, so that no two meet twice`
        : `a match of ${game.id} takes ${fewest} players`,
    )
  if (most < least) throw refuse('most', `fewer than the ${least} that it takes`)
  return { least, most }
}

const pointsOf = ({ game, points, protocol }: Words, refuse: Refuse): Points => {
  const { max } = seatRange(game)
  const places = max > 2
  if (points !== undefined && points.length !== (places ? max : 3))
    throw refuse(
      'points',
      places
        ? `${game.id} has ${max} places: give ${max} numbers`
        : 'give three numbers: for a win, a draw and a loss',
    )
  if (places)
    return { by: 'places', worth: points ?? Array.from({ length: max }, (_, i) => max - 1 - i) }
  const [win = 1, draw = 0.5, loss = 0] = points ?? (protocol === undefined ? [] : [3, 1, 0])
  return { by: 'result', win, draw, loss }
}

const variantOf = ({ speed = standard.speed, blind }: Words): Variant => ({
  speed,
  listing: blind ? 'blind' : 'open',
})

/** The title of an event that was given none. */
export const titleOf = (id: string): string => {
  const words = id.replaceAll('-', ' ').trim()
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`
}
