import { describe, expect, it } from 'vitest'
import {
  checkAudience,
  checkImagination,
  checkJudgement,
  checkSecrecy,
} from '../../test/support/secrecy-laws.ts'
import { lookText } from '../drawing/look-text.ts'
import { Dice } from './dice.ts'
import { type Game, illegal, isFinal, isIllegal, type Json, stateAfter } from './game.ts'
import { resourceRush } from './resource-rush.ts'

type State = ReturnType<typeof resourceRush.start>

// A map of grass with the given rows in its upper left, and the drones at the given tiles.
const at = (tiles: [number, number][], rows: string[] = [], more: Partial<State> = {}): State => {
  const fresh = resourceRush.start(1, 2)
  return {
    ...fresh,
    map: Array.from({ length: 100 }, (_, y) => (rows[y] ?? '').padEnd(100, '0')).join(''),
    drones: fresh.drones.map((drone, seat) => ({
      ...drone,
      x: tiles[seat]![0],
      y: tiles[seat]![1],
    })),
    ...more,
  }
}

const play = (state: State, seat: number, move: Json): State => {
  const next = stateAfter(resourceRush, state, seat, move)
  if (isIllegal(next)) throw new Error(next.reason)
  return next
}

const tick = (state: State, a: Json, b: Json) => play(play(state, 0, a), 1, b)

const wait = { action: 'wait' }
const harvest = { action: 'harvest' }
const move = (direction: string) => ({ action: 'move', direction })

const far: [number, number] = [90, 90]

describe('an action', () => {
  it.each([
    ['north', { x: 5, y: 4 }],
    ['east', { x: 6, y: 5 }],
    ['south', { x: 5, y: 6 }],
    ['west', { x: 4, y: 5 }],
  ])('moves a drone %s', (direction, tile) => {
    expect(tick(at([[5, 5], far]), move(direction), wait).drones[0]).toMatchObject(tile)
  })

  it.each([
    ['bush', '1', { wood: 1, stone: 0, gold: 0, food: 0 }, 1],
    ['stone', '2', { wood: 0, stone: 2, gold: 0, food: 0 }, 4],
    ['gold', '3', { wood: 0, stone: 0, gold: 5, food: 0 }, 25],
    ['berry', '4', { wood: 0, stone: 0, gold: 0, food: 3 }, 9],
  ])('harvests a %s, which becomes grass', (_, code, resources, score) => {
    const state = tick(at([[0, 0], far], [code]), harvest, wait)
    expect(state.map[0]).toBe('0')
    expect(resourceRush.view(state, 1)).toMatchObject({
      resources: [resources, {}],
      scores: [score, 0],
    })
  })

  it.each([
    [0, [25, 0]],
    [1, [0, 25]],
  ])('takes a tile that both harvest, in tick %i', (at0, scores) => {
    const state = tick(
      at(
        [
          [0, 0],
          [0, 0],
        ],
        ['3'],
        { tick: at0 },
      ),
      harvest,
      harvest,
    )
    const [last] = [resourceRush.view(state, 'replay').lastActions]
    expect(resourceRush.view(state, 0).scores).toEqual(scores)
    expect(last).toEqual(
      scores.map(score => (score ? { action: 'harvest', tile: 3 } : { action: 'wait' })),
    )
  })

  it('reads the map as it was when the tick began', () => {
    const state = tick(
      at(
        [
          [0, 0],
          [1, 0],
        ],
        ['33'],
      ),
      harvest,
      move('west'),
    )
    expect(resourceRush.play(state, 1, harvest)).toEqual(
      illegal('there is nothing to harvest here'),
    )
    expect(state.drones[0]).toMatchObject({ x: 0, y: 0 })
  })

  it.each<[Json, string]>([
    ['north', 'a move is {"action":…}, got "north"'],
    [{ action: 'dig' }, 'action must be move, harvest or wait, got "dig"'],
    [move('up'), 'direction must be one of north, east, south, west, got "up"'],
    [move('north'), 'a step north leads off the map'],
    [move('west'), 'a step west leads into water'],
    [move('east'), 'a step east leads into a mountain'],
    [harvest, 'there is nothing to harvest here'],
    [{ ...wait, memory: [] }, 'memory must be a JSON object, got a list of 0'],
    [{ ...wait, memory: null }, 'memory must be a JSON object, got null'],
    [{ ...wait, memory: { a: 'é'.repeat(5117) } }, 'memory may take 10240 bytes, got 10242'],
    [
      { ...wait, memory: JSON.parse(`${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`) },
      'memory may be nested 100 deep',
    ],
  ])('%# is refused', (sent, reason) => {
    expect(resourceRush.play(at([[1, 0], far], ['506']), 0, sent)).toEqual(illegal(reason))
  })

  it('on a station has nothing to harvest', () => {
    expect(isIllegal(resourceRush.play(resourceRush.start(1, 2), 0, harvest))).toBe(true)
  })
})

