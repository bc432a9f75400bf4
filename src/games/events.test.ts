// What moves cause, besides the new state: the words of most protocols are made of it.

import { describe, expect, it } from 'vitest'
import { bazaar } from './bazaar.ts'
import { blotto } from './blotto.ts'
import { danceOn } from './dance-battle.ts'
import { echo } from './echo.ts'
import { evenOdd } from './even-odd.ts'
import {
  eventsOf,
  eventsSeen,
  type Game,
  type GameEvent,
  illegal,
  isIllegal,
  type Json,
  Moved,
  moved,
  type Seat,
  stateOf,
} from './game.ts'
import { resourceRush } from './resource-rush.ts'
import { skillGomoku } from './skill-gomoku.ts'

/** The events of each move in turn. */
const told = <State>(
  game: Pick<Game<State, GameEvent>, 'play'>,
  from: State,
  ...moves: readonly (readonly [Seat, Json])[]
): readonly (readonly GameEvent[])[] => {
  let state = from
  return moves.map(([seat, move]) => {
    const next = game.play(state, seat, move)
    if (isIllegal(next)) throw new Error(next.reason)
    state = stateOf<State>(next)
    return eventsOf(next)
  })
}

describe('a new state with events', () => {
  it('is told from a state by its class, which no JSON can have', () => {
    const forged = JSON.parse(JSON.stringify(moved({ board: 1 }, [{ kind: 'forged' }])))
    expect(stateOf(forged)).toBe(forged)
    expect(eventsOf(forged)).toEqual([])
    expect(stateOf(new Moved({ board: 1 }, []))).toEqual({ board: 1 })
    expect(stateOf(illegal('no'))).toEqual(illegal('no'))
  })
})

describe('skill-gomoku', () => {
  const start = skillGomoku.start(1, 2)
  const place = (row: number, col: number) => ({ type: 'place', row, col })

  it('tells of no stone, because the move says it all', () => {
    expect(told(skillGomoku, start, [0, place(7, 7)])).toEqual([[]])
  })

  it('tells which skill was used where, and what it changed', () => {
    const storm = { type: 'skill', skill: 'sandstorm', target: { row: 2, col: 9 } }
    const seal = { type: 'skill', skill: 'stillwater', target: { row: 7, col: 7 } }
    expect(told(skillGomoku, start, [0, place(7, 7)], [1, place(2, 9)], [0, storm]).at(-1)).toEqual(
      [
        {
          kind: 'skill',
          seat: 0,
          skill: 'sandstorm',
          target: { row: 2, col: 9 },
          affectedCells: [{ row: 2, col: 9, before: 2, after: 0 }],
        },
      ],
    )
    expect(told(skillGomoku, start, [0, place(7, 7)], [1, place(2, 9)], [0, seal]).at(-1)).toEqual([
      { kind: 'skill', seat: 0, skill: 'stillwater', target: { row: 7, col: 7 } },
    ])
  })

  it('tells that a seat was passed over', () => {
    // Two cells are free; the one on the left is in a quiet zone of Black.
    const rows = Array.from({ length: 15 }, (_, row) =>
      Array.from({ length: 15 }, (_, col) => ((col + 2 * row) % 4 < 2 ? '1' : '2')).join(''),
    )
    const board = `00${rows.join('').slice(2)}`
    const seals = [{ cell: 15, owner: 0, expiresAtMove: 99 }]
    const full = { ...start, past: [{ board, seals }], energy: [0, 0], moves: 20 }
    expect(told(skillGomoku, full, [0, place(0, 1)])).toEqual([[{ kind: 'passed', seat: 1 }]])
  })
})

describe('bazaar', () => {
  // Seat 0 writes first.
  const start = bazaar.start(12, 2)
  const offer = { wood: 4 }
  const request = { food: 5 }
  const propose = { action: 'propose_trade', offer, request }
  const reject = { action: 'reject_trade' }
  const say = (content: string) => ({ action: 'message', content })

  it('tells of messages, and of trades by what became of them', () => {
    expect(
      told(
        bazaar,
        start,
        [0, propose],
        [1, reject],
        [0, propose],
        [0, reject],
        [0, propose],
        [1, { action: 'accept_trade' }],
        [0, say('thanks')],
      ).flat(),
    ).toEqual([
      { kind: 'proposed', seat: 0, offer, request },
      { kind: 'rejected', by: 1, seat: 0, offer, request },
      { kind: 'proposed', seat: 0, offer, request },
      { kind: 'withdrawn', seat: 0, offer, request },
      { kind: 'proposed', seat: 0, offer, request },
      { kind: 'accepted', by: 1, seat: 0, offer, request },
      { kind: 'message', number: 1, seat: 0, content: 'thanks', truncated: false },
    ])
  })

  it('tells that a trade lapses with the last message', () => {
    const talk = Array.from({ length: 9 }, (_, n) => [n % 2, say('hm')] as const)
    const events = told(
      bazaar,
      start,
      ...talk,
      [1, { ...propose, offer: { food: 1 } }],
      [1, say('bye')],
    )
    expect(events.at(-1)).toEqual([
      { kind: 'message', number: 10, seat: 1, content: 'bye', truncated: false },
      { kind: 'lapsed', seat: 1, offer: { food: 1 }, request },
    ])
  })
})

