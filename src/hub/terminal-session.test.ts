import { expect, it, onTestFinished } from 'vitest'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'

/** A client at its own profile, where each key `j` reads the database for 1 ms. */
const openSlowProfile = async () => {
  const waiting: (() => void)[] = []
  const hub = await TestHub.open({ scheduler: new FairScheduler(run => waiting.push(run)) })
  onTestFinished(() => hub.close())
  const typist = hub.account('typist')
  await hub.keep(tttMatch(typist, hub.account('other')), outcomes.firstWins, ttt.firstWins)
  const client = hub.connect(typist)
  const runTurns = () => {
    while (waiting.length > 0) waiting.shift()!()
  }
  client.session.receive(Buffer.from('ap'))
  runTurns()
  let reads = 0
  const { profiles } = hub.store
  const recent = profiles.recent.bind(profiles)
  profiles.recent = (...given) => {
    reads++
    for (const until = performance.now() + 1; performance.now() < until; );
    return recent(...given)
  }
  return { hub, client, runTurns, reads: () => reads }
}

it('many keys at once are handled in slices, and none is lost', async () => {
  const { hub, client, runTurns, reads } = await openSlowProfile()
  client.session.receive(Buffer.from('j'.repeat(200)))
  expect(reads()).toBeGreaterThan(0)
  expect(reads()).toBeLessThan(20)
  runTurns()
  expect(reads()).toBe(200)
  expect(hub.failures).toEqual([])
  client.session.closed()
})

it('keys after the one that ends a session are dropped, in later slices too', async () => {
  const { hub, client, runTurns } = await openSlowProfile()
  client.session.receive(Buffer.from(`${'j'.repeat(50)}\x03jjj`))
  runTurns()
  expect(client.status).toBe(0)
  expect(hub.failures).toEqual([])
})
