// Tables at which agents of other protocols sit, and wagers.

import { describe, expect, it } from 'vitest'
import { type AgonClient, AgonHouse, settled } from '../../../test/support/agon-house.ts'

describe('a table with an agent of AgentGames', () => {
  it('is told in the words of both', async () => {
    const house = new AgonHouse()
    const nova = house.agent('Nova')
    await nova.say({ action: 'enter_room', room: 'chess' })
    const { id } = house.arena.rooms.tables('chess')[0]!
    await nova.say({ action: 'sit_table', room: 'chess', table_id: id })
    const pike = house.agentGames('Pike', `chess --table ${id}`)
    await settled()
    expect(nova.heard.at(-1)).toEqual({ event: 'match_countdown', match_id: 'm-1', seconds: 3 })
    house.clock.pass(3_000)
    await settled()
    expect(nova.last('match_start')).toMatchObject({
      opponent: { id: 'p-2', type: 'agent', name: 'Pike', elo: 1200, connected: true },
    })
    await nova.write('e4')
    pike.session.receive('{"type":"move","move":"e7e5"}')
    expect(nova.last('opponent_message')).toMatchObject({ content: 'e5', message_number: 2 })
    await nova.write('d4')
    // By its own terms an illegal move loses.
    pike.session.receive('{"type":"move","move":"e5e2"}')
    await settled()
    expect(nova.last('match_end').result).toMatchObject({
      ...{ winner_id: 'p-1', end_reason: 'forfeit', participant_1_score: 1 },
    })
    expect(house.failures).toEqual([])
  })
})

describe('wagers', () => {
  const played = async () => {
    const house = new AgonHouse({ wagers: true })
    const [nova, pike] = await house.match('chess')
    for (const { account } of [nova, pike]) house.matchStore.points.balances.set(account.id, 200)
    void [nova.heard, pike.heard]
    return { house, nova, pike }
  }
  const refusal = (client: AgonClient) => client.heard.at(-1)?.message

  it('are proposed, accepted and settled', async () => {
    const { house, nova, pike } = await played()
    const watcher = house.agent('Vega')
    await watcher.say({ action: 'enter_room', room: 'chess' })
    await nova.act('propose_wager', { amount: 50 })
    const proposed = {
      ...{ event: 'wager_proposed', match_id: 'm-1', proposer_name: 'Nova', amount: 50 },
      ...{ currency: 'AP', expires_in_seconds: 60 },
    }
    expect([nova.heard, pike.heard]).toEqual([[proposed], [proposed]])
    await pike.act('propose_wager', { amount: 50 })
    expect(refusal(pike)).toBe('A wager is already pending — accept, decline, or wait')
    await nova.act('accept_wager')
    expect(refusal(nova)).toBe('Cannot answer your own wager')
    await pike.act('cancel_wager')
    expect(refusal(pike)).toBe('Only the proposer can cancel a wager')
    await pike.act('accept_wager')
    const accepted = { event: 'wager_accepted', match_id: 'm-1', amount: 50, currency: 'AP' }
    expect([nova.heard.at(-1), pike.heard.at(-1)]).toEqual([accepted, accepted])
    await nova.act('propose_wager', { amount: 50 })
    expect(refusal(nova)).toBe('A wager is already accepted')
    await pike.act('leave_match')
    await settled()
    const settle = { event: 'wager_settled', match_id: 'm-1', amount: 50, currency: 'AP' }
    expect(nova.events.slice(-5)).toEqual([
      ...['match_end', 'elo_update', 'points_update', 'wager_settled', 'room_state'],
    ])
    expect(nova.last('wager_settled')).toEqual({ ...settle, outcome: 'win', balance: 350 })
    expect(pike.last('wager_settled')).toEqual({ ...settle, outcome: 'loss', balance: 175 })
    expect(watcher.heard.at(-1)).toEqual({
      ...{ event: 'wager_result', match_id: 'm-1', winner_id: 'p-1', amount: 50, currency: 'AP' },
    })
  })

  it('may be declined, taken back, or expire', async () => {
    const { house, nova, pike } = await played()
    const end = (event: string) => ({ event, match_id: 'm-1' })
    await nova.act('propose_wager', { amount: 10 })
    await pike.act('decline_wager')
    expect(nova.heard.at(-1)).toEqual(end('wager_declined'))
    await nova.act('propose_wager', { amount: 10 })
    await nova.act('cancel_wager')
    expect(pike.heard.at(-1)).toEqual(end('wager_cancelled'))
    await nova.act('propose_wager', { amount: 10 })
    house.pass(60_000)
    expect(pike.heard.at(-1)).toEqual(end('wager_expired'))
    await pike.act('propose_wager', { amount: 10 })
    for (const [client, move] of [
      [nova, 'e4'],
      [pike, 'e5'],
    ] as const)
      await client.write(move)
    expect(pike.events).not.toContain('wager_expired')
    await nova.write('d4')
    expect([nova.heard.at(-1), pike.heard.at(-1)]).toEqual([
      end('wager_expired'),
      end('wager_expired'),
    ])
    await pike.act('propose_wager', { amount: 10 })
    expect(refusal(pike)).toBe('Wagers close at message 3')
  })

  it.each([
    [9, 'A wager is a whole number from 10 to 1000'],
    [10.5, 'A wager is a whole number from 10 to 1000'],
    [1001, 'A wager is a whole number from 10 to 1000'],
    ['50', 'Missing field: amount'],
    [201, 'Insufficient points'],
  ])('of %j are refused', async (amount, message) => {
    const { nova } = await played()
    await nova.act('propose_wager', { amount })
    expect(refusal(nova)).toBe(message)
  })

  it('are for chess and Go', async () => {
    const house = new AgonHouse({ wagers: true })
    const [nova] = await house.match('trade_deal')
    await nova.act('propose_wager', { amount: 10 })
    expect(refusal(nova)).toBe('Wagers are only available in chess and go')
  })
})
