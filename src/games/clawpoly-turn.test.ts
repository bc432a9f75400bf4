// Throwing, moving, landing, cards and the pot: rules 3.2 to 3.4 of Clawpoly, each by a position.

import { describe, expect, it } from 'vitest'
import {
  asked,
  holding,
  kindsOf,
  moneyOf,
  move,
  onTop,
  owned,
  played,
  position,
  refusal,
  throwing,
} from '../../test/support/clawpoly-position.ts'
import { clawpoly } from './clawpoly.ts'
import { actionsOf } from './clawpoly-moves.ts'

const trapped = (money = 1500) =>
  position({ phase: 'pot', players: [{ position: 10, inPot: true, money }] })

describe('a turn', () => {
  it('is played like the sample: doubles to 6, buy, throw again, to 12, pass, build, end', () => {
    const start = position({ dice: throwing(3, 3, 4, 2) })
    const bought = played(start, 'roll_dice', 'buy')
    expect(bought).toMatchObject({ phase: 'roll', turnNumber: 1, current: 0, doubles: 1 })
    expect(bought.squares[6]!.owner).toBe(0)
    const passed = played(bought, 'roll_dice', 'pass')
    expect(passed).toMatchObject({ phase: 'build', turnNumber: 1 })
    expect(actionsOf(passed, 0)).toEqual(['end_turn', 'mortgage', 'trade_offer'])
    expect(played(passed, 'end_turn')).toMatchObject({ current: 1, turnNumber: 2, phase: 'roll' })
  })

  it('tells of the end of one and the start of the next', () => {
    const { events } = move(position({ phase: 'build' }), 'end_turn')
    expect(events).toEqual([
      { kind: 'turn_end', turn: 1, seat: 0 },
      { kind: 'turn_start', turn: 2, seat: 1 },
    ])
  })

  it('goes around in turn order, past those who are bankrupt', () => {
    const start = position({
      seats: 4,
      phase: 'build',
      order: [2, 0, 3, 1],
      current: 0,
      players: [{}, {}, {}, { bankruptAt: 1 }],
      out: [3],
    })
    const second = move(start, 'end_turn').state
    expect(second.current).toBe(1)
    expect(move({ ...second, phase: 'build' }, 'end_turn').state.current).toBe(2)
  })

  it('takes from each phase what it asks for and nothing else', () => {
    const inPhase = (phase: 'roll' | 'buy' | 'build', at = 1) =>
      position({ phase, players: [{ position: at }] })
    expect(refusal(inPhase('roll'), 'end_turn')).toMatchObject({ why: 'action' })
    expect(refusal(inPhase('roll'), { action: 'build', square: 1 })).toMatchObject({
      why: 'action',
    })
    expect(refusal(inPhase('buy'), 'roll_dice')).toMatchObject({ why: 'action' })
    expect(refusal(inPhase('buy'), { action: 'mortgage', square: 1 })).toMatchObject({
      why: 'action',
    })
    expect(refusal(inPhase('build'), 'roll_dice')).toEqual({
      why: 'action',
      reason: 'roll_dice is not for now: you can end_turn, trade_offer',
    })
    expect(refusal(trapped(), 'roll_dice')).toMatchObject({ why: 'action' })
    expect(refusal(inPhase('roll'), 'roll_dice', 1)).toEqual({
      why: 'action',
      reason: 'it is not your turn',
    })
  })

  it('lists what moves the game on before what is optional', () => {
    const start = position({ squares: { ...owned(0, [1]), ...owned(0, [3], { mortgaged: true }) } })
    expect(actionsOf(start, 0)).toEqual(['roll_dice', 'mortgage', 'unmortgage', 'trade_offer'])
    expect(actionsOf(start, 1)).toEqual([])
    const built = position({ phase: 'build', squares: owned(0, [1, 3], { level: 1 }) })
    expect(actionsOf(built, 0)).toEqual(['build', 'end_turn', 'sell_building', 'trade_offer'])
  })

  it('falls back to throwing, passing, ending, refusing, trying and raising', () => {
    const trade = played(position(), { action: 'trade_offer', to: 1, giving: { money: 1 } })
    const debt = position({
      dice: throwing(1, 3),
      players: [{ money: 150 }],
      squares: owned(0, [5]),
    })
    for (const [state, fallback] of [
      [position(), { action: 'roll_dice' }],
      [position({ phase: 'buy', players: [{ position: 1 }] }), { action: 'pass' }],
      [position({ phase: 'build' }), { action: 'end_turn' }],
      [trade, { action: 'trade_respond', accept: false }],
      [trapped(), { action: 'escape_roll' }],
      [played(debt, 'roll_dice'), { action: 'raise' }],
    ] as const) {
      expect(clawpoly.fallback!(state, asked(state))).toEqual(fallback)
      expect(refusal(state, fallback)).toBeNull()
    }
  })
})

