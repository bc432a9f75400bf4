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
import { type Game, illegal, type Seat } from '../games/game.ts'
import { lag, timeLeft, wakeAt } from './clocks.ts'
import type { Effect, RefereeEvent } from './referee-step.ts'
import type { Terms } from './terms.ts'

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
      if (move === '?') return illegal('no seat may ask')
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

describe('debts and eliminated seats', () => {
  /**
   * A seat rolls in its turn, or ruins itself or another seat, or bills another seat, which then pays or is ruined
   * before the turn goes on. The last seat wins.
   */
  type Bills = {
    readonly turn: Seat
    readonly debtor: Seat | null
    readonly ruined: readonly Seat[]
    readonly seats: number
  }
  const remaining = ({ seats, ruined }: Bills) =>
    [...Array(seats).keys()].filter(seat => !ruined.includes(seat))
  const passTurn = (state: Bills): Bills => {
    const left = remaining(state)
    return { ...state, turn: left.find(seat => seat > state.turn) ?? left[0]! }
  }
  const ruin = (state: Bills, seat: Seat): Bills => {
    const next = { ...state, ruined: [...state.ruined, seat], debtor: null }
    return seat === state.turn ? passTurn(next) : next
  }
  const bills: Game<Bills> = {
    ...(sums as unknown as Game<Bills>),
    facts: { turns: 'alternate', luck: false, secrets: false },
    start: (_, seats) => ({ turn: 0, debtor: null, ruined: [], seats }),
    status: state => {
      const { turn, debtor, ruined, seats } = state
      if (remaining(state).length < 2)
        return {
          places: [...Array(seats).keys()].map(seat =>
            ruined.includes(seat) ? seats - ruined.indexOf(seat) : 1,
          ),
          because: 'last standing',
        }
      return debtor === null
        ? { toMove: [turn], eliminated: ruined }
        : { toMove: [debtor], held: [turn], eliminated: ruined }
    },
    play: (state, seat, move) => {
      if (move === 'ruin') return ruin(state, seat)
      if (move === 'pay') return { ...state, debtor: null }
      if (move === 'roll') return passTurn(state)
      return typeof move === 'number' ? { ...state, debtor: move } : illegal('what?')
    },
    view: state => state,
    fallback: ({ debtor }) => (debtor === null ? 'roll' : 'pay'),
    drop: ruin,
  }
  const lenient: Terms = {
    ...strict,
    late: { strikes: 2, counted: 'in a row', next: 'fallback' },
    away: { stages: [{ time: 60_000, play: 'stands', told: true }], times: 9 },
  }
  const play = (seats: number, terms: Terms = lenient) => new Play(bills, Array(seats).fill(terms))

  it('a seat that owes a debt in the turn of another has a clock of its own, and the turn waits', () => {
    const game = play(3).do(move(0, 2, 10_000))
    expect(timeLeft(game.match, 2, 10_000)).toBe(15_000)
    expect(timeLeft(game.match, 0, 10_000)).toBeNull()
    game.do(move(0, 'roll', 11_000))
    expect(game.effects.at(-1)).toMatchObject({ kind: 'refuse', seat: 0, code: 'not-your-turn' })
    expect(wakeAt(game.match)).toBe(25_000 + lag)
  })

  it('a turn that a debt has interrupted goes on with the time that was left', () => {
    const game = play(3).do(move(0, 2, 10_000), move(2, 'pay', 20_000))
    expect(timeLeft(game.match, 0, 20_000)).toBe(5_000)
    game.do(move(0, 'roll', 21_000))
    expect(game.effects.filter(({ kind }) => kind === 'record')).toMatchObject([
      { seat: 0, ms: 10_000 },
      { seat: 2, ms: 10_000 },
      { seat: 0, ms: 11_000 },
    ])
  })

  it('an interrupted turn keeps its time through a pause', () => {
    const pause = { kind: 'pause', at: 12_000 } as const
    const game = play(3).do(move(0, 2, 10_000), pause, { kind: 'resume', at: 50_000 })
    expect(timeLeft(game.match, 2, 50_000)).toBe(13_000)
    game.do(move(2, 'pay', 51_000))
    expect(timeLeft(game.match, 0, 51_000)).toBe(5_000)
  })

  it('a turn that is interrupted while the clocks stand still keeps its time', () => {
    const game = play(3).do(lost(1, 8_000), move(0, 2, 10_000), move(2, 'pay', 12_000))
    expect(timeLeft(game.match, 0, 13_000)).toBe(7_000)
    game.do(back(1, 20_000))
    expect(timeLeft(game.match, 0, 20_000)).toBe(7_000)
  })

  it('a late debt falls back, and is a strike of the debtor', () => {
    const game = play(3).do(move(0, 2, 10_000), tick(25_000 + lag))
    expect(game.kinds.slice(-3)).toEqual(['strike', 'record', 'show'])
    expect(game.match.seatStates.map(({ strikes }) => strikes)).toEqual([0, 0, 1])
    expect(timeLeft(game.match, 0, 25_000 + lag)).toBe(5_000)
  })

  it('nothing that an eliminated seat does is a fault', () => {
    const game = play(3, strict).do(move(0, 'ruin', 10))
    game.do(lost(0, 20), { kind: 'resign', seat: 0, at: 30 }, move(0, 'roll', 40))
    expect(game.effects.slice(-2)).toMatchObject([
      { kind: 'refuse', seat: 0, code: 'not-your-turn' },
      { kind: 'refuse', seat: 0, code: 'not-your-turn' },
    ])
    expect(game.do(move(1, 'ruin', 50)).outcome).toMatchObject({
      ending: 'rules',
      places: [3, 2, 1],
      faults: [null, null, null],
    })
  })

  it('an absent seat that is eliminated stops no clocks', () => {
    const game = play(4).do(lost(2, 5_000), move(0, 2, 6_000), move(2, 'ruin', 7_000))
    expect(game.effects.at(-1)).toEqual({ kind: 'clocks', play: 'runs' })
    expect(timeLeft(game.match, 0, 7_000)).toBe(10_000)
    game.do(lost(2, 8_000), tick(66_000))
    expect(game.match.stopped).toBeNull()
    expect(game.match.seatStates[2]!.fault).toBeNull()
  })

  it('an eliminated seat stays below the others when the match reaches its limit', () => {
    const limit = { time: 10_000, result: 'standings' } as const
    const game = play(3, { ...strict, limit }).do(move(0, 'ruin', 10), tick(10_000 + lag))
    expect(game.outcome).toMatchObject({ ending: 'limit', places: [3, 1, 1] })
  })

  it('where seats may act out of turn, an action that interrupts the own turn clears no strikes', () => {
    const bazaar: Game<Bills> = { ...bills, facts: { ...bills.facts, outOfTurn: true } }
    const game = new Play(bazaar, [lenient, lenient, lenient]).do(
      move(0, 'roll', 0),
      move(1, 'roll', 0),
      tick(15_000 + lag),
      move(0, 'roll', 16_000),
      move(1, 'roll', 17_000),
      move(2, 0, 20_000),
    )
    expect(game.match.seatStates[2]!.strikes).toBe(1)
    expect(game.effects.findLast(({ kind }) => kind === 'record')).toMatchObject({ ms: 0 })
    game.do(move(0, 'pay', 25_000))
    expect(timeLeft(game.match, 2, 25_000)).toBe(12_000)
  })

  it('a faulted seat ranks above a seat eliminated before, and below one eliminated later', () => {
    const game = play(4, strict).do(move(0, 'ruin', 10), { kind: 'resign', seat: 2, at: 20 })
    expect(game.outcome).toBeUndefined()
    expect(game.do(move(1, 'ruin', 30)).outcome).toMatchObject({
      ending: 'rules',
      places: [4, 2, 3, 1],
      faults: [null, null, 'resigned', null],
    })
  })

  it('a fault ends the match when all others but one are eliminated', () => {
    const game = play(3, strict).do(move(0, 'ruin', 10), { kind: 'resign', seat: 2, at: 20 })
    expect(game.outcome).toMatchObject({
      ending: 'resigned',
      places: [3, 1, 2],
      faults: [null, null, 'resigned'],
    })
  })

  it.each([2, 3, 4, 5, 6])('a match of %i seats is played to its end', seats => {
    const game = play(seats, strict)
    for (let seat = 0; seat < seats - 1; seat++) game.do(move(seat, 'ruin', seat))
    expect(game.outcome!.places).toEqual(Array.from({ length: seats }, (_, seat) => seats - seat))
  })
})
