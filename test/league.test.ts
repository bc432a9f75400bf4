// What the league manager answers, and matches of league.v2 outside of a league of Even/Odd.

import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../src/clock.ts'
import type { EventPlan } from '../src/events/plan.ts'
import { visitStore } from '../src/store/store.ts'
import { eventPlan } from './support/event-plan.ts'
import { Host } from './support/host.ts'
import { type Habit, LeaguePlayer, type Message } from './support/league-player.ts'

let host: Host
let players: LeaguePlayer[] = []

beforeAll(async () => {
  host = await Host.start({
    ...{ AGENTBBS_CALL_OUT: 'loopback', LOG_LEVEL: 'warn' },
    AGENTBBS_MAX_REGISTRATIONS_PER_ADDRESS: '100',
  })
})
afterAll(() => host.stop())
afterEach(() => {
  for (const player of players) player.close()
  players = []
})

/** Of a league of this id alone. */
const urlOf = (id: string) => `http://127.0.0.1:${host.http}/league/${id}/mcp`

const open = async (id: string, given: Partial<EventPlan> = {}) => {
  const league = { game: 'even-odd', protocol: 'league.v2', entrants: { least: 2, most: 3 } }
  const plan = eventPlan({ id, ...league, ...given })
  const store = visitStore(host.data, systemClock)
  store.events.append(id, 0, [{ kind: 'created', plan }])
  store.db.file.close()
  const url = urlOf(id)
  await vi.waitFor(
    async () => {
      const { reason } = await new LeaguePlayer('nobody-there').register(url, {
        player_meta: { ...metaOf('x', 'http://127.0.0.1:1/'), game_types: ['none'] },
      })
      expect(reason).toMatch(/^game_types has none/)
    },
    { timeout: 5_000, interval: 100 },
  )
  return url
}

const listening = async (name: string, options?: ConstructorParameters<typeof LeaguePlayer>[1]) => {
  const player = await new LeaguePlayer(name, options).listen()
  players.push(player)
  return player
}

const metaOf = (display_name: string, contact_endpoint: string) => ({
  ...{ display_name, contact_endpoint, version: '1.0.0', game_types: ['even_odd'] },
})

const post = async (url: string, body: string): Promise<Message> => {
  const response = await fetch(url, { method: 'POST', body })
  expect(response.status).toBe(200)
  return (await response.json()) as Message
}

