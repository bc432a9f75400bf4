import { describe, expect, it } from 'vitest'
import { lookText } from '../drawing/look-text.ts'
import { Dice } from './dice.ts'
import { illegal, isFinal, isIllegal, type Json, stateAfter } from './game.ts'
import { skillGomoku } from './skill-gomoku.ts'

type State = ReturnType<typeof skillGomoku.start>

// "7,7" places a stone, "uproot 7,7" uses a skill there, "rewind" needs no target.
const read = (text: string): Json => {
  const [first = '', second] = text.split(' ')
  const pointOf = (point: string) => {
    const [row = 0, col = 0] = point.split(',').map(Number)
    return { row, col }
  }
  if (/^\d/.test(first)) return { type: 'place', ...pointOf(first) }
  return { type: 'skill', skill: first, ...(second && { target: pointOf(second) }) }
}

const attempt = (state: State, move: string | Json) => {
  const status = skillGomoku.status(state)
  if (isFinal(status)) throw new Error(`over before ${move}: ${status.because}`)
  const json = typeof move === 'string' ? read(move) : move
  return stateAfter(skillGomoku, state, status.toMove[0]!, json)
}

const playOn = (state: State, ...moves: string[]) =>
  moves.reduce((now, move) => {
    const next = attempt(now, move)
    if (isIllegal(next)) throw new Error(`${move}: ${next.reason}`)
    return next
  }, state)

const start = skillGomoku.start(1, 2)
const played = (...moves: string[]) => playOn(start, ...moves)
const view = (state: State) => skillGomoku.view(state, 'audience')

// Far from each other and from the upper left, where the tests play.
const quietly = ['14,0', '14,14', '12,0', '12,14', '10,0', '10,14', '8,0', '8,14']

/** The upper left of a board drawn with X and O, with as many moves behind it as wanted. */
const drawn = (rows: string[], more: Partial<State> = {}): State => ({
  ...start,
  past: [{ board: boardOf(rows), seals: [] }],
  ...more,
})

const boardOf = (rows: string[]) =>
  Array.from({ length: 15 }, (_, row) => (rows[row] ?? '').padEnd(15, '.'))
    .join('')
    .replace(/[.XO]/g, mark => `${'.XO'.indexOf(mark)}`)

const corner = (state: State, size = 3) =>
  (view(state).board as number[][]).slice(0, size).map(row =>
    row
      .slice(0, size)
      .map(value => '.XO'[value])
      .join(''),
  )

describe('a stone', () => {
  it.each([
    ['across', ['XXXX'], '0,4'],
    ['down', ['X', 'X', '', 'X', 'X'], '2,0'],
    ['aslant', ['X', '.X', '..X', '...X'], '4,4'],
    ['aslant the other way', ['....X', '...X', '..X', '.X'], '4,0'],
    ['six count as well', ['XXX.XX'], '0,3'],
  ])('wins with five %s', (_, rows, move) => {
    const five = { scores: [1, 0], because: 'five in a row' }
    expect(skillGomoku.status(playOn(drawn(rows), move))).toEqual({ places: [1, 2], ...five })
  })

  it('wins for white too', () => {
    const state = playOn(drawn(['OOOO'], { moves: 1 }), '0,4')
    expect(skillGomoku.status(state)).toMatchObject({ places: [2, 1], scores: [0, 1] })
  })

  it('at move 300 without five makes a draw', () => {
    expect(skillGomoku.status(playOn(drawn([], { moves: 299 }), '3,3'))).toEqual({
      places: [1, 1],
      scores: [0, 0],
      because: '300 moves without five in a row',
    })
  })

  it.each<[Json, string]>([
    [112, 'a move is {"type":"place",…} or {"type":"skill",…}, got 112'],
    [{ type: 'pass' }, 'a move is {"type":"place",…} or {"type":"skill",…}, got "pass"'],
    [{ type: 'place', row: 3 }, 'col must be a whole number from 0 to 14, got nothing'],
    [{ type: 'place', row: 15, col: 0 }, 'row must be a whole number from 0 to 14, got 15'],
    [{ type: 'place', row: 1, col: 1 }, 'row 1, col 1 is taken'],
  ])('%j is refused', (move, reason) => {
    expect(attempt(played('1,1'), move)).toEqual(illegal(reason))
  })

  it('at minus nothing is a stone at nothing', () => {
    const state = attempt(start, { type: 'place', row: -0, col: -0 })
    expect(state).toEqual(JSON.parse(JSON.stringify(state)))
  })
})

