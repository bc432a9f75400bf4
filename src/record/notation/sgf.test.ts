import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { randomGame } from '../../../test/support/random-games.ts'
import { gameOf, games } from '../../games/index.ts'
import type { GameRecord } from './game-record.ts'
import { hasSgf, sgfPieces } from './sgf.ts'

const gnugo = '/usr/games/gnugo'

const record: GameRecord = {
  game: 'go9',
  event: 'A match',
  site: 'bbs.example.org',
  date: '2026-11-05',
  players: ['agent-alice', 'agent-bob'],
  opening: [],
  moves: ['E5', 'A9', 'J1', 'pass', 'pass'],
  notes: {},
  result: { winner: 0, how: 'rules', scores: [80, 7.5] },
}

const sgfOf = (record: GameRecord) => [...sgfPieces(record)].join('')

describe('a match as SGF', () => {
  it('has the board size, the players, and points that count from the top left corner', () => {
    expect(sgfOf(record)).toBe(
      '(;GM[1]FF[4]CA[UTF-8]AP[AgentBBS:1]SZ[9]KM[6.5]RU[Chinese]EV[A match]PC[bbs.example.org]' +
        'DT[2026-11-05]PB[agent-alice]PW[agent-bob]RE[B+72.5]\n;B[ee];W[aa];B[ii];W[];B[])\n',
    )
  })

  it('has the moves of an opening first, and says where the match begins', () => {
    const moves = { opening: ['E5', 'A9'], moves: ['J1', 'pass'], notes: { 1: 'mine' } }
    expect(sgfOf({ ...record, ...moves }).replaceAll('\n', '')).toContain(
      ';B[ee];W[aa]C[The match begins after this move.];B[ii]C[mine];W[])',
    )
  })

  it('has notes as comments', () => {
    expect(sgfOf({ ...record, notes: { 1: 'a ] and a \\', 4: 'I pass' } })).toContain(
      ';B[ee]C[a \\] and a \\\\];W[aa];B[ii];W[]C[I pass];B[])',
    )
  })

  it('leaves out marks of dead stones, and keeps the turns', () => {
    const marked = ['pass', 'pass', 'dead E5', 'play on', 'A1', 'pass', 'pass', 'alive E5', 'agree']
    const sgf = sgfOf({ ...record, moves: ['E5', 'A9', ...marked] })
    expect(sgf).toContain(';B[ee];W[aa];B[];W[];B[ai];W[];B[])')
  })

  it.each([
    ['gomoku', 'GM[4]FF[4]CA[UTF-8]AP[AgentBBS:1]SZ[15]EV[', ['H8', 'A15', 'O1'], 'hh aa oo'],
    ['othello', 'GM[2]FF[4]CA[UTF-8]AP[AgentBBS:1]SZ[8]EV[', ['d3', 'c5', 'pass'], 'dc ce '],
    ['go19', 'GM[1]FF[4]CA[UTF-8]AP[AgentBBS:1]SZ[19]KM[7.5]', ['A19', 'J10', 'T1'], 'aa ij ss'],
  ])('has the board size and the columns of %s', (game, root, moves, points) => {
    const sgf = sgfOf({ ...record, game, moves })
    expect(sgf).toContain(root)
    expect([...sgf.matchAll(/;[BW]\[(\w*)\]/g)].map(([, point]) => point).join(' ')).toBe(points)
  })

  it('has the board size and komi of the rules', () => {
    for (const game of games.filter(({ id }) => hasSgf(id))) {
      const { board, komi } = game.view(game.start(1, 2), 'audience') as {
        board: string[][]
        komi?: number
      }
      const sgf = sgfOf({ ...record, game: game.id, moves: [] })
      expect(sgf).toContain(`SZ[${board.length}]${komi === undefined ? 'EV' : `KM[${komi}]`}`)
    }
  })

  it.each([
    [{ winner: 1, how: 'resigned' }, 'W+R'],
    [{ winner: 1, how: 'late', scores: [1, 2] }, 'W+T'],
    [{ winner: 0, how: 'illegal' }, 'B+F'],
    [{ winner: 0, how: 'gone' }, 'B+F'],
    [{ winner: 0, how: 'rules' }, 'B+'],
    [{ winner: null, how: 'rules', scores: [32, 32] }, 'Draw'],
    [null, 'Void'],
  ] as const)('has the result: %j', (result, mark) => {
    expect(sgfOf({ ...record, result })).toContain(`RE[${mark}]`)
  })

  it('escapes names, so that none ends its property', () => {
    const sgf = sgfOf({ ...record, players: ['a]RE[W+R', 'back\\slash'] })
    expect(sgf).toContain('PB[a\\]RE[W+R]PW[back\\\\slash]')
  })

  if (existsSync(gnugo))
    it.each(['go9', 'go13', 'go19'])('of %s is read by gnugo with the same stones', id => {
      const game = gameOf(id)!
      const { turns, end } = randomGame(game, 3)
      const folder = mkdtempSync(join(tmpdir(), 'sgf-'))
      try {
        const file = join(folder, 'match.sgf')
        writeFileSync(
          file,
          sgfOf({ ...record, game: id, moves: turns.map(({ move }) => move as string) }),
        )
        const answer = execFileSync(gnugo, ['--mode', 'gtp'], {
          input: `loadsgf ${file}\nget_komi\nlist_stones black\nlist_stones white\nquit\n`,
          encoding: 'utf8',
        })
        const [, komi, black, white] = answer.split('\n\n').map(part => part.replace(/^= ?/, ''))
        expect(Number(komi)).toBe(game.view(end, 'audience').komi)
        expect(inOrder(black!)).toEqual(stonesOf(game.view(end, 'audience').board, 'X'))
        expect(inOrder(white!)).toEqual(stonesOf(game.view(end, 'audience').board, 'O'))
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
})

const inOrder = (points: string) => points.split(' ').sort()

function stonesOf(board: unknown, mark: string): string[] {
  const rows = board as string[][]
  return rows
    .flatMap((row, y) =>
      row.flatMap((cell, x) =>
        cell === mark ? [`${'ABCDEFGHJKLMNOPQRST'[x]}${rows.length - y}`] : [],
      ),
    )
    .sort()
}
