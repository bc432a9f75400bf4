import { describe, expect, it } from 'vitest'
import { gameSuite } from '../../test/support/game-suite.ts'
import { playOn, randomGame } from '../../test/support/random-games.ts'
import { lookText } from '../drawing/look-text.ts'
import { Dice } from './dice.ts'
import { type Final, type Game, illegal, isFinal, isIllegal } from './game.ts'
import { go9, go13, go19, goOn } from './go.ts'

type State = ReturnType<typeof go9.start>

const go4 = goOn(4, 0.5)
const go5 = goOn(5, 0.5)
const go7 = goOn(7, 0.5)

describe('go', () => {
  it('takes what has lost its last liberty, several chains at once', () => {
    const before = at(go5, 0, '. O X . .', 'O . O X .', 'X O X . .', '. X . . .', '. . . . .')
    const after = play(go5, before, 0, 'B4')
    expect(rows(after, 5)).toEqual(['.OX..', 'OX.X.', 'X.X..', '.X...', '.....'])
  })

  it('takes a chain of several stones', () => {
    const before = at(go5, 0, 'O O . . .', 'X X . . .', '. . . . .', '. . . . .', '. . . . .')
    const after = play(go5, before, 0, 'C5')
    expect(rows(after, 5)).toEqual(['..X..', 'XX...', '.....', '.....', '.....'])
    expect(after.captures).toEqual([2, 0])
  })

  it('refuses suicide, of one stone and of several', () => {
    const one = at(go5, 0, '. O . . .', 'O . . . .', '. . . . .', '. . . . .', '. . . . .')
    expect(go5.play(one, 0, 'A5')).toEqual(illegal('A5 would have no liberty'))
    expect(go5.moves!(one, 0)).not.toContain('A5')
    expect(go5.moves!({ ...one, toMove: 1 }, 1)).toContain('A5')
    const several = at(go5, 0, 'X . O . .', 'O O . . .', '. . . . .', '. . . . .', '. . . . .')
    expect(go5.play(several, 0, 'B5')).toEqual(illegal('B5 would have no liberty'))
  })

  it('lets a stone without liberties take its way out', () => {
    const before = at(go5, 0, '. O X . .', 'O X . . .', 'X . . . .', '. . . . .', '. . . . .')
    expect(rows(play(go5, before, 0, 'A5'), 5).slice(0, 3)).toEqual(['X.X..', '.X...', 'X....'])
  })

  it('knows ko: no taking back before a move elsewhere', () => {
    const before = at(go5, 0, '. X O . .', 'X O . O .', '. X O . .', '. . . . .', '. . . . .')
    const taken = play(go5, before, 0, 'C4')
    expect(go5.play(taken, 1, 'B4')).toEqual(illegal('B4 repeats an earlier position'))
    expect(go5.moves!(taken, 1)).not.toContain('B4')
    const elsewhere = play(go5, play(go5, taken, 1, 'A1'), 0, 'E1')
    expect(go5.moves!(elsewhere, 1)).toContain('B4')
    expect(rows(play(go5, elsewhere, 1, 'B4'), 5)[1]).toBe('XO.O.')
  })

  it('knows superko: two stones sent and one taken back is an earlier position, with either player to move', () => {
    const before = at(go5, 1, '. . . . .', '. . . . .', '. . . . .', 'X X O . .', '. O . O .')
    const taken = play(go5, play(go5, before, 1, 'A1'), 0, 'C1')
    expect(rows(taken, 5)[4]).toBe('..XO.')
    expect(go5.play(taken, 1, 'B1')).toEqual(illegal('B1 repeats an earlier position'))
    expect(go5.moves!(taken, 1)).not.toContain('B1')
  })

  const seki = [
    'X X . O O X .',
    'X X . O O X X',
    'O O O X X X .',
    '. O O X X . X',
    'O O . O X X X',
    'O O O O X . X',
    '. O . O X X .',
  ]

  it('lets either side break a seki to its loss', () => {
    const broken = play(go7, play(go7, at(go7, 0, ...seki), 0, 'C7'), 1, 'C6')
    expect(broken.captures).toEqual([0, 5])
  })

  it.each([
    ['a seki, its shared liberties neutral', go7, seki, 25, 22],
    ['an empty board', go4, ['. . . .', '. . . .', '. . . .', '. . . .'], 0, 0],
    ['a single stone', go4, ['. . . .', '. X . .', '. . . .', '. . . .'], 16, 0],
    ['two walls and a row between', go4, ['. . . .', 'X X X X', '. . . .', 'O O O O'], 8, 4],
    ['a dead stone left on the board', go4, ['. O . .', '. . X X', 'X X . .', '. . . .'], 10, 1],
  ])('counts %s', (_, game, board, black, white) => {
    const passed = play(game, play(game, at(game, 0, ...board), 0, 'pass'), 1, 'pass')
    const { scores, places } = game.status(passed) as Final
    expect(scores).toEqual([black, white + 0.5])
    expect(places).toEqual(black > white ? [1, 2] : [2, 1])
  })

  it.each([
    ['go9', go9, 6.5, 243],
    ['go13', go13, 7.5, 507],
    ['go19', go19, 7.5, 1083],
  ])('has on %s its own komi and limit of moves', (_, game, komi, limit) => {
    const state = game.start(1, 2)
    expect(game.view(state, 0)).toMatchObject({ komi, movesLeft: limit })
    expect(game.status({ ...state, moves: limit - 1 })).toEqual({ toMove: [0] })
    expect(game.status({ ...state, moves: limit })).toMatchObject({ scores: [0, komi] })
  })

  it('ends with the second pass in a row, not with one on each side of a move', () => {
    const apart = ['pass', 'C3', 'pass'].reduce(
      (state, move, i) => play(go5, state, i % 2, move),
      go5.start(1, 2),
    )
    expect(isFinal(go5.status(apart))).toBe(false)
    expect(go5.status(play(go5, apart, 1, 'pass'))).toMatchObject({
      because: 'both passed, 25.5 points to 0',
    })
  })

  it('names points without I and counts rows from the bottom', () => {
    const listed = go19.moves!(go19.start(1, 2), 0)
    expect(listed).toHaveLength(362)
    expect([listed[0], listed[18], listed[360], listed[361]]).toEqual(['A19', 'T19', 'T1', 'pass'])
    expect(listed.some(point => point.startsWith('I'))).toBe(false)
    expect(go19.read!(go19.start(1, 2), 0, 'q16')).toBe('Q16')
    expect(go19.read!(go19.start(1, 2), 0, 'Pass')).toBe('pass')
  })

  it('draws the marked points and the last move', () => {
    expect(lookText(go9.look(play(go9, go9.start(1, 2), 0, 'E5'), 0))).toBe(
      [
        '  A B C D E F G H J',
        '9 . . . . . . . . . 9',
        '8 . . . . . . . . . 8',
        '7 . . + . . . + . . 7',
        '6 . . . . . . . . . 6',
        '5 . . . .[X]. . . . 5',
        '4 . . . . . . . . . 4',
        '3 . . + . . . + . . 3',
        '2 . . . . . . . . . 2',
        '1 . . . . . . . . . 1',
        '  A B C D E F G H J',
        '',
        'If it ended now: Black 81, White 6.5. Stones taken: 0 by Black, 0 by White.',
      ].join('\n'),
    )
  })

  it('shows the count as if it ended now, and ends with that count', () => {
    const state = at(go5, 0, '. O X . .', 'O O X . .', '. O X . .', 'O O X . .', '. O X . .')
    expect(go5.view(state, 0)).toMatchObject({ score: [15, 10.5] })
    const over = play(go5, play(go5, state, 0, 'pass'), 1, 'pass')
    expect(go5.status(over)).toMatchObject({ scores: [15, 10.5] })
    expect(go5.standings!(state)).toEqual({
      places: [1, 2],
      scores: [15, 10.5],
      because: 'counted as it stands, 15 points to 10.5',
    })
  })

  it('counts random games as a second way of counting does', () => {
    for (const [game, size, games] of [
      [go5, 5, 200],
      [go9, 9, 60],
      [go19, 19, 3],
    ] as const)
      for (let seed = 1; seed <= games; seed++) {
        const { end, final } = randomGame(game, seed)
        const { komi } = game.view(end as State, 0) as { komi: number }
        const [black, white] = reached((end as State).board, size)
        expect(final.scores).toEqual([black, white! + komi])
      }
  })

  it('allows in random games what a plain reading of the rules allows', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { turns } = playOn(go4, go4.start(seed, 2), Dice.fromSeed(seed))
      const boards = new Set<string>()
      for (const { state, seat } of turns) {
        const { board } = state as State
        boards.add(board)
        const allowed = [...Array(board.length).keys()].filter(cell => {
          const after = plainMove(board, 4, cell, seat === 0 ? 'X' : 'O')
          return after !== undefined && !boards.has(after)
        })
        const names = allowed.map(cell => `${'ABCD'[cell % 4]}${4 - Math.floor(cell / 4)}`)
        expect(go4.moves!(state as State, seat)).toEqual([...names, 'pass'])
      }
    }
  })
})