describe('energy', () => {
  it.each([
    ['stones', quietly, [4, 4]],
    ['skills', [...quietly.slice(0, 6), 'uproot 7,7', 'stillwater 14,14'], [2, 3]],
  ])('grows for both with the eighth move, %s counted', (_, moves, energy) => {
    expect(view(played(...moves.slice(0, -1))).energy).not.toEqual(energy)
    expect(view(played(...moves)).energy).toEqual(energy)
  })

  it.each([
    ['uproot 7,7', 1, 'uproot costs 2 energy, you have 1'],
    ['stillwater 0,0', 0, 'stillwater costs 1 energy, you have 0'],
    ['sandstorm 0,1', 1, 'sandstorm costs 2 energy, you have 1'],
    ['rewind', 2, 'rewind costs 3 energy, you have 2'],
  ])('is needed for %s', (move, energy, reason) => {
    expect(attempt(drawn(['XO'], { energy: [energy, 3] }), move)).toEqual(illegal(reason))
  })

  it.each<[Json, string]>([
    [
      { type: 'skill', skill: 'earthquake' },
      'skill must be one of uproot, stillwater, sandstorm, rewind, got "earthquake"',
    ],
    [{ type: 'skill', skill: 'uproot' }, 'target must be {"row":…,"col":…}, got nothing'],
    [
      { type: 'skill', skill: 'uproot', target: { row: 1 } },
      'col must be a whole number from 0 to 14, got nothing',
    ],
    [
      { type: 'skill', skill: 'rewind', target: [1, 1] },
      'target must be {"row":…,"col":…}, got a list of 2',
    ],
  ])('is not asked for %j', (move, reason) => {
    expect(attempt(start, move)).toEqual(illegal(reason))
  })
})

describe('stillwater', () => {
  const sealed = played('8,8', '0,3', '9,9', 'stillwater 0,3')

  it('seals a stone for six moves and closes its four sides to the other', () => {
    expect(view(sealed)).toMatchObject({
      energy: [3, 2],
      sealedStones: [{ row: 0, col: 3, owner: 2, expiresAtMove: 10 }],
      quietZoneCells: [
        { row: 1, col: 3, owner: 2 },
        { row: 0, col: 2, owner: 2 },
        { row: 0, col: 4, owner: 2 },
      ],
      lastMove: null,
      lastSkillEffect: { seat: 1, skill: 'stillwater', target: { row: 0, col: 3 } },
    })
    expect(attempt(sealed, '0,2')).toEqual(
      illegal('row 0, col 2 is in a quiet zone of the other side'),
    )
    expect(playOn(sealed, '5,5', '0,2')).toMatchObject({ moves: 6 })
  })

  it('holds through the sixth move after it and not longer', () => {
    const nine = playOn(sealed, '14,0', '14,14', '12,0', '12,14')
    expect(attempt(nine, 'sandstorm 0,3')).toEqual(illegal('row 0, col 3 is sealed'))
    const ten = playOn(nine, '10,0', '10,14')
    expect(view(ten)).toMatchObject({ sealedStones: [], quietZoneCells: [] })
    expect(corner(playOn(ten, '0,2'))[0]).toBe('..X')
  })

  it.each([
    ['stillwater 0,3', 'row 0, col 3 is sealed'],
    ['stillwater 8,8', 'row 8, col 8 holds no white stone'],
    ['stillwater 1,3', 'row 1, col 3 holds no white stone'],
  ])('%s is refused', (move, reason) => {
    expect(attempt(playOn(sealed, '5,5'), move)).toEqual(illegal(reason))
  })

  it('lists a cell between two seals once for their owner', () => {
    const two = playOn(sealed, '14,0', '0,5', '12,0', 'stillwater 0,5')
    const zones = view(two).quietZoneCells as { row: number; col: number }[]
    expect(zones.filter(({ row, col }) => row === 0 && col === 4)).toHaveLength(1)
  })
})

