import { describe, expect, it } from 'vitest'
import { type Game, illegal, type Json, type Seat } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { lag, wakeAt } from './clocks.ts'
import type { Outcome } from './ending.ts'
import type { Match } from './live-match.ts'
import { type Effect, open, type RefereeEvent, step } from './referee.ts'
import type { Terms } from './terms.ts'

const strict: Terms = {
  move: 15_000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
}

/**
 * Each seat names a number once a round. After three rounds the highest sum wins. A round does not wait for seats that
 * have left.
 */
type Sums = {
  readonly sums: readonly number[]
  readonly named: readonly (number | null)[]
  readonly out: readonly Seat[]
  readonly round: number
}
const sums: Game<Sums> = {
  id: 'sums',
  title: 'Sums',
  summary: 'Name the highest numbers.',
  seats: 4,
  facts: { turns: 'together', luck: false, secrets: false },
  start: (_, seats) => ({
    sums: Array(seats).fill(0),
    named: Array(seats).fill(null),
    out: [],
    round: 0,
  }),
  status: ({ sums, named, out, round }) =>
    round === 3
      ? { places: sums.map(sum => 1 + sums.filter(other => other > sum).length), because: 'summed' }
      : { toMove: named.flatMap((n, seat) => (n === null && !out.includes(seat) ? [seat] : [])) },
  play: (state, seat, move) =>
    typeof move === 'number'
      ? resolve({ ...state, named: state.named.with(seat, move) })
      : illegal('a move is a number'),
  view: ({ sums, round }) => ({ sums, round }),
  look: () => ({}),
  fallback: () => 0,
  drop: (state, seat) => resolve({ ...state, out: [...state.out, seat] }),
}
const resolve = (state: Sums): Sums =>
  state.named.some((n, seat) => n === null && !state.out.includes(seat))
    ? state
    : {
        ...state,
        sums: state.sums.map((sum, seat) => sum + (state.named[seat] ?? 0)),
        named: state.named.map(() => null),
        round: state.round + 1,
      }

/** Applies the events and collects their effects. */
class Play {
  match: Match
  readonly effects: Effect[]

  constructor(game: Game, terms: readonly Terms[]) {
    const [match, effects] = open(game, 1, terms, 0)
    this.match = match
    this.effects = [...effects]
  }

  do(...events: RefereeEvent[]): this {
    for (const event of events) {
      const [match, effects] = step(this.match, event)
      this.match = match
      this.effects.push(...effects)
    }
    return this
  }

  get outcome(): Outcome | undefined {
    return this.effects.flatMap(effect => (effect.kind === 'end' ? [effect.outcome] : []))[0]
  }

  get kinds(): string[] {
    return this.effects.map(effect => effect.kind)
  }
}

const move = (
  seat: Seat,
  move: never | string | number | null | undefined,
  at = 1,
): RefereeEvent => ({
  kind: 'move',
  seat,
  move,
  at,
})
const duel = (terms: Terms = strict) => new Play(ttt, [terms, terms])

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
    expect(play(`${' '.repeat(1000)}123456789`).effects.at(-1)).toEqual({
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
})

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

describe('a seat that may act out of turn', () => {
  /** Seat 0 adds to a pile in each turn. Seat 1 may whisper or shout at any time. */
  type Pile = { readonly pile: number; readonly shout: string; readonly whisper: string }
  const pile: Game<Pile> = {
    ...(sums as unknown as Game<Pile>),
    facts: { turns: 'alternate', luck: false, secrets: false, outOfTurn: true },
    start: () => ({ pile: 0, shout: '', whisper: '' }),
    status: ({ pile }) =>
      pile > 2 ? { places: [1, 2], because: 'piled' } : { toMove: [0], mayAct: [1] },
    play: (state, seat, move) => {
      if (seat === 0) return { ...state, pile: state.pile + 1 }
      if (move === '?') return illegal('nobody may ask')
      return move === '!' ? { ...state, shout: '!' } : { ...state, whisper: String(move) }
    },
    view: ({ pile, shout }) => ({ pile, shout }),
  }

  it('an action out of turn shows the board again if the view changed, and no clock restarts', () => {
    const play = new Play(pile, [strict, strict]).do(move(1, 'psst', 100))
    expect(play.kinds).toEqual(['show', 'record'])
    play.do(move(1, '!', 200))
    expect(play.kinds).toEqual(['show', 'record', 'record', 'show'])
    expect(wakeAt(play.match)).toBe(15_000 + lag)
    expect(play.effects[2]).toMatchObject({ seat: 1, ms: 0 })
  })

  it('an illegal action out of turn is refused and costs nothing', () => {
    const play = new Play(pile, [strict, strict]).do(move(1, '?', 100))
    expect(play.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 1, code: 'illegal-move' })
    expect(play.outcome).toBeUndefined()
  })
})

