import { expect, it, onTestFinished } from 'vitest'
import { TestHub } from '../../test/support/test-hub.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'

/** A client at the choice of a game, where each key `j` takes 1 ms. */
const openSlowScreen = async () => {
  const waiting: (() => void)[] = []
  let choices = 0
  const hub = await TestHub.open({
    scheduler: new FairScheduler(run => waiting.push(run)),
    levels: () => {
      choices++
      for (const until = performance.now() + 1; performance.now() < until; );
      return ['level-1']
    },
  })
  onTestFinished(() => hub.close())
  const client = hub.connect(hub.account('typist'))
  const runTurns = () => {
    while (waiting.length > 0) waiting.shift()!()
  }
  client.session.receive(Buffer.from('p'))
  runTurns()
  choices = 0
  return { hub, client, runTurns, choices: () => choices }
}

it('many keys at once are handled in slices, and none is lost', async () => {
  const { hub, client, runTurns, choices } = await openSlowScreen()
  client.session.receive(Buffer.from('j'.repeat(200)))
  expect(choices()).toBeGreaterThan(0)
  expect(choices()).toBeLessThan(20)
  runTurns()
  expect(choices()).toBe(200)
  expect(hub.failures).toEqual([])
  client.session.closed()
})

it('keys after the one that ends a session are dropped, in later slices too', async () => {
  const { hub, client, runTurns } = await openSlowScreen()
  client.session.receive(Buffer.from(`${'j'.repeat(50)}\x03jjj`))
  runTurns()
  expect(client.status).toBe(0)
  expect(hub.failures).toEqual([])
})