describe('moving', () => {
  it.each([
    ['passing', 38, 3, 4, 5],
    ['landing on it', 35, 1, 4, 0],
  ])('pays 200 at Set Sail: %s', (_, from, a, b, to) => {
    const start = position({
      dice: throwing(a, b),
      players: [{ position: from }],
      squares: owned(1, [5]),
    })
    const { state, events } = move(start, 'roll_dice')
    expect(state.players[0]!.position).toBe(to)
    expect(events).toContainEqual({ kind: 'set_sail_bonus', turn: 1, seat: 0, amount: 200 })
    expect(state.players[0]!.money).toBe(to === 0 ? 1700 : 1675)
  })

  it.each([
    ['Just Visiting', 10],
    ['Anchor Bay', 20],
  ])('nothing happens at %s', (_, to) => {
    const { state, events } = move(
      position({ dice: throwing(3, 4), players: [{ position: to - 7 }] }),
      'roll_dice',
    )
    expect(events.map(({ kind }) => kind)).toEqual(['dice_rolled', 'player_moved'])
    expect(state).toMatchObject({ phase: 'build' })
    expect(state.players[0]).toMatchObject({ position: to, inPot: false, money: 1500 })
  })

  it.each([
    [4, 200],
    [38, 100],
  ])('a tax on square %i is %i to the bank', (square, tax) => {
    const start = position({ dice: throwing(1, 2), players: [{ position: square - 3 }] })
    expect(moneyOf(move(start, 'roll_dice').state)).toEqual([1500 - tax, 1500, 1500])
  })

  it('the net leads to the pot, past no Set Sail, and ends the turn', () => {
    const next = move(position({ dice: throwing(3, 4), players: [{ position: 23 }] }), 'roll_dice')
    expect(next.state.players[0]).toMatchObject({
      position: 10,
      inPot: true,
      potTurns: 0,
      money: 1500,
    })
    expect(kindsOf(next).slice(-3)).toEqual(['lobster_pot_in', 'turn_end', 'turn_start'])
    expect(next.state).toMatchObject({ current: 1, turnNumber: 2, phase: 'roll' })
  })

  it('the net takes the bonus throw of doubles', () => {
    const { state } = move(
      position({ dice: throwing(4, 4), players: [{ position: 22 }] }),
      'roll_dice',
    )
    expect(state).toMatchObject({ current: 1, turnNumber: 2, phase: 'roll', bonus: false })
  })

  it('the third doubles in a row lead to the pot at once', () => {
    const start = position({
      dice: throwing(5, 5, 5, 5, 2, 2),
      squares: owned(0, [20]),
    })
    const second = played(start, 'roll_dice', 'roll_dice')
    expect(second).toMatchObject({ phase: 'roll', doubles: 2, turnNumber: 1 })
    const third = move(second, 'roll_dice')
    expect(kindsOf(third)).toEqual(['dice_rolled', 'lobster_pot_in', 'turn_end', 'turn_start'])
    expect(third.state.players[0]).toMatchObject({ position: 10, inPot: true })
  })

  it('doubles that are not in a row do not add up', () => {
    const start = position({ doubles: 2, dice: throwing(4, 6) })
    expect(move(start, 'roll_dice').state).toMatchObject({
      doubles: 0,
      phase: 'build',
      bonus: false,
    })
  })
})

