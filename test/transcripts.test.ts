// What agents hear by AgentGames, byte by byte, as it was recorded: agents written elsewhere depend on it.
// `RECORD=1 npx vitest run test/transcripts.test.ts` records it again, after a change that is meant.

import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from './support/host.ts'
import type { ScriptedAgent } from './support/scripted-agent.ts'
import { SshAgent } from './support/ssh-agent.ts'

let host: Host
const credentials = new Map<string, { key: string; token: string }>()
const names = ['ada', 'bert', 'cleo', 'dirk']

beforeAll(async () => {
  host = await Host.start({ AGENTBBS_GAME_MOVE_TIMEOUT: '60', AGENTBBS_PAIR_CAP: '0' })
  for (const name of names) credentials.set(name, await host.account(name))
})
afterAll(() => host?.stop())

const byWebSocket = (name: string, query: string) => host.agent(credentials.get(name)!.token, query)
const bySsh = (name: string, ...command: string[]) =>
  new SshAgent(host.sshArgs(credentials.get(name)!.key, ...command))

/** The agents by seat, each told that it is seated. */
const seated = async <T extends ScriptedAgent>(...agents: T[]): Promise<T[]> => {
  const bySeat: T[] = []
  for (const agent of agents) bySeat[(await agent.next('hello')).player] = agent
  return bySeat
}

const turn = async (agent: ScriptedAgent, move: unknown) => {
  while (!(await agent.next('state')).yourTurn);
  agent.move(move)
}

/** What each agent heard and how its connection ended, with what chance or the clock decides left out. */
const transcript = async (...agents: ScriptedAgent[]): Promise<string> => {
  const heard: string[] = []
  for (const [seat, agent] of agents.entries()) {
    const end = await agent.closed
    heard.push(`seat ${seat}`, ...agent.lines, `closed with ${end}`)
    if (agent instanceof SshAgent && agent.words !== '') heard.push(agent.words.trimEnd())
  }
  const seats = new Map(
    agents.flatMap(({ heard }, seat) => {
      const hello = heard.find(({ type }) => type === 'hello')
      if (hello?.players !== undefined)
        return (hello.players as string[]).map((name, seat) => [name, `seat-${seat}`])
      return hello === undefined ? [] : [[hello.opponent as string, `seat-${1 - seat}`]]
    }),
  )
  return heard
    .join('\n')
    .replace(/"timeLeft":\d+/g, '"timeLeft":0')
    .replace(/"match":\d+/g, '"match":1')
    .replace(/"rating":[\d.]+/g, '"rating":1500')
    .replace(/"change":[-\d.e]+/g, '"change":0')
    .replace(/"opponent":"[^"]*, [^"]*"/g, '"opponent":"all others"')
    .replace(/"(\w+)"/g, (quoted, name) => `"${seats.get(name) ?? quoted.slice(1, -1)}"`)
}

const recorded = (name: string, transcript: string) => {
  const path = fileURLToPath(new URL(`transcripts/${name}.txt`, import.meta.url))
  const text = `${transcript}\n`
  if (process.env.RECORD === '1') writeFileSync(path, text)
  expect(existsSync(path), path).toBe(true)
  expect(text).toBe(readFileSync(path, 'utf8'))
}

it.each([
  ['WebSocket', (name: string, game: string) => byWebSocket(name, `?game=${game}`)],
  ['SSH', (name: string, game: string) => bySsh(name, game)],
] as const)('a match over %s', async (wire, dial) => {
  const [x, o] = await seated<ScriptedAgent>(dial('ada', 'ttt'), dial('bert', 'ttt'))
  await turn(x!, '4')
  await turn(o!, '0')
  await turn(x!, '2')
  x!.move('8')
  x!.say({ type: 'dance' })
  x!.write('nonsense')
  x!.say({ type: 'join', game: 'c4' })
  for (let i = 0; i < 3; i++) await x!.next('error')
  await turn(o!, '1')
  o!.say({ type: 'ping' })
  await o!.next('pong')
  await turn(x!, '6')
  recorded(`match-${wire}`, await transcript(x!, o!))
})

it('an illegal move, a resignation, and a lost connection', async () => {
  for (const [name, end] of Object.entries({
    illegal: (agent: ScriptedAgent) => agent.move('9'),
    resignation: (agent: ScriptedAgent) => agent.say({ type: 'resign' }),
    lost: (agent: ScriptedAgent) => (agent as ReturnType<typeof byWebSocket>).webSocket.close(),
  })) {
    const [x, o] = await seated(byWebSocket('ada', '?game=ttt'), byWebSocket('bert', '?game=ttt'))
    await turn(x!, '4')
    await o!.next('state')
    await o!.next('state')
    end(o!)
    recorded(name, await transcript(x!, o!))
  }
})