describe('sandstorm', () => {
  it('removes a stone of the other side', () => {
    const state = played('0,0', '1,1', 'sandstorm 1,1')
    expect(corner(state)).toEqual(['X..', '...', '...'])
    expect(view(state).lastSkillEffect).toEqual({
      seat: 0,
      skill: 'sandstorm',
      target: { row: 1, col: 1 },
      affectedCells: [{ row: 1, col: 1, before: 2, after: 0 }],
    })
  })

  it.each([
    ['sandstorm 0,0', 'row 0, col 0 holds no white stone'],
    ['sandstorm 5,5', 'row 5, col 5 holds no white stone'],
  ])('%s is refused', (move, reason) => {
    expect(attempt(played('0,0', '1,1'), move)).toEqual(illegal(reason))
  })

  it('does not follow a sandstorm of the same side, but may come the turn after', () => {
    const rich = drawn(['XOOO'], { energy: [9, 9] })
    const once = playOn(rich, 'sandstorm 0,1', '9,9')
    expect(attempt(once, 'sandstorm 0,2')).toEqual(
      illegal('a sandstorm cannot follow your own sandstorm'),
    )
    expect(playOn(once, '12,12', 'sandstorm 0,0', 'sandstorm 0,2').moves).toBe(5)
  })
})

describe('rewind', () => {
  const four = played('0,0', '0,1', '1,0', '1,1')

  it('takes the board back four moves, and only the board', () => {
    const five = playOn(four, '2,2')
    const back = playOn(five, 'rewind')
    expect(corner(back)).toEqual(['X..', '...', '...'])
    expect(view(back)).toMatchObject({
      round: 7,
      energy: [3, 0],
      rewindUsed: [false, true],
      lastSkillEffect: { seat: 1, skill: 'rewind', target: null },
    })
  })

  it('needs four moves', () => {
    expect(attempt(played('0,0', '0,1', '1,0'), 'rewind')).toEqual(
      illegal('a rewind needs 4 moves to take back'),
    )
  })
  it('is had once by each side, and goes on from where the other went back to', () => {
    const back = playOn(four, 'rewind')
    expect(corner(back)).toEqual(['...', '...', '...'])
    // Move 6 goes back to the position after move 1.
    const again = playOn(back, 'rewind')
    expect(corner(again)).toEqual(['X..', '...', '...'])
    const rich = { ...again, energy: [3, 3] }
    expect(attempt(rich, 'rewind')).toEqual(illegal('you have used your rewind'))
  })

  it('takes any target for a sign of itself', () => {
    const rewind = { type: 'skill', skill: 'rewind', target: { row: 3, col: 4 } }
    const back = attempt(four, rewind)
    if (isIllegal(back)) throw new Error(back.reason)
    expect(view(back).lastSkillEffect).toMatchObject({ target: { row: 3, col: 4 } })
  })

  it('brings back a seal that has not run out, and none that has', () => {
    const seven = played('0,0', '0,1', 'stillwater 0,0', '5,5', '6,6', '7,7', '8,8')
    const [eight, nine] = [seven, playOn(seven, '9,9')].map(state =>
      view(playOn({ ...state, energy: [3, 3] }, 'rewind')),
    )
    expect(eight?.sealedStones).toEqual([{ row: 0, col: 0, owner: 1, expiresAtMove: 9 }])
    expect(nine?.sealedStones).toEqual([])
  })

  it('does not bring back energy, nor let a sandstorm follow itself', () => {
    const state = playOn(drawn(['XOO'], { energy: [9, 9] }), '9,1', '9,2', '9,3', '9,4')
    const storms = playOn(state, 'sandstorm 0,1', 'rewind')
    expect(view(storms)).toMatchObject({ energy: [7, 6], sandstormBlocked: [true, false] })
    expect(corner(storms)).toEqual(['XOO', '...', '...'])
  })
})

describe('uproot', () => {
  const area = ['XO.', '...', '..X']

  it('scatters the stones around its target', () => {
    const state = playOn(drawn(area), 'uproot 1,1')
    const stones = corner(state).join('')
    expect(stones).not.toBe(area.join(''))
    expect([...stones].sort().join('')).toBe([...area.join('')].sort().join(''))
    const { affectedCells } = view(state).lastSkillEffect as { affectedCells: object[] }
    expect(affectedCells.length).toBeGreaterThan(1)
  })

  it('picks evenly, by the dice of the game alone', () => {
    const layouts = Array.from({ length: 60 }, (_, seed) =>
      corner(playOn({ ...drawn(['X']), dice: Dice.fromSeed(seed).state }, 'uproot 0,0')).join(''),
    )
    // The other cells of a corner that is cut to four.
    expect([...new Set(layouts)].sort()).toEqual(['....X....', '...X.....', '.X.......'])
    expect(playOn(drawn(area), 'uproot 1,1')).toEqual(playOn(drawn(area), 'uproot 1,1'))
  })

  it('moves no sealed stone, yet fills quiet zones', () => {
    const seal = { cell: 0, owner: 1, expiresAtMove: 99 }
    const position = { board: boardOf(['OX', 'X']), seals: [seal] }
    const state = playOn({ ...start, past: [position] }, 'uproot 0,0')
    expect(['OX.|.X.|...', 'O..|XX.|...']).toContain(corner(state).join('|'))
  })

  it('leaves the board alone where every other layout makes five', () => {
    const seals = [3, 5, 18, 20].map(cell => ({ cell, owner: 1, expiresAtMove: 99 }))
    const state = { ...start, past: [{ board: boardOf(['OOOO.X', '...XOX']), seals }] }
    const after = playOn(state, 'uproot 0,4')
    expect(view(after)).toMatchObject({
      board: view(state).board,
      energy: [1, 3],
      lastSkillEffect: { affectedCells: [] },
    })
    expect(after.dice).toBe(state.dice)
  })
})

