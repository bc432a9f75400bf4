import { afterAll, beforeAll, expect, it } from 'vitest'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import { type HubReplays, hubReplaysOf } from './hub-replays.ts'

let hub: TestHub
let replays: HubReplays
beforeAll(async () => {
  hub = await TestHub.open()
  replays = hubReplaysOf(hub.store)
  const match = tttMatch(hub.account('carl'), hub.account('dora'))
  for (const _ of [1, 2]) await hub.keep(match, outcomes.firstWins, ttt.firstWins)
  const update = hub.store.db.file.prepare('update matches set moves = ? where id = 2')
  update.run(JSON.stringify([...ttt.firstWins.slice(0, 2), [0, '0', 5]]))
})
afterAll(() => hub.close())

/** All slices of a replay as one. */
const whole = (match: number) => {
  const id = replays.begin(match)
  const steps = []
  for (;;) {
    const slice = replays.next(id)
    steps.push(...slice.steps)
    if (slice.isLast) {
      expect(() => replays.next(id)).toThrow(TypeError)
      return { steps, problem: slice.problem }
    }
  }
}

it('gives the looks after all moves, and then keeps nothing of the match', () => {
  const { steps, problem } = whole(1)
  expect(problem).toBeNull()
  expect(steps.map(([move]) => move)).toEqual(ttt.firstWins)
  expect(steps.every(([, { board }]) => board !== undefined)).toBe(true)
})

it('says why the moves cannot be played any further', () => {
  const { steps, problem } = whole(2)
  expect(steps).toHaveLength(2)
  expect(problem).toMatch(/^move 3 cannot be played: /)
})

it('keeps nothing of a replay that is stopped', () => {
  const id = replays.begin(1)
  replays.stop(id)
  expect(() => replays.next(id)).toThrow(TypeError)
})

it('shows in the hub why a replay ends early', async () => {
  const client = hub.connect(null)
  expect(await client.type('r', '<enter>')).toMatch(/Move 3 cannot be played: /)
  expect(await client.type('<right>', '<right>')).toContain('Move 2 of ')
  client.session.closed()
  expect(hub.failures).toEqual([])
})
