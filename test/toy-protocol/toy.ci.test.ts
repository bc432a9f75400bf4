// The proof that a protocol is a folder: a real host speaks the toy protocol beside AgentGames.

import { once } from 'node:events'
import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { type Host as Running, start } from '../../src/app.ts'
import { type Limits, readConfig } from '../../src/config.ts'
import { openLog } from '../../src/log/log.ts'
import { protocolModules } from '../../src/protocols/index.ts'
import { Host } from '../support/host.ts'
import type { ScriptedAgent } from '../support/scripted-agent.ts'
import { SshAgent } from '../support/ssh-agent.ts'
import { toyModule } from './index.ts'
import type { ToyTimes } from './session.ts'
import { ToyAgent } from './toy-agent.ts'

/** The host runs in this process, so that it can be given one more protocol. */
let host: Host
let running: Running
let stop: () => Promise<void>
const agents: SshAgent[] = []
const toys: ToyAgent[] = []

interface Options {
  readonly env?: NodeJS.ProcessEnv
  readonly limits?: Partial<Limits>
  readonly times?: Partial<ToyTimes>
  readonly absence?: number
  readonly first?: number
}

/** A host whose toy notices by nothing but its connection that an agent has left. */
const open = async ({ env, limits, times, absence = 60_000, first }: Options = {}) => {
  host = Host.at({ AGENTBBS_REGISTRATION: 'open', AGENTBBS_DRAIN: '0.01', ...env })
  const config = readConfig(host.env)
  const modules = [
    ...protocolModules,
    toyModule({ poll: 20_000, pause: 60_000, ...times }, absence, first),
  ]
  running = await start(
    { ...config, limits: { ...config.limits, ...limits } },
    openLog('silent'),
    modules,
  )
  let stopped: Promise<void> | undefined
  stop = () => (stopped ??= running.stop())
  host.ssh = running.ssh
  host.http = running.http
}

afterEach(async () => {
  for (const agent of agents.splice(0)) agent.process.kill('SIGKILL')
  const stopped = stop()
  // A host that stops waits for those who have not heard their last news.
  for (const agent of toys.splice(0)) void agent.poll().catch(() => {})
  await stopped
  await host.stop()
})

const ssh = async (name: string): Promise<SshAgent> => {
  const { key } = await host.account(name)
  const agent = new SshAgent(host.sshArgs(key, 'ttt'))
  agents.push(agent)
  return agent
}

const toy = async (name = 'Toy Two', address = '192.0.2.7'): Promise<ToyAgent> => {
  const agent = new ToyAgent(host.http, address)
  toys.push(agent)
  expect(await agent.register(name)).toEqual([
    201,
    { name, key: expect.stringMatching(/^toy_[\w-]{43}$/) },
  ])
  return agent
}

/** A toy agent and an agent of AgentGames over SSH in one match. */
const pair = async () => {
  const [agent, other] = [await toy(), await ssh('anna')]
  await other.next('queued')
  expect(await agent.join()).toMatchObject([201, {}])
  const sit = await agent.next('sit')
  expect(await other.next('hello')).toMatchObject({ opponent: 'Toy Two', rated: true })
  return { agent, other, seat: sit.as as number }
}

/** All lines of an agent of AgentGames, without what differs from match to match. */
const transcript = ({ lines }: ScriptedAgent) =>
  lines.map(line =>
    line.replace(/("(?:match|timeLeft)":)[\d.]+/g, '$10').replace(/("opponent":)"[^"]*"/, '$1""'),
  )

/** Makes these moves, each when it is due. */
const play = async (agent: ScriptedAgent, moves: readonly string[]) => {
  for (const move of moves) {
    while (!(await agent.next('state')).yourTurn);
    agent.move(move)
  }
}

const winning = ['0', '1', '2']
const losing = ['3', '4', '8']

/** The lines of an agent of AgentGames that loses in this seat to another one. */
const lostToOwnKind = async (seat: number): Promise<readonly string[]> => {
  for (let n = 0; ; n++) {
    const [one, other] = [await ssh(`one-${n}`), await ssh(`other-${n}`)]
    const [loser, winner] = (await one.next('hello')).player === seat ? [one, other] : [other, one]
    await Promise.all([play(winner, winning), play(loser, losing.slice(0, 3 - seat))])
    await Promise.all([one.closed, other.closed])
    if (loser === one) return transcript(one)
  }
}

