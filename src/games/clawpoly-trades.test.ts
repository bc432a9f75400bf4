// Trades: rule 3.5 of Clawpoly, each by a position.

import { describe, expect, it } from 'vitest'
import {
  dropped,
  holding,
  moneyOf,
  move,
  owned,
  played,
  position,
  refusal,
} from '../../test/support/clawpoly-position.ts'
import { clawpoly } from './clawpoly.ts'
import { actionsOf } from './clawpoly-moves.ts'
import type { Clawpoly } from './clawpoly-state.ts'
import type { Json } from './game.ts'

const offer = (to: number, giving: Json = {}, requesting: Json = {}) => ({
  action: 'trade_offer',
  to,
  giving,
  requesting,
})
const accept = { action: 'trade_respond', accept: true }
const refuse = { action: 'trade_respond', accept: false }

const start = position({ squares: { ...owned(0, [5, 6]), ...owned(1, [15, 39]) } })

describe('a trade', () => {
  it('exchanges squares and money when it is accepted', () => {
    const open = move(start, offer(1, { properties: [5], money: 100 }, { properties: [39] }))
    expect(open.state).toMatchObject({ phase: 'trade', current: 0, offers: 1, trades: 1 })
    const { state, events } = move(open.state, accept)
    expect([5, 6, 15, 39].map(index => state.squares[index]!.owner)).toEqual([1, 0, 1, 0])
    expect(moneyOf(state)).toEqual([1400, 1600, 1500])
    const told = {
      turn: 1,
      seat: 0,
      id: 1,
      to: 1,
      giving: { properties: [5], money: 100, escapeCards: 0 },
      requesting: { properties: [39], money: 0, escapeCards: 0 },
    }
    expect(open.events).toEqual([{ kind: 'trade_proposed', ...told }])
    expect(events).toEqual([{ kind: 'trade_accepted', ...told }])
    expect(state).toMatchObject({ phase: 'roll', trade: null, offers: 1 })
  })

  it('changes nothing when it is refused', () => {
    const open = move(start, offer(1, { properties: [5] }, { money: 1500 })).state
    const { state, events } = move(open, refuse)
    expect([state.squares, moneyOf(state)]).toEqual([start.squares, [1500, 1500, 1500]])
    expect(events).toEqual([
      { kind: 'trade_rejected', turn: 1, seat: 0, id: 1, to: 1, why: 'refused' },
    ])
  })

  it('is answered by its target alone, and the turn waits meanwhile', () => {
    const open = move(start, offer(2, { money: 1 })).state
    expect(clawpoly.status(open)).toEqual({ toMove: [2], held: [0] })
    expect(actionsOf(open, 2)).toEqual(['trade_respond'])
    expect(actionsOf(open, 0)).toEqual([])
    expect(refusal(open, 'roll_dice')).toMatchObject({ why: 'action' })
    expect(clawpoly.listed!(open, 2)).toEqual([accept, refuse])
  })

  it('is offered before the throw and while building, and the turn goes on where it was', () => {
    for (const phase of ['roll', 'build'] as const) {
      const state = played({ ...start, phase }, offer(1, { money: 1 }), refuse)
      expect(state).toMatchObject({ phase, current: 0 })
    }
    for (const phase of ['pot', 'buy'] as const)
      expect(refusal({ ...start, phase }, offer(1, { money: 1 }))).toMatchObject({ why: 'action' })
  })

  it('is offered three times a turn, and again in the next', () => {
    const once = [offer(1, { money: 1 }), refuse]
    const third = played(start, ...once, ...once, ...once)
    expect(refusal(third, offer(1, { money: 1 }))).toMatchObject({ why: 'action' })
    expect(actionsOf(third, 0)).not.toContain('trade_offer')
    const next = played({ ...third, phase: 'build' }, 'end_turn')
    expect(refusal(next, offer(0, { money: 1 }))).toBeNull()
    expect(played(next, offer(0, { money: 1 })).trade!.id).toBe(4)
  })

  it('may be a gift or a request, but not empty', () => {
    expect(refusal(start, offer(1, { money: 1 }))).toBeNull()
    expect(refusal(start, offer(1, {}, { properties: [39] }))).toBeNull()
    expect(refusal(start, offer(1))).toMatchObject({ why: 'rule', reason: 'the trade is empty' })
    expect(refusal(start, offer(1, { properties: [], money: 0 }))).toMatchObject({ why: 'rule' })
  })

  it('is with another player that is not bankrupt', () => {
    const out = dropped(start, 2).state
    expect(refusal(out, offer(2, { money: 1 }))).toMatchObject({ why: 'rule' })
    expect(refusal(start, offer(0, { money: 1 }))).toMatchObject({ why: 'rule' })
    expect(refusal(start, offer(3, { money: 1 }))).toMatchObject({ why: 'rule' })
  })

  it.each([
    ['a square of another', offer(1, { properties: [15] }), 'square'],
    ['a free square', offer(1, {}, { properties: [12] }), 'square'],
    ['a square that cannot be owned', offer(1, { properties: [0] }), 'square'],
    ['a square that is not there', offer(1, { properties: [41] }), 'square'],
    ['a square twice', offer(1, { properties: [5, 5] }), 'square'],
    ['more money than there is', offer(1, { money: 1501 }), 'money'],
    ['more money than the other has', offer(1, {}, { money: 1501 }), 'money'],
    ['money before cards', offer(1, { escapeCards: 1 }, { money: 1501 }), 'money'],
    ['an escape card that is not held', offer(1, { escapeCards: 1 }), 'rule'],
    ['money below zero', offer(1, { money: -1 }), 'action'],
    ['half a Shell', offer(1, { money: 0.5 }), 'action'],
    ['a list', offer(1, [5]), 'action'],
  ])('is refused for %s', (_, sent, why) => {
    expect(refusal(start, sent)).toMatchObject({ why })
  })

  it('takes no square whose group has buildings, of either side', () => {
    const built = position({
      squares: { ...owned(0, [37], { level: 1 }), ...owned(0, [39, 5]), ...owned(1, [12]) },
    })
    expect(refusal(built, offer(1, { properties: [39] }))).toMatchObject({ why: 'rule' })
    expect(refusal(built, offer(1, { properties: [5] }))).toBeNull()
    const next = { ...built, current: 1 }
    expect(refusal(next, offer(0, { money: 1 }, { properties: [37] }))).toMatchObject({
      why: 'rule',
    })
  })

  it('moves mortgaged squares as they are, without a fee', () => {
    const mortgaged = position({ squares: owned(0, [5], { mortgaged: true }) })
    const state = played(mortgaged, offer(1, { properties: [5] }, { money: 10 }), accept)
    expect(state.squares[5]).toEqual({ owner: 1, level: 0, mortgaged: true })
    expect(moneyOf(state)).toEqual([1510, 1490, 1500])
  })

  it('moves escape cards, which still know their decks', () => {
    const both = holding(holding(start, 'tide', 0), 'chest', 1)
    const given = played(both, offer(1, { escapeCards: 1 }), accept)
    expect(given.players.map(({ escapeCards }) => escapeCards)).toEqual([0, 2, 0])
    expect([given.decks.tide.holder, given.decks.chest.holder]).toEqual([1, 1])
    const swapped = played(both, offer(1, { escapeCards: 1 }, { escapeCards: 1 }), accept)
    expect([swapped.decks.tide.holder, swapped.decks.chest.holder]).toEqual([1, 0])
    expect(swapped.players.map(({ escapeCards }) => escapeCards)).toEqual([1, 1, 0])
  })

  const broken: readonly (readonly [string, (state: Clawpoly) => Clawpoly])[] = [
    [
      'the offerer sold',
      state => ({ ...state, squares: state.squares.with(5, start.squares[0]!) }),
    ],
    [
      'the target sold',
      state => ({ ...state, squares: state.squares.with(39, start.squares[0]!) }),
    ],
    [
      'the offerer paid',
      state => ({ ...state, players: state.players.with(0, { ...state.players[0]!, money: 99 }) }),
    ],
    [
      'a building rose',
      state => ({
        ...state,
        squares: state.squares.with(37, { owner: 1, level: 1, mortgaged: false }),
      }),
    ],
  ]

  it.each(broken)('is stale at its acceptance, and void, when %s', (_, change) => {
    const open = played(start, offer(1, { properties: [5], money: 100 }, { properties: [39] }))
    const stale = change(open)
    const { state, events } = move(stale, accept)
    expect(events).toEqual([
      { kind: 'trade_rejected', turn: 1, seat: 0, id: 1, to: 1, why: 'stale' },
    ])
    expect([state.squares, moneyOf(state)]).toEqual([stale.squares, moneyOf(stale)])
    expect(state).toMatchObject({ phase: 'roll', trade: null })
  })

  it('is withdrawn when its offerer leaves, whose turn is over', () => {
    const open = played(start, offer(1, { properties: [5] }))
    const { state, events } = dropped(open, 0)
    expect(events.map(({ kind }) => kind)).toEqual([
      'bankrupt',
      'trade_rejected',
      'turn_end',
      'turn_start',
    ])
    expect(events[1]).toMatchObject({ id: 1, seat: 0, to: 1, why: 'withdrawn' })
    expect(state).toMatchObject({ trade: null, current: 1, phase: 'roll' })
    expect(state.squares[5]!.owner).toBeNull()
  })

  it('is withdrawn when its target leaves, and the turn goes on', () => {
    const open = played({ ...start, phase: 'build' }, offer(1, { properties: [5] }))
    const { state, events } = dropped(open, 1)
    expect(events.at(-1)).toMatchObject({ kind: 'trade_rejected', why: 'withdrawn' })
    expect(state).toMatchObject({ trade: null, current: 0, phase: 'build' })
  })

  it('stays open when a third player leaves', () => {
    const open = played(start, offer(1, { properties: [5] }))
    const { state } = dropped(open, 2)
    expect(state).toMatchObject({ phase: 'trade', trade: { id: 1 } })
    expect(move(state, accept).state.squares[5]!.owner).toBe(1)
  })
})
