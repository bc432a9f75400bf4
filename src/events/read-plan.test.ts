import { describe, expect, it } from 'vitest'
import { PlanError, type PlanWords, readPlan } from './read-plan.ts'

const now = Date.parse('2026-11-19T12:00:00Z')
const seed = '0123456789abcdef0123456789abcdef'
const plan = (words: PlanWords) => readPlan(words, { now, newSeed: () => seed })
const swiss = { id: 'spring-cup', game: 'chess', format: 'swiss', rounds: '7' }

const refusal = (words: PlanWords): string => {
  try {
    plan(words)
  } catch (error) {
    if (error instanceof PlanError) return `--${error.option}${error.detail}`
    throw error
  }
  return 'none'
}

describe('what is written of an event', () => {
  it('becomes a plan with a default for what is left out', () => {
    expect(plan(swiss)).toEqual({
      id: 'spring-cup',
      title: 'Spring cup',
      game: 'chess',
      seats: { least: 2, most: 2 },
      format: { kind: 'swiss', rounds: 7 },
      points: { by: 'result', win: 1, draw: 0.5, loss: 0 },
      rated: true,
      variant: { speed: 'fast', listing: 'open' },
      time: null,
      seed,
      startsAt: null,
      startsWith: null,
      invited: null,
      checkIn: 0,
      showUp: 60_000,
      lateEntry: false,
      entrants: { least: 8, most: 256 },
      openings: false,
      protocol: null,
      options: {},
    })
  })

  it('may say everything', () => {
    const words: PlanWords = {
      ...swiss,
      title: '  The Spring Cup ',
      points: '3/1/0',
      unrated: true,
      speed: 'thinking',
      blind: true,
      time: '10s+5min',
      seed: 'f'.repeat(32),
      start: '2026-11-21 18:00',
      'start-with': '16',
      invite: 'alice, bob,alice',
      'check-in': '15 min',
      'show-up': '90s',
      'late-entry': true,
      least: '10',
      most: '32',
      openings: true,
    }
    expect(plan(words)).toEqual({
      id: 'spring-cup',
      title: 'The Spring Cup',
      game: 'chess',
      seats: { least: 2, most: 2 },
      format: { kind: 'swiss', rounds: 7 },
      points: { by: 'result', win: 3, draw: 1, loss: 0 },
      rated: false,
      variant: { speed: 'thinking', listing: 'blind' },
      time: { move: 10_000, bank: 300_000 },
      seed: 'f'.repeat(32),
      startsAt: Date.parse('2026-11-21T18:00:00Z'),
      startsWith: 16,
      invited: ['alice', 'bob'],
      checkIn: 900_000,
      showUp: 90_000,
      lateEntry: true,
      entrants: { least: 10, most: 32 },
      openings: true,
      protocol: null,
      options: {},
    })
  })

  it.each([
    [{ format: 'round-robin' }, { kind: 'round-robin', cycles: 1 }],
    [
      { format: 'round-robin', cycles: '2' },
      { kind: 'round-robin', cycles: 2 },
    ],
    [{ format: 'knockout' }, { kind: 'knockout', bestOf: 1, thirdPlace: false }],
    [
      { format: 'knockout', 'best-of': '3', 'third-place': true },
      { kind: 'knockout', bestOf: 3, thirdPlace: true },
    ],
    [
      { format: 'arena', lasts: '1h' },
      { kind: 'arena', lasts: 3_600_000 },
    ],
    [
      { format: 'series', 'best-of': '9' },
      { kind: 'series', bestOf: 9 },
    ],
  ] as const)('names a format: %j', (words, format) => {
    expect(plan({ id: 'x', game: 'c4', ...words }).format).toEqual(format)
  })

  it.each([
    ['1/½/0', [1, 0.5, 0]],
    ['1/0.5/0', [1, 0.5, 0]],
    ['2.5/1/½', [2.5, 1, 0.5]],
    ['3/1/0', [3, 1, 0]],
  ])('counts in points: %s', (points, [win, draw, loss]) => {
    expect(plan({ ...swiss, points }).points).toEqual({ by: 'result', win, draw, loss })
  })

  it('counts places in a game for more than two', () => {
    const words = { id: 'x', game: 'dance-battle', format: 'swiss', rounds: '5' }
    expect(plan(words).points).toEqual({ by: 'places', worth: [3, 2, 1, 0] })
    expect(plan({ ...words, points: '5/3/1/0' }).points).toEqual({
      by: 'places',
      worth: [5, 3, 1, 0],
    })
    expect(plan(words).entrants).toEqual({ least: 4, most: 256 })
    expect(refusal({ ...words, points: '3/1/0' })).toBe(
      '--points "3/1/0": dance-battle has 4 places: give 4 numbers',
    )
    expect(refusal({ id: 'x', game: 'dance-battle', format: 'series', 'best-of': '3' })).toBe(
      '--format "series": dance-battle is for more than two, and a series is between two',
    )
  })

  it('may lay down a league of another protocol', () => {
    const league = plan({
      id: 'winter-cup',
      game: 'even-odd',
      format: 'round-robin',
      protocol: 'league.v2',
      set: 'join=2500 choice=10000,lenient=true strict-sender=true',
    })
    expect(league.protocol).toBe('league.v2')
    expect(league.points).toEqual({ by: 'result', win: 3, draw: 1, loss: 0 })
    expect(league.options).toEqual({
      join: 2500,
      choice: 10000,
      lenient: true,
      'strict-sender': true,
    })
  })
})

const league = { id: 'x', game: 'even-odd', format: 'round-robin', protocol: 'league.v2' }

