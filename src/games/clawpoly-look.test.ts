import { describe, expect, it } from 'vitest'
import { clawpoly } from './clawpoly.ts'
import { board, groups } from './clawpoly-board.ts'
import { eventLines } from './clawpoly-event-words.ts'
import type { ClawpolyEvent, ClawpolyHappening } from './clawpoly-events.ts'
import { lookOf } from './clawpoly-look.ts'
import type { Clawpoly, Holding, Player } from './clawpoly-state.ts'
import type { Chart, Panel, Part, Text } from './look.ts'

const start = clawpoly.start('00000000000000000000000000000007', 3)

interface Change {
  readonly players?: Readonly<Record<number, Partial<Player>>>
  readonly squares?: Readonly<Record<number, Partial<Holding>>>
}

const stateWith = ({ players = {}, squares = {} }: Change, rest: Partial<Clawpoly> = {}) => ({
  ...start,
  players: start.players.map((player, seat) => ({ ...player, ...players[seat] })),
  squares: start.squares.map((square, i) => ({ ...square, ...squares[i] })),
  ...rest,
})

const partWords = (part: Part) =>
  typeof part === 'string' ? part : 'seat' in part ? `<${part.seat}>` : part.text
const words = (text: Text) => (Array.isArray(text) ? text.map(partWords).join('') : `${text}`)

const panelOf = <K extends Panel['kind']>(state: Clawpoly, kind: K) =>
  lookOf(state).panels!.find(panel => panel.kind === kind) as Extract<Panel, { kind: K }>

describe('the look of Clawpoly', () => {
  it('has the forty squares with a short name each, and a colour for each group of its own', () => {
    const { squares } = lookOf(start).track!
    expect(squares.map(({ name }) => name)).toEqual(board.map(({ name }) => name))
    for (const { short } of squares) expect(short).toMatch(/^[A-Z]{3,6}$/)
    const deeds = squares.filter((_, i) => 'price' in board[i]!)
    expect(new Set(deeds.map(({ short }) => short)).size).toBe(28)
    const colours = Object.values(groups).map(group => new Set(group.map(i => squares[i]!.colour)))
    expect(colours.every(({ size }) => size === 1)).toBe(true)
    expect(new Set(colours.flatMap(group => [...group])).size).toBe(8)
    expect(squares.map(({ note }) => note).slice(0, 6)).toEqual([
      '',
      '$60',
      '',
      '$60',
      '-$200',
      '$200',
    ])
  })

  it('shows owners, levels and mortgages, and where the tokens stand', () => {
    const { squares, tokens } = lookOf(
      stateWith({
        players: {
          0: { position: 10, inPot: true },
          1: { position: 24, money: 90 },
          2: { bankruptAt: 4 },
        },
        squares: { 1: { owner: 0, level: 5 }, 12: { owner: 1, mortgaged: true } },
      }),
    ).track!
    expect(squares[1]).toMatchObject({ owner: 0, level: 5, mortgaged: false, colour: 'brown' })
    expect(squares[12]).toMatchObject({ owner: 1, level: 0, mortgaged: true, colour: null })
    expect(tokens).toEqual([
      { seat: 0, square: 10, held: true, tally: '$1500' },
      { seat: 1, square: 24, held: false, tally: '$90' },
    ])
  })

  it('says who is asked what', () => {
    const bundle = { properties: [5], money: 0, escapeCards: 0 }
    const debt = { debtor: 1, creditor: 2, amount: 70, why: 'rent' } as const
    const trade = {
      id: 1,
      from: 0,
      to: 2,
      giving: bundle,
      requesting: { ...bundle, properties: [], money: 9 },
      phase: 'roll',
    } as const
    const at = (rest: Partial<Clawpoly>, players = {}) =>
      words(panelOf(stateWith({ players }, { current: 0, ...rest }), 'line').text)
    expect(at({ phase: 'roll' })).toBe('Turn 1 of 200. <0> is to throw.')
    expect(at({ phase: 'pot' })).toBe('Turn 1 of 200. <0> is in the Lobster Pot.')
    expect(at({ phase: 'buy' }, { 0: { position: 5 } })).toBe(
      "Turn 1 of 200. <0> may buy Poseidon's Current for $200.",
    )
    expect(at({ phase: 'debt', debt })).toBe('Turn 1 of 200. <1> owes $70 to <2>.')
    expect(at({ phase: 'debt', debt: { ...debt, creditor: null } })).toBe(
      'Turn 1 of 200. <1> owes $70 to the bank.',
    )
    expect(at({ phase: 'build' })).toBe('Turn 1 of 200. <0> may build.')
    expect(at({ phase: 'trade', trade })).toBe(
      "Turn 1 of 200. <2> is offered Poseidon's Current for $9 by <0>.",
    )
    expect(at({ phase: 'over' })).toMatch(/^Turn 1 of 200\. Over: turn limit of 200/)
  })

  it('has a row for each player with money, wealth, squares and state', () => {
    const { rows } = panelOf(
      stateWith({
        players: { 0: { money: 100, inPot: true, escapeCards: 1 }, 2: { money: 0, bankruptAt: 4 } },
        squares: { 1: { owner: 0, level: 1 }, 5: { owner: 0, mortgaged: true } },
      }),
      'table',
    )
    expect(rows.map(row => row.map(words))).toEqual([
      ['<0>', '100', '310', '2', 'in the pot, 1 escape card'],
      ['<1>', '1500', '1500', '0', ''],
      ['<2>', '–', '–', '–', 'bankrupt in turn 4'],
    ])
  })

  it('has the money after each turn and as it is now', () => {
    const linesAt = (turnNumber: number, history: Clawpoly['history'], turnLimit = 200) => {
      const players = { 0: { money: 700 }, 1: { money: 800 }, 2: { money: 900 } }
      const chart: Chart = panelOf(
        stateWith({ players }, { turnNumber, history, turnLimit }),
        'chart',
      )
      return [chart.step, ...chart.lines]
    }
    const first = [1500, 1500, 1500]
    expect(linesAt(1, [first])).toEqual([1, [1500, 700], [1500, 800], [1500, 900]])
    // After the last turn there is nothing to add.
    expect(linesAt(1, [first, [700, 800, 900]], 1)).toEqual([
      1,
      [1500, 700],
      [1500, 800],
      [1500, 900],
    ])
    expect(linesAt(5, [first], 1000)[0]).toBe(5)
  })

  it('is told in words to those who do not see it', () => {
    const players = {
      0: { position: 24 },
      1: { position: 10, inPot: true, money: 5 },
      2: { bankruptAt: 3 },
    }
    expect(lookOf(stateWith({ players, squares: { 5: { owner: 1 } } })).alt).toBe(
      'Turn 1 of 200. Player 0 has $1500 and 0 squares, on Dragon Eel Caverns. ' +
        'Player 1 has $5 and 1 square, in the Lobster Pot. Player 2 is bankrupt.',
    )
  })
})

