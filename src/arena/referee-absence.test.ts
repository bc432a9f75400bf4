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
import { lag, timeLeft, wakeAt } from './clocks.ts'
import type { Terms } from './terms.ts'

describe('a lost connection', () => {
  const patient: Terms = {
    ...strict,
    away: { stages: [{ time: 30_000, play: 'stands' }], times: 9 },
  }

  it('a seat that reconnects within its grace has the time that it had left', () => {
    const play = duel(patient).do({ kind: 'lost', seat: 0, at: 10_000 })
    expect(wakeAt(play.match)).toBe(40_000 + lag)
    play.do({ kind: 'tick', at: 39_000 }, { kind: 'back', seat: 0, at: 39_000 })
    expect(play.outcome).toBeUndefined()
    expect(wakeAt(play.match)).toBe(44_000 + lag)
  })

  it('a seat loses when its grace is over', () => {
    const play = duel(patient).do(
      { kind: 'lost', seat: 1, at: 10_000 },
      { kind: 'tick', at: 40_000 },
    )
    expect(play.outcome).toMatchObject({ ending: 'gone', places: [1, 2] })
  })

  it('the clock of a disconnected seat runs where the terms say so', () => {
    const terms: Terms = { ...patient, away: { stages: [{ time: 1e9, play: 'runs' }], times: 9 } }
    const play = duel(terms).do({ kind: 'lost', seat: 0, at: 1 }, { kind: 'tick', at: 16_000 })
    expect(play.outcome).toMatchObject({ ending: 'late' })
  })

  it('if both seats disconnect, the first one loses', () => {
    const play = duel().do({ kind: 'lost', seat: 1, at: 1 }, { kind: 'lost', seat: 0, at: 1 })
    expect(play.outcome).toMatchObject({ ending: 'gone', places: [1, 2] })
  })
})

describe('an absence in stages', () => {
  /** For 15 s the clocks stand still and no one is told; then for 15 s more, and the others are. */
  const staged: Terms = {
    ...strict,
    away: {
      stages: [
        { time: 15_000, play: 'stands' },
        { time: 15_000, play: 'stands', told: true },
      ],
      times: 2,
      together: true,
    },
  }

  it('the others are told when a later stage begins, with the time that is left', () => {
    const play = duel(staged).do(lost(0, 1_000))
    expect(play.effects.slice(1)).toEqual([{ kind: 'clocks', play: 'stands' }])
    expect(wakeAt(play.match)).toBe(16_000 + lag)
    play.do(tick(16_000 + lag))
    expect(play.effects.slice(2)).toEqual([{ kind: 'away', seat: 0, grace: 15_000 }])
    expect(wakeAt(play.match)).toBe(31_000 + lag)
    expect(play.do(tick(31_000 + lag)).outcome).toMatchObject({
      ending: 'gone',
      faults: ['gone', null],
    })
  })

  it('the others are told of a return only if they were told of the absence', () => {
    const returns = (at: number) =>
      duel(staged)
        .do(lost(0, 1_000), tick(at), back(0, at + 1))
        .kinds.slice(1)
    expect(returns(15_000)).toEqual(['clocks', 'clocks', 'show'])
    expect(returns(20_000)).toEqual(['clocks', 'away', 'back', 'clocks', 'show'])
  })

  it('a seat that is present may move while the clocks stand still, and the next clock starts with the return', () => {
    const play = duel(staged).do(lost(1, 5_000), move(0, '4', 10_000))
    expect(play.effects.at(-2)).toMatchObject({ kind: 'record', ms: 5_000 })
    expect(timeLeft(play.match, 1, 12_000)).toBe(15_000)
    play.do(back(1, 13_000))
    expect(wakeAt(play.match)).toBe(28_000 + lag)
  })

  it('two seats that are absent when the time of one is over draw, where their terms say so', () => {
    const both = (terms: Terms) =>
      duel(terms).do(lost(0, 1_000), lost(1, 20_000), tick(31_000 + lag)).outcome
    expect(both(staged)).toMatchObject({ places: [1, 1], faults: ['gone', 'gone'] })
    const { together: _, ...apart } = staged.away as Exclude<typeof staged.away, string>
    expect(both({ ...staged, away: apart })).toMatchObject({
      places: [2, 1],
      faults: ['gone', null],
    })
  })

  it('a seat that loses its connection more often than its terms allow loses at once', () => {
    const play = duel(staged).do(lost(0, 1), back(0, 2), lost(0, 3), back(0, 4))
    expect(play.outcome).toBeUndefined()
    expect(play.do(lost(0, 5)).outcome).toMatchObject({ ending: 'gone', faults: ['gone', null] })
  })

  it('losing the connection again while absent makes the absence no longer', () => {
    const play = duel(staged).do(lost(0, 1_000), lost(0, 14_000))
    expect(play.do(tick(31_000 + lag)).outcome).toMatchObject({ ending: 'gone' })
  })

  it('one tick passes several stages when it comes late', () => {
    const play = duel(staged).do(lost(0, 1_000), tick(60_000))
    expect(play.outcome).toMatchObject({ ending: 'gone', faults: ['gone', null] })
  })

  it('the clocks stand still until the last absent seat is back', () => {
    const play = duel(staged).do(lost(0, 1_000), lost(1, 2_000), back(0, 3_000))
    expect(timeLeft(play.match, 0, 9_000)).toBe(14_000)
    play.do(back(1, 10_000))
    expect(wakeAt(play.match)).toBe(24_000 + lag)
  })

  it('a pause by the host while clocks stand still does not start them', () => {
    const play = duel(staged).do(lost(0, 1_000), { kind: 'pause', at: 3_000 })
    expect(timeLeft(play.match, 0, 9_000)).toBe(14_000)
    play.do({ kind: 'resume', at: 10_000 })
    expect(play.match.stopped).toEqual({ since: 1_000, play: 'stands' })
    expect(wakeAt(play.do(back(0, 12_000)).match)).toBe(26_000 + lag)
  })

  it('a seat whose absence and clock end at the same moment loses by its absence', () => {
    const away: Terms['away'] = { stages: [{ time: 15_000, play: 'runs' }], times: 1 }
    const play = duel({ ...strict, away }).do(lost(0, 0), tick(15_000 + lag))
    expect(play.outcome).toMatchObject({ ending: 'gone' })
  })

  it('when an absent seat is out, the clocks of the others run again', () => {
    const play = new Play(sums, [staged, staged, staged]).do(lost(2, 10_000), tick(40_000 + lag))
    expect(play.kinds.slice(-2)).toEqual(['drop', 'clocks'])
    expect(timeLeft(play.match, 0, 40_000 + lag)).toBe(5_000)
  })

  it.each(['banned', 'revoked'] as const)('a seat that is %s has no stages', cause => {
    const play = duel(staged).do({ kind: 'lost', seat: 0, cause, at: 1 })
    expect(play.outcome).toMatchObject({ ending: 'gone', faults: ['gone', null] })
  })
})

