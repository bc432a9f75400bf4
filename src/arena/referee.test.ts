import { describe, expect, it } from 'vitest'
import { duel, move, Play, type Sums, strict, sums } from '../../test/support/referee-play.ts'
import type { Game, Json } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { lag, wakeAt } from './clocks.ts'
import { open, step } from './referee.ts'
import type { IllegalTerms, Terms } from './terms.ts'

describe('a match', () => {
  it('the board is shown at the start and after every move', () => {
    expect(duel().do(move(0, '4'), move(1, '0')).kinds).toEqual([
      'show',
      'record',
      'show',
      'record',
      'show',
    ])
  })

  it('a match that ends by its rules records the last move', () => {
    const play = duel().do(
      move(0, '0'),
      move(1, '3'),
      move(0, '1'),
      move(1, '4'),
      move(0, '2', 1234),
    )
    expect(play.outcome).toEqual({
      ending: 'rules',
      places: [1, 2],
      faults: [null, null],
      detail: 'three in a row',
    })
    expect(play.effects.at(-2)).toMatchObject({ kind: 'record', seat: 0, move: '2', ms: 1233 })
  })

  it('a match that is over ignores every event', () => {
    const play = duel().do({ kind: 'resign', seat: 0, at: 1 })
    const before = play.effects.length
    play.do(move(1, '0'), { kind: 'lost', seat: 1, at: 2 }, { kind: 'tick', at: 1e9 })
    expect(play.effects.length).toBe(before)
  })

  it('the reason of an ending is one short line', () => {
    const play = new Play(
      { ...ttt, status: () => ({ places: [1, 2], because: `\u001b[2J\n${'x'.repeat(9000)}` }) },
      [strict, strict],
    )
    expect(play.outcome!.detail).toBe(`[2J ${'x'.repeat(196)}`)
  })

  it('a step never changes the match that it is given', () => {
    const [match] = open(ttt, 1, [strict, strict], 0)
    const before = JSON.stringify(match)
    step(match, move(0, '4'))
    step(match, { kind: 'tick', at: 1e9 })
    step(match, { kind: 'lost', seat: 1, at: 5 })
    expect(JSON.stringify(match)).toBe(before)
  })
})

describe('an illegal move', () => {
  it.each([
    ['9', 'a move is a cell from "0" to "8", row by row, got "9"'],
    [' 9', 'a move is a cell from "0" to "8", row by row, got " 9"'],
    ['\ufeff4', 'a move is a cell from "0" to "8", row by row, got "<U+FEFF>4"'],
    [4, 'move must be a string, got number'],
    [null, 'move must be a string, got null'],
    [undefined, 'move is missing'],
  ])('the illegal move %j loses at once', (bad, detail) => {
    expect(duel().do(move(0, bad)).outcome).toEqual({
      ending: 'illegal',
      places: [2, 1],
      faults: ['illegal', null],
      detail,
    })
  })

  it('a move longer than the game allows is illegal, after parts that do not belong to it are removed', () => {
    const short: Game<Sums> = {
      ...sums,
      facts: { ...sums.facts, moveBytes: 9 },
      read: (_, __, move) => (typeof move === 'string' ? Number(move) : move),
    }
    const play = (sent: string) => new Play(short, [strict, strict]).do(move(0, sent))
    expect(play(`${' '.repeat(1000)}123456789`).effects.at(-1)).toMatchObject({
      kind: 'record',
      seat: 0,
      move: 123456789,
      ms: 1,
    })
    expect(play('1234567890').outcome).toMatchObject({
      ending: 'illegal',
      faults: ['illegal', null],
      detail: 'a move takes at most 9 bytes, got 10',
    })
  })

  it('a move nested deeper than 128 is illegal', () => {
    const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)])
    const lenient: Game<Sums> = { ...sums, read: () => 1 }
    const play = (sent: Json) =>
      new Play(lenient, [strict, strict]).do({ kind: 'move', seat: 0, move: sent, at: 1 })
    expect(play(nested(128)).outcome).toBeUndefined()
    expect(play(nested(129)).outcome).toMatchObject({
      ending: 'illegal',
      faults: ['illegal', null],
      detail: 'a move may be nested 128 deep',
    })
  })

  it('where the terms allow a retry, an illegal move may be tried again on the same clock', () => {
    const play = duel({ ...strict, illegal: 'retry' })
    const until = wakeAt(play.match)
    play.do(move(0, '9', 500))
    expect(play.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 0, code: 'illegal-move' })
    expect(wakeAt(play.match)).toBe(until)
    expect(play.do(move(0, '4', 600)).kinds.at(-1)).toBe('show')
  })

  it('a refusal says how many illegal moves were made, and how many more cost nothing', () => {
    const refusals = (illegal: IllegalTerms) =>
      duel({ ...strict, illegal })
        .do(move(0, 'x'), move(0, 'y'))
        .effects.flatMap(effect => (effect.kind === 'refuse' ? [effect.retries] : []))
    expect(refusals('retry')).toEqual([
      { made: 1, left: null },
      { made: 2, left: null },
    ])
    expect(refusals({ retries: 3, counted: 'in a row', penalty: 'forfeit' })).toEqual([
      { made: 1, left: 3 },
      { made: 2, left: 2 },
    ])
  })

  it('the illegal move after the last retry loses', () => {
    const play = duel({
      ...strict,
      illegal: { retries: 3, counted: 'in a row', penalty: 'forfeit' },
    })
    play.do(move(0, 'x'), move(0, 'x'), move(0, 'x'))
    expect(play.outcome).toBeUndefined()
    expect(play.do(move(0, 'x')).outcome).toMatchObject({
      ending: 'illegal',
      faults: ['illegal', null],
    })
  })

  it.each([
    ['in a row', undefined],
    ['in all', 'illegal'],
  ] as const)('an accepted move gives back the retries that are counted %s', (counted, ending) => {
    const play = duel({ ...strict, illegal: { retries: 1, counted, penalty: 'forfeit' } })
    play.do(move(0, 'x'), move(0, '0'), move(1, '1'), move(0, 'x'))
    expect(play.outcome?.ending).toBe(ending)
  })

  it('an illegal move beyond the retries may cost as much as a late one: a strike, then the match', () => {
    const terms: Terms = {
      ...strict,
      illegal: { retries: 1, counted: 'in a row', penalty: 'late' },
      late: { strikes: 2, counted: 'in a row', next: { clock: 4_000 } },
    }
    const play = duel(terms).do(move(0, 'x', 100), move(0, 'x', 200))
    expect(play.effects.slice(-3)).toEqual([
      expect.objectContaining({ kind: 'refuse', retries: { made: 2, left: 0 } }),
      { kind: 'strike', seat: 0, strikes: 1 },
      { kind: 'show' },
    ])
    expect(wakeAt(play.match)).toBe(4_200 + lag)
    play.do(move(0, 'x', 300))
    expect(play.outcome).toBeUndefined()
    expect(play.do(move(0, 'x', 400)).outcome).toMatchObject({
      ending: 'illegal',
      faults: ['illegal', null],
    })
  })

  it('an illegal move beyond the retries may cost the turn, which is no strike', () => {
    const terms: Terms = {
      ...strict,
      illegal: { retries: 1, counted: 'in a row', penalty: 'fallback' },
    }
    const play = new Play(sums, [terms, terms]).do(move(1, 7), move(0, 'x'), move(0, 'x'))
    expect(play.match.state).toMatchObject({ sums: [0, 7], round: 1 })
    expect(play.kinds.slice(-3)).toEqual(['refuse', 'record', 'show'])
    expect(play.match.seatStates[0]).toMatchObject({ strikes: 0, illegalMoves: 0 })
  })

  it('in a game without fallback moves the illegal move that should cost the turn costs nothing', () => {
    const terms: Terms = {
      ...strict,
      illegal: { retries: 0, counted: 'in a row', penalty: 'fallback' },
    }
    const play = duel(terms).do(move(0, 'x'), move(0, '4'))
    expect(play.kinds).toEqual(['show', 'refuse', 'record', 'show'])
  })
})