describe('where seats may act out of turn', () => {
  /** A turn ends with a word. At any time either seat may make an offer, withdraw it, or accept it. */
  type Stall = { readonly words: number; readonly offer: boolean; readonly deals: number }
  const stall: Game<Stall> = {
    ...(sums as unknown as Game<Stall>),
    facts: { turns: 'alternate', luck: false, secrets: false, outOfTurn: true },
    start: () => ({ words: 0, offer: false, deals: 0 }),
    status: ({ words }) =>
      words === 4
        ? { places: [1, 1], because: 'all is said' }
        : { toMove: [words % 2], mayAct: [1 - (words % 2)] },
    play: (state, seat, move) => {
      const { words, offer, deals } = state
      if (move === 'word')
        return words % 2 === seat ? { ...state, words: words + 1 } : illegal('not your turn')
      if (move === 'offer') return offer ? illegal('there is one') : { ...state, offer: true }
      if (!offer) return illegal('there is no offer')
      if (move === 'withdraw') return { ...state, offer: false }
      return move === 'deal' ? { words, offer: false, deals: deals + 1 } : illegal('what?')
    },
    view: state => state,
  }
  const play = (terms: Terms = strict) => new Play(stall, [terms, terms])
  const answering = (turn: unknown, seat: Seat, move: string, at = 1): RefereeEvent => ({
    kind: 'move',
    seat,
    move,
    turn: turn as number,
    at,
  })

  it('a move that was legal before another seat acted is stale, and costs nothing', () => {
    const game = play().do(move(1, 'offer', 10), move(1, 'withdraw', 20), move(0, 'deal', 21))
    expect(game.outcome).toBeUndefined()
    expect(game.effects.at(-1)).toEqual({
      kind: 'refuse',
      seat: 0,
      code: 'stale-move',
      detail: 'another seat acted first: there is no offer',
    })
    expect(game.do(move(0, 'word', 30)).kinds.slice(-2)).toEqual(['record', 'show'])
  })

  it('an action out of turn that arrives in turn and is no longer legal is stale, and costs nothing', () => {
    const game = play().do(
      move(1, 'offer', 10),
      move(0, 'withdraw', 20),
      move(0, 'word', 21),
      move(1, 'deal', 22),
    )
    expect(game.effects.at(-1)).toMatchObject({ kind: 'refuse', code: 'stale-move' })
    expect(game.outcome).toBeUndefined()
  })

  it('each earlier board excuses one stale move, and the next one is illegal', () => {
    const game = play().do(
      move(1, 'offer', 10),
      move(1, 'withdraw', 20),
      move(1, 'offer', 30),
      move(1, 'withdraw', 40),
      move(0, 'deal', 41),
      move(0, 'deal', 42),
    )
    expect(game.outcome).toBeUndefined()
    expect(game.do(move(0, 'deal', 43)).outcome).toMatchObject({
      ending: 'illegal',
      faults: ['illegal', null],
      detail: 'there is no offer',
    })
  })

  it('an agent that answers each board in turn may be several boards behind', () => {
    // It is shown an offer, no offer, and another offer. Each of its three answers arrives at a later board.
    const game = play().do(
      move(1, 'offer', 10),
      move(1, 'withdraw', 20),
      move(1, 'offer', 30),
      move(0, 'deal', 31),
      move(0, 'word', 32),
      move(1, 'word', 33),
      move(0, 'deal', 34),
    )
    expect(game.match.state).toMatchObject({ deals: 1, words: 2 })
    expect(game.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 0, code: 'stale-move' })
    expect(game.do(move(0, 'deal', 35)).outcome).toMatchObject({ ending: 'illegal' })
  })

  it('a move that was legal on no earlier board loses at once', () => {
    const game = play().do(move(1, 'offer', 10), move(1, 'withdraw', 20), move(0, 'nonsense', 21))
    expect(game.outcome).toMatchObject({ ending: 'illegal', faults: ['illegal', null] })
  })

  it('a change by the own action of a seat excuses no illegal move', () => {
    const game = play().do(move(0, 'offer', 10), move(0, 'withdraw', 20), move(0, 'deal', 21))
    expect(game.outcome).toMatchObject({ ending: 'illegal', faults: ['illegal', null] })
  })

  it('a move that names an earlier turn is refused as stale', () => {
    const game = play()
    const { turn } = game.match
    game.do(move(1, 'offer', 10), move(1, 'withdraw', 20), move(1, 'offer', 30))
    game.do(answering(turn + 1, 0, 'deal', 31), answering('3', 0, 'deal', 32))
    expect(game.effects.slice(-2)).toEqual([
      {
        kind: 'refuse',
        seat: 0,
        code: 'stale-move',
        detail: `the board is at turn ${turn + 3}, and this move answers ${turn + 1}: look at it again`,
      },
      expect.objectContaining({ kind: 'refuse', code: 'stale-move' }),
    ])
    expect(game.do(answering(turn + 3, 0, 'deal', 33)).match.state).toMatchObject({ deals: 1 })
  })

  it('an invalid turn is quoted without control characters', () => {
    const game = play().do(answering('\u009b2J\u001b', 1, 'offer'))
    expect(game.effects.at(-1)).toMatchObject({
      code: 'stale-move',
      detail: expect.stringMatching(/^the board is at turn \d+, and this move answers "\P{Cc}+"/u),
    })
  })

  it('the turn that a move names is ignored in games without actions out of turn', () => {
    const game = duel().do({ kind: 'move', seat: 0, move: '4', turn: 99, at: 1 })
    expect(game.kinds.at(-2)).toBe('record')
  })

  it('an action besides the owed move neither restarts the clock nor clears strikes', () => {
    const game = play({
      ...strict,
      late: { strikes: 2, counted: 'in a row', next: { clock: 15_000 } },
    })
    game.do({ kind: 'tick', at: 15_000 + lag })
    const until = wakeAt(game.match)
    for (let at = 16_000; at < 26_000; at += 1_000)
      game.do(
        move(0, 'offer', at),
        move(0, 'withdraw', at + 200),
        move(1, 'offer', at + 400),
        move(0, 'deal', at + 600),
      )
    expect(wakeAt(game.match)).toBe(until)
    expect(game.match.seatStates[0]!.strikes).toBe(1)
    expect(game.effects.filter(({ kind }) => kind === 'record')).toSatisfy((all: Effect[]) =>
      all.every(effect => effect.kind === 'record' && effect.ms === 0),
    )
    expect(game.do({ kind: 'tick', at: until }).outcome).toMatchObject({
      ending: 'late',
      faults: ['late', null],
    })
  })

  it('the recorded time of a move runs from when it was owed, and the next move has a new clock', () => {
    const game = play().do(
      move(0, 'offer', 4_000),
      move(0, 'withdraw', 8_000),
      move(0, 'word', 9_000),
    )
    expect(game.effects.filter(({ kind }) => kind === 'record').at(-1)).toMatchObject({ ms: 9_000 })
    expect(wakeAt(game.match)).toBe(24_000 + lag)
  })
})

