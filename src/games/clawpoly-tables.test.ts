// The board and the cards, with the figures of the rules written out here.

import { describe, expect, it } from 'vitest'
import {
  moneyOf,
  move,
  onTop,
  owned,
  position,
  throwing,
} from '../../test/support/clawpoly-position.ts'
import { board, groups } from './clawpoly-board.ts'
import { cards } from './clawpoly-cards.ts'

/** # | name | group | price | rents | outpost | fortress | mortgage | to lift it. */
const properties = `
 1 | Tidal Pool Flats      | Sandy Shore     |  60 | 2/10/30/90/160/250       | 100 |  500 |  30 |  33
 3 | Mangrove Shallows     | Sandy Shore     |  60 | 4/20/60/180/320/450      | 100 |  500 |  30 |  33
 6 | Ningaloo Reef         | Coastal Waters  | 100 | 6/30/90/270/400/550      | 100 |  500 |  50 |  55
 8 | Red Sea Reef          | Coastal Waters  | 100 | 6/30/90/270/400/550      | 100 |  500 |  50 |  55
 9 | Belize Barrier Reef   | Coastal Waters  | 120 | 8/40/100/300/450/600     | 100 |  500 |  60 |  66
11 | Raja Ampat Gardens    | Coral Gardens   | 140 | 10/50/150/450/625/750    | 150 |  750 |  70 |  77
13 | Coral Triangle        | Coral Gardens   | 140 | 10/50/150/450/625/750    | 150 |  750 |  70 |  77
14 | Tubbataha Reef        | Coral Gardens   | 160 | 12/60/180/500/700/900    | 150 |  750 |  80 |  88
16 | Maldives Atolls       | Tropical Seas   | 180 | 14/70/200/550/750/950    | 150 |  750 |  90 |  99
18 | Seychelles Bank       | Tropical Seas   | 180 | 14/70/200/550/750/950    | 150 |  750 |  90 |  99
19 | Galapagos Reserve     | Tropical Seas   | 200 | 16/80/220/600/800/1000   | 150 |  750 | 100 | 110
21 | Hydrothermal Vents    | Volcanic Depths | 220 | 18/90/250/700/875/1050   | 200 | 1000 | 110 | 121
23 | Volcanic Abyss        | Volcanic Depths | 220 | 18/90/250/700/875/1050   | 200 | 1000 | 110 | 121
24 | Dragon Eel Caverns    | Volcanic Depths | 240 | 20/100/300/750/925/1100  | 200 | 1000 | 120 | 132
26 | Sargasso Sea          | Sunlit Expanse  | 260 | 22/110/330/800/975/1150  | 200 | 1000 | 130 | 143
27 | Palau Sanctuary       | Sunlit Expanse  | 260 | 22/110/330/800/975/1150  | 200 | 1000 | 130 | 143
29 | Chagos Archipelago    | Sunlit Expanse  | 280 | 24/120/360/850/1025/1200 | 200 | 1000 | 140 | 154
31 | Abyssal Kraken's Lair | The Deep        | 300 | 26/130/390/900/1100/1275 | 300 | 1500 | 150 | 165
32 | Serpent's Trench      | The Deep        | 300 | 26/130/390/900/1100/1275 | 300 | 1500 | 150 | 165
34 | The Sunken Citadel    | The Deep        | 320 | 28/150/450/1000/1200/1400 | 300 | 1500 | 160 | 176
37 | Leviathan's Throne    | Emperor's Realm | 350 | 35/175/500/1100/1300/1500 | 300 | 1500 | 175 | 193
39 | Claw Emperor's Domain | Emperor's Realm | 400 | 50/200/600/1400/1700/2000 | 300 | 1500 | 200 | 220`

/** # | type | name | price | mortgage | to lift it; taxes have their amount. */
const others = `
 0 | special        | Set Sail
 2 | treasure_chest | Treasure Chest
 4 | tax            | Fishing Tax | 200
 5 | current        | Poseidon's Current | 200 | 100 | 110
 7 | tide_card      | Tide Card
10 | special        | Lobster Pot / Just Visiting
12 | utility        | Electric Eel Power | 150 | 75 | 83
15 | current        | Maelstrom Express | 200 | 100 | 110
17 | treasure_chest | Treasure Chest
20 | special        | Anchor Bay
22 | tide_card      | Tide Card
25 | current        | Charybdis Passage | 200 | 100 | 110
28 | utility        | Tidal Generator | 150 | 75 | 83
30 | special        | Caught in the Net!
33 | treasure_chest | Treasure Chest
35 | current        | Abyssal Drift | 200 | 100 | 110
36 | tide_card      | Tide Card
38 | tax            | Pearl Tax | 100`

const rows = (table: string) =>
  table
    .trim()
    .split('\n')
    .map(line => line.split('|').map(cell => cell.trim()))

