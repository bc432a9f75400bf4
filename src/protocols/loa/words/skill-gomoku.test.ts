import { describe, expect, it } from 'vitest'
import { endOf, Worded } from '../../../../test/support/worded.ts'
import type { Json } from '../../../games/game.ts'
import { skillGomoku } from '../../../games/skill-gomoku.ts'

type State = ReturnType<typeof skillGomoku.start>

const place = (row: number, col: number) => ({ type: 'place', row, col })
const skill = (name: string, row: number, col: number) => ({
  type: 'skill',
  skill: name,
  target: { row, col },
})

/** Moves of Black and White in turn. */
const match = (...moves: readonly Json[]) =>
  moves.reduce<Worded>((words, move, i) => words.play(i % 2, move), new Worded(skillGomoku, 0))

const start = skillGomoku.start(1, 2)

const board = (rows: readonly string[]) =>
  Array.from({ length: 15 }, (_, row) => (rows[row] ?? '').padEnd(15, '0'))

/** After so many moves, on this board. */
const from = (rows: readonly string[], moves: number, more: Partial<State> = {}) =>
  new Worded(skillGomoku, 'audience', {
    ...start,
    moves,
    past: Array(5).fill({ board: board(rows).join(''), seals: [] }),
    ...more,
  })

const boardText = (...rows: string[]) =>
  JSON.stringify(board(rows).map(row => [...row].map(Number)))

/** The upper rows of a grid; all else is empty. */
const gridText = (...rows: string[]) =>
  JSON.stringify(
    Array.from({ length: 15 }, (_, row) => {
      const cells = [...(rows[row] ?? '')]
      return [...cells, ...Array(15 - cells.length).fill('·')]
    }),
  )

const update = (round: number, agent: string, action: string, summary: string, scores: string) =>
  `{"type":"turn_update","gameId":"g-19","round":${round},"moves":[{${agent},"action":"${action}"}],` +
  `"roundSummary":"${summary}","scores":${scores}}`

const nova = '"agentId":"a-1","agentName":"Nova"'
const pike = '"agentId":"a-2","agentName":"Pike"'
const open = '{"Nova":0,"Pike":0}'

describe('a state of skill-gomoku', () => {
  it('begins with an empty board and Black to move', () => {
    expect(match().state()).toEqual({
      round: 1,
      scores: [0, 0],
      grid: gridText(),
      extra: `{"board":${boardText()},"energy":[3,3],"currentPlayer":"a-1","sealedStones":[],"quietZoneCells":[],"lastMove":null,"lastSkillEffect":null,"animationDurationMs":0}`,
    })
  })

  it('has the last stone', () => {
    expect(match(place(0, 2), place(1, 0), place(0, 0)).state()).toEqual({
      round: 4,
      scores: [0, 0],
      grid: gridText('⚫·⚫', '⚪'),
      extra: `{"board":${boardText('101', '2')},"energy":[3,3],"currentPlayer":"a-2","sealedStones":[],"quietZoneCells":[],"lastMove":{"row":0,"col":0},"lastSkillEffect":null,"animationDurationMs":0}`,
    })
  })

  it('has a sealed stone and its quiet zone, as the reference shows it', () => {
    const words = match(place(0, 2), place(0, 3), place(5, 5), skill('stillwater', 0, 3))
    expect(words.state()).toEqual({
      round: 5,
      scores: [0, 0],
      grid: gridText('··⚫🔐🚫', '···🚫', '', '', '', '·····⚫'),
      extra:
        `{"board":${boardText('0012', '', '', '', '', '000001')},"energy":[3,2],"currentPlayer":"a-1",` +
        '"sealedStones":[{"row":0,"col":3,"owner":2,"expiresAtMove":10}],' +
        '"quietZoneCells":[{"row":1,"col":3,"owner":2},{"row":0,"col":2,"owner":2},{"row":0,"col":4,"owner":2}],' +
        '"lastMove":null,"lastSkillEffect":{"skill":"stillwater","casterId":"a-2","target":{"row":0,"col":3},' +
        '"description":"Pike used Stillwater (静如止水) at D1!"},"animationDurationMs":3000}',
    })
  })

  it('draws a sealed stone over the quiet zone of another, and one of Black with its own lock', () => {
    const words = match(
      place(0, 0),
      place(0, 1),
      skill('stillwater', 0, 0),
      skill('stillwater', 0, 1),
    )
    expect(words.state().grid).toBe(gridText('🔒🔐🚫', '🚫🚫'))
  })

  it('has a point for the winner once the match is over, however it ended', () => {
    const won = from(['1111', '2222'], 8).play(0, place(0, 4))
    expect(won.resolved).toBe(9)
    expect(won.state(endOf(9, [1, 0], [0, 1]))).toEqual({
      round: 9,
      scores: [1, 0],
      grid: gridText('⚫⚫⚫⚫⚫', '⚪⚪⚪⚪'),
      extra: `{"board":${boardText('11111', '2222')},"energy":[3,3],"currentPlayer":"a-2","sealedStones":[],"quietZoneCells":[],"lastMove":{"row":0,"col":4},"lastSkillEffect":null,"animationDurationMs":0}`,
    })
    const late = match(place(7, 7)).fall(1)
    expect(late.state(endOf(1, [1, 0], [0, 1], { reason: 'timeout' })).scores).toEqual([1, 0])
    const white = match().fall(0)
    expect(white.state(endOf(0, [0, 1], [1, 0], { reason: 'timeout' })).scores).toEqual([0, 1])
  })

  it('has no point in a draw or after an internal error', () => {
    for (const more of [{ draw: true }, { reason: 'error' }] as const)
      expect(match(place(7, 7)).state(endOf(1, [0, 0], [0, 1], more)).scores).toEqual([0, 0])
  })
})