function at(game: Game<State>, toMove: number, ...drawn: string[]): State {
  return { ...game.start(1, 2), board: drawn.join('').replaceAll(' ', ''), toMove }
}

describe('dead stones, where they are agreed on', () => {
  gameSuite({ ...(go5 as Game), setup: go5.setupForPeople! })

  // The white stones at A1 and A5 are dead, and white is ahead while they count.
  const board = ['O . X O .', '. . X O .', '. . X O .', '. . X O .', 'O . X O .'] as const
  const opened = (): State => ({
    ...at(go5, 0, ...board),
    marking: go5.start(1, 2, go5.setupForPeople!).marking!,
  })
  const marked = (...moves: readonly (readonly [seat: number, move: string])[]) =>
    moves.reduce((state, [seat, move]) => play(go5, state, seat, move), opened())
  const bothPassed = [
    [0, 'pass'],
    [1, 'pass'],
  ] as const

  it('are marked by whole chains in turn, and taken off when both have agreed', () => {
    const offered = marked(...bothPassed, [0, 'dead A1'], [0, 'dead A5'], [0, 'agree'])
    expect(go5.view(offered, 1)).toMatchObject({ dead: ['A5', 'A1'], score: [15, 10.5] })
    expect(go5.status(offered)).toEqual({ toMove: [1] })
    expect(go5.status(play(go5, offered, 1, 'agree'))).toMatchObject({
      places: [1, 2],
      scores: [15, 10.5],
      because: 'both agreed on 2 dead stones, 15 points to 10.5',
    })
  })

  it('are not settled while the other side changes them', () => {
    const changed = marked(
      ...bothPassed,
      [0, 'dead A1'],
      [0, 'agree'],
      [1, 'alive A1'],
      [1, 'agree'],
    )
    expect(go5.status(changed)).toEqual({ toMove: [0] })
    expect(go5.status(play(go5, changed, 0, 'agree'))).toMatchObject({ scores: [5, 12.5] })
  })

  it('are played out where the two disagree, and then all stones count', () => {
    const playedOn = marked(...bothPassed, [0, 'dead A1'], [0, 'agree'], [1, 'play on'])
    expect(go5.status(playedOn)).toEqual({ toMove: [0] })
    expect(go5.view(playedOn, 0)).toMatchObject({ marking: 'refused', dead: [] })
    const taken = play(go5, playedOn, 0, 'B1')
    const over = play(go5, play(go5, taken, 1, 'pass'), 0, 'pass')
    expect(go5.status(over)).toMatchObject({ because: expect.stringMatching(/^both passed/) })
  })

  it('are pointed at by any stone of a chain, and agreed on by a pass', () => {
    const state = marked(...bothPassed)
    expect(go5.read!(state, 0, 'd3')).toBe('dead D3')
    expect(go5.read!(play(go5, state, 0, 'dead D5'), 0, 'd3')).toBe('alive D3')
    expect(go5.read!(state, 0, 'pass')).toBe('agree')
    expect(go5.play(state, 0, 'dead B2')).toMatchObject({
      reason: expect.stringMatching(/both have passed/),
    })
  })

  it('are not agreed on without that setup, which no agent is given', () => {
    const over = marked(...bothPassed)
    const { marking: _, ...plain } = over
    expect(isFinal(go5.status(plain as State))).toBe(true)
    expect(go9.setup).toBeUndefined()
  })
})