describe('the board', () => {
  it.each(rows(properties))(
    'has at %s %s, of %s',
    (index, name, group, price, rents, outpost, fortress, mortgage, unmortgage) => {
      expect(board[Number(index)]).toEqual({
        index: Number(index),
        name,
        type: 'property',
        group,
        price: Number(price),
        rent: rents!.split('/').map(Number),
        outpost: Number(outpost),
        fortress: Number(fortress),
        mortgage: Number(mortgage),
        unmortgage: Number(unmortgage),
      })
    },
  )

  it.each(rows(others))('has at %s a %s, %s', (index, type, name, ...figures) => {
    const [price, mortgage, unmortgage] = figures.map(Number)
    expect(board[Number(index)]).toEqual({
      index: Number(index),
      name,
      type,
      ...(type === 'tax' && { tax: price }),
      ...(type !== 'tax' && price !== undefined && { price, mortgage, unmortgage }),
    })
  })

  it('has 40 squares, in groups of two at both ends and of three between', () => {
    expect(board.map(({ index }) => index)).toEqual(Array.from({ length: 40 }, (_, i) => i))
    expect(rows(properties).length + rows(others).length).toBe(40)
    expect(groups).toEqual({
      'Sandy Shore': [1, 3],
      'Coastal Waters': [6, 8, 9],
      'Coral Gardens': [11, 13, 14],
      'Tropical Seas': [16, 18, 19],
      'Volcanic Depths': [21, 23, 24],
      'Sunlit Expanse': [26, 27, 29],
      'The Deep': [31, 32, 34],
      "Emperor's Realm": [37, 39],
    })
  })
})

type Outcome = {
  /** Where the card leads from squares 7, 22 and 36, or 2, 17 and 33. */
  readonly to?: readonly [number, number, number]
  /** What the drawer has more by it, from each of the three squares. */
  readonly gains?: readonly [number, number, number]
  /** What each of two others has more by it. */
  readonly others?: number
  readonly inPot?: true
  readonly escapeCards?: 1
}

const same = (gain: number) => [gain, gain, gain] as const

/** With 3 outposts and a fortress of one's own, for the repairs. */
const tide: readonly Outcome[] = [
  { to: [39, 39, 39] },
  { to: [0, 0, 0], gains: same(200) },
  { to: [24, 24, 24], gains: [0, 0, 200] },
  { to: [11, 11, 11], gains: [0, 200, 200] },
  { to: [15, 25, 5], gains: [0, 0, 200] },
  { to: [15, 25, 5], gains: [0, 0, 200] },
  { to: [12, 28, 12], gains: [0, 0, 200] },
  { gains: same(50) },
  { escapeCards: 1 },
  // To the Fishing Tax, to Galapagos Reserve, and to a Treasure Chest with card 2 on top.
  { to: [4, 19, 33], gains: [-200, 0, 200] },
  { to: [10, 10, 10], inPot: true },
  { gains: same(-(3 * 25 + 100)) },
  { gains: same(-15) },
  { to: [5, 5, 5], gains: same(200) },
  { gains: same(-100), others: 50 },
  { gains: same(150) },
]

const chest: readonly Outcome[] = [
  { to: [0, 0, 0], gains: same(200) },
  { gains: same(200) },
  { gains: same(-50) },
  { gains: same(50) },
  { escapeCards: 1 },
  { to: [10, 10, 10], inPot: true },
  { gains: same(100) },
  { gains: same(20) },
  { gains: same(20), others: -10 },
  { gains: same(100) },
  { gains: same(-100) },
  { gains: same(-50) },
  { gains: same(25) },
  { gains: same(-(3 * 40 + 115)) },
  { gains: same(10) },
  { gains: same(100) },
]

describe.each([
  ['tide', tide, [7, 22, 36]],
  ['chest', chest, [2, 17, 33]],
] as const)('the %s deck', (deck, outcomes, squares) => {
  it('has 16 cards', () => {
    expect([outcomes.length, cards[deck].length]).toEqual([16, 16])
  })

  it.each(outcomes.map((outcome, i) => [i + 1, outcome] as const))(
    'has card %i',
    (card, outcome) => {
      for (const [n, square] of squares.entries()) {
        const from = (square + 33) % 40
        const start = position({
          dice: throwing(3, 4),
          players: [{ position: from }],
          // None of them is where a card leads to.
          squares: { ...owned(0, [31, 32], { level: 1 }), ...owned(0, [34], { level: 1 }) },
        })
        const fortress = {
          ...start,
          squares: start.squares.with(26, { owner: 0, level: 5, mortgaged: false }),
        }
        const state = onTop(onTop(fortress, deck === 'tide' ? 'chest' : 'tide', 2), deck, card)
        const { state: next, events } = move(state, 'roll_dice')
        const passed = from + 7 >= 40 ? 200 : 0
        expect(events.find(({ kind }) => kind === 'card_drawn')).toMatchObject({ deck, card })
        expect(next.players[0]).toMatchObject({
          position: outcome.to?.[n] ?? square,
          money: 1500 + passed + (outcome.gains?.[n] ?? 0),
          inPot: outcome.inPot ?? false,
          escapeCards: outcome.escapeCards ?? 0,
        })
        const others = 1500 + (outcome.others ?? 0)
        expect(moneyOf(next).slice(1)).toEqual([others, others])
      }
    },
  )
})
