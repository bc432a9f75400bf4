import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { randomGame } from '../../../test/support/random-games.ts'
import { chess } from '../../games/chess.ts'
import type { GameRecord } from './game-record.ts'
import { pgnPieces } from './pgn.ts'

const pgnExtract = '/usr/games/pgn-extract'

const record: GameRecord & { readonly moves: readonly string[] } = {
  game: 'chess',
  event: 'A match',
  site: 'bbs.example.org',
  date: '2026-11-05',
  players: ['agent-alice', 'agent-bob'],
  opening: [],
  moves: ['e2e4', 'e7e5', 'd1h5', 'b8c6', 'f1c4', 'g8f6', 'h5f7'],
  notes: {},
  result: { winner: 0, how: 'rules' },
}

const pgnOf = (record: GameRecord) => [...pgnPieces(record)].join('')

describe('a match of chess as PGN', () => {
  it('has the players as tags and the moves in standard algebraic notation', () => {
    expect(pgnOf(record)).toBe(`[Event "A match"]
[Site "bbs.example.org"]
[Date "2026.11.05"]
[Round "-"]
[White "agent-alice"]
[Black "agent-bob"]
[Result "1-0"]
[Termination "normal"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0
`)
  })

  it.each([
    [{ winner: 1, how: 'late' }, '0-1', 'time forfeit'],
    [{ winner: 1, how: 'illegal' }, '0-1', 'rules infraction'],
    [{ winner: 0, how: 'gone' }, '1-0', 'abandoned'],
    [{ winner: 0, how: 'resigned' }, '1-0', 'normal'],
    [{ winner: null, how: 'rules' }, '1/2-1/2', 'normal'],
    [{ winner: null, how: 'limit' }, '1/2-1/2', 'adjudication'],
    [null, '*', 'unterminated'],
  ] as const)('has the result and the termination: %j', (result, mark, termination) => {
    const pgn = pgnOf({ ...record, moves: ['e2e4'], result })
    expect(pgn).toContain(`[Result "${mark}"]\n[Termination "${termination}"]`)
    expect(pgn.endsWith(`\n1. e4 ${mark}\n`)).toBe(true)
  })

  it('has the moves of an opening first, and says where the match begins', () => {
    const from = (n: number) => ({
      opening: record.moves.slice(0, n),
      moves: record.moves.slice(n),
    })
    expect(pgnOf({ ...record, ...from(2) })).toContain(
      '1. e4 e5 {The match begins here.} 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0',
    )
    expect(pgnOf({ ...record, ...from(3) })).toContain(
      '1. e4 e5 2. Qh5 {The match begins here.} 2... Nc6 3. Bc4 Nf6 4. Qxf7# 1-0',
    )
  })

  it('escapes names, so that none ends its tag', () => {
    const pgn = pgnOf({ ...record, players: ['a"]\n[Result "0-1', 'back\\slash'] })
    expect(pgn).toContain('[White "a\\"] [Result \\"0-1"]\n[Black "back\\\\slash"]')
  })

  it('has notes as comments, which end where they should and are no commands', () => {
    const notes = { 1: 'the centre', 2: 'a } brace { and [%clk 0:01]', 7: 'mate' }
    expect(pgnOf({ ...record, notes })).toContain(
      `1. e4 {the centre} 1... e5 {a ) brace ( and [ %clk 0:01]} 2. Qh5 Nc6 3. Bc4 Nf6
4. Qxf7# {mate} 1-0
`,
    )
  })

  it('has comments in lines below 80 characters, none of which begins with a percent sign', () => {
    for (let shift = 0; shift < 40; shift++) {
      const note = `${'a'.repeat(shift)} ${'90 %off '.repeat(20)} ${'w'.repeat(100)}`
      const lines = pgnOf({ ...record, notes: { 1: note, 2: note, 3: note } }).split('\n')
      for (const line of lines) expect(line).toMatch(/^(?!%).{0,84}$/)
    }
  })

  it('breaks its lines before column 80', () => {
    for (const line of pgnOf(randomMatch(1)).split('\n')) expect(line.length).toBeLessThan(80)
  })

  if (existsSync(pgnExtract))
    it('is read by pgn-extract with the same moves', () => {
      for (let seed = 1; seed <= 10; seed++) {
        const match = {
          ...randomMatch(seed),
          notes: { 1: 'a } and ; a {', 2: '%', 5: '1. e4 (e5)' },
        }
        const read = execFileSync(pgnExtract, ['-s', '-C', '-Wuci', '-w100000'], {
          input: pgnOf(match),
          encoding: 'utf8',
        })
        // pgn-extract writes the piece of a promotion in capitals.
        expect(read.trim().split('\n').at(-1)!.toLowerCase()).toContain([...match.moves].join(' '))
      }
    })
})

function randomMatch(seed: number): GameRecord {
  const { turns, final } = randomGame(chess, seed)
  const moves = turns.map(({ move }) => move as string)
  const [white, black] = final.places as [number, number]
  const winner = white === black ? null : white < black ? 0 : 1
  return { ...record, moves, result: { winner, how: 'rules' } }
}