describe('thought and memory', () => {
  it('are both seen by their seat, and only the thought is kept with the move', () => {
    const order = { ...wait, thought: 'hm', memory: { goal: [1, 2] } }
    expect(resourceRush.kept!(order)).toEqual({ ...wait, thought: 'hm' })
    expect(order).toHaveProperty('memory')
  })

  const start = at([
    [5, 5],
    [6, 6],
  ])
  const said = tick(start, { ...wait, thought: 'hm\u0007m', memory: { goal: [1, 2] } }, wait)

  it('come back to their owner alone, the thought to readers of the replay too', () => {
    const [own, other, audience, replay] = ([0, 1, 'audience', 'replay'] as const).map(viewer =>
      resourceRush.view(said, viewer),
    )
    expect(own).toMatchObject({ thoughts: ['hmm', null], memory: { goal: [1, 2] } })
    expect(other).toMatchObject({ thoughts: [null, ''], memory: {} })
    expect(audience).toMatchObject({ thoughts: [null, null] })
    expect(replay).toMatchObject({ thoughts: ['hmm', ''] })
    for (const view of [audience, replay]) expect(view).not.toHaveProperty('memory')
  })

  it('differ in what silence means: a thought goes, a memory stays', () => {
    expect(tick(said, wait, wait).drones[0]).toMatchObject({
      thought: '',
      memory: { goal: [1, 2] },
    })
  })

  it.each<Json>([
    { illegal: {} },
    { illegal: [] },
    { illegal: true },
    { illegal: `\u001b[2J${'x'.repeat(9000)}` },
    { places: [2, 1], because: 'I say so' },
    { toMove: [1], mayAct: [], toJSON: 0 },
    JSON.parse('{"__proto__":{"reason":"no"},"constructor":{"name":"Illegal"}}'),
  ])('are data, whatever names are in them: %#', memory => {
    const [a, b] = tick(start, { ...wait, memory }, wait).drones
    expect(a!.memory).toEqual(memory)
    expect(b!.memory).toEqual({})
  })

  it('are cut at 100 characters, and taken up to 10240 bytes', () => {
    const state = tick(
      said,
      { ...wait, thought: '😀'.repeat(101), memory: { a: 'é'.repeat(5116) } },
      wait,
    )
    expect([...state.drones[0]!.thought]).toHaveLength(100)
    expect(Buffer.byteLength(JSON.stringify(state.drones[0]!.memory))).toBe(10_240)
  })
})