describe('the moves that are made', () => {
  const full = Array.from({ length: 15 }, (_, row) =>
    Array.from({ length: 15 }, (_, col) => ((col + 2 * row) % 4 < 2 ? '1' : '2')).join(''),
  )

  it.each([
    ['none', match(), 0],
    ['a stone', match(place(7, 7)), 1],
    ['a skill', match(place(7, 7), place(8, 8), skill('stillwater', 7, 7)), 3],
    [
      'a rewind without a target',
      from(['1', '2'], 7).play(1, { type: 'skill', skill: 'rewind' }),
      8,
    ],
    ['a five', from(['1111'], 8).play(0, place(0, 4)), 9],
    ['a draw', from(['1', '2'], 299).play(1, place(7, 7)), 300],
    [
      'the last stone of a full board',
      from([`0${full[0]!.slice(1)}`, ...full.slice(1)], 224).play(0, place(0, 0)),
      225,
    ],
  ])('are counted after %s, during the match and after a timeout', (_, words, moves) => {
    expect(words.resolved).toBe(moves)
    words.fall(0)
    expect(words.resolved).toBe(moves)
  })

  it('are one fewer than the last round, where a seat is late at it', () => {
    const words = from(['1', '2'], 298).play(0, place(7, 7))
    expect([words.resolved, words.state().round]).toEqual([299, 300])
    expect(words.fall(1).resolved).toBe(299)
  })
})

describe('a turn_update of skill-gomoku', () => {
  it('has one move, by the name of its cell', () => {
    expect(match(place(7, 7)).updates()).toEqual([
      update(1, nova, 'Placed ⚫ at H8', 'Move 1', open),
    ])
    expect(match(place(7, 7), place(14, 0)).updates()).toEqual([
      update(1, nova, 'Placed ⚫ at H8', 'Move 1', open),
      update(2, pike, 'Placed ⚪ at A15', 'Move 2', open),
    ])
  })

  it('has the point of the winner', () => {
    expect(
      from(['1111', '2222'], 8)
        .play(0, place(0, 4))
        .updates(endOf(9, [1, 0], [0, 1])),
    ).toEqual([update(9, nova, 'Placed ⚫ at E1', 'Move 9: Nova wins!', '{"Nova":1,"Pike":0}')])
    expect(
      from(['2222'], 9)
        .play(1, place(0, 4))
        .updates(endOf(10, [0, 1], [1, 0])),
    ).toEqual([update(10, pike, 'Placed ⚪ at E1', 'Move 10: Pike wins!', '{"Nova":0,"Pike":1}')])
  })

  it('has no point for the moves before', () => {
    const words = from(['1111'], 7).play(1, place(1, 1)).play(0, place(0, 4))
    expect(words.updates(endOf(9, [1, 0], [0, 1]))).toEqual([
      update(8, pike, 'Placed ⚪ at B2', 'Move 8', open),
      update(9, nova, 'Placed ⚫ at E1', 'Move 9: Nova wins!', '{"Nova":1,"Pike":0}'),
    ])
  })

  it('tells of a draw', () => {
    expect(
      from(['1', '2'], 299)
        .play(1, place(7, 7))
        .updates(endOf(300, [0, 0], [0, 1], { draw: true })),
    ).toEqual([update(300, pike, 'Placed ⚪ at H8', 'Move 300: Tie!', open)])
  })

  it('names no winner of a move before a timeout', () => {
    const end = endOf(1, [1, 0], [0, 1], { reason: 'timeout' })
    expect(match(place(7, 7)).fall(1).updates(end)).toEqual([
      update(1, nova, 'Placed ⚫ at H8', 'Move 1', open),
    ])
  })

  it('tells of each pass as of a move', () => {
    // Two cells are free; the one on the left is in a quiet zone of Black.
    const rows = Array.from({ length: 15 }, (_, row) =>
      Array.from({ length: 15 }, (_, col) => ((col + 2 * row) % 4 < 2 ? '1' : '2')).join(''),
    )
    const full = [`00${rows[0]!.slice(2)}`, ...rows.slice(1)]
    const seals = [{ cell: 15, owner: 0, expiresAtMove: 99 }]
    const words = from(full, 20, {
      past: [{ board: full.join(''), seals }],
      energy: [0, 0],
    }).play(0, place(0, 1))
    expect(words.resolved).toBe(22)
    expect(words.state().round).toBe(23)
    expect(JSON.parse(words.state().extra)).toMatchObject({
      currentPlayer: 'a-1',
      lastMove: { row: 0, col: 1 },
    })
    expect(words.updates()).toEqual([
      update(21, nova, 'Placed ⚫ at B1', 'Move 21', open),
      update(22, pike, 'Passed', 'Move 22', open),
    ])
  })
})

