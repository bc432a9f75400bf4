// What holds of every position of Clawpoly, and how the money follows from the events.

import assert from 'node:assert/strict'
import { clawpoly } from '../../src/games/clawpoly.ts'
import { groups, ownables } from '../../src/games/clawpoly-board.ts'
import { deckNames } from '../../src/games/clawpoly-cards.ts'
import type { ClawpolyEvent } from '../../src/games/clawpoly-events.ts'
import type { Clawpoly } from '../../src/games/clawpoly-state.ts'
import { Dice } from '../../src/games/dice.ts'
import { eventsOf, isIllegal, type Json, type Seat, stateOf } from '../../src/games/game.ts'

/** What a player and the bank have more by an event, by seat; the bank is −1. */
function* payments(event: ClawpolyEvent): Generator<readonly [of: Seat | -1, amount: number]> {
  const { seat } = event
  switch (event.kind) {
    case 'set_sail_bonus':
    case 'card_money':
    case 'building_sold':
    case 'mortgaged':
      yield* transfer(-1, seat, event.amount)
      break
    case 'property_bought':
    case 'tax_paid':
    case 'pot_fee_paid':
    case 'outpost_built':
    case 'fortress_built':
    case 'unmortgaged':
      yield* transfer(seat, -1, event.amount)
      break
    case 'rent_paid':
      yield* transfer(seat, event.to, event.amount)
      break
    case 'card_paid':
      yield* transfer(seat, event.to ?? -1, event.amount)
      break
    case 'trade_accepted':
      yield* transfer(seat, event.to, event.giving.money)
      yield* transfer(event.to, seat, event.requesting.money)
      break
    case 'bankrupt':
      yield* transfer(-1, seat, event.sold + event.mortgages)
      yield* transfer(seat, event.to ?? -1, event.amount)
      break
    default:
  }
}

function* transfer(from: Seat | -1, to: Seat | -1, amount: number) {
  yield [from, -amount] as const
  yield [to, amount] as const
}

/** Every Shell that a player has more or less after these events is in one of them; what the bank has is returned. */
const checkMoney = (
  before: Clawpoly,
  events: readonly ClawpolyEvent[],
  after: Clawpoly,
  bank: number,
): number => {
  const money = before.players.map(player => player.money)
  let has = bank
  for (const event of events)
    for (const [of, amount] of payments(event)) {
      assert.ok(Number.isInteger(amount), `${event.kind} pays ${amount}`)
      if (of === -1) has += amount
      else money[of] = money[of]! + amount
    }
  assert.deepEqual(
    after.players.map(player => player.money),
    money,
    `money moves without an event: ${JSON.stringify(events)}`,
  )
  return has
}

/** What the rules promise of every position. */
export const checkPosition = (state: Clawpoly): void => {
  const { players, squares, decks, phase, debt, dues, trade, out } = state
  for (const [seat, player] of players.entries()) {
    assert.ok(
      Number.isInteger(player.money) && player.money >= 0,
      `seat ${seat} has ${player.money}`,
    )
    assert.ok(player.position >= 0 && player.position < 40)
    assert.ok(!player.inPot || player.position === 10)
    assert.ok(player.potTurns <= (player.inPot ? 2 : 0))
    const held = deckNames.filter(name => decks[name].holder === seat).length
    assert.equal(player.escapeCards, held)
    assert.equal(player.bankruptAt !== null, out.includes(seat))
    if (player.bankruptAt !== null) {
      assert.deepEqual([player.money, held], [0, 0])
      assert.ok(
        squares.every(({ owner }) => owner !== seat),
        'a bankrupt player owns a square',
      )
    }
  }
  for (const group of Object.values(groups)) {
    const of = group.map(index => squares[index]!)
    const levels = of.map(({ level }) => level)
    assert.ok(Math.max(...levels) - Math.min(...levels) <= 1, 'buildings are uneven')
    if (Math.max(...levels) === 0) continue
    const { owner } = of[0]!
    assert.ok(
      owner !== null && of.every(square => square.owner === owner),
      'a building without its group',
    )
    assert.ok(
      of.every(({ mortgaged }) => !mortgaged),
      'a building beside a mortgage',
    )
  }
  const canBeOwned = new Set(ownables.map(({ index }) => index))
  for (const [index, { owner, level, mortgaged }] of squares.entries())
    if (!canBeOwned.has(index) || owner === null)
      assert.deepEqual([owner, level, mortgaged], [null, 0, false])
  for (const name of deckNames) {
    const { unseen, seen, holder } = decks[name]
    const all = [...unseen, ...seen, ...(holder === null ? [] : [name === 'tide' ? 8 : 4])]
    assert.deepEqual(new Set(all), everyCard, `the ${name} deck has other cards`)
    assert.equal(all.length, 16)
  }
  assert.equal(phase === 'debt', debt !== null)
  assert.equal(phase === 'trade', trade !== null)
  if (phase !== 'debt') assert.deepEqual([dues, state.leavesPot], [[], false])
  if (debt !== null)
    assert.ok(players[debt.debtor]!.money < debt.amount, 'a debt waits that can be paid')
}