describe('the fog', () => {
  it.each([
    [[5, 5], [40, 40], true],
    [[5, 5], [41, 40], false],
    [[5, 5], [5, 41], false],
  ] as [[number, number], [number, number], boolean][])(
    'lets a drone at %j see one at %j: %s',
    (a, b, isSeen) => {
      const state = tick(at([a, b]), wait, wait)
      const { positions, lastActions } = resourceRush.view(state, 0)
      const [x, y] = b
      expect(positions).toEqual([{ x: 5, y: 5 }, isSeen ? { x, y } : null])
      expect(lastActions).toEqual([wait, isSeen ? wait : null])
    },
  )

  it('shows a square of 71 tiles, cut at the edge', () => {
    const grid = resourceRush.view(at([[50, 20], far], ['', '7']), 0).grid as number[][]
    const seen = grid.map(row => row.filter(code => code >= 0).length)
    expect(seen).toEqual([...Array(56).fill(71), ...Array(44).fill(0)])
    expect(grid[1]).toEqual([...Array(15).fill(-1), ...Array(71).fill(0), ...Array(14).fill(-1)])
  })

  it('gives all who see the same of a row the same row', () => {
    const before = at(
      [
        [5, 5],
        [5, 7],
      ],
      ['', '', '', '', '', '000003'],
    )
    const after = tick(before, harvest, wait)
    const [own, other, later] = [
      resourceRush.view(before, 0),
      resourceRush.view(before, 1),
      resourceRush.view(after, 0),
    ].map(({ grid }) => grid as number[][])
    const same = (a: number[][], b: number[][]) => a.flatMap((row, y) => (row === b[y] ? [y] : []))
    const all = Array.from({ length: 100 }, (_, y) => y)
    expect(same(own!, other!)).toEqual(all.filter(y => y !== 41 && y !== 42))
    expect(same(own!, later!)).toEqual(all.filter(y => y !== 5))
    expect([own![5]![5], later![5]![5]]).toEqual([3, 0])
  })

  it('hides what happens beyond it', () => {
    const start = at([[5, 5], far], [...Array(90).fill(''), `${'0'.repeat(90)}3`])
    const [here, there] = [wait, harvest].map(deed => tick(start, wait, deed))
    const hidden = ['resources', 'scores']
    const [a, b] = [here!, there!].map(state =>
      Object.entries(resourceRush.view(state, 0)).filter(([name]) => !hidden.includes(name)),
    )
    expect(a).toEqual(b)
    expect((resourceRush.view(there!, 'replay').grid as number[][])[90]?.[90]).toBe(0)
  })

  it('shows spectators what both drones see, and that only while these see each other', () => {
    const seen = (a: [number, number], b: [number, number]) => {
      const { grid, positions, lastActions } = resourceRush.view(
        tick(at([a, b]), wait, wait),
        'audience',
      )
      const codes = (grid as number[][]).flat().filter(code => code >= 0)
      return [codes.length, positions, lastActions]
    }
    expect(seen([40, 40], [50, 45])).toEqual([
      61 * 66,
      [
        { x: 40, y: 40 },
        { x: 50, y: 45 },
      ],
      [wait, wait],
    ])
    expect(seen([40, 40], [76, 40])).toEqual([0, [null, null], [null, null]])
  })

  it('keeps the laws of secrecy wherever the drones stand', () => {
    const dice = Dice.fromSeed(1)
    const map = resourceRush.start(1, 2).map
    const places = [
      [0, 0],
      [30, 30],
      [34, 36],
      [35, 35],
      [36, 30],
      [70, 35],
      [50, 50],
      [99, 99],
    ] as const
    const states = places.flatMap(([x, y]) =>
      places.map(([u, v]) => {
        const sealed = play(
          at(
            [
              [x, y],
              [u, v],
            ],
            [],
            { map },
          ),
          dice.roll(2),
          wait,
        )
        return { state: sealed, seats: 2 }
      }),
    )
    const game = resourceRush as Game
    checkSecrecy(game, states)
    checkAudience(game, states)
    checkImagination(game, states)
    checkJudgement(game, states, [harvest, wait, ...['north', 'east', 'south', 'west'].map(move)])
  })

  it('covers a move until the tick resolves', () => {
    const before = at([
      [5, 5],
      [6, 6],
    ])
    const after = play(before, 0, { ...move('north'), thought: 'secret', memory: { a: 1 } })
    expect(resourceRush.status(after)).toEqual({ toMove: [1] })
    for (const viewer of [0, 1, 'audience'] as const) {
      expect(resourceRush.view(after, viewer)).toEqual(resourceRush.view(before, viewer))
      expect(lookText(resourceRush.look(after, viewer))).toBe(
        lookText(resourceRush.look(before, viewer)),
      )
    }
  })
})