describe('the events of Clawpoly in words', () => {
  const told = (...happenings: readonly ClawpolyHappening[]) =>
    eventLines(happenings.map(one => ({ turn: 1, seat: 0, ...one }) as ClawpolyEvent)).map(words)

  const giving = { properties: [13, 28], money: 50, escapeCards: 1 }
  const requesting = { properties: [], money: 0, escapeCards: 0 }

  it.each<[ClawpolyHappening, string]>([
    [{ kind: 'dice_rolled', dice: [2, 3], for: 'move' }, '<0> throws 2 + 3.'],
    [{ kind: 'dice_rolled', dice: [2, 3], for: 'escape' }, '<0> throws 2 + 3 in the pot.'],
    [{ kind: 'dice_rolled', dice: [2, 3], for: 'rent' }, '<0> throws 2 + 3 for the rent.'],
    [{ kind: 'player_moved', from: 7, to: 39, by: 'card' }, "<0> goes to Claw Emperor's Domain."],
    [{ kind: 'player_moved', from: 27, to: 30, by: 'dice' }, '<0> goes to Caught in the Net!'],
    [{ kind: 'set_sail_bonus', amount: 200 }, '<0> gets $200 at Set Sail.'],
    [{ kind: 'property_bought', square: 13, amount: 140 }, '<0> buys Coral Triangle for $140.'],
    [{ kind: 'property_passed', square: 13, asked: true }, '<0> passes Coral Triangle.'],
    [{ kind: 'property_passed', square: 13, asked: false }, '<0> has no money for Coral Triangle.'],
    [
      { kind: 'card_drawn', deck: 'tide', card: 10, title: 'Undertow', text: 'Go back 3 squares.' },
      '<0> draws “Undertow”. Go back 3 squares.',
    ],
    [{ kind: 'card_money', amount: 50 }, '<0> gets $50.'],
    [{ kind: 'debt', to: null, amount: 70, why: 'tax' }, '<0> has to raise $70 for the bank.'],
    [{ kind: 'debt', to: 2, amount: 70, why: 'rent' }, '<0> has to raise $70 for <2>.'],
    [
      { kind: 'rent_paid', to: 1, amount: 25, square: 5 },
      "<0> pays <1> $25 at Poseidon's Current.",
    ],
    [{ kind: 'tax_paid', amount: 100, square: 38 }, '<0> pays $100: Pearl Tax.'],
    [{ kind: 'card_paid', to: null, amount: 15 }, '<0> pays the bank $15.'],
    [{ kind: 'card_paid', to: 2, amount: 50 }, '<0> pays <2> $50.'],
    [{ kind: 'pot_fee_paid', amount: 50 }, '<0> pays $50 to leave the pot.'],
    [
      { kind: 'outpost_built', square: 13, amount: 150, level: 3 },
      '<0> builds outpost 3 on Coral Triangle.',
    ],
    [
      { kind: 'fortress_built', square: 13, amount: 750, level: 5 },
      '<0> builds a fortress on Coral Triangle.',
    ],
    [
      { kind: 'building_sold', square: 13, amount: 375, level: 4 },
      '<0> sells the fortress of Coral Triangle for $375.',
    ],
    [
      { kind: 'building_sold', square: 13, amount: 75, level: 3 },
      '<0> sells an outpost of Coral Triangle for $75.',
    ],
    [{ kind: 'mortgaged', square: 13, amount: 70 }, '<0> mortgages Coral Triangle for $70.'],
    [
      { kind: 'unmortgaged', square: 13, amount: 77 },
      '<0> lifts the mortgage of Coral Triangle for $77.',
    ],
    [
      { kind: 'trade_proposed', id: 1, to: 2, giving, requesting },
      '<0> offers <2> Coral Triangle, Tidal Generator, $50 and an escape card for nothing.',
    ],
    [
      { kind: 'trade_accepted', id: 1, to: 2, giving: requesting, requesting: giving },
      '<0> trades with <2>: nothing for Coral Triangle, Tidal Generator, $50 and an escape card.',
    ],
    [{ kind: 'trade_rejected', id: 1, to: 2, why: 'refused' }, '<2> refuses the trade of <0>.'],
    [
      { kind: 'trade_rejected', id: 1, to: 2, why: 'stale' },
      'No trade of <0> with <2>: one of them no longer has its part.',
    ],
    [
      { kind: 'trade_rejected', id: 1, to: 2, why: 'withdrawn' },
      'No trade of <0> with <2>: one of them is bankrupt.',
    ],
    [{ kind: 'lobster_pot_in', by: 'net' }, '<0> goes to the Lobster Pot: caught in the net.'],
    [{ kind: 'lobster_pot_in', by: 'doubles' }, '<0> goes to the Lobster Pot: three doubles.'],
    [{ kind: 'lobster_pot_out', by: 'card' }, '<0> leaves the pot by an escape card.'],
    [{ kind: 'lobster_pot_out', by: 'third_try' }, '<0> leaves the pot.'],
    [
      {
        ...{ kind: 'bankrupt', to: 1, sold: 0, mortgages: 0, amount: 3 },
        ...{ properties: [5], escapeCards: 0 },
      },
      '<0> is bankrupt: all goes to <1>.',
    ],
  ])('%j', (happening, expected) => {
    expect(told(happening)).toEqual([expected])
  })

  it('a throw and where it leads are one line, and turns are none', () => {
    expect(
      told(
        { kind: 'turn_end' },
        { kind: 'turn_start' },
        { kind: 'dice_rolled', dice: [3, 4], for: 'move' },
        { kind: 'player_moved', from: 0, to: 7, by: 'dice' },
        { kind: 'card_money', amount: 50 },
      ),
    ).toEqual(['<0> throws 3 + 4: to Tide Card.', '<0> gets $50.'])
  })
})
