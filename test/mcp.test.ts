// Agents that play by MCP with the SDK's own clients, over real sockets: among them, and against other protocols.

import { SdkHttpError } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { games } from '../src/games/index.ts'
import { Host } from './support/host.ts'
import { LoaAgent } from './support/loa-agent.ts'
import { connect, type Era, eras, McpAgent } from './support/mcp-agent.ts'
import { type Answer, PlayAgent } from './support/play-agent.ts'

const names = ['ada', 'bert', 'cleo', 'dirk']
const tokens = new Map<string, string>()
let host: Host

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_PAIR_CAP: '0' })
  for (const name of names) tokens.set(name, (await host.account(name)).token)
})
afterAll(() => host?.stop())

const agent = (name: string, era?: Era): McpAgent => {
  const made = new McpAgent(host.http, tokens.get(name)!, era)
  onTestFinished(() => made.close())
  return made
}
const firstLegal = ({ legal }: Answer) => legal[0]

describe.each(eras)('the client of %s', era => {
  it('finds tools, rules and a prompt, and the lobby without a token', async () => {
    const client = await connect(host.http, null, era)
    onTestFinished(() => client.close())
    expect(client.getServerVersion()).toMatchObject({ name: 'agentbbs', title: 'AgentBBS' })
    expect(client.getInstructions()).toContain('next')
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      ...['lobby', 'join', 'move', 'wait', 'leave', 'record'],
    ])
    for (const { annotations } of tools) expect(annotations?.readOnlyHint).toBeTypeOf('boolean')
    expect((await client.listResources()).resources.length).toBe(2 * games.length)
    const { contents } = await client.readResource({ uri: 'agentbbs://rules/ttt' })
    expect(contents).toMatchObject([{ mimeType: 'text/markdown' }])
    const [prompt] = (await client.listPrompts()).prompts
    const { messages } = await client.getPrompt({ name: prompt!.name, arguments: { game: 'ttt' } })
    expect(messages).toHaveLength(1)
    const lobby = (await client.callTool({ name: 'lobby', arguments: {} })) as Answer
    expect(JSON.parse(lobby.content[0].text)).toMatchObject({ status: 'lobby' })
    const join = (await client.callTool({ name: 'join', arguments: { game: 'ttt' } })) as Answer
    expect(join.isError).toBe(true)
    expect(join.content[0].text).toContain('POST /api/v1/accounts')
  })

  it('is told 401 for a wrong token', async () => {
    const error = await connect(host.http, 'abbs_wrong', era).catch(error => error)
    expect(error instanceof SdkHttpError ? error.status : error.code).toBe(401)
  })

  it('hears that another call has left the seat for which it waits', async () => {
    const client = await connect(host.http, tokens.get('ada')!, era)
    onTestFinished(() => client.close())
    const joined = (await client.callTool({
      ...{ name: 'join', arguments: { game: 'go19', wait_s: 0 } },
    })) as Answer
    const { seat } = JSON.parse(joined.content[0].text)
    const waiting = client.callTool({ name: 'wait', arguments: { seat } })
    const left = (await client.callTool({ name: 'leave', arguments: { seat } })) as Answer
    expect(JSON.parse(left.content[0].text)).toMatchObject({ status: 'closed', code: 'left' })
    expect(JSON.parse(((await waiting) as Answer).content[0].text).status).toMatch(
      /closed|superseded/,
    )
  })
})

it('clients of both eras meet, and the record tells by which protocol they played', async () => {
  const agents = eras.map((era, i) => agent(names[i]!, era))
  const results = await Promise.all(
    agents.map(async each => each.play(await each.join('ttt'), firstLegal)),
  )
  expect(results.map(({ result }) => result).toSorted()).toEqual(['loss', 'win'])
  expect(results).toMatchObject(Array(2).fill({ rated: true, ending: 'rules' }))
  const [, { record }] = await agents[0]!.ask('record', { match: results[0].match })
  expect(record.players.map(({ protocol }: Answer) => protocol)).toEqual(['mcp', 'mcp'])
  await host.cli('verify')
})

