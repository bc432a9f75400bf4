import { expect, it } from 'vitest'
import { PlayHouse } from '../../../test/support/play-house.ts'

const game = 'ttt'
const one = { version: '1', model: 'a model', harness: 'a loop' }

it('a join as a version plays as it, and the seat belongs to the agent', async () => {
  const house = new PlayHouse()
  const ada = await house.call('ada', 'join', { game, agent: one })
  await house.call('bert', 'join', { game })
  expect(ada.answer.players).toContain('ada~1')
  const { seat } = ada.answer
  expect(await house.ask('ada', 'wait', { seat, wait_s: 0 })).toMatchObject({ seat, match: 1 })
  expect((await house.ask('ada', 'lobby', {})).seats).toMatchObject([{ seat }])
  expect(await house.ask('bert', 'wait', { seat })).toMatchObject({ code: 'no-seat' })
  expect(await house.ask('ada', 'leave', { seat })).toMatchObject({ result: 'loss' })
})

it('the same join gives the same seat again, and one as another version another', async () => {
  const house = new PlayHouse()
  const join = async (agent?: object) =>
    (await house.ask('ada', 'join', { game, ...(agent && { agent }), wait_s: 0 })).seat
  const seat = await join(one)
  expect(await join(one)).toBe(seat)
  expect(new Set([seat, await join({ version: '2' }), await join()]).size).toBe(3)
})

it('a seat of a version that was absent plays on', async () => {
  const house = new PlayHouse()
  const { seat } = await house.ask('ada', 'join', { game, agent: one, wait_s: 0 })
  await house.call('bert', 'join', { game })
  await house.pass(70_000)
  expect(await house.ask('ada', 'wait', { seat, wait_s: 0 })).toMatchObject({ match: 1 })
})

it('a version that cannot be declared is refused', async () => {
  const house = new PlayHouse()
  const call = await house.call('ada', 'join', { game, agent: { version: 'no' } })
  expect(call.status).toBe(409)
  expect(call.answer).toMatchObject({
    ...{ status: 'refused', code: 'bad-version', error: 'not this one', retry_after_s: 60 },
  })
  expect(house.arena.waiting).toEqual([])
})

it.each([
  [{ version: '1', modle: 'x' }, 'agent has no \\"modle\\"; expected: an object with version'],
  [{ model: 'x' }, 'agent.version is missing; expected: 1 to 16 letters'],
  ['1', 'agent is \\"1\\"; expected: an object with version'],
  [{ version: '1', model: 'x'.repeat(61) }, 'expected: a text of at most 60 characters'],
])('the agent %j is unreadable', async (agent, error) => {
  const answer = await new PlayHouse().ask('ada', 'join', { game, agent })
  expect(answer.code).toBe('unreadable')
  expect(JSON.stringify(answer.error)).toContain(error)
})