describe('a request', () => {
  it.each([
    ['{', null, -32700],
    ['[]', null, -32600],
    ['{"jsonrpc":"2.0","method":"league_query","params":{}}', null, -32600],
    ['{"jsonrpc":"1.0","method":"league_query","params":{},"id":7}', 7, -32600],
    ['{"jsonrpc":"2.0","method":"league_query","params":[],"id":"a"}', 'a', -32600],
  ])('of the wrong shape is refused: %s', async (body, id, code) => {
    const answer = await post(`http://127.0.0.1:${host.http}/league/mcp`, body)
    expect(answer).toMatchObject({ jsonrpc: '2.0', id, error: { code } })
  })

  it('is checked in the order of the protocol', async () => {
    const url = await open('order-cup')
    const ann = await listening('Ann')
    expect(await ann.register(url)).toMatchObject({ player_id: 'P01', league_id: 'order-cup' })
    expect(ann.token).toMatch(/^tok_p01_[\w-]{43}$/)
    const asked = (more: Message) => ann.query(url, 'GET_STANDINGS', more)
    const codeOf = async (more: Message) => {
      const { error } = await asked(more)
      return error.data?.error_code ?? error.code
    }
    // Each request has all the faults that are checked later, too.
    const faults = { timestamp: '20251201T101500Z', auth_token: undefined, query_type: null }
    expect(await codeOf({ ...faults, message_type: 'FOO' })).toBe('E021')
    expect(await codeOf({ ...faults, protocol: 'league.v1', conversation_id: null })).toBe(-32602)
    expect(await codeOf({ ...faults, conversation_id: null })).toBe('E003')
    expect(await codeOf(faults)).toBe('E021')
    const { timestamp: _, ...later } = faults
    expect(await codeOf(later)).toBe('E011')
    expect(await codeOf({ ...later, auth_token: 'tok_p01_wrong' })).toBe('E012')
    expect(await codeOf({ ...later, auth_token: ann.token, sender: 'player:P02' })).toBe('E012')
    expect(await codeOf({ ...later, auth_token: ann.token })).toBe('E003')
    expect(await codeOf({ query_params: { player_id: 'P09' } })).toBe('E005')
    expect(await codeOf({ query_type: 'GET_LUCKY' })).toBe(-32602)
    expect(await codeOf({ message_type: 'GAME_INVITATION' })).toBe(-32601)
    const { error } = await asked({ auth_token: 'tok_p01_wrong' })
    expect(error).toMatchObject({
      ...{ code: -32001, message: 'AUTH_TOKEN_INVALID' },
      data: {
        ...{ protocol: 'league.v2', message_type: 'LEAGUE_ERROR', sender: 'league_manager' },
        ...{ error_description: 'AUTH_TOKEN_INVALID', affected_player: 'P01' },
        ...{ action_required: 'LEAGUE_QUERY', conversation_id: 'conv-Ann' },
      },
    })
    expect(JSON.stringify(error)).not.toContain('wrong')
    expect((await asked({ timestamp: '2025-12-01T10:15:00.123456+00:00' })).result).toMatchObject({
      ...{ message_type: 'LEAGUE_QUERY_RESPONSE', query_type: 'GET_STANDINGS', success: true },
      data: { standings: [{ rank: 1, player_id: 'P01', display_name: 'Ann', points: 0 }] },
    })
  })
})

describe('a registration', () => {
  it('keeps its id at the same endpoint, voids the old token, and grants ids that are free, which rank equals', async () => {
    const url = await open('cup-of-ids')
    const [ann, bob, cid] = [await listening('Ann'), await listening('Bob'), await listening('Cid')]
    expect((await bob.register(url, { sender: 'player:P07' })).player_id).toBe('P07')
    expect((await ann.register(url, { sender: 'player:P07' })).player_id).toBe('P01')
    const { token } = ann
    expect((await ann.register(url)).player_id).toBe('P01')
    expect((await ann.query(url, 'standings', { auth_token: token })).error.message).toBe(
      'AUTH_TOKEN_INVALID',
    )
    const { standings } = (await ann.query(url, 'standings')).result.data
    expect(standings.map((row: Message) => row.player_id)).toEqual(['P01', 'P07'])
    expect((await cid.register(url)).player_id).toBe('P02')
    const late = await listening('Dot')
    expect(await late.register(url)).toMatchObject({
      ...{ status: 'REJECTED', player_id: '', reason: 'league is full' },
    })
  })

  it.each([
    ['no game of it', { game_types: ['chess'] }, /^game_types has none of even_odd$/],
    ['a private address', { contact_endpoint: 'http://10.0.0.1:8101/mcp' }, /does not call that/],
    ['another scheme', { contact_endpoint: 'ftp://127.0.0.1/mcp' }, /has to be a URL of http/],
  ])('is rejected with %s', async (_, meta, reason) => {
    const url = urlOf('order-cup')
    const somebody = new LeaguePlayer('Eve')
    const result = await somebody.register(url, {
      player_meta: { ...metaOf('Eve', 'http://127.0.0.1:8101/mcp'), ...meta },
    })
    expect(result).toMatchObject({ status: 'REJECTED', player_id: '' })
    expect(result.reason).toMatch(reason)
  })

  it('needs every field of what it says of itself', async () => {
    const { version: _, ...meta } = metaOf('Eve', 'http://127.0.0.1:8101/mcp')
    const { error } = await new LeaguePlayer('Eve').send(urlOf('order-cup'), {
      ...{ message_type: 'LEAGUE_REGISTER_REQUEST', player_meta: meta },
    })
    expect(error.data).toMatchObject({
      ...{ error_code: 'E003', context: { field: 'player_meta.version' } },
    })
  })
})

