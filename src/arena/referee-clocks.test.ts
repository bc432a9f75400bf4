import { describe, expect, it } from 'vitest'
import {
  back,
  duel,
  lost,
  move,
  Play,
  strict,
  sums,
  tick,
} from '../../test/support/referee-play.ts'
import { go9 } from '../games/go.ts'
import { ttt } from '../games/ttt.ts'
import { lag, timeLeft, timesLeft, wakeAt } from './clocks.ts'
import type { Terms } from './terms.ts'

describe('time', () => {
  it('a seat is late exactly at its deadline plus the lag', () => {
    const play = duel().do({ kind: 'tick', at: 15_000 + lag - 1 })
    expect(play.outcome).toBeUndefined()
    play.do({ kind: 'tick', at: 15_000 + lag })
    expect(play.outcome).toMatchObject({
      ending: 'late',
      places: [2, 1],
      detail: 'no move within 15 s',
    })
  })

  it('a legal move after the deadline is late', () => {
    expect(duel().do(move(0, '4', 15_000 + lag)).outcome).toMatchObject({ ending: 'late' })
    expect(duel().do(move(0, '4', 15_000 + lag - 1)).outcome).toBeUndefined()
  })

  it('an illegal move after the deadline is late, not illegal', () => {
    expect(duel().do(move(0, 'x', 20_000)).outcome).toMatchObject({ ending: 'late' })
  })

  it('the clock restarts with every move, and the first move may have more time', () => {
    const terms: Terms = { ...strict, first: { of: 'seat', time: 60_000 } }
    const play = duel(terms)
    expect(wakeAt(play.match)).toBe(60_000 + lag)
    play.do(move(0, '4', 1000), move(1, '0', 2000))
    expect(wakeAt(play.match)).toBe(17_000 + lag)
  })

  it('a seat loses by late moves only when they reach the number of strikes in a row', () => {
    const terms: Terms = {
      ...strict,
      late: { strikes: 2, counted: 'in a row', next: { clock: 15_000 } },
    }
    const play = duel(terms).do({ kind: 'tick', at: 16_000 })
    expect(play.effects.slice(-2)).toEqual([
      { kind: 'strike', seat: 0, strikes: 1 },
      { kind: 'show' },
    ])
    play.do(move(0, '4', 17_000), move(1, '0', 18_000), { kind: 'tick', at: 34_000 })
    expect(play.outcome).toBeUndefined()
    expect(play.do({ kind: 'tick', at: 50_000 }).outcome).toMatchObject({ ending: 'late' })
  })

  it('where the terms say fallback, a late seat gets a fallback move, and the strike counts', () => {
    const terms: Terms = { ...strict, late: { strikes: 3, counted: 'in a row', next: 'fallback' } }
    const play = new Play(sums, [terms, terms]).do(move(0, 5), { kind: 'tick', at: 16_000 })
    expect(play.match.state).toMatchObject({ sums: [5, 0], round: 1 })
    expect(play.match.seatStates[1]!.strikes).toBe(1)
  })

  it('the first move of each seat may have another time than later ones', () => {
    const play = duel({ ...strict, first: { of: 'seat', time: 180_000 } })
    expect(wakeAt(play.match)).toBe(180_000 + lag)
    play.do(move(0, '4', 1_000))
    expect(wakeAt(play.match)).toBe(181_000 + lag)
    play.do(move(1, '0', 2_000))
    expect(wakeAt(play.match)).toBe(17_000 + lag)
  })

  it('only the first move of the match may have another time', () => {
    const play = duel({ ...strict, first: { of: 'match', time: 120_000 } })
    expect(wakeAt(play.match)).toBe(120_000 + lag)
    play.do(move(0, '4', 1_000))
    expect(wakeAt(play.match)).toBe(16_000 + lag)
  })

  it('in a round of simultaneous moves, all have the time of the first move of the match', () => {
    const terms: Terms = { ...strict, first: { of: 'match', time: 120_000 } }
    const play = new Play(sums, [terms, terms]).do(move(0, 1, 30_000))
    expect(wakeAt(play.match)).toBe(120_000 + lag)
    play.do(move(1, 1, 40_000))
    expect(wakeAt(play.match)).toBe(55_000 + lag)
  })
})

