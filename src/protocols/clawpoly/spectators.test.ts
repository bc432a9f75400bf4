import { expect, it } from 'vitest'
import { settled } from '../../../test/support/agon-house.ts'
import { ClawpolyHouse, type Heard, throwing } from '../../../test/support/clawpoly-house.ts'
import type { Speed } from '../../arena/pace.ts'

const watched = async (gameSpeed: Speed = 'instant') => {
  const house = new ClawpolyHouse({
    start: state => ({ ...state, dice: throwing(1, 2, 1, 3, 6, 5) }),
  })
  const room = house.room({ gameSpeed, turnLimit: 2 })
  const { connection } = house.watch(room)
  const seats = [await house.join(room, 'Nova'), await house.join(room, 'Pike')] as const
  const clients = [house.connect(seats[0]), house.connect(seats[1])] as const
  await settled()
  let read = 0
  const heard = async (): Promise<Heard[]> => {
    await settled()
    const { messages } = connection
    const news = messages.slice(read)
    read = messages.length
    return news
  }
  return { house, room, connection, clients, heard }
}

it('are told the full state first, and then who comes, what happens and how it ends', async () => {
  const { room, connection, clients, heard } = await watched()
  const [nova, pike] = clients
  const begun = await heard()
  expect(begun[0]).toMatchObject({
    type: 'game:state',
    data: { roomId: room.id, roomCode: room.code, status: 'waiting', players: [] },
    timestamp: expect.stringMatching(/Z$/),
  })
  expect(begun.slice(1)).toMatchObject([
    { type: 'room:player_joined', data: { playerId: 'agent-0', name: 'Nova', token: 'lobster' } },
    { type: 'room:player_joined', data: { playerId: 'agent-1', name: 'Pike', token: 'crab' } },
    { type: 'game:started', data: { sequence: 0, turnOrder: ['agent-0', 'agent-1'] } },
    { type: 'game:turn_start', data: { sequence: 1, turnNumber: 1, playerId: 'agent-0' } },
  ])
  nova.act('roll_dice')
  nova.act('buy')
  expect(await heard()).toMatchObject([
    { type: 'game:dice_rolled', data: { playerId: 'agent-0', dice: [1, 2] } },
    { type: 'game:player_moved', data: { from: 0, to: 3 } },
    {
      type: 'game:property_bought',
      data: { squareIndex: 3, name: 'Mangrove Shallows', amount: 60 },
    },
  ])
  nova.act('end_turn')
  pike.act('roll_dice')
  expect((await heard()).map(({ type }) => type)).toEqual([
    ...['game:turn_end', 'game:turn_start', 'game:dice_rolled', 'game:player_moved'],
    'game:tax_paid',
  ])
  pike.act('end_turn')
  const ended = await heard()
  expect(ended.at(-1)).toMatchObject({
    type: 'game:finished',
    data: { winnerId: 'agent-0', reason: 'turn_limit' },
  })
  expect(connection.close?.code).toBe(1000)
})

it('are told of lost connections and returns', async () => {
  const { house, clients, heard } = await watched()
  await heard()
  clients[1].drop()
  house.connect(clients[1].seat)
  expect(await heard()).toMatchObject([
    { type: 'room:player_disconnected', data: { playerId: 'agent-1', name: 'Pike' } },
    { type: 'room:player_reconnected', data: { playerId: 'agent-1' } },
  ])
})

it('see one event after the other at the speed of the room', async () => {
  const { house, clients, heard } = await watched('normal')
  await heard()
  // The first turn has begun with two events.
  await house.pass(800 + 800 + 1500)
  await heard()
  clients[0].act('roll_dice')
  expect((await heard()).map(({ type }) => type)).toEqual(['game:dice_rolled'])
  await house.pass(800)
  expect((await heard()).map(({ type }) => type)).toEqual(['game:player_moved'])
})

it('see no board before the match, and the whole one in it', async () => {
  const { house, room } = await watched()
  const { connection } = house.watch(room)
  const [{ data }] = connection.messages
  expect(data).toMatchObject({ status: 'playing', turnOrder: ['agent-0', 'agent-1'] })
  expect(data.board).toHaveLength(40)
  expect(data.players[0]).toEqual({
    ...{ id: 'agent-0', name: 'Nova', token: 'lobster', color: '#e74c3c' },
    ...{ money: 1500, position: 0, properties: [], inLobsterPot: false, lobsterPotTurns: 0 },
    ...{ escapeCards: 0, isBankrupt: false, connected: true },
  })
  expect(JSON.stringify(data)).not.toMatch(/unseen|seen|agentToken/)
})
