import { describe, expect, it } from 'vitest'
import { effort } from '../../../test/support/effort.ts'
import { clawpoly } from '../../games/clawpoly.ts'
import { groups, ownables } from '../../games/clawpoly-board.ts'
import type { Clawpoly, Holding, Player } from '../../games/clawpoly-state.ts'
import { Dice } from '../../games/dice.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  stateAfter,
} from '../../games/game.ts'
import { randomMove } from '../random-move.ts'
import { clawpolyMove } from './clawpoly.ts'

const game = clawpoly as Game

/** Of the seats: 0 moves at random. */
type Level = 0 | 1 | 2

/** Who came first, how many moves it took, and how long the house players took for a move. */
const playOut = (seed: number, levels: readonly Level[]) => {
  const dice = Dice.fromSeed(seed)
  const took: number[] = []
  let state: unknown = game.start(seed, levels.length)
  for (let moves = 0; ; moves++) {
    const status = game.status(state)
    if (isFinal(status)) return { first: levels[status.places.indexOf(1)]!, moves, took }
    const seat = status.toMove[0]!
    const level = levels[seat]!
    const began = performance.now()
    const move =
      level === 0 ? randomMove(game, state, seat, dice) : clawpolyMove(game, state, seat, level)
    if (level > 0) took.push(performance.now() - began)
    const next = stateAfter(game, state, seat, move)
    if (isIllegal(next)) throw new Error(`${JSON.stringify(move)}: ${next.reason}`)
    state = next
  }
}

/** Tables of two to six, half of them of one level and half of the other, in all orders of the seats. */
const tournament = (games: number, one: Level, other: Level) => {
  let [won, share, most] = [0, 0, 0]
  const took: number[] = []
  for (let i = 0; i < games; i++) {
    const seats = 2 + (i % 5)
    const levels = Array.from({ length: seats }, (_, at) => ((at + i) % 2 === 0 ? one : other))
    const played = playOut(7_000 + i, levels)
    if (played.first === one) won++
    share += levels.filter(level => level === one).length / seats
    most = Math.max(most, played.moves)
    for (const ms of played.took) took.push(ms)
  }
  return { won, share, most, took: took.sort((a, b) => a - b) }
}

describe('among players of both levels', () => {
  const games = effort({ usual: 40, ci: 300 })
  const { won, share, most, took } = tournament(games, 2, 1)

  it('the one that trades wins clearly more than its share', () => {
    expect(won).toBeGreaterThan(1.5 * share)
  })

  it('no game stalls', () => {
    // 200 turns; a mortgage that was lifted and taken again and again would be a stall.
    expect(most).toBeLessThan(200 * 10)
  })

  it('a move takes less than a millisecond', () => {
    expect(took[Math.floor(0.9 * took.length)]).toBeLessThan(1)
  })
})

it('the plain player wins clearly more than its share among random ones', () => {
  const { won, share } = tournament(effort({ usual: 15, ci: 100 }), 1, 0)
  expect(won).toBeGreaterThan(1.5 * share)
})

/** A position of three, in which seat 0 has its turn, with what is changed of the players and the squares. */
const position = (
  phase: Clawpoly['phase'],
  players: readonly Partial<Player>[],
  squares: Readonly<Record<number, Partial<Holding>>> = {},
  more: Partial<Clawpoly> = {},
): Clawpoly => {
  const start = clawpoly.start(1, 3)
  return {
    ...start,
    ...{ phase, order: [0, 1, 2], current: 0 },
    players: start.players.map((player, seat) => ({ ...player, ...players[seat] })),
    squares: start.squares.map((holding, index) => ({ ...holding, ...squares[index] })),
    ...more,
  }
}

const owned = (owner: Seat, ...squares: readonly number[]): Record<number, Partial<Holding>> =>
  Object.fromEntries(squares.map(square => [square, { owner }]))

const bundle = (money: number, ...properties: readonly number[]) => ({
  ...{ properties, money, escapeCards: 0 },
})

const plain = (state: Clawpoly, seat = 0): Json => clawpolyMove(game, state, seat, 1)
const trader = (state: Clawpoly, seat = 0): Json => clawpolyMove(game, state, seat, 2)

describe('the plain player', () => {
  it('buys while its reserve is left', () => {
    expect(plain(position('buy', [{ position: 39, money: 600 }]))).toEqual({ action: 'buy' })
    expect(plain(position('buy', [{ position: 39, money: 599 }]))).toEqual({ action: 'pass' })
  })

  it('builds on the lowest square of a group while its reserve is left', () => {
    const built = { ...owned(0, 1, 3), 1: { owner: 0, level: 1 } }
    expect(plain(position('build', [{ money: 300 }], built))).toEqual({
      action: 'build',
      square: 3,
    })
    expect(plain(position('build', [{ money: 299 }], built))).toEqual({ action: 'end_turn' })
  })

  it('takes a trade at its face value', () => {
    const offered = (money: number) =>
      position('trade', [], owned(0, 39), {
        current: 1,
        trade: {
          ...{ id: 1, from: 1, to: 0, phase: 'build' },
          ...{ giving: bundle(money), requesting: bundle(0, 39) },
        },
      })
    expect(plain(offered(400))).toEqual({ action: 'trade_respond', accept: true })
    expect(plain(offered(399))).toEqual({ action: 'trade_respond', accept: false })
  })

  it('has the bank raise what it owes', () => {
    const debt = { debtor: 0, creditor: 1, amount: 100, why: 'rent' } as const
    expect(plain(position('debt', [{ money: 10 }], owned(0, 5, 6), { debt }))).toEqual({
      action: 'raise',
    })
  })
})