describe('more than two seats', () => {
  const four = () => new Play(sums, [strict, strict, strict, strict])

  it('the other seats keep playing after a fault, and the faulted seat ranks below them', () => {
    const play = four().do(
      move(0, 9, 1),
      { kind: 'lost', seat: 0, at: 2 },
      { kind: 'lost', seat: 2, at: 3 },
    )
    expect(play.outcome).toBeUndefined()
    for (let round = 0; round < 3; round++) play.do(move(1, 1, 10), move(3, 2, 11))
    expect(play.outcome).toMatchObject({
      ending: 'rules',
      places: [4, 2, 3, 1],
      faults: ['gone', null, 'gone', null],
    })
  })

  it('a match ends when one seat is left', () => {
    const play = four().do(
      { kind: 'lost', seat: 0, at: 1 },
      { kind: 'resign', seat: 1, at: 2 },
      move(2, 'x', 3),
    )
    expect(play.outcome).toMatchObject({
      ending: 'illegal',
      places: [4, 3, 2, 1],
      faults: ['gone', 'resigned', 'illegal', null],
    })
  })

  it('a move of a seat that is out is refused', () => {
    const play = four().do({ kind: 'lost', seat: 0, at: 1 }, move(0, 3, 2))
    expect(play.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 0 })
  })
})