describe('dance-battle', () => {
  const floor = { width: 9, height: 9, walls: [] }
  const spawns = [
    { x: 4, y: 4 },
    { x: 6, y: 4 },
    { x: 0, y: 0 },
    { x: 0, y: 1 },
  ]
  const game = danceOn({ ...floor, spawns, rounds: [['move', 'stress'], ['stress']] })
  const plan = (direction: string, action: string) => ({
    commands: [
      { beatIndex: 0, kind: 'move', direction },
      { beatIndex: 1, kind: 'action', action },
    ],
  })
  const plans: [Seat, Json][] = [
    [0, plan('right', 'rock')],
    [1, plan('left', 'rock')],
    [2, plan('hold', 'paper')],
    [3, plan('hold', 'scissors')],
  ]
  const events = [
    {
      kind: 'round',
      round: 1,
      steps: [
        ['right', 'rock'],
        ['left', 'rock'],
        ['hold', 'paper'],
        ['hold', 'scissors'],
      ],
      beats: [
        { beatIndex: 0, kind: 'move', collided: [0, 1], clashes: [] },
        {
          beatIndex: 1,
          kind: 'stress',
          collided: [],
          clashes: [{ winner: 3, loser: 2, auto: false }],
        },
      ],
      scores: [0, 0, 0, 1],
    },
    { kind: 'eliminated', seat: 2, round: 1, beatIndex: 1, by: [3] },
  ]

  it('tells of a round when its last plan is in: steps, collisions, clashes and who fell', () => {
    expect(told(game, game.start(1, 4), ...plans)).toEqual([[], [], [], events])
  })

  it('tells of the round that no longer waits for a dancer who leaves', () => {
    let state = game.start(1, 4)
    for (const [seat, move] of plans.slice(1)) {
      const next = game.play(state, seat, move)
      if (!isIllegal(next)) state = stateOf(next)
    }
    const [round, fall] = eventsOf(game.drop?.(state, 0))
    expect(round).toMatchObject({ kind: 'round', steps: [null, ...events[0]!.steps!.slice(1)] })
    expect(fall).toEqual(events[1])
  })
})

describe('resource-rush', () => {
  const fresh = resourceRush.start(1, 2)
  const at = (tiles: readonly (readonly [number, number])[], tick = 0) => ({
    ...fresh,
    tick,
    map: '3'.padEnd(10_000, '0'),
    drones: fresh.drones.map((drone, seat) => ({
      ...drone,
      x: tiles[seat]![0],
      y: tiles[seat]![1],
    })),
  })
  const harvest = { action: 'harvest', thought: 'mine' }
  const gold = { resource: 'gold', units: 5 }
  const got = { x: 0, y: 0, deed: { action: 'harvest', tile: 3 }, taken: gold }

  it('tells what both drones did and took, and of a tile that both wanted', () => {
    const here = at([
      [0, 0],
      [0, 0],
    ])
    expect(told(resourceRush, here, [0, harvest], [1, harvest])).toEqual([
      [],
      [
        { kind: 'fought', x: 0, y: 0, tile: 3, winner: 0, loser: 1 },
        {
          kind: 'round',
          tick: 1,
          drones: [got, { x: 0, y: 0, deed: { action: 'wait' }, taken: null }],
          scores: [25, 0],
        },
      ],
    ])
  })

  it('tells nothing of a drone that is out of sight, and spectators nothing of either', () => {
    const apart = at([
      [0, 0],
      [90, 90],
    ])
    const east = { action: 'move', direction: 'east' }
    const [, events = []] = told(resourceRush, apart, [0, harvest], [1, east])
    const moved = { x: 91, y: 90, deed: east, taken: null }
    const dronesFor = (viewer: Seat | 'audience' | 'replay') =>
      eventsSeen(resourceRush as Game, events, viewer).map(({ drones }) => drones)
    expect(dronesFor(0)).toEqual([[got, null]])
    expect(dronesFor(1)).toEqual([[null, moved]])
    expect(dronesFor('audience')).toEqual([[null, null]])
    expect(dronesFor('replay')).toEqual([[got, moved]])
  })
})

describe('games of rounds', () => {
  it('tell a round of echo with what was sent', () => {
    const moves = [5, 7, 5, 3].map((number, i): [Seat, Json] => [i % 2, { number }])
    expect(told(echo, echo.start(1, 2), ...moves)).toEqual([
      [],
      [
        {
          kind: 'round',
          round: 1,
          numbers: [5, 7],
          repeats: [false, false],
          winner: 1,
          scores: [0, 1],
        },
      ],
      [],
      [
        {
          kind: 'round',
          round: 2,
          numbers: [5, 3],
          repeats: [true, false],
          winner: 1,
          scores: [0, 2],
        },
      ],
    ])
  })

  it('tell a round of blotto with both allocations', () => {
    const allocations = [
      [4, 0, 3, 0, 3],
      [2, 2, 2, 2, 2],
    ]
    const moves = allocations.map((allocation, seat): [Seat, Json] => [seat, { allocation }])
    expect(told(blotto, blotto.start(1, 2), ...moves)).toEqual([
      [],
      [{ kind: 'round', round: 1, allocations, fieldsWon: [3, 2], winner: 0, scores: [1, 0] }],
    ])
  })

  it('tell the number that was drawn with both calls', () => {
    expect(told(evenOdd, evenOdd.start(1, 2), [0, 'odd'], [1, 'even'])).toEqual([
      [],
      [{ kind: 'drawn', choices: ['odd', 'even'], drawn: 3, parity: 'odd' }],
    ])
  })
})
