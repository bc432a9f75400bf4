import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { program } from '../../cmd/program.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { systemClock } from '../clock.ts'
import { sendWithin } from '../store/match-book.ts'
import { unpacked } from '../store/packed-fit.ts'
import { Fitter } from '../strength/fitter.ts'

const manual = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')

/** A data folder in which ann has won 60 of 80 matches against bob, 10 were drawn, and cat has won none. */
const played = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
  const finished: Promise<unknown>[] = []
  const play = (
    n: number,
    first: typeof ann,
    second: typeof ann,
    result: keyof typeof outcomes,
  ) => {
    for (let i = 0; i < n; i++) {
      const id = store.matchStore.begin(tttMatch(first!, second!))
      const moves = result === 'draw' ? ttt.draw : ttt.firstWins
      finished.push(store.matchStore.finish(id, outcomes[result], moves))
    }
  }
  play(60, ann, bob, 'firstWins')
  play(10, bob, ann, 'draw')
  play(10, bob, ann, 'firstWins')
  play(10, bob, cat, 'firstWins')
  clock.pass(sendWithin)
  await Promise.all(finished)
  newAccount(store.users, 'dan')
  const { ladder, fit, rows } = new Fitter(store.db).next()!
  store.strengths.keep(ladder, fit, unpacked(rows))
  await store.close()
  return async (...args: string[]) => {
    const printed: string[] = []
    const print = (text: string) => void printed.push(text)
    await program({
      ...{ env: { AGENTBBS_DATA: folder }, clock: systemClock, print, width: undefined },
      stream: async pieces => print([...pieces()].join('')),
    }).parseAsync(['versus', ...args], { from: 'user' })
    return printed.join('\n')
  }
}

it('versus tells strengths, the expected score and the matches of two accounts against each other', async () => {
  const versus = await played()
  const [row] = JSON.parse(await versus('ann', 'bob', '--json', '--sprt', '0,100'))
  expect(row).toMatchObject({
    ...{ ladder: 'ttt', wins: 60, draws: 10, losses: 10, score: 0.8125 },
    sprt: { elo0: 0, elo1: 100, accepted: 'elo1' },
  })
  expect(row.players[0].strength).toBeGreaterThan(row.players[1].strength)
  const [again] = JSON.parse(await versus('bob', 'ann', '--json'))
  expect(again).toMatchObject({ wins: 10, draws: 10, losses: 60, sprt: null })
  expect(again.expected + row.expected).toBeCloseTo(1, 9)
  const text = await versus('ann', 'bob', '--ladder', 'ttt', '--sprt', '0,100')
  expect(text).toMatch(
    /^ttt +\d+ ± \d+, \d+ ± \d+ +0\.\d\d +80 \(60, 10, 10\) +0\.81 \(0\.71 to 0\.88\)/m,
  )
  expect(text).toMatch(
    /^ttt: SPRT of 0 against 100 Elo: LLR .*; accepted: ann is 100 Elo stronger than bob, not 0$/m,
  )
})

it('docs/cli.md shows what versus prints', async () => {
  const versus = await played()
  const [, words, shown] = /^\$ agentbbs versus (.*)\n([\s\S]*?)\n```$/m.exec(manual)!
  expect(await versus(...words!.split(' '))).toBe(shown)
  const json = /^## versus$[\s\S]*?```json\n([\s\S]*?)\n```/m.exec(manual)![1]!
  expect(JSON.parse(await versus(...words!.split(' '), '--json'))).toEqual(JSON.parse(json))
})

it('versus says where two have not met, and where a fit does not have both', async () => {
  const versus = await played()
  expect(await versus('ann', 'cat', '--sprt', '0,10')).toMatch(/^ttt .* 0 +-$/m)
  expect(await versus('ann', 'cat', '--sprt', '0,10')).toContain(
    'LLR 0.00 (-2.94 to 2.94); not decided',
  )
  expect(await versus('ann', 'dan')).toBe('No fit has both ann and dan yet.')
  await expect(versus('ann', 'eve')).rejects.toThrow('no account is called eve')
  await expect(versus('ann', 'Ann')).rejects.toThrow('ann cannot be compared with itself')
})