describe('a late move', () => {
  it('a strike gives a new clock, with the time that the terms say', () => {
    const play = duel({
      ...strict,
      first: { of: 'match', time: 120_000 },
      late: { strikes: 2, counted: 'in a row', next: { clock: 10_000 } },
    })
    play.do(tick(120_000 + lag))
    expect(wakeAt(play.match)).toBe(130_000 + 2 * lag)
    expect(play.do(tick(130_000 + 2 * lag)).outcome).toMatchObject({
      ending: 'late',
      detail: 'no move within 10 s',
    })
  })

  it.each([
    ['in a row', undefined],
    ['in all', 'late'],
  ] as const)('an accepted move clears strikes that are counted %s only so', (counted, ending) => {
    const play = duel({ ...strict, late: { strikes: 2, counted, next: { clock: 15_000 } } })
    play.do(tick(16_000), move(0, '4', 17_000), move(1, '0', 18_000), tick(34_000))
    expect(play.outcome?.ending).toBe(ending)
  })

  it('without a limit on strikes no late move loses', () => {
    const play = duel({
      ...strict,
      late: { strikes: Infinity, counted: 'in a row', next: { clock: 15_000 } },
    })
    for (let at = 16_000; at < 1e6; at += 16_000) play.do(tick(at))
    expect(play.outcome).toBeUndefined()
    expect(play.effects.at(-2)).toEqual({ kind: 'strike', seat: 0, strikes: 62 })
  })

  it('fallback moves clear no strikes, so that a seat which only falls back loses', () => {
    const terms: Terms = { ...strict, late: { strikes: 3, counted: 'in a row', next: 'fallback' } }
    const play = new Play(sums, [terms, strict])
    for (const at of [1_000, 17_000, 33_000]) play.do(move(1, 2, at), tick(at + 15_500))
    expect(play.effects.filter(({ kind }) => kind === 'strike')).toEqual([
      { kind: 'strike', seat: 0, strikes: 1 },
      { kind: 'strike', seat: 0, strikes: 2 },
    ])
    expect(play.outcome).toMatchObject({ ending: 'late', faults: ['late', null] })
  })

  it('where the game has no fallback move, a strike gives a new clock for a move', () => {
    const play = duel({ ...strict, late: { strikes: 2, counted: 'in a row', next: 'fallback' } })
    play.do(tick(16_000))
    expect(play.kinds.slice(-2)).toEqual(['strike', 'show'])
    expect(wakeAt(play.match)).toBe(31_000 + lag)
  })

  it('each seat is held to its own terms', () => {
    const patient: Terms = {
      ...strict,
      move: 60_000,
      illegal: 'retry',
      late: { strikes: 2, counted: 'in a row', next: { clock: 60_000 } },
    }
    const play = new Play(ttt, [patient, strict]).do(
      tick(60_000 + lag),
      move(0, 'x', 61_000),
      move(0, '4', 62_000),
    )
    expect(play.outcome).toBeUndefined()
    expect(wakeAt(play.match)).toBe(77_000 + lag)
    expect(play.do(move(1, 'x', 63_000)).outcome).toMatchObject({ faults: [null, 'illegal'] })
  })
})