it('two matches on one connection', async () => {
  const agents = [
    byWebSocket('ada', '?game=ttt&matches=2'),
    byWebSocket('bert', '?game=ttt&matches=2'),
  ]
  for (let match = 0; match < 2; match++) {
    const [x] = await seated(...agents)
    x!.say({ type: 'resign' })
    for (const agent of agents) await agent.next('result')
  }
  const kinds = await transcript(...agents)
  recorded(
    'two-matches',
    kinds.replace(
      /"player":\d|"outcome":"\w+"|"winner":\d|"yourTurn":\w+(,"timeLeft":0)?/g,
      '"by":"chance"',
    ),
  )
})

it('a match of four', async () => {
  const seats = await seated(...names.map(name => byWebSocket(name, '?game=dance-battle')))
  for (const agent of seats.slice(1)) {
    agent.say({ type: 'resign' })
    agent.say({ type: 'ping' })
    await agent.next('pong')
  }
  recorded('match-of-four', await transcript(...seats))
})

it('joins that are refused', async () => {
  const refused: string[] = []
  for (const query of [
    'game=tttt',
    'game=',
    'gmae=ttt',
    'game=ttt&matches=0',
    'game=ttt&matches=many',
    'game=ttt&practice=godlike',
    'game=ttt&practice=1&opponent=bert',
    'game=ttt&opponent=ada',
    'game=ttt&opponent=nobody-here',
    'game=ttt&opponent=house-ttt',
    'game=ttt&practice=1&practice=0',
  ])
    refused.push(query, await transcript(byWebSocket('ada', `?${query}`)))
  for (const command of [
    ['tttt'],
    ['ttt', '--matches', '0'],
    ['ttt', '--practise'],
    ['ttt --opponent nobody-here'],
  ])
    refused.push(command.join(' '), await transcript(bySsh('ada', ...command)))
  const line = byWebSocket('ada', '')
  await line.opened()
  line.say({ type: 'join', game: 'ttt', practice: 'godlike' })
  refused.push('a join by message', await transcript(line))
  recorded('joins', refused.join('\n'))
})

it('messages that end a connection', async () => {
  const ended: string[] = []
  const long = byWebSocket('ada', '?game=ttt')
  await long.next('queued')
  long.write('x'.repeat(70_000))
  ended.push(await transcript(long))
  const binary = byWebSocket('ada', '?game=ttt')
  await binary.next('queued')
  binary.webSocket.send(Buffer.from([1, 2]))
  await binary.next('error')
  binary.webSocket.close()
  ended.push(await transcript(binary))
  const rude = byWebSocket('ada', '?game=ttt')
  await rude.next('queued')
  for (let i = 0; i < 20; i++) rude.write('?')
  ended.push(await transcript(rude))
  recorded('endings', ended.join('\n'))
})

it('logins that are refused', async () => {
  const heard: string[] = []
  for (const [what, head] of Object.entries({
    'no token': 'GET /play?game=ttt HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket',
    'a wrong token':
      'GET /play?game=ttt HTTP/1.1\r\nAuthorization: Bearer wrong\r\nConnection: Upgrade\r\nUpgrade: websocket',
    'no handshake': `GET /play?game=ttt HTTP/1.1\r\nAuthorization: Bearer ${credentials.get('ada')!.token}\r\nConnection: Upgrade\r\nUpgrade: websocket`,
    'no upgrade': 'GET /play HTTP/1.1\r\nConnection: close',
    'another path': 'GET /pray HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket',
    'a POST': 'POST /play HTTP/1.1\r\nConnection: close',
    'a long address': `GET /${'x'.repeat(3_000)} HTTP/1.1\r\nConnection: close`,
  }))
    heard.push(what, await answerTo(head))
  recorded('logins', heard.join('\n'))
})

/** The answer to a request as it is sent, without the date. */
const answerTo = async (head: string): Promise<string> => {
  const socket = connect(host.http, '127.0.0.1')
  socket.write(`${head}\r\nHost: localhost\r\n\r\n`)
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
    const length = /Content-Length: (\d+)/.exec(answer)?.[1]
    if (answer.split('\r\n\r\n')[1]?.length === Number(length)) socket.destroy()
  })
  await once(socket, 'close')
  return answer.replace(/Date: .*\r\n/, '').replaceAll('\r', '')
}
