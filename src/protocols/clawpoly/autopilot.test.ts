import { describe, expect, it } from 'vitest'
import { groups } from '../../games/clawpoly-board.ts'
import { type Clawpoly, startOf } from '../../games/clawpoly-state.ts'
import { autopilot, legacyPrompt } from './autopilot.ts'
import { answersTo, questionOf, readDecision } from './mcp-decisions.ts'
import { stateBody } from './mcp-state.ts'
import { tokens } from './tokens.ts'

const start = startOf(7, 3)
const seat = start.order[0]!
const other = start.order[1]!

/** The state with the current player changed. */
const withPlayer = (state: Clawpoly, change: Partial<Clawpoly['players'][number]>): Clawpoly => ({
  ...state,
  players: state.players.map((player, i) => (i === seat ? { ...player, ...change } : player)),
})

/** The state in which the current player has these squares at these levels. */
const withSquares = (state: Clawpoly, levels: Readonly<Record<number, number>>): Clawpoly => ({
  ...state,
  squares: state.squares.map((square, i) =>
    levels[i] === undefined ? square : { owner: seat, level: levels[i], mortgaged: false },
  ),
})

const trade = {
  ...{ id: 1, from: other, to: seat, phase: 'roll' as const },
  giving: { properties: [], money: 1, escapeCards: 0 },
  requesting: { properties: [], money: 0, escapeCards: 0 },
}
const debt = { debtor: seat, creditor: null, amount: 200, why: 'tax' as const }
const build = { ...start, phase: 'build' as const }
const [one, two] = groups['Sandy Shore'] as readonly [number, number]

describe('the autopilot of clients that neither roll nor end turns', () => {
  it.each([
    ['throws the dice', start, { action: 'roll_dice' }],
    ['raises money for a debt', { ...start, phase: 'debt', debt }, { action: 'raise' }],
    [
      'refuses trades, which they do not know',
      { ...start, current: other, phase: 'trade', trade },
      { action: 'trade_respond', accept: false },
    ],
    ['ends a turn in which nothing can be built', build, { action: 'end_turn' }],
    ['leaves it to the client what to build', withSquares(build, { [one]: 0, [two]: 0 }), null],
    [
      'leaves it to the client what to buy',
      withPlayer({ ...start, phase: 'buy' }, { position: 5 }),
      null,
    ],
    ['leaves it to the client how to leave the pot', { ...start, phase: 'pot' }, null],
    ['does nothing for a seat that is not asked', { ...start, current: other }, null],
  ] as const)('%s', (_, state, move) => {
    expect(autopilot(state as Clawpoly, seat)).toEqual(move)
    // Either it moves, or the client is asked, or another seat is.
    const isAsked = legacyPrompt(state as Clawpoly, seat) !== null
    expect(isAsked).toBe(move === null && (state as Clawpoly).current === seat)
  })
})

describe('what such a client is asked', () => {
  it('buys with the price, the colour and its money', () => {
    const state = withPlayer({ ...start, phase: 'buy' }, { position: 39, money: 450 })
    expect(legacyPrompt(state, seat)).toEqual({
      type: 'buy',
      context: {
        property: {
          ...{ name: "Claw Emperor's Domain", index: 39, price: 400 },
          colorGroup: "Emperor's Realm",
        },
        yourMoney: 450,
      },
    })
    const current = withPlayer(state, { position: 5 })
    expect(legacyPrompt(current, seat)).toMatchObject({
      context: { property: { index: 5, colorGroup: null } },
    })
  })

  it('builds outposts and fortresses, each in its list', () => {
    const state = withSquares(build, { [one]: 4, [two]: 4, 37: 1, 39: 0 })
    const prompt = legacyPrompt(state, seat)!
    expect(prompt).toEqual({
      type: 'build',
      context: {
        buildableSquares: [
          { index: 39, name: "Claw Emperor's Domain", outpostCost: 300, outposts: 0 },
        ],
        upgradeableSquares: [
          { index: 1, name: 'Tidal Pool Flats', fortressCost: 500 },
          { index: 3, name: 'Mangrove Shallows', fortressCost: 500 },
        ],
        yourMoney: 1500,
      },
    })
    expect(answersTo(prompt)).toEqual(['build:39', 'upgrade:1', 'upgrade:3', 'skip_build'])
    expect(questionOf(prompt)).toBe(
      'Build, with 1500 Shells? Answer one of: build:39, upgrade:1, upgrade:3, skip_build.',
    )
  })

  it.each([
    [{ money: 49 }, ['escape_roll']],
    [{ money: 50 }, ['escape_pay', 'escape_roll']],
    [{ money: 0, escapeCards: 1 }, ['escape_card', 'escape_roll']],
  ])('leaves the pot with %j', (change, answers) => {
    const state = withPlayer({ ...start, phase: 'pot' }, { inPot: true, potTurns: 2, ...change })
    const prompt = legacyPrompt(state, seat)!
    expect(prompt).toMatchObject({ type: 'lobster_pot', context: { turnsTrapped: 2 } })
    expect(answersTo(prompt)).toEqual(answers)
  })
})

it.each([
  ['buy', { action: 'buy' }],
  ['build:39', { action: 'build', square: 39 }],
  ['upgrade:1', { action: 'build', square: 1 }],
  ['skip_build', { action: 'end_turn' }],
  ['escape_card', { action: 'escape_card' }],
])('the decision %s is the move %j', (text, move) => {
  expect(readDecision(text)).toMatchObject({ text, move })
})

it.each(['', 'BUY', 'build:', 'build:x', 'build:1000', 'upgrade', 'constructor', 'end_turn'])(
  'there is no decision %j',
  text => {
    expect(readDecision(text)).toContain(`action is "${text}"; expected: buy, pass`)
  },
)

describe('the state of a game', () => {
  const people = ['ada', 'bert', 'cleo'].map((name, i) => {
    return { id: `agent-${i}`, name, token: tokens[i]! }
  })
  const view = {
    ...{ state: start, seat, people, roomCode: 'REEF42' },
    ...({
      gameSpeed: 'normal',
      phase: 'playing',
      places: null,
      prompt: null,
      timeLeft: null,
    } as const),
  }

  it('tells the squares, the players and whose turn it is', () => {
    const state = withSquares(withPlayer(start, { position: 3, escapeCards: 1 }), { [two]: 5 })
    expect(stateBody({ ...view, state })).toMatchObject({
      ...{ gamePhase: 'playing', turnNumber: 1, isMyTurn: true, pendingDecision: null },
      currentPlayer: people[seat]!.name,
      me: {
        ...{ positionName: 'Mangrove Shallows', escapeCards: 1, lobsterPotTurns: 0 },
        properties: [{ index: two, outposts: 0, fortress: true, mortgaged: false }],
      },
      players: [{ isBankrupt: false }, {}, {}],
    })
  })

  it.each([
    ['playing', {}, 'Nothing to decide now'],
    ['paused', {}, 'paused'],
    ['playing', { bankruptAt: 9 }, 'You are bankrupt'],
    ['finished', {}, 'The game is over'],
  ] as const)('says what to do: %s, %j', (phase, change, words) => {
    const state = withPlayer(start, change)
    expect(stateBody({ ...view, phase, state })).toMatchObject({
      instruction: expect.stringContaining(words),
    })
  })
})