describe('buying', () => {
  const free = (money = 1500) => position({ dice: throwing(1, 2), players: [{ money }] })

  it('is at the list price, from the bank', () => {
    const next = move(played(free(), 'roll_dice'), 'buy')
    expect(next.state.squares[3]).toEqual({ owner: 0, level: 0, mortgaged: false })
    expect(moneyOf(next.state)).toEqual([1440, 1500, 1500])
    expect(next.events).toEqual([
      { kind: 'property_bought', turn: 1, seat: 0, square: 3, amount: 60 },
    ])
  })

  it('passing leaves the square free, without an auction', () => {
    const next = move(played(free(), 'roll_dice'), 'pass')
    expect(next.state.squares[3]!.owner).toBeNull()
    expect(next.events).toMatchObject([{ kind: 'property_passed', square: 3, asked: true }])
    expect(next.state).toMatchObject({ phase: 'build', current: 0 })
  })

  it('is asked with just the price, and passed in silence with less', () => {
    expect(move(free(60), 'roll_dice').state.phase).toBe('buy')
    const short = move(free(59), 'roll_dice')
    expect(short.state.phase).toBe('build')
    expect(short.events.at(-1)).toMatchObject({ kind: 'property_passed', asked: false })
  })

  it.each([
    [5, 200],
    [12, 150],
  ])('is of currents and utilities, too: square %i', (square, price) => {
    const start = position({ dice: throwing(1, 2), players: [{ position: square - 3 }] })
    expect(moneyOf(played(start, 'roll_dice', 'buy'))[0]).toBe(1500 - price)
  })
})

