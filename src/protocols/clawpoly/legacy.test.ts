import { expect, it } from 'vitest'
import { settled } from '../../../test/support/agon-house.ts'
import {
  type ClawpolyClient,
  ClawpolyHouse,
  type Heard,
  throwing,
  withPlayers,
  withSquares,
} from '../../../test/support/clawpoly-house.ts'
import type { Clawpoly } from '../../games/clawpoly-state.ts'

/** A client of the public implementation in seat 0, and one of the reference in seat 1. */
const begun = async (start: (state: Clawpoly) => Clawpoly) => {
  const house = new ClawpolyHouse({ start })
  const room = house.room()
  const [old, other] = [await house.join(room, 'Old'), await house.join(room, 'Other')]
  const nova: ClawpolyClient = house.connect(old, true)
  const pike = house.connect(other)
  await settled()
  return { house, nova, pike }
}
const typesOf = (heard: readonly Heard[]) => heard.map(({ type }) => type)

it('the server rolls, and asks what such a client knows', async () => {
  const { nova, pike } = await begun(state => ({ ...state, dice: throwing(1, 2) }))
  expect(nova.types).toEqual(['agent:welcome', 'agent:game_started', 'agent:buy_decision'])
  // Nothing can be built: its turn is over.
  expect(nova.act('buy')).toEqual([])
  expect(pike.types.at(-1)).toBe('agent:your_turn')
})

it('a build decision has the fields of both, and is answered in its words', async () => {
  const { nova, pike } = await begun(state =>
    withSquares(withPlayers({ ...state, phase: 'build' }, { money: 2000 }), {
      1: { owner: 0, level: 4 },
      3: { owner: 0, level: 3 },
    }),
  )
  const { data } = nova.last('agent:build_decision')
  expect(data).toMatchObject({
    buildableProperties: [{ index: 3 }],
    buildableSquares: [{ index: 3, name: 'Mangrove Shallows', outpostCost: 100, outposts: 3 }],
    upgradeableSquares: [],
    yourMoney: 2000,
  })
  void nova.heard
  const [next] = nova.act('build', { squareIndex: 3 })
  expect(next.data.upgradeableSquares).toEqual([
    { index: 1, name: 'Tidal Pool Flats', fortressCost: 500 },
    { index: 3, name: 'Mangrove Shallows', fortressCost: 500 },
  ])
  expect(nova.act('upgrade', { squareIndex: 1 })).toMatchObject([
    { type: 'agent:build_decision', data: { yourMoney: 1400 } },
  ])
  void pike.heard
  expect(nova.act('skip_build')).toEqual([])
  expect(pike.types).toEqual(['agent:your_turn'])
})

it('an answer of the wrong kind consumes what was asked, and one to nothing is ignored', async () => {
  const { nova, pike } = await begun(state => ({ ...state, dice: throwing(1, 2) }))
  void nova.heard
  expect(nova.act('skip_build')).toEqual([])
  expect(pike.seat.prompt?.type).toBe('agent:your_turn')
  expect(nova.act('buy')).toEqual([])
  expect(nova.send('{"type":"action:fly"}')).toMatchObject([{ type: 'error' }])
})

it('debts are paid and trades refused for it', async () => {
  const { nova, pike } = await begun(state =>
    withSquares(withPlayers({ ...state, current: 1, dice: throwing(1, 2, 1, 3) }, { money: 50 }), {
      39: { owner: 0 },
      37: { owner: 0 },
    }),
  )
  void [nova.heard, pike.heard]
  const offer = { toId: 'agent-0', offering: { money: 1 }, requesting: { money: 2 } }
  expect(pike.act('trade_offer', offer)).toMatchObject([
    { type: 'agent:trade_result', data: { accepted: false, reason: 'refused' } },
    { type: 'agent:your_turn' },
  ])
  for (const action of ['roll_dice', 'pass', 'end_turn']) pike.act(action)
  // It lands on the tax of 200.
  expect(typesOf(nova.heard)).not.toContain('agent:must_raise_funds')
  expect(pike.seat.live?.state.players[0]?.money).toBeLessThan(250)
  expect(pike.seat.live?.state.squares[37]?.mortgaged).toBe(true)
})

it('one that comes back is told so, and asked again', async () => {
  const { house, nova } = await begun(state => ({ ...state, dice: throwing(1, 2) }))
  nova.drop()
  const again = house.connect(nova.seat, true)
  expect(again.heard).toMatchObject([
    { type: 'agent:welcome', data: { reconnected: true } },
    { type: 'agent:buy_decision' },
  ])
})