describe('a guess', () => {
  const guess = (state: State) => resourceRush.guess!(state, 0)
  const here: [number, number] = [5, 5]

  it('is better for a step towards the richest tile that can be reached, and best for its harvest', () => {
    const wall = ['', '', '', '', '', '0000006', '0000003']
    const start = at([here, far], wall)
    const step = (direction: string) => guess(play(start, 0, move(direction)))
    expect(step('south')).toBeGreaterThan(guess(start))
    expect(step('north')).toBeLessThan(guess(start))
    const there = at([[6, 6], far], wall)
    expect(guess(play(there, 0, harvest))).toBeGreaterThan(guess(there))
    expect(guess(at([here, far], ['', '', '', '', '', '', '0000004']))).toBeLessThan(guess(start))
  })

  it('is made by what the drone sees, and what it sealed itself', () => {
    const bare = at([here, far])
    const distant = at([here, far], [`${'0'.repeat(41)}3`])
    expect(guess(distant)).toBe(guess(bare))
    expect(guess(play(bare, 1, move('north')))).toBe(guess(bare))
    expect(guess(at([here, far], [`${'0'.repeat(40)}3`]))).toBeGreaterThan(guess(bare))
  })
})

describe('resource-rush', () => {
  it('ends after 500 ticks with the most points first', () => {
    const last = at(
      [
        [0, 0],
        [1, 0],
      ],
      ['14'],
      { tick: 499 },
    )
    expect(resourceRush.view(last, 0)).toMatchObject({ round: 500, tick: 499 })
    const end = tick(last, harvest, harvest)
    expect(resourceRush.status(end)).toEqual({
      places: [2, 1],
      scores: [1, 9],
      because: '9 points to 1',
    })
    expect(resourceRush.view(end, 0)).toMatchObject({ round: 500, tick: 499 })
    expect(resourceRush.status(tick(last, wait, wait))).toMatchObject({ places: [1, 1] })
  })

  it('is played by dice into harvests of every kind', () => {
    const dice = Dice.fromSeed(2)
    let state = resourceRush.start(1, 2)
    for (;;) {
      const status = resourceRush.status(state)
      if (isFinal(status)) break
      const seat = status.toMove[0]!
      state = play(state, seat, resourceRush.anyMove?.(state, seat, dice) ?? null)
    }
    const gathered = state.drones.map(({ resources }) => Object.values(resources))
    for (const kind of [0, 1, 3]) expect(gathered.some(held => held[kind]! > 0)).toBe(true)
  })

  it('names the actions that are possible, of which none is refused and all others are', () => {
    const all = [harvest, wait, ...['north', 'east', 'south', 'west'].map(move)]
    for (const map of [['506'], ['000', '5'], ['111', '111']])
      for (const x of [0, 1]) {
        const state = at([[x, 0], far], map)
        const { possibleActions } = resourceRush.view(state, 0)
        expect(new Set(possibleActions as Json[])).toEqual(
          new Set(all.filter(action => !isIllegal(resourceRush.play(state, 0, action)))),
        )
      }
  })

  it('draws the land around a drone, and all of it for readers of the replay', () => {
    const state = at([[2, 1], far], ['01234567', '5'])
    expect(lookText(resourceRush.look(state, 0)).split('\n').slice(0, 2)).toEqual([
      `."o$%~^#${'.'.repeat(30)}`,
      `~.0${'.'.repeat(35)}`,
    ])
    const overview = lookText(resourceRush.look(state, 'replay')).split('\n')
    expect(overview[0]).toBe(`~0%#${'.'.repeat(46)}`)
    expect(overview.indexOf('')).toBe(25)
    expect(overview[26]).toBe('Tick 1 of 500')
  })
})
