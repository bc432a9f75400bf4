// Agents that play by JSON over HTTP, over real sockets: whole matches among them and against other protocols.

import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { bodies, operations, refusal } from '../src/protocols/play/operations.ts'
import { Host } from './support/host.ts'
import { LoaAgent } from './support/loa-agent.ts'
import { type Answer, PlayAgent } from './support/play-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'

const names = ['ada', 'bert', 'cleo', 'dirk']
const credentials = new Map<string, { key: string; token: string }>()
let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_PAIR_CAP: '0' })
  for (const name of names) credentials.set(name, await host.account(name))
})
afterAll(() => host?.stop())

const agent = (name: string, at = host) => new PlayAgent(at.http, credentials.get(name)!.token)
const free = ({ board }: Answer): string[] =>
  board.flatMap((cell: string, at: number) => (cell === '.' ? [String(at)] : []))
const firstLegal = ({ legal }: Answer) => legal[0]

/** Plays a whole match of these agents; `choose` makes their moves. */
const match = (
  agents: readonly PlayAgent[],
  game: string,
  choose: (answer: Answer) => unknown,
): Promise<readonly Answer[]> =>
  Promise.all(agents.map(async agent => agent.play(await agent.join(game), choose)))

describe('a match', () => {
  it('of ttt between two agents is joined, played, told to both, and recorded', async () => {
    const agents = [agent('ada'), agent('bert')]
    const results = await match(agents, 'ttt', firstLegal)
    for (const over of results) {
      expect(operations.move.answer.safeParse(over).error?.issues ?? []).toEqual([])
      expect(over).toMatchObject({
        ...{ status: 'over', game: 'ttt', ending: 'rules', rated: true },
        players: expect.arrayContaining(['ada', 'bert']),
        next: expect.stringMatching(/^POST \/api\/v1\/play\/join /),
      })
    }
    expect(results.map(({ result }) => result).sort()).toEqual(['loss', 'win'])
    const [status, answer] = await agents[0]!.ask('record', { match: results[0].match })
    expect(status).toBe(200)
    expect(operations.record.answer.safeParse(answer).error?.issues ?? []).toEqual([])
    const api = await fetch(`http://127.0.0.1:${host.http}/api/v1/matches/${results[0].match}`)
    expect(answer.record).toEqual(await api.json())
    const protocols = answer.record.players.map(({ protocol }: Answer) => protocol)
    expect(protocols).toEqual(['http', 'http'])
    await host.cli('verify')
    const [, lobby] = await agents[0]!.ask('lobby', { game: 'ttt' })
    expect(operations.lobby.answer.safeParse(lobby).error?.issues ?? []).toEqual([])
    const ratings = lobby.games[0].ladders.map(({ id, rating }: Answer) => [id, rating])
    expect(ratings).toEqual([
      ...[
        ['ttt', null],
        ['ttt+blind', null],
      ],
      ...[
        ['ttt+thinking', results[0].rating],
        ['ttt+thinking+blind', null],
      ],
    ])
  })

  it.each([
    ['ttt', 'thinking', 'open', 99],
    ['ttt', 'fast', 'open', 99],
    ['ttt', 'fast', 'blind', 99],
    ['chess', 'thinking', 'open', 12],
  ])(
    'of %s, %s and %s, is played against AgentGames over SSH',
    async (game, speed, ladder, resignsAfter) => {
      const ada = agent('ada')
      // Each as its protocol asks for it, and leaves it out where it is the default.
      const joined = ada.join(game, speed === 'thinking' ? {} : { speed, ladder })
      const asked = speed === 'fast' ? [] : ['--speed', speed]
      const options = ladder === 'open' ? asked : [...asked, '--ladder', ladder]
      const other = new SshAgent(host.sshArgs(credentials.get('bert')!.key, game, ...options))
      let moves = 0
      const over = (async () => {
        for (let last = await joined; last.status !== 'over'; ) {
          if (moves++ === resignsAfter) [, last] = await ada.ask('leave', { seat: ada.seat })
          else if (last.status !== 'your_turn') last = await ada.wait()
          else last = await ada.move(last.ply, (last.legal ?? free(last.board))[0])
        }
      })()
      const heard = await other.playBy(
        state => (state.observation.legal ?? free(state.observation))[0],
      )
      await over
      const hello = other.heard.find(({ type }) => type === 'hello')!
      expect(hello).toMatchObject({
        ...{ opponent: 'ada', rated: true, moveTimeout: speed === 'fast' ? 15 : 20 },
        ...(speed === 'thinking' && { speed, bank: 600 }),
      })
      expect(hello).not.toHaveProperty('timeouts')
      expect((await joined).ladder).toBe(
        [game, ...(speed === 'fast' ? [] : [speed]), ...(ladder === 'open' ? [] : [ladder])].join(
          '+',
        ),
      )
      const answer = await ada.wait()
      expect(heard).toMatchObject({ type: 'result', rated: true, match: answer.match })
      expect([answer.result, heard.outcome].sort()).toEqual(['loss', 'win'])
      expect(answer.ending).toBe(game === 'chess' ? 'resigned' : 'rules')
    },
  )

  it('of echo, fast, is played against League of Agents', async () => {
    const bert = await LoaAgent.as(credentials.get('bert')!.token, host.http)
    const heard = bert.play('echo')
    const ada = agent('ada')
    const joined = await ada.join('echo', { speed: 'fast' })
    const over = await ada.play(joined, ({ ply }) => ({ number: 1 + (ply % 10) }))
    expect(joined).toMatchObject({ ladder: 'echo', rated: true, clock: { move_s: 15 } })
    expect(over).toMatchObject({ ending: 'rules', rated: true })
    expect(await heard).toMatchObject({ type: 'game_over' })
    bert.webSocket.close()
  })

  it('of bazaar has actions out of turn', async () => {
    let outOfTurn = 0
    const results = await match(
      [agent('ada'), agent('bert')],
      'bazaar',
      ({ status, board, you }) => {
        const { pending, proposals, round } = board
        if (pending !== null && pending.seat !== you) {
          if (status === 'may_act') outOfTurn++
          return { action: pending.offer.gold ? 'reject_trade' : 'accept_trade' }
        }
        if (status === 'may_act') return null
        if (pending === null && proposals[you] < 2)
          return { action: 'propose_trade', offer: { gold: 1 }, request: {} }
        return { action: 'message', content: `message ${round}` }
      },
    )
    for (const over of results) expect(over).toMatchObject({ status: 'over', ending: 'rules' })
    expect(outOfTurn).toBeGreaterThan(0)
  })

  it('of dance-battle has four agents', async () => {
    const agents = names.map(name => agent(name))
    const results = await match(agents, 'dance-battle', ({ board, you }) => ({
      commands: board.beatSequence.rounds[board.round - 1].beats.map(
        ({ beatIndex, kind }: Answer) =>
          kind === 'move'
            ? { beatIndex, kind, direction: ['up', 'down', 'left', 'right'][you] }
            : { beatIndex, kind: 'action', action: 'rock' },
      ),
    }))
    expect(new Set(results.map(({ match }) => match)).size).toBe(1)
    for (const over of results) {
      expect(over).toMatchObject({ status: 'over', ending: 'rules', game: 'dance-battle' })
      expect(over.places.length).toBe(4)
    }
  })

  it('of practice begins at once', async () => {
    const ada = agent('ada')
    const over = await ada.play(await ada.join('ttt', { practice: true }), firstLegal)
    expect(over).toMatchObject({ rated: false, unrated: 'practice against the house' })
  })
})