function play(game: Game<State>, state: State, seat: number, move: string): State {
  const next = game.play(state, seat, move)
  if (isIllegal(next)) throw new Error(next.reason)
  return next
}

const rows = ({ board }: State, size: number) => board.match(new RegExp(`.{${size}}`, 'g'))!

/** Each colour spreads over empty points until nothing changes; what only one colour has reached is its own. */
function reached(board: string, size: number): number[] {
  const [black, white] = ['X', 'O'].map(mark => {
    const mine = new Set([...Array(board.length).keys()].filter(cell => board[cell] === mark))
    for (let before = -1; before < mine.size; ) {
      before = mine.size
      for (let cell = 0; cell < board.length; cell++)
        if (board[cell] === '.' && around(cell, size).some(next => mine.has(next))) mine.add(cell)
    }
    return mine
  }) as [Set<number>, Set<number>]
  return [
    [...black].filter(cell => !white.has(cell)).length,
    [...white].filter(cell => !black.has(cell)).length,
  ]
}

/** The board after a stone here, by the book and without any cleverness; undefined where the rules forbid it. */
function plainMove(board: string, size: number, cell: number, mark: string): string | undefined {
  if (board[cell] !== '.') return undefined
  const cells = [...board]
  cells[cell] = mark
  const other = mark === 'X' ? 'O' : 'X'
  for (const colour of [other, mark]) {
    const breathing = new Set<number>()
    for (let before = -1; before < breathing.size; ) {
      before = breathing.size
      cells.forEach((content, i) => {
        const lives = around(i, size).some(next => cells[next] === '.' || breathing.has(next))
        if (content === colour && lives) breathing.add(i)
      })
    }
    const dead = [...cells.keys()].filter(i => cells[i] === colour && !breathing.has(i))
    if (colour === mark && dead.length > 0) return undefined
    for (const i of dead) cells[i] = '.'
  }
  return cells.join('')
}

const around = (cell: number, size: number): number[] =>
  [
    [0, -1],
    [0, 1],
    [-1, 0],
    [1, 0],
  ].flatMap(([down, right]) => {
    const y = Math.floor(cell / size) + down!
    const x = (cell % size) + right!
    return y >= 0 && y < size && x >= 0 && x < size ? [y * size + x] : []
  })