describe('a refusal quotes what was written, and says what to do', () => {
  it.each<[PlanWords, string]>([
    [{ ...swiss, id: undefined }, '--id: give the name of the event'],
    [{ ...swiss, id: 'Cup 1' }, '--id "Cup 1": up to 40 lower-case letters, digits and hyphens'],
    [{ ...swiss, title: ' ' }, '--title " ": a title of 1 to 80 characters'],
    [{ ...swiss, title: 'x'.repeat(81) }, 'a title of 1 to 80 characters'],
    [{ ...swiss, game: undefined }, '--game: give the game of the event'],
    [{ ...swiss, game: 'ches' }, '--game "ches": no game is called so (did you mean chess?)'],
    [
      { id: 'x', game: 'dance-battle', format: 'knockout', 'third-place': true },
      '--third-place: dance-battle is played in groups, and the best half of each goes on',
    ],
    [
      { ...swiss, format: 'swis' },
      '--format "swis": no format is called so (did you mean swiss?): there are round-robin, swiss, knockout, arena, series',
    ],
    [{ ...swiss, rounds: undefined }, '--rounds: give the number of rounds of the Swiss'],
    [{ ...swiss, rounds: '31' }, '--rounds "31": a whole number from 1 to 30'],
    [{ ...swiss, rounds: true }, '--rounds: it needs a value'],
    [{ ...swiss, format: 'knockout' }, '--rounds "7": it is an option of swiss'],
    [{ ...swiss, cycles: '2' }, '--cycles "2": it is an option of round-robin'],
    [
      { id: 'x', game: 'c4', format: 'knockout', 'best-of': '2' },
      '--best-of "2": an odd number up to 99, so that it can be decided',
    ],
    [{ id: 'x', game: 'c4', format: 'series' }, '--best-of: give the number of matches'],
    [{ id: 'x', game: 'c4', format: 'arena' }, '--lasts: give how long the arena lasts'],
    [{ id: 'x', game: 'c4', format: 'arena', lasts: '8 days' }, '--lasts "8 days": a time from'],
    [
      { id: 'x', game: 'c4', format: 'knockout', 'late-entry': true },
      '--late-entry: it is an option of swiss and arena, and this event is knockout: leave it out',
    ],
    [{ ...swiss, points: '0/1/3' }, '--points "0/1/3": points from the best result to the worst'],
    [{ ...swiss, points: '1/0.3/0' }, '--points "1/0.3/0": points from'],
    [{ ...swiss, points: '1/0' }, '--points "1/0": give three numbers'],
    [{ ...swiss, unrated: 'yes' }, '--unrated "yes": it takes no value'],
    [
      { ...swiss, speed: 'slow' },
      '--speed "slow": no speed is called so: there are fast, thinking',
    ],
    [{ ...swiss, game: 'blotto', blind: true }, '--blind: blotto never lists moves'],
    [{ ...swiss, time: '0.5s' }, '--time "0.5s": the time for a move, 1 s to 1 h'],
    [{ ...swiss, time: '10s+5min+1s' }, '--time "10s+5min+1s": the time'],
    [{ ...swiss, seed: 'abc' }, '--seed "abc": 32 hex digits'],
    [
      { ...swiss, start: 'tomorrow' },
      '--start "tomorrow": a time such as 2026-11-21T18:00, in UTC',
    ],
    [{ ...swiss, start: '2026-02-30T18:00' }, '--start "2026-02-30T18:00": a time such as'],
    [
      { ...swiss, start: '2026-11-19T11:59' },
      '--start "2026-11-19T11:59": the time is over: it is 2026-11-19T12:00Z',
    ],
    [{ ...swiss, 'start-with': '7' }, '--start-with "7": a number from 8 to 256, its entrants'],
    [{ ...swiss, invite: ' , ' }, '--invite " , ": names of accounts, separated by commas'],
    [{ ...swiss, 'check-in': '15min' }, '--check-in "15min": it is a time before the start'],
    [{ ...swiss, 'show-up': '15' }, '--show-up "15": a time from 1 s to 1 day, such as 60s'],
    [
      { ...swiss, least: '7' },
      '--least "7": a Swiss of 7 rounds takes 8 entrants, so that no two meet twice',
    ],
    [{ ...swiss, most: '257' }, '--most "257": at most 256 can enter an event that is swiss'],
    [{ ...swiss, least: '20', most: '10' }, '--most "10": fewer than the 20 that it takes'],
    [
      { ...swiss, id: 'queue' },
      '--id "queue": league.v2 names the queue of the host so: give the event another name',
    ],
    [{ ...swiss, game: 'even-odd', openings: true }, '--openings: even-odd has none; ttt, c4'],
    [{ ...swiss, game: 'go13', openings: true }, '--openings: go13 has none; ttt, c4'],
    [
      { ...swiss, protocol: 'mcp' },
      '--protocol "mcp": no protocol for events is called so: there are league.v2',
    ],
    [{ ...swiss, protocol: 'league.v2' }, '--protocol "league.v2": its leagues are round robins'],
    [{ ...swiss, set: 'join=5' }, '--set "join=5": it is for what a protocol lays down'],
    [
      { ...league, set: 'joni=5000' },
      '--set "joni=5000": joni: there are times in milliseconds (join, choice,',
    ],
    [{ ...league, set: 'lenient=yes' }, '--set "lenient=yes": lenient: there are times'],
    [{ ...swiss, set: 'join' }, '--set "join": name=value, separated by blanks or commas'],
  ])('%j', (words, expected) => {
    expect(refusal(words)).toContain(expected)
  })
})