/** Cuts each call after some milliseconds, and repeats it. */
class CutAgent extends PlayAgent {
  cuts = 0

  override async ask(verb: string, body: object): Promise<[number, Answer]> {
    for (const ms of [1, 3, 9])
      try {
        await super.ask(verb, body, { signal: AbortSignal.timeout(ms) })
      } catch {
        this.cuts++
      }
    return super.ask(verb, body)
  }
}

it('a client that is cut in its calls, and repeats them, plays the same match', async () => {
  const cut = new CutAgent(host.http, credentials.get('ada')!.token)
  const results = await match([cut, agent('bert')], 'ttt', firstLegal)
  expect(results.map(({ result }) => result).sort()).toEqual(['loss', 'win'])
  expect(results[0].match).toBe(results[1].match)
  expect(cut.cuts).toBeGreaterThan(3)
  const [, { record }] = await cut.ask('record', { match: results[0].match })
  expect(record.moves.map(({ move }: Answer) => move)).toEqual(['0', '1', '2', '3', '4', '5', '6'])
  expect((await agent('ada').ask('lobby', {}))[1].seats).toContainEqual({
    ...{
      seat: cut.seat,
      game: 'ttt',
      ladder: 'ttt+thinking',
      match: results[0].match,
      status: 'over',
    },
  })
})