it('a player is told its next match, and the schedule', async () => {
  const url = await open('long-cup', { startsWith: 3, options: { join: 60_000 } })
  const habit: Habit = ({ params }) => params.message_type === 'GAME_INVITATION'
  const [ann, bob, cid] = [
    await listening('Ann', { habit }),
    await listening('Bob', { habit }),
    await listening('Cid', { habit }),
  ]
  for (const player of [ann, bob, cid]) await player.register(url)
  await vi.waitFor(() => expect(bob.got('GAME_INVITATION')).toHaveLength(1), 5_000)
  expect(bob.got('GAME_INVITATION')[0]).toMatchObject({
    ...{ match_id: 'R1M1', role_in_match: 'PLAYER_A', opponent_id: 'P03', round_id: 1 },
    ...{ game_type: 'even_odd', league_id: 'long-cup' },
  })
  const { data } = (await ann.query(url, 'GET_SCHEDULE')).result
  expect(data).toMatchObject({ total_rounds: 3, current_round: 1 })
  expect(
    data.schedule.map(({ matches }: Message) =>
      matches.map((match: Message) => [match.player_A_id, match.player_B_id, match.status]),
    ),
  ).toEqual([
    [['P02', 'P03', 'in_progress']],
    [['P01', 'P03', 'scheduled']],
    [['P01', 'P02', 'scheduled']],
  ])
  const next = async (player: LeaguePlayer) =>
    (await player.query(url, 'GET_NEXT_MATCH')).result.data.next_match
  expect(await next(ann)).toMatchObject({ match_id: 'R2M1', round_id: 2, opponent_id: 'P03' })
  expect(await next(cid)).toMatchObject({ match_id: 'R1M1', round_id: 1, opponent_id: 'P02' })
  const stats = await ann.query(url, 'player_stats', { query_params: { player_id: 'P02' } })
  expect(stats.result.data.stats).toMatchObject({ player_id: 'P02', played: 0 })
  const late = await listening('Late')
  expect((await late.register(url)).reason).toBe('league already started')
  expect((await bob.register(url)).reason).toBe('league already started')
  expect((await ann.register(url, { auth_token: ann.token })).status).toBe('ACCEPTED')
})

it('a player is invited only after it has heard of the round, and of how the one before ended', async () => {
  const url = await open('order-of-rounds', { startsWith: 3 })
  const habit: Habit = async ({ params }) => {
    if (/ROUND|STANDINGS/.test(params.message_type)) await wait(300)
    return false
  }
  const three = [
    await listening('Ann', { habit }),
    await listening('Bob', { habit }),
    await listening('Cid', { habit }),
  ]
  for (const player of three) await player.register(url)
  await vi.waitFor(() => {
    for (const player of three) expect(player.got('LEAGUE_COMPLETED')).toHaveLength(1)
  }, 20_000)
  for (const { calls } of three) {
    const order = calls.map(({ message_type, round_id }) => `${message_type} ${round_id}`)
    const announced = (round: number) => order.indexOf(`ROUND_ANNOUNCEMENT ${round}`)
    for (const round of [1, 2, 3]) {
      const invited = order.indexOf(`GAME_INVITATION ${round}`)
      if (invited >= 0) expect(announced(round)).toBeLessThan(invited)
      if (round > 1)
        expect(order.slice(0, announced(round)).slice(-2)).toEqual([
          `ROUND_COMPLETED ${round - 1}`,
          `LEAGUE_STANDINGS_UPDATE ${round - 1}`,
        ])
    }
    expect(order.at(-1)).toMatch(/^LEAGUE_COMPLETED/)
  }
})

