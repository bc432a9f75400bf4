import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { agentsLadder } from '../arena/ladder.ts'
import type { Unrated } from '../arena/unrated.ts'
import { verified } from '../commands/verify.ts'
import { theHost } from '../store/audit.ts'
import { sendWithin } from '../store/match-book.ts'
import { unpacked } from '../store/packed-fit.ts'
import { Fitter } from './fitter.ts'
import { StrengthUpdates } from './strength-updates.ts'

const opened = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const play = async (
    names: readonly [string, string],
    result: 'firstWins' | 'draw' = 'firstWins',
    unrated: Unrated | null = null,
  ) => {
    const players = names.map(name => store.users.find(name) ?? newAccount(store.users, name))
    const id = store.matchStore.begin({ ...tttMatch(...players), unrated })
    const finished = store.matchStore.finish(id, outcomes[result], ttt[result])
    clock.pass(sendWithin)
    await finished
    return id
  }
  const fitter = new Fitter(store.db)
  const fitNext = () => {
    const fit = fitter.next()
    if (fit !== null) store.strengths.keep(fit.ladder, fit.fit, unpacked(fit.rows))
    return fit
  }
  const board = () =>
    store.strengths
      .all('ttt')
      .map(({ account, matches }) => [store.users.byId(account)!.name, matches])
  return { clock, store, play, fitter, fitNext, board }
}

it('fits a ladder once for all results that have come, and the others not', async () => {
  const { store, play, fitNext, board } = await opened()
  expect(fitNext()).toBeNull()
  await play(['ann', 'bob'])
  await play(['bob', 'cyd'], 'draw')
  await play(['ann', 'cyd'], 'firstWins', 'a casual match')
  expect(fitNext()).toMatchObject({ ladder: 'ttt', fit: { matches: 2, last_seq: 2 } })
  expect(fitNext()).toBeNull()
  expect(board()).toEqual([
    ['ann', 1],
    ['bob', 2],
    ['cyd', 1],
  ])
  const [ann, bob] = store.strengths.all('ttt')
  expect(ann!.strength).toBeGreaterThan(bob!.strength)
  await play(['cyd', 'ann'])
  expect(fitNext()).toMatchObject({ fit: { matches: 3 } })
  // It went on from where the last fit was.
  expect(store.strengths.all('ttt')[0]!.start).toBe(ann!.strength)
})

it('a new fitter goes on where the fit on disk is, and fits nothing that is fitted', async () => {
  const { store, play, fitNext } = await opened()
  await play(['ann', 'bob'])
  fitNext()
  const next = new Fitter(store.db)
  expect(next.next()).toBeNull()
  await play(['ann', 'bob'])
  expect(next.next()).toMatchObject({ fit: { matches: 2 } })
})

it('a voided match is taken out, and comes back with the void taken back', async () => {
  const { store, play, fitNext, board } = await opened()
  const first = await play(['ann', 'bob'])
  await play(['bob', 'cyd'])
  fitNext()
  store.voids.void([first], null)
  // Until it is fitted again, verify has nothing to say of it.
  expect(verified(store).differences).toEqual([])
  expect(fitNext()).toMatchObject({ fit: { matches: 1 } })
  expect(board()).toEqual([
    ['bob', 1],
    ['cyd', 1],
  ])
  store.voids.unvoid([first])
  expect(fitNext()).toMatchObject({ fit: { matches: 2 } })
  expect(verified(store).differences).toEqual([])
})

it('a new season begins without matches', async () => {
  const { store, play, fitNext, board } = await opened()
  await play(['ann', 'bob'])
  fitNext()
  const season = store.closing.close(agentsLadder('ttt'), { title: 'One', rule: 'kept' }, theHost)
  expect(season).toMatchObject({ number: 1 })
  expect(verified(store).differences).toEqual([])
  fitNext()
  expect(board()).toEqual([])
  await play(['bob', 'cyd'])
  expect(fitNext()).toMatchObject({ fit: { matches: 1 } })
  expect(verified(store).differences).toEqual([])
})

it('verify fits every ladder again to the last digit, and names what is otherwise', async () => {
  const { store, play, fitNext } = await opened()
  for (let i = 0; i < 7; i++) {
    await play(['ann', 'bob'])
    await play(['bob', 'cyd'], i % 2 === 0 ? 'draw' : 'firstWins')
    fitNext()
  }
  expect(verified(store).differences).toEqual([])
  store.db.file.exec(`update strengths set strength = strength + 0.001 where account = 1;
    delete from strengths where account = 2; update strength_fits set first = first + 0.001`)
  expect(verified(store).differences).toEqual([
    expect.stringMatching(/^ann, ttt: strength [\d.]+ ± [\d.]+ after 7, fitted again /),
    expect.stringMatching(/^bob, ttt: no strength is stored, fitted /),
    expect.stringMatching(/^ttt: the fit has 14 matches, .* for the first seat/),
  ])
})

it('fits come five seconds after a result, and then rest nine times as long as they took', async () => {
  const clock = new FakeClock()
  const fits: number[] = []
  const waiting: (() => void)[] = []
  const updates = new StrengthUpdates({
    clock,
    fitter: {
      next: () => {
        fits.push(clock.elapsed())
        return new Promise(resolve => waiting.push(() => resolve(null)))
      },
    },
    keep: async () => {},
    failed: error => {
      throw error
    },
  })
  const settled = () => new Promise<void>(resolve => setImmediate(resolve))
  const began = clock.elapsed()
  updates.changed()
  updates.changed()
  clock.pass(4_999)
  expect(fits).toEqual([])
  clock.pass(1)
  updates.changed()
  clock.pass(2_000)
  waiting[0]!()
  await settled()
  clock.pass(17_999)
  expect(fits).toEqual([began + 5_000])
  clock.pass(1)
  expect(fits).toEqual([began + 5_000, began + 25_000])
  updates.close()
})
