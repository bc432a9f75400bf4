// Python alone makes the boards of a host from its export.

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { eventLadder } from '../src/arena/ladder.ts'
import { ratingLines } from '../src/commands/export-ratings.ts'
import { Dice } from '../src/games/dice.ts'
import { sendWithin } from '../src/store/match-book.ts'
import { unpacked } from '../src/store/packed-fit.ts'
import { Fitter } from '../src/strength/fitter.ts'
import { dataFolder } from '../test/support/data-folder.ts'
import { FakeClock } from '../test/support/fake-clock.ts'
import { openStore } from '../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../test/support/played.ts'

const script = fileURLToPath(new URL('board.py', import.meta.url))

it('the script makes the board of each ladder, within a hundredth of a point', async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const dice = Dice.fromSeed(4)
  const agents = [...'abcdefgh'].map(letter => newAccount(store.users, `agent-${letter}`))
  const cup = eventLadder('ttt', 'cup', { by: 'points', win: 3, draw: 1, loss: 0 })
  const played: Promise<unknown>[] = []
  const play = (first: number, second: number, result: keyof typeof outcomes, ladder = {}) => {
    const match = { ...tttMatch(agents[first]!, agents[second]!), ...ladder }
    const moves = result === 'draw' ? ttt.draw : ttt.firstWins
    played.push(store.matchStore.finish(store.matchStore.begin(match), outcomes[result], moves))
  }
  for (let i = 0; i < 150; i++) {
    const first = dice.roll(8)
    const second = (first + 1 + dice.roll(7)) % 8
    play(first, second, dice.roll(4) === 0 ? 'draw' : 'firstWins')
    if (i % 5 === 0) play(second, first, i % 10 === 0 ? 'draw' : 'firstWins', { ladder: cup })
  }
  // In a game for more seats, with shared places.
  const four = [0, 1, 2, 3].map(seat => agents[seat]!.id)
  for (const places of [
    [1, 2, 3, 4],
    [2, 1, 2, 4],
    [1, 1, 1, 4],
    [4, 3, 1, 1],
  ]) {
    const match = { ...tttMatch(), game: 'resource-rush', accounts: four }
    const id = store.matchStore.begin(match)
    const outcome = { ending: 'rules', places, faults: places.map(() => null), detail: '' } as const
    played.push(store.matchStore.finish(id, outcome, []))
  }
  clock.pass(sendWithin)
  await Promise.all(played)
  store.voids.void([1], null)
  const fitter = new Fitter(store.db)
  const boards = new Map<string, readonly (readonly [string, number])[]>()
  for (let fit = fitter.next(); fit !== null; fit = fitter.next())
    boards.set(
      fit.ladder,
      [...unpacked(fit.rows)]
        .sort((a, b) => b.strength - a.strength)
        .map(({ account, strength }) => [store.users.byId(account)!.name, strength] as const),
    )
  expect([...boards.keys()].sort()).toEqual(['resource-rush', 'ttt', cup.id])

  const { stdout, stderr } = spawnSync('python3', [script], {
    input: [...ratingLines(store, [...boards.keys()])].join(''),
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  const printed = new Map<string, (readonly [string, number])[]>()
  let ladder: (readonly [string, number])[] = []
  for (const line of stdout.trimEnd().split('\n')) {
    const [, strength, name] = /^ +([\d.]+) {2}(\S+)$/.exec(line) ?? []
    if (name === undefined) {
      ladder = []
      printed.set(line, ladder)
    } else ladder.push([name, Number(strength)])
  }
  expect([...printed.keys()]).toEqual([...boards.keys()])
  for (const [id, board] of boards) {
    expect(printed.get(id)!.map(([name]) => name)).toEqual(board.map(([name]) => name))
    for (const [at, [, strength]] of board.entries())
      expect(Math.abs(printed.get(id)![at]![1] - strength)).toBeLessThan(0.011)
  }
})

it('the script is short, and needs nothing but Python', () => {
  const lines = readFileSync(script, 'utf8').trimEnd().split('\n')
  expect(lines.length).toBeLessThanOrEqual(60)
  expect(lines.filter(line => /^(import|from) /.test(line))).toEqual([
    'import itertools, json, math, sys, collections',
  ])
})