describe('out of turn', () => {
  it('a move out of turn is refused and never queued', () => {
    const play = duel().do(move(1, '4'))
    expect(play.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 1, code: 'not-your-turn' })
    play.do(move(0, '4'))
    expect(play.outcome).toBeUndefined()
    expect(play.kinds.at(-1)).toBe('show')
  })

  it.each(['gone', 'resigned'] as const)('a seat that is %s out of turn loses too', ending => {
    const play = duel().do({ kind: ending === 'gone' ? 'lost' : 'resign', seat: 1, at: 5 })
    expect(play.outcome).toMatchObject({ ending, places: [1, 2], faults: [null, ending] })
  })

  it.each([
    ['banned', 'banned by the operator'],
    ['revoked', 'its key or token was revoked'],
    ['too-many-errors', 'the connection was lost'],
    [undefined, 'the connection was lost'],
  ] as const)(
    'a seat that the host disconnects as %s loses at once, and all are told why',
    (cause, detail) => {
      expect(duel().do({ kind: 'lost', seat: 0, cause, at: 1 }).outcome).toMatchObject({
        ending: 'gone',
        faults: ['gone', null],
        detail,
      })
    },
  )
})

describe('seats that move together', () => {
  it('seats that move together are shown the board when the round is over', () => {
    const play = new Play(sums, [strict, strict]).do(move(1, 3, 10))
    expect(play.kinds).toEqual(['show', 'record'])
    expect(play.do(move(0, 4, 20)).kinds.slice(-2)).toEqual(['record', 'show'])
  })

  it('a seat cannot move twice in a round', () => {
    const play = new Play(sums, [strict, strict]).do(move(1, 3), move(1, 4))
    expect(play.effects.at(-1)).toMatchObject({ kind: 'refuse', code: 'not-your-turn' })
  })

  it('a seat that has moved in a round cannot be late', () => {
    const play = new Play(sums, [strict, strict]).do(move(1, 3), { kind: 'tick', at: 16_000 })
    expect(play.outcome).toMatchObject({ ending: 'late', places: [2, 1], faults: ['late', null] })
  })

  it('seats that are late at the same moment draw', () => {
    const play = new Play(sums, [strict, strict]).do({ kind: 'tick', at: 16_000 })
    expect(play.outcome).toMatchObject({ places: [1, 1], faults: ['late', 'late'] })
  })
})