it('an agent by MCP meets one of AgentGames on the ladder of thinking', async () => {
  const ada = agent('ada')
  const other = host.agent(tokens.get('bert')!, '?game=ttt&speed=thinking')
  const [over, heard] = await Promise.all([
    ada.join('ttt').then(joined => ada.play(joined, firstLegal)),
    other.playFirstLegal(),
  ])
  expect(heard).toMatchObject({ type: 'result', rated: true, match: over.match })
  expect([over.result, heard.outcome].toSorted()).toEqual(['loss', 'win'])
  const ladder = JSON.parse(await host.cli('ladder', 'ttt', '--speed', 'thinking', '--json'))
  expect(JSON.stringify(ladder)).toContain('"bert"')
})

it('an agent by MCP meets one of League of Agents on the ladder that both play on', async () => {
  const ada = agent('ada')
  const other = await LoaAgent.as(tokens.get('bert')!, host.http)
  const joined = ada.join('echo', { speed: 'fast' })
  const [over, heard] = await Promise.all([
    joined.then(first => ada.play(first, () => ({ number: 5 }))),
    other.play('echo'),
  ])
  expect(over).toMatchObject({ status: 'over', game: 'echo', rated: true, ending: 'rules' })
  expect(heard.gameId ?? '').toContain(String(over.match))
  other.webSocket.close()
})

it('an agent by MCP and one by HTTP share the seats of their account', async () => {
  const [ada, bert] = [agent('ada'), agent('bert')]
  const first = await Promise.all([ada.join('ttt'), bert.join('ttt')])
  const byHttp = new PlayAgent(host.http, tokens.get('ada')!)
  byHttp.seat = ada.seat
  const results = await Promise.all([
    byHttp.play(first[0], firstLegal),
    bert.play(first[1], firstLegal),
  ])
  expect(results.map(({ result }) => result).toSorted()).toEqual(['loss', 'win'])
})

/** Cuts each call after some milliseconds, and repeats it. */
class CutAgent extends McpAgent {
  cuts = 0

  override async ask(tool: string, given: object): Promise<[number, Answer]> {
    for (const timeout of [1, 4, 12])
      try {
        await super.ask(tool, given, { timeout })
      } catch {
        this.cuts++
      }
    return super.ask(tool, given)
  }
}

it.each(eras)(
  'a client of %s that cuts its calls, and repeats them, plays the same match',
  async era => {
    const cut = new CutAgent(host.http, tokens.get('ada')!, era)
    const bert = agent('bert')
    const results = await Promise.all(
      [cut, bert].map(async each => each.play(await each.join('ttt'), firstLegal)),
    )
    expect(results.map(({ result }) => result).toSorted()).toEqual(['loss', 'win'])
    expect(cut.cuts).toBeGreaterThan(3)
    const [, { record }] = await bert.ask('record', { match: results[0].match })
    expect(record.moves.map(({ move }: Answer) => move)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
      '5',
      '6',
    ])
    await cut.close()
  },
)

it('a host stops while calls wait, and ends its thread', async () => {
  const stopping = await Host.start({ AGENTBBS_DRAIN: '0.01' })
  onTestFinished(() => stopping.stop())
  const [ada, bert] = await Promise.all(
    ['ada', 'bert'].map(
      async name => new McpAgent(stopping.http, (await stopping.account(name)).token),
    ),
  )
  const joined = await Promise.all([ada!.join('ttt'), bert!.join('ttt')])
  const waits = joined[0].status === 'your_turn' ? bert! : ada!
  // Its last words may come from the thread, or from the wire before them.
  const words = waits.wait().then(({ because }) => because, String)
  const stopped = stopping.terminate()
  expect(await words).toContain('the host is stopping')
  expect(await stopped).toBe(0)
})
