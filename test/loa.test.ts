// League of Agents over real sockets: whole matches of its games, as players and spectators are told of them.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import { LoaAgent } from './support/loa-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'
import type { Heard } from './support/websocket-agent.ts'

const names = ['ada', 'bert', 'cleo', 'dirk']
const credentials = new Map<string, { key: string; token: string }>()
let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_PAIR_CAP: '0' }, { constants: { limits: { loginTime: 300 } } })
  for (const name of names) credentials.set(name, await host.account(name))
})
afterAll(() => host?.stop())

const agent = (name: string) =>
  LoaAgent.as(credentials.get(name)!.token, host.http, names.indexOf(name) + 1)

/** Plays a match to its end, and resolves with what each player and a spectator heard of it. */
const match = async (game: string, seats: number) => {
  const agents = await Promise.all(names.slice(0, seats).map(agent))
  const guest = await new LoaAgent(host.http).opened()
  const over = agents.map(each => each.play(game))
  const { gameId } = await waitFor(agents[0]!, 'matched')
  guest.subscribe(gameId)
  await Promise.all(over)
  await guest.next('game_over')
  for (const each of [...agents, guest]) each.webSocket.close()
  return { agents, guest }
}

/** Without reading, which the agent does itself. */
const waitFor = async ({ heard }: LoaAgent, type: string): Promise<Heard> => {
  for (;;) {
    const found = heard.find(message => message.type === type)
    if (found !== undefined) return found
    await new Promise(resolve => setImmediate(resolve))
  }
}

const games = [
  ['echo', 2],
  ['blotto', 2],
  ['skill-gomoku', 2],
  ['dance-battle', 4],
  ['resource-rush', 2],
] as const

describe.each(games)('a match of %s', (game, seats) => {
  let players: readonly (readonly Heard[])[]
  let watched: readonly Heard[]

  beforeAll(async () => {
    const { agents, guest } = await match(game, seats)
    players = agents.map(({ heard }) => heard)
    watched = guest.heard
  })

  it('follows each matched by a game_state, and asks for moves only after one', () => {
    for (const heard of players) {
      const matched = heard.findIndex(({ type }) => type === 'matched')
      expect(heard[matched + 1]!.type).toBe('game_state')
      for (const [i, { type }] of heard.entries())
        if (type === 'your_turn') expect(heard[i - 1]!.type).toBe('game_state')
    }
  })

  it('tells of skills before the turn, and of the turn before the next board', () => {
    for (const heard of [...players, watched])
      for (const [i, { type }] of heard.entries()) {
        if (type === 'skill_effect') expect(heard[i + 1]!.type).toBe('turn_update')
        if (type === 'turn_update') expect(heard[i + 1]!.type).toBe('game_state')
      }
    const skills = players[0]!.filter(({ type }) => type === 'skill_effect')
    expect(skills.length > 0).toBe(game === 'skill-gomoku')
  })

  it('answers an accepted move by move_result and thinking', () => {
    for (const heard of players) {
      const { agentId } = heard.find(({ type }) => type === 'authenticated')!
      for (const [i, { type, success }] of heard.entries())
        if (type === 'move_result') {
          expect(success).toBe(true)
          expect(heard[i + 1]).toMatchObject({ type: 'thinking', agentId, thinking: false })
        }
    }
  })

  it('tells each round once, in order, to players and spectators', () => {
    const first = watched[0]!.round
    for (const heard of [...players, watched]) {
      const rounds = heard.filter(({ type }) => type === 'turn_update').map(({ round }) => round)
      const { totalRounds } = heard.at(-1)!
      expect(rounds[0]).toBe(heard === watched ? first : 1)
      expect(rounds).toEqual(rounds.map((_, i) => rounds[0] + i))
      expect(rounds.at(-1)).toBe(totalRounds)
    }
  })

  it('ends with a completed board and game_over', () => {
    for (const heard of [...players, watched]) {
      const [board, over] = heard.slice(-2)
      expect(board).toMatchObject({ type: 'game_state', status: 'completed' })
      expect(over).toMatchObject({ type: 'game_over', gameId: board!.gameId })
      expect(board!.round).toBe(over!.totalRounds)
      const ranked = over!.rankings.map(({ agentId }: Heard) => agentId).sort()
      expect(ranked).toEqual(board!.players.map(({ agentId }: Heard) => agentId).sort())
    }
  })

  it('can be asked for again by a spectator', async () => {
    const { gameId } = watched.at(-1)!
    const guest = await new LoaAgent(host.http).opened()
    guest.subscribe(gameId)
    expect(await guest.next()).toMatchObject({ type: 'game_state', status: 'completed' })
    expect(await guest.next()).toEqual(watched.at(-1))
    guest.webSocket.close()
  })
})

it('verify plays all these matches again', async () => {
  expect(await host.cli('verify')).toContain('all ratings and points are as they should be')
})

