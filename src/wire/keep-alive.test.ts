import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import type { Pings } from '../protocols/protocol.ts'
import { KeepAlive, type KeptAlive } from './keep-alive.ts'

/** A connection that is kept alive by these pings, and what happens to it, with the time in seconds. */
const kept = (pings: Pings) => {
  const clock = new FakeClock()
  const keepAlive = new KeepAlive(clock, pings)
  const heard: string[] = []
  const note = (what: string) => void heard.push(`${what} ${clock.now() / 1_000}`)
  const connection: KeptAlive = {
    unansweredPings: 0,
    ping: () => note('ping'),
    timedOut: () => {
      note('cut')
      keepAlive.remove(connection)
    },
  }
  keepAlive.add(connection)
  return { clock, connection, heard }
}

it.each([
  [{ every: 15_000, unanswered: 2 }, ['ping 15', 'ping 30', 'cut 45']],
  [{ every: 30_000, unanswered: 2 }, ['ping 30', 'ping 60', 'cut 90']],
  [{ every: 30_000, unanswered: 1 }, ['ping 30', 'cut 60']],
])('a client that never answers is cut when the next ping is due: %j', (pings, told) => {
  const { clock, heard } = kept(pings)
  clock.pass(300_000)
  expect(heard).toEqual(told)
  expect(clock.pending).toBe(0)
})

it('a sign of life counts for all pings before it', () => {
  const { clock, connection, heard } = kept({ every: 30_000, unanswered: 2 })
  clock.pass(60_000)
  connection.unansweredPings = 0
  clock.pass(60_000)
  expect(heard).toEqual(['ping 30', 'ping 60', 'ping 90', 'ping 120'])
  clock.pass(30_000)
  expect(heard.at(-1)).toBe('cut 150')
})
