import { expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { back, lost, move, Play, strict, tick } from '../../test/support/referee-play.ts'
import { type Game, illegal, moved, type Seat } from '../games/game.ts'
import { lag, timeLeft, timesLeft, wakeAt } from './clocks.ts'
import { isSpeed, speeds } from './pace.ts'
import type { RefereeEvent } from './referee-step.ts'
import type { Terms } from './terms.ts'

/** A move is a number of events. 'ask' has the other seat answer before the turn goes on; 'end' ends the match. */
interface Told {
  readonly current: Seat
  readonly asked: boolean
}
const told: Game<Told, { readonly kind: 'noise' | 'turn_start' }> = {
  id: 'told',
  title: 'Told',
  summary: 'Make events.',
  seats: 2,
  facts: { turns: 'alternate', luck: false, secrets: false },
  start: () => ({ current: 0, asked: false }),
  status: ({ current, asked }) =>
    current > 1
      ? { places: [1, 2], because: 'ended' }
      : asked
        ? { toMove: [1 - current], held: [current] }
        : { toMove: [current] },
  play: (state, _, move) => {
    if (move === 'ask') return moved({ ...state, asked: true }, noise(1))
    if (move === 'end') return moved({ ...state, current: 2 }, noise(3))
    if (typeof move !== 'number') return illegal('a move is a number')
    if (state.asked || move === 0) return moved({ ...state, asked: false }, noise(move))
    return moved({ ...state, current: 1 - state.current }, [
      ...noise(move - 1),
      { kind: 'turn_start' },
    ])
  },
  view: state => ({ ...state }),
  look: () => ({}),
  fallback: () => 1,
  drop: state => moved({ current: 1 - state.current, asked: false }, noise(1)),
}
const noise = (n: number) => Array.from({ length: n }, () => ({ kind: 'noise' as const }))

const pace = { event: 1_000, turn: 500 }
const patient: Terms = {
  ...strict,
  late: { strikes: 5, counted: 'in a row', next: 'fallback' },
  away: { stages: [{ time: 60_000, play: 'falls back', within: 0 }], times: 9 },
}
const paced = (terms: Terms = strict) => new Play(told as Game, [terms, terms], pace)
const since = (play: Play, known: number) => play.effects.slice(known).map(({ kind }) => kind)

it('the first board is shown at once', () => {
  const play = paced()
  expect(play.kinds).toEqual(['show'])
  expect(timesLeft(play.match, 0)).toEqual([15_000, null])
})

it('the board after a move is shown after a while for each event, and one more for a turn that passes', () => {
  const play = paced().do(move(0, 3, 2_000))
  expect(since(play, 1)).toEqual(['record'])
  expect(wakeAt(play.match)).toBe(2_000 + 3_500)
  play.do(tick(5_499))
  expect(since(play, 2)).toEqual([])
  play.do(tick(5_500))
  expect(since(play, 2)).toEqual(['show'])
})

it('a move that passes no turn waits for its events alone', () => {
  const play = paced().do(move(0, 'ask', 1))
  expect(wakeAt(play.match)).toBe(1_001)
})

it('a move without events is shown at once', () => {
  const play = paced().do(move(0, 0, 1))
  expect(since(play, 1)).toEqual(['record', 'show'])
  expect(play.match.shownAt).toBeNull()
})

it('a move before its board is shown is refused, and the clock begins with the board', () => {
  const play = paced().do(move(0, 1, 1_000), move(1, 1, 2_499))
  expect(play.effects.at(-1)).toMatchObject({
    kind: 'refuse',
    seat: 1,
    code: 'not-your-turn',
    detail: 'the last move is still being shown: wait for the next board',
  })
  expect(timeLeft(play.match, 1, 1_500)).toBe(15_000)
  play.do(tick(2_500))
  expect(timeLeft(play.match, 1, 2_500)).toBe(15_000)
  expect(wakeAt(play.match)).toBe(17_500 + lag)
  expect(play.do(tick(17_500 + lag)).outcome).toMatchObject({ ending: 'late', places: [1, 2] })
})

it('a move that comes when the board is due is accepted, although the timer has not come', () => {
  const play = paced().do(move(0, 1, 1_000), move(1, 2, 2_500))
  expect(play.effects.filter(({ kind }) => kind === 'refuse')).toEqual([])
  // The board between the two moves is no more: the next one is that after the second.
  expect(since(play, 1)).toEqual(['record', 'record'])
  expect(play.match.shownAt).toBe(5_000)
})

it('the time of a move is counted from the board', () => {
  const play = paced().do(move(0, 1, 1_000), tick(2_500), move(1, 1, 4_000))
  const records = play.effects.flatMap(effect => (effect.kind === 'record' ? [effect.ms] : []))
  expect(records).toEqual([1_000, 1_500])
})

it('what ends the match is told at once', () => {
  const play = paced().do(move(0, 'end', 1))
  expect(since(play, 1)).toEqual(['record', 'end'])
})

it('a player may resign before the board is shown', () => {
  const play = paced().do(move(0, 1, 1_000), { kind: 'resign', seat: 1, at: 1_100 })
  expect(play.outcome).toMatchObject({ ending: 'resigned' })
})

it('a player that comes back while a move is shown gets the next board with the others', () => {
  const play = paced(patient).do(move(0, 1, 1_000), lost(1, 1_100), back(1, 1_200, 1))
  expect(since(play, 2).filter(kind => kind === 'show')).toEqual([])
  expect(since(play.do(tick(2_500)), 2)).toContain('show')
})

it('the fallback move of an absent seat is made once the board is shown', () => {
  const play = paced(patient).do(lost(1, 500), move(0, 1, 1_000))
  expect(wakeAt(play.match)).toBe(2_500)
  play.do(tick(2_500))
  expect(play.effects.at(-1)).toMatchObject({ kind: 'show' })
  expect(wakeAt(play.match)).toBe(2_500 + lag)
  play.do(tick(2_500 + lag))
  expect(play.effects.at(-1)).toMatchObject({ kind: 'record', seat: 1, isFallback: true })
  expect(play.match.shownAt).toBe(2_500 + lag + 1_500)
})

it.each([
  ['', strict, 12_000],
  [' where the terms say so: full time', { ...strict, fullTimeAfterHold: true } as const, 15_000],
])('a held turn goes on with the time that was left%s', (_, terms, left) => {
  const play = paced(terms).do(move(0, 'ask', 3_000), tick(4_000), move(1, 1, 9_000), tick(10_000))
  expect(timesLeft(play.match, 10_000)).toEqual([left, null])
  expect(play.match.shownAt).toBeNull()
})

it('without a pace a held turn has its full time again, too', () => {
  const terms: Terms = { ...strict, fullTimeAfterHold: true }
  const play = new Play(told as Game, [terms, terms]).do(move(0, 'ask', 3_000), move(1, 1, 9_000))
  expect(timesLeft(play.match, 9_000)).toEqual([15_000, null])
})

it('a pause of the host while a move is shown costs no seat its time', () => {
  const play = paced().do(
    move(0, 1, 1_000),
    { kind: 'pause', at: 1_500 },
    { kind: 'resume', at: 61_500 },
  )
  expect(timeLeft(play.match, 1, 61_500)).toBe(15_000)
  expect(play.effects.at(-1)).toMatchObject({ kind: 'show' })
  expect(play.do(move(1, 1, 62_000)).effects.at(-1)).toMatchObject({ kind: 'record' })
})

it('a short pause does not show the board earlier', () => {
  const play = paced().do(
    move(0, 1, 1_000),
    { kind: 'pause', at: 1_500 },
    { kind: 'resume', at: 1_600 },
  )
  expect(since(play, 2)).toEqual(['clocks', 'clocks'])
  expect(timeLeft(play.match, 1, 2_500)).toBeGreaterThanOrEqual(15_000)
})

it('the fall of a seat waits for its events, after those of the move before', () => {
  const three = { ...told, seats: 3 } as Game
  const play = new Play(three, [patient, patient, patient], pace)
  play.do(move(0, 1, 1_000), { kind: 'resign', seat: 1, at: 1_500 })
  expect(play.match.shownAt).toBe(2_500 + 1_000)
  expect(since(play, 1)).toEqual(['record', 'drop'])
  expect(timeLeft(play.match, 0, 3_500)).toBe(15_000)
})

it('whatever happens, each board is shown in time, and no seat is late before it has had its time', () => {
  const action = fc.record({
    wait: fc.integer({ min: 0, max: 9_000 }),
    seat: fc.integer({ min: 0, max: 1 }),
    what: fc.constantFrom('move', 'move', 'move', 'ask', 'pause', 'resume', 'lost', 'back'),
    events: fc.integer({ min: 0, max: 4 }),
  })
  const terms: Terms = {
    ...patient,
    late: 'forfeit',
    fullTimeAfterHold: true,
    away: { stages: [{ time: 60_000, play: 'stands' }], times: 99 },
  }
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), fc.boolean(), (actions, full) => {
      const play = paced({ ...terms, ...(full && { fullTimeAfterStop: true }) })
      let [now, shownAt, moved, turn] = [0, 0, 0, 1]
      const follow = (event: RefereeEvent) => {
        const known = play.effects.length
        const due = play.match.shownAt
        play.do(event)
        const news = play.effects.slice(known)
        // A board is never shown while another move is still being shown.
        if (news.some(({ kind }) => kind === 'show')) {
          expect(play.match.shownAt).toBeNull()
          if (play.match.turn > turn) shownAt = now
          turn = play.match.turn
        }
        if (news.some(({ kind }) => kind === 'record')) moved = now
        if (due !== null && now >= due && play.match.shownAt !== null) expect(moved).toBe(now)
        for (const left of timesLeft(play.match, now)) expect(left ?? 0).toBeLessThanOrEqual(15_000)
        if (play.outcome?.ending === 'late') expect(now - shownAt).toBeGreaterThanOrEqual(15_000)
      }
      for (const { wait, seat, what, events } of actions) {
        for (const end = now + wait; now < end; ) {
          const wake = wakeAt(play.match)
          if (wake > end) now = end
          else {
            now = Math.max(now, wake)
            follow(tick(now))
            if (play.outcome !== undefined) return
          }
        }
        if (what === 'move' || what === 'ask')
          follow(move(seat, what === 'ask' ? 'ask' : events, now))
        else if (what === 'lost' || what === 'back') follow({ kind: what, seat, at: now })
        else follow({ kind: what, at: now })
        if (play.outcome !== undefined) return
      }
    }),
  )
})

it('there are four speeds', () => {
  expect(Object.keys(speeds)).toEqual(['slow', 'normal', 'fast', 'instant'])
  expect(['normal', 'toString', 7].map(isSpeed)).toEqual([true, false, false])
})
