import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import type { Account } from '../arena/account.ts'

const fit = {
  ...{ last_seq: 9, voided: '0 null', matches: 5, took_ms: 3.5, intransitivity: null },
  ...{ first: 20, first_error: 12, first_start: 0 },
}

it('a fit replaces the one before on the same ladder, and no other', async () => {
  const store = await openStore(dataFolder(), new FakeClock())
  onTestFinished(() => store.close())
  const { strengths, users } = store
  const [ann, bob] = ['ann', 'bob'].map(name => (users.add(name) as Account).id) as [number, number]
  const row = (account: number, strength: number) => ({
    ...{ account, strength, error: 70, matches: 5, start: 1500 },
  })
  expect(strengths.fit('ttt')).toBeUndefined()
  strengths.keep('ttt', fit, [row(ann, 1600), row(bob, 1400)])
  strengths.keep('c4', { ...fit, matches: 1 }, [row(ann, 1510)])
  strengths.keep('ttt', { ...fit, last_seq: 12 }, [row(bob, 1450)])
  expect(strengths.fit('ttt')).toEqual({ ...fit, last_seq: 12 })
  expect(strengths.all('ttt')).toEqual([row(bob, 1450)])
  expect(strengths.of('ttt', ann)).toBeUndefined()
  expect(strengths.of('c4', ann)).toEqual(row(ann, 1510))
})