describe('a rated match between the toy protocol over HTTP and AgentGames over SSH', () => {
  it('is won by a toy agent that was cut and came back, and looks like any other', async () => {
    await open()
    const { agent, other, seat } = await pair()
    const played = play(other, losing.slice(0, 2 + seat))
    await agent.turn()
    await agent.move('0')
    await agent.turn()
    await agent.cut()
    await agent.join()
    expect(await agent.next('sit')).toMatchObject({
      as: seat,
      with: expect.arrayContaining(['anna']),
    })
    await agent.turn()
    await agent.move('1')
    await agent.turn()
    await agent.move('2')
    expect(await agent.next('place')).toEqual({ place: 1, rating: 1516 })
    await played
    expect(await other.next('result')).toMatchObject({ outcome: 'loss', rating: 1484, rated: true })
    expect(await other.closed).toBe(0)
    const record = await (await fetch(`http://127.0.0.1:${host.http}/api/v1/matches/1`)).json()
    const protocols = ['agentgames', 'agentgames'].with(seat, 'toy')
    expect(record).toMatchObject({
      ...{ game: 'ttt', status: 'done', unrated: null },
      players: protocols.map(protocol => ({ protocol })),
    })
    expect(await host.cli('ladder', 'ttt')).toMatch(/Toy Two +1516.*\n.*anna +1484/)
    expect(await host.cli('replay', '1')).toContain('three in a row')
    await host.cli('verify')
    expect(transcript(other)).toEqual(await lostToOwnKind(1 - seat))
  })

  it('is lost by a toy agent that stays away for longer than its terms allow', async () => {
    await open({ times: { poll: 300 }, absence: 300 })
    const { agent, other } = await pair()
    await agent.cut()
    expect(await other.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
    await agent.join()
    expect(await agent.poll()).toEqual([200, []])
  })

  it('is lost by one that comes no more to ask for news', async () => {
    await open({ times: { pause: 300 }, absence: 300 })
    const { other } = await pair()
    expect(await other.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
  })

  it('is lost by one that leaves a second time', async () => {
    await open()
    const { agent, other } = await pair()
    await agent.cut()
    await agent.join()
    await agent.next('board')
    await agent.cut()
    expect(await other.next('result')).toMatchObject({ reason: 'forfeit: connection closed' })
  })

  it('tells the agent of AgentGames what time the toy has, and how much of it is left', async () => {
    await open({ first: 180_000 })
    const { agent, other, seat } = await pair()
    const bySeat = <T>(toys: T, others: T) => (seat === 0 ? [toys, others] : [others, toys])
    if (seat === 1) other.move('4')
    for (const yourTurn of seat === 0 ? [false] : [true, false])
      expect(await other.next('state')).toMatchObject({ yourTurn })
    const { timeouts, clocks } = Object.assign({}, ...other.lines.map(line => JSON.parse(line)))
    expect(timeouts).toEqual(bySeat({ first: 180, move: 15 }, { first: 15, move: 15 }))
    expect(clocks).toEqual(bySeat<unknown>(expect.closeTo(180_000, -4), null))
    await agent.leave()
    expect(await other.next('result')).toMatchObject({ reason: 'resignation' })
  })

  it('is resigned', async () => {
    await open()
    const { agent, other } = await pair()
    expect(await agent.leave()).toEqual([202, {}])
    expect(await agent.next('place')).toMatchObject({ place: 2 })
    expect(await other.next('result')).toMatchObject({ reason: 'resignation' })
  })

  it('goes on while the host stops, and both hear its result', async () => {
    await open({ env: { AGENTBBS_DRAIN: '20' } })
    const { agent, other, seat } = await pair()
    const played = play(other, losing.slice(0, 2 + seat))
    const stopped = stop()
    for (const move of winning) {
      await agent.turn()
      await agent.move(move)
    }
    expect(await agent.next('place')).toMatchObject({ place: 1 })
    await played
    await other.next('result')
    await stopped
  })
})

it('two toy agents play, and each is told that the other is away and back', async () => {
  await open()
  const [one, two] = [await toy('Toy.One', '192.0.2.8'), await toy()]
  await one.join()
  await two.join()
  const { as: seat } = await two.next('sit')
  await one.next('sit')
  await two.cut()
  expect(await one.next('gone')).toEqual({ gone: seat, seconds: 60 })
  await two.join()
  expect(await one.next('back')).toEqual({ back: seat })
})

it('a second session takes the seat, and the first is told that it was replaced', async () => {
  await open()
  const { agent, seat } = await pair()
  const second = agent.again()
  await agent.next('board')
  const told = agent.next('no')
  await second.join()
  expect(await second.next('sit')).toMatchObject({ as: seat })
  expect(await told).toEqual({ no: 'replaced' })
  expect(await agent.move('0')).toMatchObject([410, { no: 'no-seat' }])
})

it('a seat of its account in another protocol is not taken', async () => {
  await open({ times: { poll: 300 } })
  const agent = await toy('anna')
  const token = JSON.parse(await host.cli('mint-token', 'anna', '--json')).token
  const [bob, anna] = [await ssh('bob'), host.agent(token, '?game=ttt')]
  await anna.next('hello')
  await agent.join()
  expect(await agent.poll()).toEqual([200, []])
  anna.say({ type: 'resign' })
  expect(await bob.next('result')).toMatchObject({ outcome: 'win' })
})

describe('a ban', () => {
  it('ends a poll that waits, in the words of the toy', async () => {
    await open()
    const agent = await toy()
    await agent.join()
    const poll = agent.poll()
    await host.cli('ban', 'Toy Two')
    const because = expect.stringContaining('banned')
    expect(await poll).toEqual([200, [{ no: 'banned', because }]])
    expect(await agent.poll()).toEqual([403, { no: 'banned', because }])
  })

  it('ends the match at once, also between two polls', async () => {
    await open()
    const { agent, other } = await pair()
    await host.cli('ban', 'Toy Two')
    expect(await other.next('result')).toMatchObject({ outcome: 'win' })
    expect(await agent.poll()).toMatchObject([403, { no: 'banned' }])
  })
})

describe('the end of the host', () => {
  it('ends the polls of those that wait for a match', async () => {
    await open()
    const agent = await toy()
    await agent.join()
    const poll = agent.poll()
    await agent.ask('GET', '/nothing')
    await stop()
    // Whether it waits already, or what its wait needs is still being fetched.
    const no = expect.stringMatching(/^(closing|shutting-down)$/)
    expect(await poll).toMatchObject([200, [{ no }]])
  })

  it('ends the polls of those that play when their time is over', async () => {
    await open()
    const { agent, other } = await pair()
    await agent.next('board')
    const told = agent.next('no')
    await agent.ask('GET', '/nothing')
    await stop()
    expect(await told).toEqual({ no: 'aborted', because: 'the host is stopping' })
    expect(await other.next('error')).toMatchObject({ code: 'match-aborted' })
  })
})

it('a client that comes between two polls hears its last news while the host stops', async () => {
  await open()
  const { agent, other } = await pair()
  const stopped = stop()
  expect(await other.next('error')).toMatchObject({ code: 'match-aborted' })
  expect(await agent.next('no')).toEqual({ no: 'aborted', because: 'the host is stopping' })
  await stopped
})

describe('a key', () => {
  it('that is wrong locks its address out, and no other', async () => {
    await open({ limits: { lockoutAfter: 3 } })
    const agent = await toy()
    const guesser = new ToyAgent(host.http)
    for (const key of ['toy_1', '', 'toy_2', 'toy_3']) {
      guesser.key = key
      expect(await guesser.join()).toMatchObject([401, { no: 'bad-token' }])
    }
    expect(await agent.join()).toMatchObject([423, { no: 'locked-out' }])
    expect(await agent.again('192.0.2.8').join()).toMatchObject([201, {}])
  })

  it('is of use in no other protocol', async () => {
    await open()
    const { key } = await toy()
    const url = `http://127.0.0.1:${host.http}/play?game=ttt&token=${key}`
    const headers = { Connection: 'Upgrade', Upgrade: 'websocket' }
    const [answer] = await once(request(url, { headers }).end(), 'response')
    expect(answer.statusCode).toBe(401)
  })

  it('of another account opens no session but its own', async () => {
    await open()
    const [agent, other] = [await toy(), await toy('Other')]
    await agent.join()
    const thief = agent.again()
    thief.key = other.key
    expect(await thief.poll()).toMatchObject([410, { no: 'no-seat' }])
  })
})

describe('registration', () => {
  it.each([
    [{ name: 'x' }, 400, 'bad-name', 'a name is 2 to 32 letters'],
    [{ name: 'toy-two' }, 409, 'name-taken', 'toy-two'],
    [{ name: 7 }, 400, 'unreadable', 'name is "7"; expected: a name'],
    [{ name: 'anna', game: 'go' }, 400, 'unreadable', 'there is no parameter "game"'],
  ])('of %j is refused in the words of the toy', async (body, status, no, because) => {
    await open()
    const agent = await toy()
    expect(await agent.ask('POST', '/accounts', body)).toEqual([
      status,
      { no, because: expect.stringContaining(because) },
    ])
  })

  it('is refused where the operator has closed it', async () => {
    await open({ env: { AGENTBBS_REGISTRATION: 'closed' } })
    expect(await new ToyAgent(host.http).register('anna')).toMatchObject([403, { no: 'closed' }])
  })

  it('has a limit for each address', async () => {
    await open()
    const statuses = new Set<number>()
    const agent = new ToyAgent(host.http)
    for (let n = 0; n < 20; n++) statuses.add((await agent.register(`agent-${n}`))[0])
    expect([...statuses]).toEqual([201])
    expect(await agent.register('late')).toMatchObject([429, { no: 'too-many-tries' }])
    await toy('other', '192.0.2.8')
  })
})

it('a poll that waits costs no page time', async () => {
  // 10 ms for all polls.
  await open({ limits: { pageTime: 1 }, times: { poll: 300 } })
  const agent = await toy()
  await agent.join()
  for (let n = 0; n < 4; n++) expect(await agent.poll()).toEqual([200, []])
})

it('a client that leaves its poll leaves the queue', async () => {
  await open()
  const agent = await toy()
  await agent.join()
  await agent.cut()
  const [one, other] = [await ssh('anna'), await ssh('bob')]
  expect(await one.next('hello')).toMatchObject({ opponent: 'bob' })
  await other.next('hello')
})

it('what the toy has no words for is refused in its own words', async () => {
  await open()
  const agent = await toy()
  expect(await agent.ask('PUT', '/accounts')).toMatchObject([404, { no: 'nothing-here' }])
  expect(await agent.join('tttt')).toMatchObject([400, { no: 'unreadable' }])
  await agent.join()
  expect(await agent.move('0')).toMatchObject([409, { no: 'no-match' }])
  expect(await agent.move(0)).toMatchObject([400, { no: 'unreadable' }])
})
