// A league of league.v2 on the real host, with servers that do as they should and servers that do not.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { fold } from '../src/events/fold.ts'
import type { EventPlan } from '../src/events/plan.ts'
import { visitStore } from '../src/store/store.ts'
import { eventPlan } from './support/event-plan.ts'
import { Host } from './support/host.ts'
import { type Habit, LeaguePlayer, type Message } from './support/league-player.ts'
import { newAccount } from './support/played.ts'

let host: Host
let players: LeaguePlayer[] = []

afterEach(async () => {
  for (const player of players) player.close()
  players = []
  await host.stop()
})

// Long enough for a busy machine; the host gives the time back in which it stood still.
const windows = { join: 1_500, choice: 1_500, reply: 500 }

const open = async (given: Partial<EventPlan>) => {
  host = await Host.start({ AGENTBBS_CALL_OUT: 'loopback', LOG_LEVEL: 'warn' })
  const plan = eventPlan({
    ...{ id: 'winter-cup', game: 'even-odd', protocol: 'league.v2', showUp: 5_000 },
    options: windows,
    ...given,
  })
  inStore(({ events }) => events.append(plan.id, 0, [{ kind: 'created', plan }]))
  const url = `http://127.0.0.1:${host.http}/league/mcp`
  const other = new LeaguePlayer('somebody')
  const meta = {
    ...{ display_name: 'somebody', version: '1', game_types: ['none'] },
    contact_endpoint: 'http://127.0.0.1:1/mcp',
  }
  // The host hears within a second of what another process has written.
  await vi.waitFor(
    async () => {
      const { reason } = await other.register(url, { player_meta: meta })
      expect(reason).toMatch(/^game_types has none/)
    },
    { timeout: 5_000, interval: 100 },
  )
  return url
}

const inStore = <T>(run: (store: ReturnType<typeof visitStore>) => T): T => {
  const store = visitStore(host.data, systemClock)
  try {
    return run(store)
  } finally {
    store.db.file.close()
  }
}

const stateOf = (id: string) => inStore(({ events }) => fold(events.read(id)))

