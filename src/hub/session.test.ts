import { expect, it, onTestFinished } from 'vitest'
import { HubHouse } from '../../test/support/hub-house.ts'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'

it('many keys that come at once are seen to in slices, and none is lost', async () => {
  const later: (() => void)[] = []
  const house = await HubHouse.open({ scheduler: new FairScheduler(run => later.push(run)) })
  onTestFinished(() => house.close())
  const typist = house.account('typist')
  await house.keep(tttMatch(typist, house.account('other')), outcomes.firstWins, ttt.firstWins)
  const sitter = house.sit(typist)
  // To its own profile, where each step asks the database.
  sitter.session.receive(Buffer.from('ap'))
  while (later.length > 0) later.shift()!()
  let asked = 0
  const { profiles } = house.store
  const recent = profiles.recent.bind(profiles)
  profiles.recent = (...given) => {
    asked++
    for (const until = performance.now() + 1; performance.now() < until; );
    return recent(...given)
  }
  sitter.session.receive(Buffer.from('j'.repeat(200)))
  expect(asked).toBeGreaterThan(0)
  expect(asked).toBeLessThan(20)
  while (later.length > 0) later.shift()!()
  expect(asked).toBe(200)
  expect(house.failures).toEqual([])
  sitter.session.closed()
})

it('keys behind the one that ends a session, in a later slice, are for nobody', async () => {
  const later: (() => void)[] = []
  const house = await HubHouse.open({ scheduler: new FairScheduler(run => later.push(run)) })
  onTestFinished(() => house.close())
  const typist = house.account('typist')
  await house.keep(tttMatch(typist, house.account('other')), outcomes.firstWins, ttt.firstWins)
  const sitter = house.sit(typist)
  sitter.session.receive(Buffer.from('ap'))
  while (later.length > 0) later.shift()!()
  const { profiles } = house.store
  const recent = profiles.recent.bind(profiles)
  profiles.recent = (...given) => {
    for (const until = performance.now() + 1; performance.now() < until; );
    return recent(...given)
  }
  sitter.session.receive(Buffer.from(`${'j'.repeat(50)}\x03jjj`))
  while (later.length > 0) later.shift()!()
  expect(sitter.status).toBe(0)
  expect(house.failures).toEqual([])
})