describe('a connection', () => {
  it('may stay as long as it likes without a login', async () => {
    const guest = await new LoaAgent(host.http).opened()
    // Longer than the time in which clients of other protocols have to log in.
    await new Promise(resolve => setTimeout(resolve, 500))
    guest.say({ type: 'ping' })
    expect((await guest.next()).type).toBe('pong')
    guest.webSocket.close()
  })

  it('ends with 1009 after a frame of more than 64 KiB, and not before', async () => {
    const guest = await new LoaAgent(host.http).opened()
    guest.write(' '.repeat(65_536))
    expect(await guest.next()).toEqual({ type: 'error', message: 'Invalid JSON.' })
    guest.write(' '.repeat(65_537))
    expect(await guest.closed).toBe(1009)
  })

  it('takes binary frames for no JSON, and stays open', async () => {
    const guest = await new LoaAgent(host.http).opened()
    guest.webSocket.send(Buffer.from('{"type":"ping"}'))
    expect(await guest.next()).toEqual({ type: 'error', message: 'Invalid JSON.' })
    guest.say({ type: 'ping' })
    expect((await guest.next()).type).toBe('pong')
    guest.webSocket.close()
  })

  it('ends with 4029 at the 201st frame', async () => {
    const guest = await new LoaAgent(host.http).opened()
    for (let i = 0; i < 300; i++) guest.say({ type: 'ping' })
    expect(await guest.closed).toBe(4029)
    expect(guest.heard.filter(({ type }) => type === 'pong')).toHaveLength(200)
  })

  it('ends with 4001 once its key is revoked', async () => {
    const { token } = await host.account('eve')
    const eve = await LoaAgent.as(token, host.http)
    const [, id] = /^ *(\d+)/m.exec((await host.cli('tokens', 'eve')).replace(/^.*\n/, ''))!
    await host.cli('revoke-token', id!)
    const since = Date.now()
    expect(await eve.closed).toBe(4001)
    expect(eve.heard.at(-1)).toEqual({ type: 'error', message: 'Invalid API key.' })
    expect(Date.now() - since).toBeLessThan(5_000)
  })

  it('is refused in HTTP where it asks for no WebSocket', async () => {
    const answer = await fetch(`http://127.0.0.1:${host.http}/loa/api/v1/ws`)
    expect([answer.status, await answer.json()]).toEqual([
      426,
      { error: 'This address speaks WebSocket: connect with a WebSocket client.' },
    ])
  })
})

describe('with an agent of AgentGames over SSH', () => {
  it('meets in the same queue, and both are told what the other may take', async () => {
    const ssh = new SshAgent(host.sshArgs(credentials.get('ada')!.key, 'echo'))
    await ssh.next('queued')
    const loa = await agent('bert')
    const over = loa.play('echo')
    const hello = await ssh.next('hello')
    expect(hello).toMatchObject({ opponent: 'bert', rated: true })
    const terms = [
      { first: 15, move: 15 },
      { first: 180, move: 90 },
    ]
    expect(hello.timeouts).toEqual(hello.player === 0 ? terms : terms.reverse())
    const { timeouts } = await waitFor(loa, 'matched')
    expect(Object.values(timeouts)).toEqual(hello.timeouts)
    for (const number of [10, 9, 10, 9, 10]) {
      let state = await ssh.next('state')
      while (!state.yourTurn) state = await ssh.next('state')
      expect(state.clocks).toHaveLength(2)
      ssh.move({ number })
    }
    const [{ rankings, ratings }, result] = await Promise.all([over, ssh.next('result')])
    expect(rankings[0].agentName === 'ada').toBe(result.outcome === 'win')
    const ada = rankings.find(({ agentName }: Heard) => agentName === 'ada').agentId
    expect(ratings[ada]).toEqual({ rating: result.rating, change: result.change })
    loa.webSocket.close()
  })
})

describe('when the host stops', () => {
  it('all connections end with 1001, a match with reason error', async () => {
    const other = await Host.start({ AGENTBBS_DRAIN: '0.01' })
    try {
      const tokens = await Promise.all(['fay', 'gil'].map(name => other.account(name)))
      const [fay, gil] = await Promise.all(
        tokens.map(({ token }) => LoaAgent.as(token, other.http)),
      )
      const guest = await new LoaAgent(other.http).opened()
      for (const each of [fay!, gil!]) each.join('echo')
      await fay!.next('your_turn')
      other.process.kill('SIGTERM')
      expect(await Promise.all([fay!, gil!, guest].map(({ closed }) => closed))).toEqual([
        1001, 1001, 1001,
      ])
      expect(fay!.heard.at(-1)).toMatchObject({ type: 'game_over', reason: 'error', rated: false })
    } finally {
      await other.stop()
    }
  })
})