describe('a side that can do nothing', () => {
  // No line of this pattern has more than two of a kind.
  const pattern = Array.from({ length: 15 }, (_, row) =>
    Array.from({ length: 15 }, (_, col) => ((col + 2 * row) % 4 < 2 ? 'X' : 'O')).join(''),
  )
  const rows = [`..${pattern[0]!.slice(2)}`, ...pattern.slice(1)]
  const seals = [{ cell: 15, owner: 0, expiresAtMove: 99 }]
  const state = {
    ...drawn(rows),
    past: [{ board: boardOf(rows), seals }],
    energy: [0, 0],
    moves: 20,
  }

  it('is passed over, which counts as a move', () => {
    const after = playOn(state, '0,1')
    expect(view(after)).toMatchObject({ round: 23, lastMove: { row: 0, col: 1 }, passed: [1] })
    expect(skillGomoku.status(after)).toEqual({ toMove: [0] })
  })

  it('is not passed over while it can pay for a skill', () => {
    expect(playOn({ ...state, energy: [0, 1] }, '0,1').passed).toEqual([])
  })

  it('sees the game end with the last free cell', () => {
    expect(skillGomoku.status(playOn(state, '0,1', '0,0'))).toEqual({
      places: [1, 1],
      scores: [0, 0],
      because: 'the board is full',
    })
  })
})

describe('skill-gomoku', () => {
  it('finds stones and every skill', () => {
    const dice = Dice.fromSeed(3)
    const state = playOn(drawn(['XO', 'OX'], { energy: [9, 9] }), '5,5', '6,6', '7,7', '8,8')
    const moves = Array.from({ length: 200 }, () => skillGomoku.anyMove?.(state, 0, dice) ?? null)
    for (const move of moves) expect(attempt(state, move)).not.toSatisfy(isIllegal)
    for (const word of ['place', 'uproot', 'stillwater', 'sandstorm', 'rewind'])
      expect(JSON.stringify(moves)).toContain(`"${word}"`)
  })

  it('keeps no more of the past than a rewind reaches', () => {
    expect(played(...quietly).past).toHaveLength(5)
  })

  it('draws stones, seals and quiet zones', () => {
    const lines = lookText(skillGomoku.look(played('1,1', '0,2', 'stillwater 1,1'), 0)).split('\n')
    expect(lines.slice(2, 5)).toEqual([
      ' 0 . : O . . . . . . . . . . . . 0',
      ' 1 :[X]: . . . . . . . . . . . . 1',
      ' 2 . : . . . . . . . . . . . . . 2',
    ])
    expect(lines.slice(-6)).toEqual([
      '',
      ': quiet zone; ( ) sealed',
      'Agent   Energy  Rewind',
      'seat 0       2  left',
      'seat 1       3  left',
      'Last skill: stillwater by seat 0.',
    ])
  })
})

it('keeps of a move what it is made of', () => {
  const x = 'x'.repeat(9000)
  const read = (move: Json) => JSON.stringify(skillGomoku.read!(start, 0, move))
  expect(read({ x, col: 3, type: 'place', row: -0, skill: x })).toBe(
    '{"type":"place","row":0,"col":3}',
  )
  expect(read({ type: 'skill', skill: 'uproot', target: { x, col: 3, row: 4 } })).toBe(
    '{"type":"skill","skill":"uproot","target":{"row":4,"col":3}}',
  )
  expect(read({ type: 'skill', skill: 'rewind', target: null, row: 1 })).toBe(
    '{"type":"skill","skill":"rewind"}',
  )
})