describe('a skill_effect', () => {
  const effect = (
    of: string,
    agent: string,
    rest: string,
    { grid, extra }: Record<'grid' | 'extra', string>,
  ) =>
    `{"type":"skill_effect","gameId":"g-19","skill":"${of}",${agent},${rest},"grid":${grid},"extra":${extra}}`

  it('of a sandstorm has the stone that is gone, and the whole state', () => {
    const words = match(place(2, 9), skill('sandstorm', 2, 9))
    const cells = '"affectedCells":[{"row":2,"col":9,"before":"⚫","after":"·"}]'
    const told = '"target":{"row":2,"col":9},"description":"Pike used Sandstorm (飞沙走石) at J3!"'
    expect(words.updates()).toEqual([
      update(1, nova, 'Placed ⚫ at J3', 'Move 1', open),
      `{"type":"skill_effect","gameId":"g-19","skill":"sandstorm",${pike},${told},"animationDurationMs":3000,${cells},` +
        `"grid":${gridText()},"extra":{"board":${boardText()},"energy":[3,1],"currentPlayer":"a-1","sealedStones":[],"quietZoneCells":[],` +
        `"lastMove":null,"lastSkillEffect":{"skill":"sandstorm","casterId":"a-2",${told},${cells}},"animationDurationMs":3000}}`,
      update(2, pike, 'Used Sandstorm at J3', 'Move 2', open),
    ])
  })

  it('of a stillwater has no cells', () => {
    const words = match(place(7, 7), place(0, 0), skill('stillwater', 7, 7))
    expect(words.updates().slice(2)).toEqual([
      effect(
        'stillwater',
        nova,
        '"target":{"row":7,"col":7},"description":"Nova used Stillwater (静如止水) at H8!","animationDurationMs":3000',
        words.state(),
      ),
      update(3, nova, 'Used Stillwater at H8', 'Move 3', open),
    ])
  })

  it('of an uproot has the cells that have changed, before and after', () => {
    // The stones of White are sealed, so that of Black has one other cell to go to.
    const seals = [
      { cell: 1, owner: 1, expiresAtMove: 99 },
      { cell: 15, owner: 1, expiresAtMove: 99 },
    ]
    const past = [{ board: board(['12', '20']).join(''), seals }]
    const words = from([], 6, { past }).play(0, skill('uproot', 0, 0))
    expect(words.updates()).toEqual([
      effect(
        'uproot',
        nova,
        '"target":{"row":0,"col":0},"description":"Nova used Uproot (力拔山兮) at A1!","animationDurationMs":3000,' +
          '"affectedCells":[{"row":0,"col":0,"before":"⚫","after":"·"},{"row":1,"col":1,"before":"·","after":"⚫"}]',
        words.state(),
      ),
      update(7, nova, 'Used Uproot at A1', 'Move 7', open),
    ])
    expect(words.state().grid).toBe(gridText('🚫🔐🚫', '🔐⚫', '🚫'))
  })

  it('of an uproot that changes nothing has an empty list of cells', () => {
    const words = match(skill('uproot', 7, 7))
    expect(words.updates()).toEqual([
      effect(
        'uproot',
        nova,
        '"target":{"row":7,"col":7},"description":"Nova used Uproot (力拔山兮) at H8!","animationDurationMs":3000,"affectedCells":[]',
        words.state(),
      ),
      update(1, nova, 'Used Uproot at H8', 'Move 1', open),
    ])
  })

  it.each([
    ['none', { type: 'skill', skill: 'rewind' }, 'null'],
    ['a cell', skill('rewind', 3, 4), '{"row":3,"col":4}'],
  ])('of a rewind names no cell, where its target is %s', (_, rewind, target) => {
    const stones = [place(0, 0), place(0, 2), place(0, 4), place(0, 6)]
    const words = match(...stones, rewind)
    const told = `"target":${target},"description":"Nova used Rewind (时光倒流)!"`
    expect(words.updates().slice(4)).toEqual([
      effect('rewind', nova, `${told},"animationDurationMs":3000`, words.state()),
      update(5, nova, 'Used Rewind', 'Move 5', open),
    ])
    expect(words.state()).toEqual({
      round: 6,
      scores: [0, 0],
      grid: gridText(),
      extra: `{"board":${boardText()},"energy":[0,3],"currentPlayer":"a-2","sealedStones":[],"quietZoneCells":[],"lastMove":null,"lastSkillEffect":{"skill":"rewind","casterId":"a-1",${told}},"animationDurationMs":3000}`,
    })
  })
})
