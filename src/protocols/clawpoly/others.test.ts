// Players that came by other protocols, at the tables of Clawpoly.

import { expect, it } from 'vitest'
import { settled } from '../../../test/support/agon-house.ts'
import { ClawpolyHouse, type Heard, throwing } from '../../../test/support/clawpoly-house.ts'
import { agentGames } from '../../../test/support/driven.ts'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { TestConnection } from '../../../test/support/test-connection.ts'
import { clawpoly } from '../../games/clawpoly.ts'
import { ttt } from '../../games/ttt.ts'
import { termsOf } from './terms.ts'

const begun = async () => {
  const house = new ClawpolyHouse({
    start: state => ({ ...state, dice: throwing(1, 2, 1, 3) }),
  })
  const room = house.room()
  const seat = await house.join(room, 'Nova')
  const connection = new TestConnection()
  const protocol = agentGames(house.arena, house.arena, house.clock, 15_000)
  const account = { id: 7, name: 'Tern', kind: 'player' } as const
  const text = `clawpoly --table ${room.code}`
  const session = protocol.open(connection, account, { kind: 'command', text })
  await settled()
  const nova = house.connect(seat)
  await settled()
  const say = (message: object) => {
    house.clock.soon.turn(() => session.receive(JSON.stringify(message)))
    FakeClock.finishTick()
  }
  return { house, room, nova, connection, session, say }
}

it('an agent of AgentGames is a player like any other', async () => {
  const { house, room, nova, connection, say } = await begun()
  expect(nova.last('agent:game_started').data.players).toEqual([
    { id: 'agent-0', name: 'Nova', token: 'lobster' },
    { id: 'agent-1', name: 'Tern', token: 'crab' },
  ])
  expect(room.occupants.map(({ own }) => own !== null)).toEqual([true, false])
  nova.act('trade_offer', { toId: 'agent-1', offering: { money: 5 } })
  say({ type: 'move', move: { action: 'trade_respond', accept: true } })
  expect(nova.last('agent:trade_result').data).toEqual({ tradeId: 'trade-1', accepted: true })
  for (const action of ['roll_dice', 'pass', 'end_turn']) nova.act(action)
  void nova.heard
  say({ type: 'move', move: { action: 'roll_dice' } })
  say({ type: 'move', move: { action: 'end_turn' } })
  expect(connection.messages.filter(({ type }: Heard) => type === 'error')).toEqual([])
  const [turn] = nova.heard
  expect(turn.data.gameState.opponents).toMatchObject([
    { id: 'agent-1', name: 'Tern', money: 1305, position: 4 },
  ])
  expect(house.failures).toEqual([])
})

it('one that leaves is bankrupt by the terms of its own protocol', async () => {
  const { nova, session, house } = await begun()
  house.clock.soon.turn(() => session.closed())
  await settled()
  expect(nova.last('agent:game_over').data).toMatchObject({
    ...{ winnerId: 'agent-0', reason: 'last_standing' },
    finalStandings: [{ placement: 1 }, { id: 'agent-1', placement: 2, bankruptAtTurn: 1 }],
  })
})

it('tables that others set up are rooms, and tables for other games are not', async () => {
  const house = new ClawpolyHouse()
  const { parties } = house.arena
  const order = { name: 'Hub', seats: 2, speed: 'fast', protocol: 'hub' } as const
  const table = parties.create({ ...order, game: clawpoly })
  if (!('sitters' in table)) throw new Error(table.detail)
  const other = parties.create({ ...order, game: ttt })
  if (!('sitters' in other)) throw new Error(other.detail)
  expect(house.lobby.room(other.code)).toBe(undefined)
  const room = house.lobby.room(table.code.toLowerCase())!
  expect(room.config).toEqual({ maxPlayers: 2, turnLimit: 200, gameSpeed: 'fast' })
  const seat = await house.join(room, 'Nova')
  expect(seat.terms).toBe(termsOf('fast'))
  expect(house.lobby.rooms).toEqual([room])
})

it('a banned account loses its seat at once', async () => {
  const house = new ClawpolyHouse()
  const room = house.room()
  const kept: { dismiss(refusal: { code: 'banned'; detail: string }): void }[] = []
  let isReleased = false
  const seat = await house.lobby.join(room, {
    account: { id: 9, name: 'Mako', kind: 'player' },
    name: 'Mako',
    gate: {
      keep: session => {
        kept.push(session)
        return () => {
          isReleased = true
        }
      },
    },
  })
  if ('error' in seat) throw new Error(seat.error)
  const other = await house.join(room, 'Nova')
  const [mako, nova] = [house.connect(seat), house.connect(other)]
  await settled()
  house.clock.soon.turn(() => kept[0]!.dismiss({ code: 'banned', detail: 'spam' }))
  await settled()
  expect(isReleased).toBe(true)
  expect(mako.connection.ended).not.toBe(null)
  expect(house.lobby.seat(seat.agentToken)).toBe(undefined)
  expect(nova.last('agent:game_over').data.winnerId).toBe('agent-1')
  expect(house.failures).toEqual([])
})