const everyCard = new Set(Array.from({ length: 16 }, (_, i) => i))

export type PlayedGame = {
  readonly seed: string
  readonly seats: number
  readonly turnLimit: number
  readonly moves: readonly (readonly [Seat, Json])[]
  readonly end: Clawpoly
  readonly kinds: ReadonlySet<string>
}

/**
 * A game of random players by number, in which every event is accounted for. `check` is asked of the positions. One game in
 * seven has a player leave somewhere.
 */
export const randomPlay = (
  n: number,
  check: (state: Clawpoly, ply: number) => void,
): PlayedGame => {
  const seed = n.toString(16).padStart(32, '0')
  const dice = Dice.fromSeed(n)
  const seats = 2 + (n % 5)
  const turnLimit = limits[n % limits.length]!
  const leaves = n % 7 === 0 ? dice.roll(200) : -1
  const moves: (readonly [Seat, Json])[] = []
  const kinds = new Set<string>()
  let state = clawpoly.start(seed, seats, { turnLimit })
  let bank = 0
  for (;;) {
    check(state, moves.length)
    const status = clawpoly.status(state)
    if ('places' in status) return { seed, seats, turnLimit, moves, end: state, kinds }
    assert.ok(moves.length < mostMoves, `game ${n} does not end`)
    const seat = status.toMove[0]!
    const isLeaving = moves.length === leaves
    const move = isLeaving ? 'leaves' : clawpoly.anyMove!(state, seat, dice)
    const next = isLeaving ? clawpoly.drop!(state, seat) : clawpoly.play(state, seat, move)
    if (isIllegal(next)) throw new Error(`game ${n}: ${JSON.stringify(move)}: ${next.reason}`)
    const events = eventsOf(next) as readonly ClawpolyEvent[]
    for (const { kind } of events) kinds.add(kind)
    bank = checkMoney(state, events, stateOf(next), bank)
    moves.push([seat, move])
    state = stateOf(next)
    const money = state.players.reduce((sum, player) => sum + player.money, 0)
    assert.equal(money + bank, 1500 * seats, 'money is lost or made')
  }
}

/** The state that the moves of a game lead to. */
export const replayed = ({ seed, seats, turnLimit, moves }: PlayedGame): Clawpoly =>
  moves.reduce<Clawpoly>(
    (state, [seat, move]) => {
      const next =
        move === 'leaves' ? clawpoly.drop!(state, seat) : clawpoly.play(state, seat, move)
      assert.ok(!isIllegal(next))
      return stateOf(next)
    },
    clawpoly.start(seed, seats, { turnLimit }),
  )

/** The bytes of what an agent is sent. */
export const observationBytes = (state: Clawpoly): number => {
  const status = clawpoly.status(state)
  const toMove = 'places' in status ? -1 : status.toMove[0]!
  const legal = 'places' in status ? [] : clawpoly.listed!(state, toMove)
  return Buffer.byteLength(JSON.stringify({ ...clawpoly.view(state, 0), toMove, legal }))
}

const limits = [200, 40, 120, 60, 200, 30, 90] as const
const mostMoves = 10_000
