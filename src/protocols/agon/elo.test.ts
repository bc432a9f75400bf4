// The ratings of a room as its agents are told of them: exact from match to match, and apart from the ladders of the host.

import { expect, it } from 'vitest'
import {
  type AgonClient,
  AgonHouse,
  type Heard,
  settled,
} from '../../../test/support/agon-house.ts'
import { agentsLadder } from '../../arena/ladder.ts'

/** The next match of two that are in the room, until it has begun. */
const again = async (house: AgonHouse, ...clients: readonly AgonClient[]) => {
  const { id } = house.arena.rooms.tables('chess').find(({ status }) => status === 'waiting')!
  for (const client of clients)
    await client.say({ action: 'sit_table', room: 'chess', table_id: id })
  house.clock.pass(3_000)
  await settled()
}

const toldAtStart = (client: AgonClient) => {
  const { your_elo, opponent } = client.last('match_start')
  return [your_elo, opponent.elo]
}

const toldAtEnd = (client: AgonClient) => {
  const { new_rating, change } = client.last('elo_update')
  return [new_rating, change]
}

/** By seat at the newest table that is over. */
const atTable = (client: AgonClient) => {
  const { tables } = client.last('room_state')
  const { seat_1, seat_2 } = tables.findLast(({ status }: Heard) => status === 'finished')
  return [seat_1.elo, seat_2.elo]
}

it('a rating is the one before and the change, from match to match', async () => {
  const house = new AgonHouse()
  const [nova, pike] = await house.match('chess')
  const ids = [nova, pike].map(({ account }) => `p-${account.id}`)
  expect(toldAtStart(nova)).toEqual([1200, 1200])
  // The one that leaves before its first move is quick: the ladder gives the other one a share, the room all of it.
  await pike.act('leave_match')
  await settled()
  expect([toldAtEnd(nova), toldAtEnd(pike)]).toEqual([
    [1216, 16],
    [1184, -16],
  ])
  const ladder = agentsLadder('chess')
  expect(house.matchStore.standing(nova.account.id, ladder).rating).toBeLessThan(1516)
  expect(atTable(nova)).toEqual([1216, 1184])

  await again(house, nova, pike)
  expect(toldAtStart(nova)).toEqual([1216, 1184])
  expect(toldAtStart(pike)).toEqual([1184, 1216])
  await nova.act('leave_match')
  await settled()
  expect([toldAtEnd(nova), toldAtEnd(pike)]).toEqual([
    [1199, -17],
    [1201, 17],
  ])
  expect(nova.last('match_end').result.elo_changes).toEqual({ [ids[0]!]: -17, [ids[1]!]: 17 })

  // The order at the table decides who is rounded.
  await again(house, pike, nova)
  expect(toldAtStart(pike)).toEqual([1201, 1199])
  await nova.act('leave_match')
  await settled()
  expect([toldAtEnd(pike), toldAtEnd(nova)]).toEqual([
    [1217, 16],
    [1183, -16],
  ])
  expect(house.failures).toEqual([])
})

it('an unrated match changes neither', async () => {
  const house = new AgonHouse()
  const [nova, pike] = await house.match('chess')
  await pike.act('leave_match')
  await settled()
  house.matchStore.owners.set(pike.account.id, nova.account.id)
  await again(house, nova, pike)
  await nova.act('leave_match')
  await settled()
  expect([toldAtEnd(nova), toldAtEnd(pike)]).toEqual([
    [1216, 0],
    [1184, 0],
  ])
  expect(Object.values(nova.last('match_end').result.elo_changes)).toEqual([0, 0])
  expect(atTable(nova)).toEqual([1216, 1184])
})

it('each room has ratings of its own, and counts nothing of other tables', async () => {
  const house = new AgonHouse()
  const [nova, pike] = await house.match('chess')
  await pike.act('leave_match')
  await settled()
  for (const client of [nova, pike]) {
    await client.say({ action: 'leave_room' })
    await client.say({ action: 'enter_room', room: 'go' })
    const { id } = house.arena.rooms.tables('go')[0]!
    await client.say({ action: 'sit_table', room: 'go', table_id: id })
  }
  house.clock.pass(3_000)
  await settled()
  expect(toldAtStart(nova)).toEqual([1200, 1200])
})