describe('the Lobster Pot', () => {
  it('asks at the start of the turn, before any throw', () => {
    const start = position({ phase: 'build', players: [{}, { position: 10, inPot: true }] })
    expect(move(start, 'end_turn').state).toMatchObject({ phase: 'pot', current: 1 })
  })

  it('is left for 50, and then the turn begins with a throw whose doubles count', () => {
    const start = { ...trapped(), dice: throwing(5, 5) }
    const paid = move(start, 'escape_pay')
    expect(paid.events).toEqual([
      { kind: 'pot_fee_paid', turn: 1, seat: 0, amount: 50 },
      { kind: 'lobster_pot_out', turn: 1, seat: 0, by: 'pay' },
    ])
    expect(paid.state).toMatchObject({ phase: 'roll', current: 0 })
    expect(moneyOf(paid.state)[0]).toBe(1450)
    const thrown = move(paid.state, 'roll_dice').state
    expect(thrown).toMatchObject({ phase: 'roll', doubles: 1 })
    expect(thrown.players[0]!.position).toBe(20)
  })

  it.each([
    ['tide', 8],
    ['chest', 4],
  ] as const)(
    'is left by an escape card, which goes to the bottom of the %s deck',
    (deck, card) => {
      const { state, events } = move(holding(trapped(), deck, 0), 'escape_card')
      expect(events).toMatchObject([{ kind: 'lobster_pot_out', by: 'card' }])
      expect(state.players[0]).toMatchObject({ inPot: false, escapeCards: 0, money: 1500 })
      expect(state.decks[deck]).toMatchObject({ seen: [card], holder: null })
      expect(state.phase).toBe('roll')
    },
  )

  it('is left by doubles, without another throw', () => {
    const { state, events } = move({ ...trapped(), dice: throwing(5, 5) }, 'escape_roll')
    expect(state.players[0]).toMatchObject({ inPot: false, position: 20 })
    expect(state).toMatchObject({ phase: 'build', current: 0, bonus: false })
    expect(events).toContainEqual({ kind: 'lobster_pot_out', turn: 1, seat: 0, by: 'doubles' })
  })

  it('holds after the first and second failure, which end the turn', () => {
    for (const failed of [0, 1]) {
      const start = position({
        phase: 'pot',
        dice: throwing(1, 2),
        players: [{ position: 10, inPot: true, potTurns: failed }],
      })
      const { state } = move(start, 'escape_roll')
      expect(state.players[0]).toMatchObject({ inPot: true, position: 10, potTurns: failed + 1 })
      expect(state).toMatchObject({ current: 1, turnNumber: 2 })
    }
  })

  const thirdTry = (money: number, more = {}) =>
    position({
      phase: 'pot',
      dice: throwing(1, 2),
      players: [{ position: 10, inPot: true, potTurns: 2, money }],
      ...more,
    })

  it('lets go after the third failure, for 50 and by that throw', () => {
    const { state, events } = move(thirdTry(500), 'escape_roll')
    expect(events.map(({ kind }) => kind)).toEqual([
      'dice_rolled',
      'pot_fee_paid',
      'lobster_pot_out',
      'player_moved',
    ])
    expect(state.players[0]).toMatchObject({ inPot: false, potTurns: 0, position: 13, money: 450 })
    expect(state.phase).toBe('buy')
    expect(played(state, 'pass').phase).toBe('build')
  })

  it('has the fee of the third failure raised first, if it is short', () => {
    const owing = move(thirdTry(20, { squares: owned(0, [1, 5]) }), 'escape_roll').state
    expect(owing).toMatchObject({
      phase: 'debt',
      debt: { debtor: 0, creditor: null, amount: 50, why: 'pot' },
    })
    expect(owing.players[0]).toMatchObject({ inPot: true, position: 10 })
    const raised = played(owing, { action: 'mortgage', square: 1 })
    expect(raised.players[0]).toMatchObject({ inPot: false, position: 13, money: 0 })
  })

  it('does not move one whom that fee bankrupts', () => {
    const { state, events } = move(thirdTry(20), 'escape_roll')
    expect(state.players[0]).toMatchObject({ bankruptAt: 1, position: 10, money: 0 })
    expect(events.some(({ kind }) => kind === 'player_moved')).toBe(false)
    expect(state).toMatchObject({ current: 1, phase: 'roll', turnNumber: 2, leavesPot: false })
  })

  it('ends the match with nothing left to do where that fee bankrupts one of the last two', () => {
    const { state } = move(thirdTry(20, { seats: 2 }), 'escape_roll')
    expect(state).toMatchObject({ phase: 'over', leavesPot: false, debt: null, dues: [] })
  })

  it('takes 50 only of one who has it, and a card only of one who has one', () => {
    expect(actionsOf(trapped(49), 0)).toEqual(['escape_roll'])
    expect(refusal(trapped(49), 'escape_pay')).toMatchObject({ why: 'action' })
    expect(refusal(trapped(), 'escape_card')).toMatchObject({ why: 'action' })
    expect(actionsOf(holding(trapped(50), 'tide', 0), 0)).toEqual([
      'escape_pay',
      'escape_card',
      'escape_roll',
    ])
  })
})