describe('an absence that pauses the match', () => {
  /** A pause of 60 s; then the absent seat falls back at once, for 240 s more. */
  const waited: Terms = {
    ...strict,
    move: 30_000,
    late: { strikes: 2, counted: 'in a row', next: 'fallback' },
    away: {
      stages: [
        { time: 60_000, play: 'paused', told: true },
        { time: 240_000, play: 'falls back', within: 0 },
      ],
      times: Infinity,
    },
    fullTimeAfterStop: true,
  }
  const three = () => new Play(sums, [waited, waited, waited])

  it('moves are refused until the seat is back, and all have their full time again', () => {
    const play = three().do(lost(2, 10_000), move(0, 1, 20_000))
    expect(play.effects.slice(1)).toEqual([
      { kind: 'away', seat: 2, grace: 300_000 },
      { kind: 'clocks', play: 'paused' },
      expect.objectContaining({ kind: 'refuse', seat: 0, code: 'match-paused' }),
    ])
    play.do(back(2, 40_000))
    expect(play.kinds.slice(-3)).toEqual(['back', 'clocks', 'show'])
    expect(wakeAt(play.match)).toBe(70_000 + lag)
  })

  it('after the pause the absent seat falls back at once, and gets no strikes by it', () => {
    const play = three().do(lost(2, 10_000), tick(70_000 + lag))
    expect(play.kinds.slice(-2)).toEqual(['clocks', 'show'])
    for (let round = 1; round <= 2; round++) {
      const at = 71_000 + round * 1_000
      play.do(tick(at), move(0, 1, at), move(1, 2, at))
      expect(play.match.state).toMatchObject({ round })
    }
    expect(play.match.seatStates[2]).toMatchObject({ strikes: 0, fault: null })
    play.do(tick(74_000), move(0, 1, 75_000), move(1, 2, 75_000))
    expect(play.outcome).toMatchObject({ ending: 'rules', places: [2, 1, 3] })
  })

  it('fallback moves keep an absent seat in the match, even where its first late move would lose', () => {
    const play = new Play(sums, [strict, { ...waited, late: 'forfeit' }])
    play.do(lost(1, 1_000), tick(61_000), move(0, 1, 61_500), tick(61_600))
    expect(play.outcome).toBeUndefined()
    expect(play.match.state).toMatchObject({ round: 1 })
  })

  it('a seat that is not back at the end is out, and the others keep playing', () => {
    const play = three().do(lost(2, 10_000), tick(70_000), tick(71_000), tick(310_000))
    expect(play.match.seatStates[2]!.fault).toBe('gone')
    expect(play.effects).toContainEqual({
      kind: 'drop',
      seat: 2,
      fault: 'gone',
      detail: 'the connection was lost',
      events: [],
    })
  })
})