it('ends with the right table, whatever some of its servers do, and nobody waits longer than the windows', async () => {
  const url = await open({ startsWith: 8 })
  players = [
    new LeaguePlayer('Good'),
    new LeaguePlayer('Silent', { habit: () => true }),
    new LeaguePlayer('Late', {
      habit: async ({ params }) => {
        if (params.message_type === 'CHOOSE_PARITY_CALL') await wait(15_000)
        return false
      },
    }),
    new LeaguePlayer('Nonsense', { choice: () => ({ parity_choice: 'EVEN' }) }),
    new LeaguePlayer('Upper', {
      habit: ({ method, id }, response) => {
        if (method === method.toUpperCase()) return false
        const error = { code: -32601, message: 'Method not found' }
        response.writeHead(404).end(JSON.stringify({ jsonrpc: '2.0', error, id }))
        return true
      },
    }),
    new LeaguePlayer('Pusher', {
      habit: (call, response, player) => {
        const reply = player.replyTo(call)
        if (reply === undefined) return false
        response.end(JSON.stringify({ jsonrpc: '2.0', result: { status: 'ok' }, id: call.id }))
        void player.send(url, reply)
        return true
      },
    }),
    new LeaguePlayer('Elsewhere', {
      habit: (_, response) => {
        response.writeHead(307, { location: url }).end()
        return true
      },
    }),
    new LeaguePlayer('Huge', {
      habit: (_, response) => {
        response.end('x'.repeat(5_000_000))
        return true
      },
    }),
  ]
  const since = Date.now()
  for (const player of players) {
    await player.listen()
    expect(await player.register(url)).toMatchObject({
      status: 'ACCEPTED',
      league_id: 'winter-cup',
    })
  }
  expect(players.map(({ id }) => id)).toEqual([
    'P01',
    'P02',
    'P03',
    'P04',
    'P05',
    'P06',
    'P07',
    'P08',
  ])
  const [good] = players
  await vi.waitFor(() => expect(good!.got('LEAGUE_COMPLETED')).toHaveLength(1), {
    timeout: 80_000,
    interval: 100,
  })
  // Seven rounds, each of one invitation and one choice at most.
  expect(Date.now() - since).toBeLessThan(7 * (windows.join + windows.choice + 2_000))
  const [completed] = good!.got('LEAGUE_COMPLETED')
  const rows = new Map<string, Message>(
    completed!.final_standings.map((row: Message) => [row.display_name, row]),
  )
  expect(completed).toMatchObject({ total_rounds: 7, total_matches: 28, league_id: 'winter-cup' })
  // The three that answer win against all others, and draw with each other: all of them call even.
  for (const name of ['Good', 'Upper', 'Pusher'])
    expect(rows.get(name)).toMatchObject({ played: 7, wins: 5, draws: 2, losses: 0, points: 17 })
  expect(rows.get('Late')).toMatchObject({ wins: 4, draws: 0, losses: 3, points: 12 })
  expect(rows.get('Nonsense')).toMatchObject({ wins: 3, draws: 0, losses: 4, points: 9 })
  for (const name of ['Silent', 'Elsewhere', 'Huge'])
    expect(rows.get(name)).toMatchObject({ wins: 0, draws: 0, losses: 7, points: 0 })
  expect(good!.got('ROUND_ANNOUNCEMENT').map(({ round_id }) => round_id)).toEqual([
    1, 2, 3, 4, 5, 6, 7,
  ])
  expect(good!.got('ROUND_COMPLETED')).toHaveLength(7)
  expect(good!.got('GAME_OVER')).toHaveLength(7)
  expect(good!.got('ROUND_COMPLETED')[0]!.summary.total_matches).toBe(4)
  const over = good!.got('GAME_OVER').map(({ game_result }) => game_result)
  expect(over.filter(({ status }) => status === 'TECHNICAL_LOSS')).toHaveLength(5)
  for (const { status, winner_player_id, drawn_number } of over)
    if (status === 'TECHNICAL_LOSS') expect([winner_player_id, drawn_number]).toEqual([good!.id, 0])
    else expect([status, winner_player_id]).toEqual(['DRAW', null])
  expect(players[3]!.got('GAME_ERROR').some(({ error_code }) => error_code === 'E004')).toBe(true)
  // No token of an agent is in the log, and each line is JSON with a conversation.
  const log = readFileSync(join(host.data, 'events', 'winter-cup.log'), 'utf8')
  for (const { token } of players) expect(log).not.toContain(token)
  for (const line of log.trimEnd().split('\n'))
    expect(JSON.parse(line)).toHaveProperty('conversation_id')
  expect(stateOf('winter-cup').status).toBe('finished')
}, 100_000)

it('is played by the starter player, of which two copies are enough', async () => {
  const url = await open({ startsWith: 2, options: {} })
  const ends = ['Coin Fan', 'Odd One'].map(name => {
    const child = spawn('python3', [
      'examples/league_player.py',
      url,
      '--name',
      name,
      '--port',
      '0',
    ])
    let said = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        said += chunk
      })
    return once(child, 'close').then(([code]) => `${said}exit ${code}`)
  })
  for (const said of await Promise.all(ends)) {
    expect(said).toMatch(
      /^(Coin Fan|Odd One) is P0[12] in winter-cup\nR1M1 \{"status": "(WIN|DRAW)"/,
    )
    expect(said).toMatch(/champion: .*\nexit 0$/)
  }
}, 60_000)