describe('cards', () => {
  const drawing = (card: number, deck: 'tide' | 'chest' = 'tide', more = {}) =>
    onTop(
      position({
        dice: throwing(3, 4),
        players: [{ position: deck === 'tide' ? 0 : 10 }],
        ...more,
      }),
      deck,
      card,
    )

  it('go to the bottom of their deck', () => {
    const { state } = move(drawing(8), 'roll_dice')
    expect(state.decks.tide.seen.at(-1)).toBe(7)
    expect(state.decks.tide.seen).toHaveLength(16)
  })

  it('are drawn by the dice until each has been drawn once, and then in that order', () => {
    const drawn: number[] = []
    let { decks } = position()
    while (drawn.length < 46) {
      const next = move(position({ decks, dice: throwing(3, 4) }), 'roll_dice')
      const [event] = next.events.flatMap(one => (one.kind === 'card_drawn' ? one : []))
      drawn.push(event!.card)
      decks = next.state.decks
    }
    const first = drawn.slice(0, 16)
    expect(first.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 16 }, (_, i) => i + 1))
    expect(first).not.toEqual(first.toSorted((a, b) => a - b))
    // The escape card is held.
    const rest = first.filter(card => card !== 9)
    expect(drawn.slice(16)).toEqual([...rest, ...rest])
  })

  it('of escape are in no deck while they are held', () => {
    const { state } = move(drawing(9), 'roll_dice')
    expect(state.decks.tide).toMatchObject({ unseen: [], holder: 0 })
    expect(state.decks.tide.seen).toHaveLength(15)
    expect(state.decks.tide.seen).not.toContain(8)
  })

  it.each([5, 6])('tide %i costs twice the toll of the current', card => {
    const { state } = move(drawing(card, 'tide', { squares: owned(1, [15, 25]) }), 'roll_dice')
    expect(moneyOf(state)).toEqual([1400, 1600, 1500])
  })

  it('tide 7 costs ten times a fresh throw, however many utilities the owner has', () => {
    const start = drawing(7, 'tide', { dice: throwing(3, 4, 2, 3), squares: owned(1, [12]) })
    const { state, events } = move(start, 'roll_dice')
    expect(events).toContainEqual({
      kind: 'dice_rolled',
      turn: 1,
      seat: 0,
      dice: [2, 3],
      for: 'rent',
    })
    expect(moneyOf(state)).toEqual([1450, 1550, 1500])
  })

  it("tide 7 throws nothing for one's own utility, nor for one that is mortgaged", () => {
    for (const squares of [owned(0, [12]), owned(1, [12], { mortgaged: true })]) {
      const next = move(drawing(7, 'tide', { squares }), 'roll_dice')
      expect(kindsOf(next).filter(kind => kind === 'dice_rolled')).toHaveLength(1)
      expect(moneyOf(next.state)).toEqual([1500, 1500, 1500])
    }
  })

  it('tide 14 costs the normal toll', () => {
    const { state } = move(drawing(14, 'tide', { squares: owned(1, [5]) }), 'roll_dice')
    expect(moneyOf(state)).toEqual([1500 + 200 - 25, 1525, 1500])
  })

  it('tide 10 leads from square 36 to a chest, which is opened', () => {
    const start = onTop(
      onTop(position({ dice: throwing(3, 4), players: [{ position: 29 }] }), 'tide', 10),
      'chest',
      7,
    )
    const next = move(start, 'roll_dice')
    expect(kindsOf(next).filter(kind => kind === 'card_drawn')).toHaveLength(2)
    expect(next.state.players[0]).toMatchObject({ position: 33, money: 1600 })
  })

  it('a bonus throw of doubles comes after the card', () => {
    const start = onTop(position({ dice: throwing(1, 1) }), 'chest', 8)
    expect(move(start, 'roll_dice').state).toMatchObject({ phase: 'roll', doubles: 1 })
  })

  it('pay and take from each in turn order after the drawer, each a payment of its own', () => {
    for (const [card, deck, of, amount] of [
      [15, 'tide', 'to', 50],
      [9, 'chest', 'seat', 10],
    ] as const) {
      const { events } = move(drawing(card, deck, { order: [2, 0, 1] }), 'roll_dice')
      const paid = events.filter(({ kind }) => kind === 'card_paid')
      expect(
        paid.map(event => (event as { readonly to: number; readonly seat: number })[of]),
      ).toEqual([1, 2])
      expect(paid.map(event => (event as { readonly amount: number }).amount)).toEqual([
        amount,
        amount,
      ])
    }
  })
})