describe('an absence in which the clocks run', () => {
  it('may cost nothing, and no one is told', () => {
    const play = duel({ ...strict, away: 'ignored' }).do(lost(1, 1_000), lost(0, 2_000))
    expect(play.kinds).toEqual(['show'])
    play.do(back(0, 3_000), move(0, '4', 4_000))
    expect(wakeAt(play.match)).toBe(19_000 + lag)
    expect(play.do(tick(19_000 + lag)).outcome).toMatchObject({
      ending: 'late',
      faults: [null, 'late'],
    })
  })

  it('may leave the absent seat a shorter clock, until it is back', () => {
    const hurried: Terms = {
      ...strict,
      move: 60_000,
      away: { stages: [{ time: 1e6, play: 'runs', within: 5_000, told: true }], times: 9 },
    }
    const play = duel(hurried).do(lost(0, 20_000))
    expect(wakeAt(play.match)).toBe(25_000 + lag)
    expect(timeLeft(play.match, 0, 20_000)).toBe(5_000)
    play.do(back(0, 24_000))
    expect(wakeAt(play.match)).toBe(60_000 + lag)
    play.do(lost(0, 58_000))
    expect(wakeAt(play.match)).toBe(60_000 + lag)
    play.do(back(0, 58_500), lost(1, 58_600), move(0, '4', 59_000))
    expect(play.do(tick(64_000 + lag)).outcome).toMatchObject({
      ending: 'late',
      faults: [null, 'late'],
    })
  })

  it('where the game has no fallback move, an absent seat keeps its clock', () => {
    const play = duel({
      ...strict,
      away: { stages: [{ time: 1e6, play: 'falls back', within: 5_000 }], times: 9 },
    })
    play.do(lost(0, 1_000))
    expect(wakeAt(play.match)).toBe(15_000 + lag)
    expect(play.do(tick(15_000 + lag)).outcome).toMatchObject({ faults: ['late', null] })
  })
})

describe('a newer connection', () => {
  const patient: Terms = { ...strict, away: { stages: [{ time: 9_000, play: 'runs' }], times: 9 } }

  it('ends the absence of its seat', () => {
    const play = duel({ ...patient, move: 1e6 }).do(lost(0, 1_000), back(0, 2_000, 1), tick(50_000))
    expect(play.outcome).toBeUndefined()
  })

  it('is shown the board, and no other seat is', () => {
    const play = duel(strict).do(back(1, 2_000, 1))
    expect(play.effects.slice(1)).toEqual([{ kind: 'show', seat: 1 }])
  })

  it('replaces an older one, whose loss no longer counts by any terms', () => {
    for (const terms of [patient, strict]) {
      const play = duel(terms).do(back(0, 1_000, 1), lost(0, 2_000, 0))
      expect(play.match.seatStates[0]!.away).toBeNull()
      expect(play.outcome).toBeUndefined()
      expect(play.do(lost(0, 3_000, 1), tick(14_000)).outcome).toMatchObject({ ending: 'gone' })
    }
  })
})

describe('a seat that has to accept the match first', () => {
  /** An invitation is an absence that begins with the match. */
  const invited: Terms = {
    ...strict,
    move: 30_000,
    away: { stages: [{ time: 5_000, play: 'paused' }], times: 1 },
  }

  it('the clocks start when all have accepted', () => {
    const play = duel(invited).do(lost(0, 0), lost(1, 0), back(0, 1_000), back(1, 4_000))
    expect(wakeAt(play.match)).toBe(34_000 + lag)
  })

  it('a seat that does not accept in time loses, and both lose together', () => {
    const late = (...accepted: number[]) =>
      duel(invited).do(
        lost(0, 0),
        lost(1, 0),
        ...accepted.map(seat => back(seat, 1_000)),
        tick(5_000 + lag),
      ).outcome
    expect(late(0)).toMatchObject({ places: [1, 2], faults: [null, 'gone'] })
    expect(late()).toMatchObject({ places: [1, 1], faults: ['gone', 'gone'] })
  })
})