it('gives matches to a referee from elsewhere, takes its reports once, and does not wait for it for ever', async () => {
  const url = await open({ startsWith: 4, options: { ...windows, report: 6_000, queued: 0 } })
  const referee = await new LeaguePlayer('Whistle').listen()
  players = [referee]
  const { result } = await referee.send(url, {
    message_type: 'REFEREE_REGISTER_REQUEST',
    sender: 'referee:REF07',
    referee_meta: {
      ...{ display_name: 'Whistle', version: '1', game_types: ['even_odd'] },
      contact_endpoint: referee.endpoint,
    },
  })
  expect(result).toMatchObject({ status: 'ACCEPTED', referee_id: 'REF07' })
  for (const name of ['Ann', 'Bob', 'Cid', 'Dot']) {
    const player = await new LeaguePlayer(name).listen()
    players.push(player)
    await player.register(url)
  }
  const report = (match: Message, round_id: number, winner: string | null, more: Message = {}) =>
    referee.send(url, {
      ...{ message_type: 'MATCH_RESULT_REPORT', sender: 'referee:REF07', round_id },
      ...{ auth_token: result.auth_token, league_id: 'winter-cup', match_id: match.match_id },
      result: { status: winner === null ? 'DRAW' : 'WIN', winner, score: {}, details: {} },
      ...more,
    })
  const announced = async (round: number) => {
    await vi.waitFor(() => expect(referee.got('ROUND_ANNOUNCEMENT')).toHaveLength(round), 20_000)
    const { matches } = referee.got('ROUND_ANNOUNCEMENT')[round - 1]!
    expect(matches.map(({ referee_id }: Message) => referee_id)).toEqual(['REF00', 'REF07'])
    expect(matches[1]).toMatchObject({ referee_endpoint: referee.endpoint })
    expect(matches[1].player_A_endpoint).toMatch(/^http:\/\/127\.0\.0\.1:/)
    return matches as readonly Message[]
  }
  const [own, first] = await announced(1)
  // Not its match, not one of the players, and not its token.
  expect((await report(own!, 1, 'P01')).error.code).toBe(-32602)
  expect((await report(first!, 1, 'P01')).error.code).toBe(-32602)
  expect((await report(first!, 1, 'P09')).error.data.error_code).toBe('E005')
  expect((await report(first!, 1, 'P02', { auth_token: 'x' })).error.data.error_code).toBe('E012')
  expect((await report(first!, 1, 'P02')).result).toMatchObject({
    ...{ message_type: 'MATCH_RESULT_ACK', match_id: 'R1M2', status: 'recorded' },
  })
  expect((await report(first!, 1, 'P02')).result.status).toBe('recorded')
  expect((await report(first!, 1, 'P03')).error.code).toBe(-32602)
  const [, second] = await announced(2)
  expect((await report(second!, 2, null)).result.status).toBe('recorded')
  await announced(3)
  // It says nothing of its last match, which is void.
  await vi.waitFor(() => expect(players[1]!.got('LEAGUE_COMPLETED')).toHaveLength(1), 20_000)
  expect(players[1]!.got('LEAGUE_COMPLETED')[0]).toMatchObject({ total_matches: 5 })
  const legs = stateOf('winter-cup').rounds.flatMap(({ boards }) => boards.map(({ legs }) => legs))
  expect(legs.map(([leg]) => leg && leg.match === null)).toEqual([
    false,
    true,
    false,
    true,
    false,
    undefined,
  ])
}, 60_000)

it('has agents of other protocols in it, who are asked by their own, and goes on after a crash', async () => {
  const url = await open({ startsWith: 4 })
  const slow: Habit = async ({ params }) => {
    if (params.message_type === 'GAME_INVITATION') await wait(200)
    return false
  }
  const servers = ['Ann', 'Bob', 'Cid'].map(name => new LeaguePlayer(name, { habit: slow }))
  players = servers
  for (const player of servers) {
    await player.listen()
    await player.register(url)
  }
  const { token, id } = inStore(({ users, tokens }) => {
    const account = newAccount(users, 'dot')
    return { token: tokens.mint(account, '').token, id: account.id }
  })
  // As the join of an agent does.
  inStore(({ events }) => {
    const { length } = events.read('winter-cup')
    const entered = { kind: 'entered', account: id, name: 'dot', rating: 1500 } as const
    return events.append('winter-cup', length, [entered])
  })
  const play = async () => {
    for (;;) {
      const agent = host.agent(token, '?game=even-odd')
      const closed = agent.closed.catch(() => 0)
      await agent.playFirstLegal().catch(() => {})
      await closed
      if (stateOf('winter-cup').status === 'finished') return
    }
  }
  await vi.waitFor(() => expect(stateOf('winter-cup').rounds.length).toBe(1), 5_000)
  await host.kill()
  await host.serve()
  void play()
  await vi.waitFor(() => expect(stateOf('winter-cup').status).toBe('finished'), 20_000)
  const { rounds } = stateOf('winter-cup')
  const legs = rounds.flatMap(({ boards }) => boards.flatMap(({ legs }) => legs))
  expect(legs).toHaveLength(6)
  expect(new Set(legs.map(({ match }) => match)).size).toBe(6)
}, 60_000)
