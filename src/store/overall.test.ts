import { expect, it } from 'vitest'
import { type Field, overallOf } from './overall.ts'

const names = ['ann', 'bob', 'cat', 'dan']
const field = (game: string, strengths: Readonly<Record<string, number>>): Field => ({
  game,
  accounts: Object.entries(strengths).map(([name, strength]) => ({
    ...{ account: names.indexOf(name), name, strength },
  })),
})
const scores = (...fields: Field[]) =>
  overallOf(fields).rows.map(({ rank, name, score }) => [rank, name, score.toFixed(4)])

it('the score in a game is the one expected against another ranked account at random', () => {
  // 400 points are odds of ten to one, 800 of a hundred to one.
  const [row] = overallOf([field('ttt', { ann: 1900, bob: 1500, cat: 1100 })]).rows
  expect(row).toMatchObject({ name: 'ann', rank: 1 })
  expect(row!.score).toBeCloseTo((10 / 11 + 100 / 101) / 2, 12)
})

it('each game has equal weight, however wide its strengths lie or many its accounts are', () => {
  expect(
    scores(
      field('ttt', { ann: 1900, bob: 1500 }),
      field('c4', { bob: 1900, ann: 1500 }),
      field('chess', { ann: 1500, bob: 1500 }),
    ),
  ).toEqual([
    [1, 'ann', '0.5000'],
    [1, 'bob', '0.5000'],
  ])
})

it('a game in which an account is not ranked counts as lost, and less than three games are too few', () => {
  const two = { ann: 1500, bob: 1500 }
  const found = scores(
    ...['ttt', 'c4'].map(game => field(game, { ...two, cat: 2500 })),
    field('chess', { ...two, dan: 1500 }),
    field('go9', { ann: 1500, dan: 1500 }),
  )
  expect(found.map(([rank, name]) => [rank, name])).toEqual([
    [1, 'ann'],
    [2, 'bob'],
  ])
  const { games, rows } = overallOf([field('ttt', two), field('c4', two), field('chess', two)])
  expect(games).toEqual(['ttt', 'c4', 'chess'])
  expect(rows[0]!.scores).toEqual({ ttt: 0.5, c4: 0.5, chess: 0.5 })
})

it('a game with one ranked account does not count, and a host with few games asks for all of them', () => {
  const board = overallOf([field('ttt', { ann: 1600, bob: 1500 }), field('c4', { cat: 1500 })])
  expect([board.games, board.least]).toEqual([['ttt'], 1])
  expect(board.rows.map(({ name }) => name)).toEqual(['ann', 'bob'])
  expect(overallOf([])).toEqual({ games: [], least: 0, rows: [] })
})

it('a field of thousands is measured in steps that change no score by more than a thousandth', () => {
  const accounts = Array.from({ length: 3000 }, (_, i) => ({
    ...{ account: i, name: `a${i}`, strength: 1000 + ((i * 7919) % 9973) / 10 },
  }))
  const { rows } = overallOf([{ game: 'ttt', accounts }])
  for (const { account, score } of [rows[0]!, rows[1500]!, rows[2999]!]) {
    const own = accounts[account]!.strength
    const exact = accounts.reduce(
      (sum, { strength }, i) =>
        i === account ? sum : sum + 1 / (1 + 10 ** ((strength - own) / 400)),
      0,
    )
    expect(Math.abs(score - exact / 2999)).toBeLessThan(0.001)
  }
})