it('a league that is cancelled tells its players so, after the ends of its live matches', async () => {
  const url = await open('no-cup', { startsWith: 2 })
  let choose = () => {}
  const chosen = new Promise<void>(resolve => {
    choose = resolve
  })
  const habit: Habit = async ({ params }) => {
    if (params.message_type === 'CHOOSE_PARITY_CALL') await chosen
    return false
  }
  const two = [await listening('Ann', { habit }), await listening('Bob', { habit })]
  for (const player of two) await player.register(url)
  await vi.waitFor(() => expect(two[1]!.got('CHOOSE_PARITY_CALL')).toHaveLength(1), 5_000)
  await host.cli('event', 'cancel', 'no-cup', '--reason', 'snow')
  // The host hears within a second of what another process has written.
  await vi.waitFor(
    async () => expect((await two[0]!.query(url, 'standings')).error?.code).toBe(-32001),
    { timeout: 5_000, interval: 100 },
  )
  expect(two[0]!.got('LEAGUE_COMPLETED')).toEqual([])
  choose()
  for (const player of two) {
    await vi.waitFor(() => expect(player.got('LEAGUE_COMPLETED')).toHaveLength(1), 5_000)
    const [over, end] = player.calls.slice(-2)
    expect(over).toMatchObject({ message_type: 'GAME_OVER', match_id: 'R1M1' })
    expect(end).toMatchObject({
      ...{ message_type: 'LEAGUE_COMPLETED', league_id: 'no-cup', total_matches: 0 },
      ...{ champion: { player_id: '', display_name: '', points: 0 }, reason: 'cancelled: snow' },
    })
  }
})

it('another game is played by moves, and an illegal one is asked for again', async () => {
  let tries = 0
  const choice = ({ observation, player_id }: Message) => ({
    move: player_id === 'P01' && tries++ === 0 ? '99' : observation.legal[0],
  })
  const url = await open('ttt-cup', { game: 'ttt', startsWith: 2 })
  const [ann, bob] = [await listening('Ann', { choice }), await listening('Bob', { choice })]
  const meta = (player: LeaguePlayer) => ({
    player_meta: { ...metaOf(player.name, player.endpoint), game_types: ['ttt'] },
  })
  await ann.register(url, meta(ann))
  await bob.register(url, meta(bob))
  await vi.waitFor(() => expect(ann.got('LEAGUE_COMPLETED')).toHaveLength(1), 10_000)
  expect(ann.got('CHOOSE_MOVE_CALL')[0]).toMatchObject({ game_type: 'ttt', turn: 1 })
  expect(ann.got('GAME_ERROR')).toMatchObject([
    {
      ...{ error_code: 'E004', action_required: 'CHOOSE_MOVE_RESPONSE' },
      retry_info: { retry_count: 1, max_retries: 3 },
    },
  ])
  // Both take the first free square: seat 0 has a line first.
  expect(bob.got('GAME_OVER')[0]!.game_result).toMatchObject({
    ...{ status: 'WIN', winner_player_id: 'P01', places: { P01: 1, P02: 2 } },
  })
})

it('players wait in the ordinary queue until they leave it', async () => {
  const url = urlOf('queue')
  const [ann, bob] = [await listening('Quinn'), await listening('Quill')]
  expect(await ann.register(url)).toMatchObject({ status: 'ACCEPTED', league_id: 'queue' })
  await bob.register(url)
  await vi.waitFor(() => expect(ann.got('GAME_OVER').length).toBeGreaterThan(1), 15_000)
  expect(ann.got('GAME_OVER')[0]!.match_id).toMatch(/^M\d+$/)
  expect(ann.got('CHOOSE_PARITY_CALL')[1]!.context).toMatchObject({
    ...{ opponent_id: bob.id, round_id: 1 },
  })
  for (const player of [ann, bob])
    expect(await player.register(url, { leave: true, auth_token: player.token })).toMatchObject({
      status: 'ACCEPTED',
    })
})