it('200 waits stay open beside a match over WebSocket', async () => {
  const [ada, bert] = [agent('ada'), agent('bert')]
  const waits: Promise<[number, Answer]>[] = []
  for (let n = 0; n < 100; n++)
    for (const each of [ada, bert]) {
      const { seat } = await each.join('c4', { opponent: 'dirk', wait_s: 0 })
      // From now on a join gives another seat.
      await each.wait({ wait_s: 0 })
      waits.push(each.ask('wait', { seat }))
    }
  // They wait for one opponent, and would play no other.
  const [, { games }] = await agent('cleo').ask('lobby', { game: 'c4' })
  expect(games[0].ladders[2]).toMatchObject({ id: 'c4+thinking', waiting: 0 })
  const [cleo, dirk] = ['cleo', 'dirk'].map(name =>
    host.agent(credentials.get(name)!.token, '?game=ttt'),
  )
  const played = await Promise.all([cleo!.playFirstLegal(), dirk!.playFirstLegal()])
  expect(played.map(({ outcome }) => outcome).sort()).toEqual(['loss', 'win'])
  for (const each of [ada, bert]) {
    const [, { seats }] = await each.ask('lobby', {})
    const queued = seats.filter(({ status }: Answer) => status === 'queued')
    expect(queued.length).toBe(100)
    for (const { seat } of queued) await each.ask('leave', { seat })
  }
  for (const [status, answer] of await Promise.all(waits))
    expect([status, answer.status, answer.code]).toEqual([200, 'closed', 'left'])
})

describe('a call', () => {
  it('is described in OpenAPI with what it takes', async () => {
    const description = await fetch(`http://127.0.0.1:${host.http}/api/v1/openapi.json`)
    const { paths } = (await description.json()) as Answer
    for (const [verb, body] of Object.entries(bodies)) {
      const { post } = paths[`/api/v1/play/${verb}`]
      const { schema } = post.requestBody.content['application/json']
      expect(Object.keys(schema.properties)).toEqual(Object.keys(body.shape))
      expect(post.security).toEqual([{ token: [] }])
      expect(post.responses.default.content['application/json'].schema).toMatchObject({
        required: z.toJSONSchema(refusal).required,
      })
    }
  })

  it.each([
    ['without a token', { Authorization: '' }, 401, 'bad-token'],
    ['with a wrong one', { Authorization: 'Bearer abbs_no' }, 401, 'bad-token'],
    ['that is no JSON', { 'Content-Type': 'text/plain' }, 415, 'unreadable'],
  ])('%s is refused with what can be done', async (_, headers, status, code) => {
    const [got, answer] = await agent('ada').ask('lobby', {}, { headers })
    expect([got, answer.code]).toEqual([status, code])
    expect(refusal.safeParse(answer).error?.issues ?? []).toEqual([])
  })

  it.each(['GET', 'PUT', 'DELETE'])('by %s is refused', async method => {
    const url = `http://127.0.0.1:${host.http}/api/v1/play/lobby`
    const answer = await fetch(url, { method })
    expect([answer.status, ((await answer.json()) as Answer).code]).toEqual([404, 'nothing-here'])
  })

  it('ends at once when its account is banned, and the match with it', async () => {
    await host.account('eve')
    const token = JSON.parse(await host.cli('mint-token', 'eve', '--json')).token
    const [eve, bert] = [new PlayAgent(host.http, token), agent('bert')]
    const joined = await Promise.all([eve.join('c4'), bert.join('c4')])
    const waiting = joined[0].status === 'your_turn' ? bert.wait() : eve.wait()
    await host.cli('ban', 'eve')
    await waiting
    // The result is kept first.
    await expect
      .poll(() => bert.wait({ wait_s: 0 }))
      .toMatchObject({ result: 'win', ending: 'gone' })
    expect(await eve.ask('wait', { seat: eve.seat })).toMatchObject([403, { code: 'banned' }])
  })
})

describe('a host that stops', () => {
  let stopping: Host
  afterEach(() => stopping.stop())

  const open = async (drain: string) => {
    stopping = await Host.start({ AGENTBBS_DRAIN: drain })
    const agents = []
    for (const name of ['ada', 'bert'])
      agents.push(new PlayAgent(stopping.http, (await stopping.account(name)).token))
    return agents as [PlayAgent, PlayAgent]
  }

  it('lets a match go on to its end, and opens no other', async () => {
    const [ada, bert] = await open('20')
    const joined = await Promise.all([ada.join('ttt'), bert.join('ttt')])
    const waiting = ada.ask('join', { game: 'c4' })
    const stopped = stopping.terminate()
    expect(await waiting).toMatchObject([503, { code: 'shutting-down' }])
    const results = await Promise.all([
      ada.play(joined[0], firstLegal),
      bert.play(joined[1], firstLegal),
    ])
    expect(results.map(({ result }) => result).sort()).toEqual(['loss', 'win'])
    expect(await stopped).toBe(0)
  })

  it('tells those who play that their match has no result', async () => {
    const [ada, bert] = await open('0.01')
    const joined = await Promise.all([ada.join('ttt'), bert.join('ttt')])
    const [idle, waits] = joined[0].status === 'your_turn' ? [ada, bert] : [bert, ada]
    const waiting = waits.wait()
    const stopped = stopping.terminate()
    const told = { status: 'over', result: 'aborted', because: 'the host is stopping' }
    expect(await waiting).toMatchObject(told)
    expect(await idle.wait()).toMatchObject(told)
    expect(await stopped).toBe(0)
  })
})