describe('a bank of time', () => {
  const banked: Terms = { ...strict, move: 20_000, bank: 60_000 }
  const pause = (at: number) => ({ kind: 'pause', at }) as const
  const resume = (at: number) => ({ kind: 'resume', at }) as const

  it('a move has its own time and the whole bank', () => {
    const play = duel(banked)
    expect(timeLeft(play.match, 0, 0)).toBe(80_000)
    expect(wakeAt(play.match)).toBe(80_000 + lag)
    expect(play.do(tick(80_000 + lag)).outcome).toMatchObject({
      ending: 'late',
      faults: ['late', null],
      detail: 'no move within 80 s',
    })
  })

  it.each([
    [1_000, 80_000],
    [20_000, 80_000],
    [20_001, 79_999],
    [50_000, 50_000],
    [80_000 + lag - 1, 20_000],
  ])('after a move that took %i ms the next one has %i ms', (ms, left) => {
    const play = duel(banked).do(move(0, '4', ms), move(1, '0', ms))
    expect(timeLeft(play.match, 0, ms)).toBe(left)
  })

  it('what one move has taken out of the bank is gone for the whole match', () => {
    const play = duel(banked).do(move(0, '4', 45_000), move(1, '0', 45_000))
    play.do(move(0, '8', 85_000), move(1, '1', 85_000))
    expect(timeLeft(play.match, 0, 85_000)).toBe(35_000)
    expect(timeLeft(play.do(move(0, '2', 85_001)).match, 1, 85_001)).toBe(80_000)
    play.do(move(1, '5', 85_002))
    expect(wakeAt(play.match)).toBe(120_002 + lag)
  })

  it('the first move may have another time of its own beside the bank', () => {
    const play = duel({ ...banked, first: { of: 'seat', time: 30_000 } })
    expect(timeLeft(play.match, 0, 0)).toBe(90_000)
    play.do(move(0, '4', 40_000), move(1, '0', 40_000))
    expect(timeLeft(play.match, 0, 40_000)).toBe(70_000)
  })

  it('a pause takes nothing out of the bank', () => {
    const play = duel(banked).do(pause(30_000), resume(1e6))
    expect(timeLeft(play.match, 0, 1e6)).toBe(50_000)
    play.do(move(0, '4', 1_005_000), move(1, '0', 1_005_000))
    expect(timeLeft(play.match, 0, 1_005_000)).toBe(65_000)
  })

  it('the full time after a stop is that of the move, with the bank that it had', () => {
    const play = duel({ ...banked, fullTimeAfterStop: true })
    play.do(move(0, '4', 50_000), move(1, '0', 50_000), pause(75_000), resume(1e6))
    expect(timeLeft(play.match, 0, 1e6)).toBe(50_000)
  })

  it('a new clock after a late move has no bank any more', () => {
    const late = { strikes: 2, counted: 'in all', next: { clock: 10_000 } } as const
    const play = duel({ ...banked, late }).do(tick(80_000 + lag))
    expect(timeLeft(play.match, 0, 80_000 + lag)).toBe(10_000)
    play.do(move(0, '4', 81_000), move(1, '0', 81_000))
    expect(timeLeft(play.match, 0, 81_000)).toBe(20_000)
  })

  it('an illegal move that counts as a late one leaves the bank that is left', () => {
    const play = duel({
      ...banked,
      illegal: { retries: 0, counted: 'in all', penalty: 'late' },
      late: { strikes: 2, counted: 'in all', next: { clock: 10_000 } },
    })
    play.do(move(0, 'x', 35_000))
    expect(timeLeft(play.match, 0, 35_000)).toBe(55_000)
  })

  it('the bank runs while a seat is absent, unless its terms stop the clocks', () => {
    const away = { stages: [{ time: 120_000, play: 'runs' }], times: 9 } as const
    const play = duel({ ...banked, away }).do(lost(0, 1_000), back(0, 50_000, 1))
    expect(timeLeft(play.match, 0, 50_000)).toBe(30_000)
    const stands = { stages: [{ time: 120_000, play: 'stands' }], times: 9 } as const
    const still = duel({ ...banked, away: stands }).do(lost(0, 1_000), back(0, 50_000, 1))
    expect(timeLeft(still.match, 0, 50_000)).toBe(79_000)
  })

  it('in a round of simultaneous moves each seat has its own bank', () => {
    const play = new Play(sums, [banked, banked]).do(move(0, 1, 5_000), move(1, 1, 50_000))
    expect(timesLeft(play.match, 50_000)).toEqual([80_000, 50_000])
  })
})

describe('a paused match', () => {
  const pause = (at: number) => ({ kind: 'pause', at }) as const
  const resume = (at: number) => ({ kind: 'resume', at }) as const

  it('no clock runs during a pause, and each has the time afterwards that it had left', () => {
    const play = duel().do(pause(10_000), tick(1e6))
    expect(wakeAt(play.match)).toBe(Infinity)
    expect(timeLeft(play.match, 0, 1e6)).toBe(5_000)
    play.do(resume(2e6))
    expect(play.effects.slice(1)).toEqual([
      { kind: 'clocks', play: 'paused' },
      { kind: 'clocks', play: 'runs' },
      { kind: 'show' },
    ])
    expect(wakeAt(play.match)).toBe(2_005_000 + lag)
  })

  it('terms may give the full time again after a pause', () => {
    const play = duel({ ...strict, fullTimeAfterStop: true }).do(pause(10_000), resume(2e6))
    expect(timeLeft(play.match, 0, 2e6)).toBe(15_000)
    play.do(pause(2_001_000), resume(3e6))
    expect(timeLeft(play.match, 0, 3e6)).toBe(15_000)
  })

  it('a move during a pause is refused, and is recorded later without the time of the pause', () => {
    const play = duel().do(pause(10_000), move(0, '4', 20_000))
    expect(play.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 0, code: 'match-paused' })
    play.do(resume(30_000), move(0, '4', 31_000))
    expect(play.effects.at(-2)).toMatchObject({ kind: 'record', ms: 11_000 })
  })

  it('a seat may resign during a pause', () => {
    expect(duel().do(pause(1), { kind: 'resign', seat: 0, at: 2 }).outcome).toMatchObject({
      ending: 'resigned',
    })
  })

  it('a second pause or resumption changes nothing', () => {
    const limit = { time: 12_000, result: 'standings' } as const
    const play = duel({ ...strict, limit }).do(pause(5_000), pause(6_000))
    expect(wakeAt(play.match)).toBe(Infinity)
    play.do(resume(10_000), resume(11_000))
    expect(timeLeft(play.match, 0, 11_000)).toBe(9_000)
    expect(wakeAt(play.match)).toBe(17_000 + lag)
  })

  it('the grace of an absent seat stands still during a pause', () => {
    const terms: Terms = { ...strict, away: { stages: [{ time: 30_000, play: 'runs' }], times: 9 } }
    const play = duel({ ...terms, move: 1e9 }).do(lost(1, 1_000), pause(2_000), tick(1e6))
    expect(wakeAt(play.match)).toBe(Infinity)
    expect(wakeAt(play.do(resume(1e6)).match)).toBe(1_029_000 + lag)
  })

  it('an absence that begins during a pause has its whole grace after it', () => {
    const terms: Terms = { ...strict, away: { stages: [{ time: 10_000, play: 'runs' }], times: 9 } }
    const play = duel(terms).do(pause(2_000), lost(1, 3_000), resume(1e6))
    expect(wakeAt(play.match)).toBe(1_010_000 + lag)
  })
})

