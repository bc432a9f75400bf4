import { describe, expect, it } from 'vitest'
import { endOf, Worded } from '../../../../test/support/worded.ts'
import type { Viewer } from '../../../games/game.ts'
import { resourceRush } from '../../../games/resource-rush.ts'

type State = ReturnType<typeof resourceRush.start>

const wait = { action: 'wait' }
const harvest = { action: 'harvest' }
const move = (direction: string) => ({ action: 'move', direction })

/** All codes in the upper left, and a bush in the lower right. */
const land = Array.from({ length: 100 }, () => Array(100).fill(0))
land[0]!.splice(0, 8, 0, 1, 2, 3, 4, 5, 6, 7)
land[99]![99] = 1

/** The drones stand on these tiles. */
const from = (viewer: Viewer, tiles: readonly [number, number][], tick = 0) => {
  const fresh = resourceRush.start(1, 2)
  const state: State = {
    ...fresh,
    tick,
    map: land.flat().join(''),
    drones: fresh.drones.map((drone, seat) => ({
      ...drone,
      x: tiles[seat]![0],
      y: tiles[seat]![1],
    })),
  }
  return new Worded(resourceRush, viewer, state)
}

/** What is seen of the land from a tile; all else is -1. */
const seenFrom = ([x, y]: [number, number], codes = land) =>
  codes.map((row, v) =>
    row.map((code, u) => (Math.max(Math.abs(u - x), Math.abs(v - y)) > 35 ? -1 : code)),
  )

const apart: [number, number][] = [
  [1, 0],
  [99, 99],
]
const close: [number, number][] = [
  [3, 0],
  [38, 35],
]

const extraOf = (round: number, grid: readonly (readonly number[])[], rest: string) =>
  `{"currentRound":${round},"maxRounds":500,"tick":${round - 1},"maxTicks":500,"mapSize":100,"grid":${JSON.stringify(grid)},${rest}}`

const nothing = '{"wood":0,"stone":0,"gold":0,"food":0}'

describe('a state of resource-rush', () => {
  it('begins with the fog of its player, and an empty memory', () => {
    expect(from(0, apart).state()).toEqual({
      round: 1,
      scores: [0, 0],
      grid: 'null',
      extra: extraOf(
        1,
        seenFrom([1, 0]),
        `"playerPositions":{"a-1":{"x":1,"y":0}},"playerResources":{"a-1":${nothing},"a-2":${nothing}},` +
          '"playerThoughts":{"a-1":""},"scores":{"a-1":0,"a-2":0},"memory":{}',
      ),
    })
  })

  const played = (viewer: Viewer, tiles = apart) =>
    from(viewer, tiles).round(
      { ...harvest, thought: 'wood "here"', memory: { goal: [46, 51] } },
      { ...harvest, thought: 'far off', memory: { tick: 1, deep: { a: null } } },
    )

  const wood = '{"wood":1,"stone":0,"gold":0,"food":0}'
  const both = `"playerResources":{"a-1":${wood},"a-2":${wood}}`
  const bare = land.map(row => [...row])
  bare[0]![1] = 0
  bare[99]![99] = 0

  it.each<[Viewer, [number, number], string, string, string]>([
    [0, [1, 0], '"a-1":{"x":1,"y":0}', '"a-1":"wood \\"here\\""', '{"goal":[46,51]}'],
    [1, [99, 99], '"a-2":{"x":99,"y":99}', '"a-2":"far off"', '{"tick":1,"deep":{"a":null}}'],
  ])('has for seat %j its own fog, thought and memory', (seat, tile, position, thought, memory) => {
    expect(played(seat).state()).toEqual({
      round: 2,
      scores: [1, 1],
      grid: 'null',
      extra: extraOf(
        2,
        seenFrom(tile, bare),
        `"playerPositions":{${position}},${both},"playerThoughts":{${thought}},"scores":{"a-1":1,"a-2":1},"memory":${memory}`,
      ),
    })
  })

  it('has for spectators all but the memories', () => {
    expect(played('replay').state()).toEqual({
      round: 2,
      scores: [1, 1],
      grid: 'null',
      extra: extraOf(
        2,
        bare,
        `"playerPositions":{"a-1":{"x":1,"y":0},"a-2":{"x":99,"y":99}},${both},` +
          '"playerThoughts":{"a-1":"wood \\"here\\"","a-2":"far off"},"scores":{"a-1":1,"a-2":1}',
      ),
    })
  })

  it('shows a player an opponent in sight, but not its thought', () => {
    const words = from(1, close).round({ ...harvest, thought: 'gold' }, wait)
    const { playerPositions, playerThoughts, playerResources, scores } = JSON.parse(
      words.state().extra,
    )
    expect(playerPositions).toEqual({ 'a-1': { x: 3, y: 0 }, 'a-2': { x: 38, y: 35 } })
    expect(playerThoughts).toEqual({ 'a-2': '' })
    expect([playerResources['a-1'].gold, scores]).toEqual([5, { 'a-1': 25, 'a-2': 0 }])
  })

  it('keeps a memory until the next, and a thought for one tick', () => {
    const words = played(0).round(move('west'), wait)
    expect(JSON.parse(words.state().extra)).toMatchObject({
      memory: { goal: [46, 51] },
      playerThoughts: { 'a-1': '' },
    })
  })

  it('shows an unresolved move to no one', () => {
    for (const viewer of [0, 1, 'replay'] as const) {
      const words = from(viewer, apart)
      const before = words.state()
      words.play(0, { ...move('west'), thought: 'west' })
      expect(words.state()).toEqual(before)
      expect(words.updates()).toEqual([])
    }
  })

  it('shows each harvest in the grid', () => {
    const words = from('replay', apart)
    const gridOf = () => JSON.parse(words.state().extra).grid
    expect(gridOf()).toEqual(land)
    words.round(move('west'), wait)
    expect(gridOf()).toEqual(land)
    words.round(wait, harvest)
    expect(gridOf()).toEqual(land.with(99, Array(100).fill(0)))
  })

  it.each<[Viewer]>([[0], ['replay']])(
    'is of the last tick, for %j, once all are resolved',
    viewer => {
      const words = from(viewer, apart, 499).round(wait, harvest)
      expect(words.resolved).toBe(500)
      const { round, extra } = words.state(endOf(500, [0, 1], [1, 0]))
      expect(round).toBe(500)
      expect(JSON.parse(extra)).toMatchObject({ currentRound: 500, tick: 499 })
    },
  )

  it('is of the tick before, where a seat was late', () => {
    const words = from(0, apart, 12).fall(1)
    expect(words.resolved).toBe(12)
    const { round, extra } = words.state(endOf(12, [0, 0], [0, 1], { reason: 'timeout' }))
    expect(round).toBe(12)
    expect(JSON.parse(extra)).toMatchObject({ currentRound: 12, tick: 11 })
    expect(from(1, apart, 499).fall(0).resolved).toBe(499)
    for (const viewer of [1, 'replay'] as const) expect(from(viewer, apart, 499).resolved).toBe(499)
  })

  it('has no tick below the first', () => {
    const { round, extra } = from(0, apart)
      .fall(1)
      .state(endOf(0, [0, 0], [0, 1], { reason: 'timeout' }))
    expect(round).toBe(0)
    expect(JSON.parse(extra)).toMatchObject({ currentRound: 0, tick: 0 })
  })
})

