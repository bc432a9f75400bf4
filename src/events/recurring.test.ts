import { describe, expect, it } from 'vitest'
import { nextOf, RecurringError, readRecurring } from './recurring.ts'

const seed = '0123456789abcdef0123456789abcdef'
/** A Thursday. */
const thursday = '2026-11-19T12:00:00Z'
const next = (line: string, now = thursday) =>
  nextOf(readRecurring(line), Date.parse(now), () => seed)
const startOf = (line: string, now = thursday) => new Date(next(line, now).startsAt!).toISOString()

describe('a recurring event', () => {
  it('is a day, a time and what an event is made of', () => {
    expect(next('every Saturday 18:00 UTC, arena, c4, 60 min')).toMatchObject({
      id: 'c4-arena-2026-11-21',
      title: 'C4 arena 2026-11-21',
      game: 'c4',
      format: { kind: 'arena', lasts: 3_600_000 },
      startsAt: Date.parse('2026-11-21T18:00:00Z'),
      seed,
    })
  })

  it('takes the options of `event create`, in any order', () => {
    expect(
      next(
        'every day at 6:30 utc, name chess-daily, title Daily chess, 5 rounds, chess, Swiss, points 3/1/0, unrated, check-in 15 min, show up 90s, late entry, invite alice bob, most 16',
      ),
    ).toMatchObject({
      id: 'chess-daily-2026-11-20',
      title: 'Daily chess 2026-11-20',
      format: { kind: 'swiss', rounds: 5 },
      points: { win: 3, draw: 1, loss: 0 },
      rated: false,
      checkIn: 900_000,
      showUp: 90_000,
      lateEntry: true,
      invited: ['alice', 'bob'],
      entrants: { least: 6, most: 16 },
    })
    expect(
      next('every Mon and Thu 20:00 UTC, knockout, best of 3, third place, c4').format,
    ).toEqual({ kind: 'knockout', bestOf: 3, thirdPlace: true })
    expect(next('every day 20:00 UTC, double round robin, c4').format).toEqual({
      kind: 'round-robin',
      cycles: 2,
    })
  })

  it.each([
    ['every Saturday 18:00 UTC', '2026-11-21T18:00:00.000Z'],
    ['every Thursday 12:01 UTC', '2026-11-19T12:01:00.000Z'],
    ['every Thursday 12:00 UTC', '2026-11-26T12:00:00.000Z'],
    ['every Wednesday 00:00Z', '2026-11-25T00:00:00.000Z'],
    ['every Sun and Fri 09:05 UTC', '2026-11-20T09:05:00.000Z'],
    ['every day 11:59 UTC', '2026-11-20T11:59:00.000Z'],
  ])('comes next after now: %s', (when, expected) => {
    expect(startOf(`${when}, knockout, c4`)).toBe(expected)
  })

  it('comes once on each of its days, over months and years', () => {
    const line = 'every Monday and Saturday 23:59 UTC, knockout, c4'
    const starts = []
    for (let now = '2026-12-25T00:00:00Z'; starts.length < 5; ) {
      now = startOf(line, now)
      starts.push(now.slice(0, 10))
    }
    expect(starts).toEqual(['2026-12-26', '2026-12-28', '2027-01-02', '2027-01-04', '2027-01-09'])
  })

  it.each([
    ['', 'it begins with "every", a day, and a time in UTC'],
    ['every Saturday 18:00, arena, c4, 60 min', 'it begins with "every"'],
    ['every Saturday 24:00 UTC, arena, c4, 60 min', 'it begins with "every"'],
    [
      'every Saturdy 18:00 UTC, arena, c4, 60 min',
      'no day is called "Saturdy" (did you mean saturday?)',
    ],
    ['every day 18:00 UTC, arena, c5, 60 min', '"c5" is no format, game or option'],
    ['every day 18:00 UTC, arena, c4', 'lasts: give how long the arena lasts'],
    ['every day 18:00 UTC, arena, 60 min', 'game: give the game of the event'],
    ['every day 18:00 UTC, c4, 60 min', 'format: give the format of the event'],
    ['every day 18:00 UTC, arena, c4, ttt, 60 min', 'game is given twice: "ttt"'],
    ['every day 18:00 UTC, arena, c4, 60 min, round 7', '(did you mean rounds?)'],
    ['every day 18:00 UTC, arena, c4, 60 min, rounds 7', 'rounds "7": it is an option of swiss'],
    ['every day 18:00 UTC, arena, c4, 60 min, start 2026-11-21', 'is no format, game or option'],
    ['every day 18:00 UTC, arena, c4, 60 min, name My Arena', 'name "My Arena": up to 29'],
    ['every day 18:00 UTC, arena, c4, 60 min, name', 'name: up to 29'],
  ])('that cannot be read is refused with the line: %s', (line, why) => {
    expect(() => readRecurring(line)).toThrow(RecurringError)
    expect(() => readRecurring(line)).toThrow(why)
    expect(() => readRecurring(line)).toThrow(`"${line}": `)
  })
})