describe('the limit on the whole match', () => {
  const limited = (result: 'standings' | 'forfeit'): Terms => ({
    ...strict,
    move: 60_000,
    limit: { time: 100_000, result },
  })

  it('is a draw in a game that has no standings', () => {
    const play = duel(limited('standings')).do(move(0, '4', 50_000))
    expect(wakeAt(play.match)).toBe(100_000 + lag)
    expect(play.do(tick(100_000 + lag)).outcome).toEqual({
      ending: 'limit',
      places: [1, 1],
      faults: [null, null],
      detail: 'the match reached its limit of 100 s',
    })
  })

  it('is decided by the standings of a game that has them', () => {
    const terms = limited('standings')
    const play = new Play(go9, [terms, terms]).do(move(0, 'E5', 50_000), tick(100_000 + lag))
    expect(play.outcome).toEqual({
      ending: 'limit',
      places: [1, 2],
      faults: [null, null],
      scores: [81, 6.5],
      detail: 'the match reached its limit of 100 s: counted as it stands, 81 points to 6.5',
    })
  })

  it('is lost by the seat to move where the terms say so', () => {
    const play = duel(limited('forfeit')).do(move(0, '4', 50_000), tick(100_000 + lag))
    expect(play.outcome).toMatchObject({
      ending: 'late',
      places: [1, 2],
      faults: [null, 'late'],
      detail: 'the match reached its limit of 100 s',
    })
  })

  it('a legal move after the limit does not count', () => {
    const play = duel(limited('standings')).do(move(0, '4', 50_000))
    expect(play.do(move(1, '0', 100_000 + lag)).outcome).toMatchObject({ ending: 'limit' })
  })

  it('a seat that was late before the limit loses', () => {
    const play = duel({ ...limited('standings'), move: 99_990 }).do(tick(100_000 + lag))
    expect(play.outcome).toMatchObject({ ending: 'late', faults: ['late', null] })
  })

  it('a seat that is out stays below the others in the draw', () => {
    const terms = limited('standings')
    const play = new Play(sums, [terms, terms, terms])
    play.do({ kind: 'resign', seat: 1, at: 5 }, tick(60_000 - 1), move(0, 1, 59_000))
    play.do(move(2, 1, 59_000), tick(100_000 + lag))
    expect(play.outcome).toMatchObject({ ending: 'limit', places: [1, 3, 1] })
  })

  it('the shortest limit of all seats holds', () => {
    const longer: Terms = { ...strict, move: 1e6, limit: { time: 2e5, result: 'forfeit' } }
    const play = new Play(ttt, [longer, { ...limited('standings'), move: 1e6 }])
    expect(play.do(tick(100_000 + lag)).outcome).toMatchObject({ ending: 'limit' })
  })

  it('a pause by the host does not count', () => {
    const play = duel({ ...limited('standings'), move: 1e9 })
    play.do({ kind: 'pause', at: 50_000 }, tick(1e6), { kind: 'resume', at: 1e6 })
    expect(play.outcome).toBeUndefined()
    expect(wakeAt(play.match)).toBe(1_050_000 + lag)
  })

  it('an absence that stops the clocks does not move the limit', () => {
    const terms: Terms = {
      ...limited('standings'),
      away: { stages: [{ time: 1e6, play: 'stands' }], times: 9 },
    }
    const play = duel(terms).do(lost(0, 1_000), tick(100_000 + lag))
    expect(play.outcome).toMatchObject({ ending: 'limit', places: [1, 1] })
  })
})