describe('a turn_update of resource-rush', () => {
  const updateText = (tick: number, first: string, second: string, a: number, b: number) =>
    `{"type":"turn_update","gameId":"g-19","round":${tick},"moves":[` +
    `{"agentId":"a-1","agentName":"Nova","action":"${first}"},` +
    `{"agentId":"a-2","agentName":"Pike","action":"${second}"}],` +
    `"roundSummary":"Tick ${tick}","scores":{"Nova":${a},"Pike":${b}}}`

  it.each<[Viewer, string, string]>([
    [0, 'Harvested 🌿', 'Acted'],
    [1, 'Acted', 'Moved north'],
    ['replay', 'Harvested 🌿', 'Moved north'],
  ])('reads to %j, out of sight of each other, %s and %s', (viewer, first, second) => {
    const words = from(viewer, apart).round(harvest, move('north'))
    expect(words.updates()).toEqual([updateText(1, first, second, 1, 0)])
    expect(words.round(wait, wait).updates()).toHaveLength(1)
  })

  it.each<[Viewer]>([[0], [1], ['replay']])(
    'has both actions for %j where they see each other',
    viewer => {
      const words = from(viewer, close, 6).round(harvest, wait)
      expect(words.updates()).toEqual([updateText(7, 'Harvested ✨', 'Waited', 25, 0)])
    },
  )

  it('hides the action of a drone that has just left sight', () => {
    const words = from(0, close).round(wait, move('south'))
    expect(words.updates()).toEqual([updateText(1, 'Waited', 'Acted', 0, 0)])
  })

  it.each([
    [[1, 0], harvest, 'Harvested 🌿', 1],
    [[2, 0], harvest, 'Harvested 🪨', 4],
    [[3, 0], harvest, 'Harvested ✨', 25],
    [[4, 0], harvest, 'Harvested 🫐', 9],
    [[9, 9], move('north'), 'Moved north', 0],
    [[9, 9], move('east'), 'Moved east', 0],
    [[9, 9], move('south'), 'Moved south', 0],
    [[9, 9], move('west'), 'Moved west', 0],
    [[9, 9], wait, 'Waited', 0],
  ] as const)('at %j says what %j did: %s', ([x, y], order, action, score) => {
    const words = from(0, [
      [x, y],
      [9, 9],
    ]).round(order, wait)
    expect(words.updates()).toEqual([updateText(1, action, 'Waited', score, 0)])
  })

  it.each([
    [0, 'Harvested ✨', 'Waited', [25, 0]],
    [1, 'Waited', 'Harvested ✨', [0, 25]],
  ] as const)('in tick %i a lost harvest reads Waited', (tick, first, second, [a, b]) => {
    for (const viewer of [0, 1, 'replay'] as const) {
      const words = from(
        viewer,
        [
          [3, 0],
          [3, 0],
        ],
        tick,
      ).round(harvest, harvest)
      expect(words.updates()).toEqual([updateText(tick + 1, first, second, a, b)])
    }
  })

  it('is of its own tick, where several are told at once', () => {
    const words = from('replay', close).round(harvest, wait).round(wait, move('south'))
    expect(words.updates()).toEqual([
      updateText(1, 'Harvested ✨', 'Waited', 25, 0),
      updateText(2, 'Waited', 'Moved south', 25, 0),
    ])
    const hidden = from('replay', apart).round(harvest, wait).round(wait, move('north'))
    expect(hidden.updates()).toEqual([
      updateText(1, 'Acted', 'Acted', 1, 0),
      updateText(2, 'Waited', 'Moved north', 1, 0),
    ])
  })

  it('does not follow from a fall', () => {
    const end = endOf(0, [0, 0], [0, 1], { reason: 'timeout' })
    expect(from(0, apart).play(0, wait).fall(1).updates(end)).toEqual([])
  })
})
