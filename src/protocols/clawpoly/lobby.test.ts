import { expect, it } from 'vitest'
import { settled } from '../../../test/support/agon-house.ts'
import { ClawpolyHouse, throwing } from '../../../test/support/clawpoly-house.ts'
import { tokenFor } from './tokens.ts'

/** A game of one turn, played to its end. */
const finished = async (house: ClawpolyHouse) => {
  const room = house.room({ turnLimit: 1 })
  const seats = [await house.join(room, 'Nova'), await house.join(room, 'Pike')]
  const [nova] = seats.map(seat => house.connect(seat))
  await settled()
  for (const action of ['roll_dice', 'end_turn']) nova!.act(action)
  await settled()
  return room
}

it('a finished room keeps its log for 5 min, and is then no more', async () => {
  const house = new ClawpolyHouse({ start: state => ({ ...state, dice: throwing(1, 3) }) })
  const room = await finished(house)
  expect(room.status).toBe('finished')
  const types = room.live!.log.page(0, 50).map(({ type }) => type)
  expect(types).toEqual([
    ...['started', 'turn_start', 'dice_rolled', 'player_moved', 'tax_paid', 'turn_end', 'finished'],
  ])
  expect(room.live!.log.page(2, 1)).toMatchObject([{ sequence: 2, data: { dice: [1, 3] } }])
  await house.pass(299_000)
  expect(house.lobby.room(room.id)).toBe(room)
  await house.pass(1_001)
  expect(house.lobby.room(room.id)).toBe(undefined)
})

it('of finished rooms the newest hundred are kept', async () => {
  const house = new ClawpolyHouse({ start: state => ({ ...state, dice: throwing(1, 3) }) })
  const rooms = []
  for (let i = 0; i < 102; i++) rooms.push(await finished(house))
  expect(rooms.map(({ id }) => house.lobby.room(id) !== undefined)).toEqual([
    ...[false, false],
    ...Array(100).fill(true),
  ])
  expect(house.lobby.rooms).toHaveLength(100)
  await house.pass(300_001)
  expect(house.lobby.rooms).toEqual([])
  expect(house.clock.pending).toBe(0)
})

it('a waiting room without agents vanishes after 15 min, and its spectators are sent away', async () => {
  const house = new ClawpolyHouse()
  const room = house.room()
  const { connection } = house.watch(room)
  await house.pass(899_000)
  expect(house.lobby.rooms).toEqual([room])
  await house.pass(1_001)
  expect(house.lobby.rooms).toEqual([])
  expect(connection.close?.code).toBe(1000)
})

it.each([
  ['wanted and free', 'shark', [], 'shark'],
  ['taken', 'lobster', ['lobster'], 'crab'],
  ['unknown', 'whale', ['lobster', 'crab'], 'octopus'],
  ['missing', undefined, [], 'lobster'],
  ['a name of an object', 'constructor', [], 'lobster'],
] as const)('a token that is %s', (_, wanted, taken, given) => {
  expect(tokenFor(wanted, new Set(taken))).toBe(given)
})

it('two agents cannot have one token, and one that leaves gives its own back', async () => {
  const house = new ClawpolyHouse()
  const room = house.room({ agents: 3 })
  const join = async (token: string) => {
    const seat = await house.lobby.join(room, { account: null, name: 'Nemo', token })
    if ('error' in seat) throw new Error(seat.error)
    return seat
  }
  const [first, second] = [await join('dolphin'), await join('dolphin')]
  expect(room.occupants.map(({ token }) => token)).toEqual(['dolphin', 'lobster'])
  house.lobby.leave(first)
  const third = await join('dolphin')
  expect([third.playerId, second.playerId]).toEqual(['agent-0', 'agent-1'])
  expect(room.occupants.map(({ token }) => token)).toEqual(['dolphin', 'lobster'])
  expect(house.lobby.seat(first.agentToken)).toBe(undefined)
})