describe('the one that trades', () => {
  it('buys the last square of a group whatever is left', () => {
    const last = (owner: Seat) => position('buy', [{ position: 39, money: 410 }], owned(owner, 37))
    expect(trader(last(0))).toEqual({ action: 'buy' })
    expect(trader(last(1))).toEqual({ action: 'buy' })
    expect(trader(position('buy', [{ position: 39, money: 410 }]))).toEqual({ action: 'pass' })
  })

  /** Seat 1 has the last square of a group of seat 0, or seat 0 that of seat 1. */
  const offered = (owner: Seat, money: number) =>
    position('trade', [], owned(owner, 16, 18), {
      current: 1,
      trade: {
        ...{ id: 1, from: 1, to: 0, phase: 'build' },
        giving: owner === 0 ? bundle(0, 19) : bundle(money),
        requesting: owner === 0 ? bundle(money) : bundle(0, 19),
      },
      squares: position('trade', [], { ...owned(owner, 16, 18), ...owned(1 - owner, 19) }).squares,
    })

  it.each([
    ['pays twice the price for the last square of its own group', 0, 400, true],
    ['does not pay seven times the price for it', 0, 1_400, false],
    ['does not give away the last square of another group for its price', 1, 200, false],
    ['gives it away for what makes good the lead of the other', 1, 1_400, true],
  ] as const)('%s', (_, owner, money, accept) => {
    expect(trader(offered(owner, money))).toEqual({ action: 'trade_respond', accept })
  })

  const wishing = (more: Partial<Clawpoly> = {}) =>
    position('build', [{ money: 2_500 }], { ...owned(0, 16, 18), ...owned(1, 19) }, more)

  it('offers what completes its group for more than the price, and more the second time', () => {
    const offers = [0, 1].map(
      offers => trader(wishing({ turnNumber: 7, offers })) as { readonly giving: Json },
    )
    for (const offer of offers) {
      expect(offer).toMatchObject({
        action: 'trade_offer',
        to: 1,
        requesting: { properties: [19] },
      })
      expect(isIllegal(clawpoly.play(wishing({ turnNumber: 7 }), 0, offer as Json))).toBe(false)
    }
    const [first, second] = offers.map(offer => (offer.giving as { readonly money: number }).money)
    expect(first).toBeGreaterThan(200)
    expect(second).toBeGreaterThan(first!)
  })

  it('offers nothing a third time, nor in every round', () => {
    expect(trader(wishing({ turnNumber: 7, offers: 2 }))).toEqual({ action: 'end_turn' })
    expect(trader(wishing({ turnNumber: 10 }))).toEqual({ action: 'end_turn' })
  })

  it('builds up to the third outpost first, and no fortress for which the time is too short', () => {
    const levels = (level: number) =>
      Object.fromEntries(groups['Tropical Seas'].map(square => [square, { owner: 0, level }]))
    const rich = [{ money: 5_000 }]
    expect(trader(position('build', rich, levels(2)))).toMatchObject({ action: 'build' })
    const late = { turnNumber: 195 }
    expect(trader(position('build', rich, levels(4), late))).toEqual({ action: 'end_turn' })
  })

  it('keeps money for the rents ahead', () => {
    const own = owned(0, 1, 3)
    const rival = Object.fromEntries([37, 39].map(at => [at, { owner: 1, level: 3 }]))
    const at = [{ money: 400, position: 30 }]
    expect(trader(position('build', at, own))).toMatchObject({ action: 'build' })
    expect(trader(position('build', at, { ...own, ...rival }))).toEqual({ action: 'end_turn' })
  })

  it('stays in the pot while the rents outside are high', () => {
    const rivals = Object.fromEntries(
      [16, 18, 19, 21, 23, 24].map(at => [at, { owner: 1, level: 3 }]),
    )
    const trapped = [{ inPot: true, position: 10, money: 900 }]
    const own = owned(0, ...ownables.map(({ index }) => index))
    expect(trader(position('pot', trapped))).toEqual({ action: 'escape_pay' })
    expect(trader(position('pot', trapped, { ...own, ...rivals }))).toEqual({
      action: 'escape_roll',
    })
  })

  it('gives up what brings least rent for the money', () => {
    const debt = { debtor: 0, creditor: 1, amount: 100, why: 'rent' } as const
    const squares = {
      ...owned(0, 5, 15, 25, 6),
      1: { owner: 0, level: 1 },
      3: { owner: 0, level: 1 },
    }
    expect(trader(position('debt', [{ money: 10 }], squares, { debt }))).toEqual({
      ...{ action: 'mortgage', square: 6 },
    })
  })

  it('lifts mortgages while it has money to spare, and not at the end', () => {
    const mortgaged = { 37: { owner: 0, mortgaged: true }, 39: { owner: 0, mortgaged: true } }
    const rich = [{ money: 1_000 }]
    expect(trader(position('build', rich, mortgaged))).toEqual({ action: 'unmortgage', square: 39 })
    expect(trader(position('build', rich, mortgaged, { turnNumber: 200 }))).toEqual({
      action: 'end_turn',
    })
  })
})
