// The package as its users get it: packed, installed into an empty folder, and run by a program that speaks MCP over stdio.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Client as Client2025 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Transport2025 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { Host } from '../../test/support/host.ts'
import { type Answer, PlayAgent } from '../../test/support/play-agent.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentbbs-mcp-'))
const command = join(folder, 'node_modules/.bin/agentbbs-mcp')
const base = { PATH: process.env.PATH!, HOME: folder, npm_config_update_notifier: 'false' }
const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
let host: Host

beforeAll(async () => {
  const npm = (...args: string[]) => promisify(execFile)('npm', args, { cwd: folder, env: base })
  const from = fileURLToPath(new URL('.', import.meta.url))
  const { stdout } = await npm('pack', '--json', '--pack-destination', folder, from)
  writeFileSync(join(folder, 'package.json'), '{}')
  const packed = join(folder, JSON.parse(stdout)[0].filename)
  await npm('install', '--offline', '--no-audit', '--no-fund', packed)
  host = await Host.start()
}, 60_000)
afterAll(async () => {
  await host?.stop()
  rmSync(folder, { recursive: true })
})

const envOf = (token: string) => {
  return { ...base, AGENTBBS_URL: `http://127.0.0.1:${host.http}`, AGENTBBS_TOKEN: token }
}

/** A client of either era, with a bridge of its own. */
const connect = async (token: string, era: '2025' | '2026'): Promise<Client> => {
  const about = { name: 'test', version: '1' }
  const server = { command, env: envOf(token) }
  if (era === '2025') {
    const client = new Client2025(about)
    await client.connect(new Transport2025(server))
    return client as never
  }
  const client = new Client(about, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new StdioClientTransport(server))
  return client
}

const ask = async (client: Client, tool: string, given: object): Promise<Answer> => {
  const { content } = (await client.callTool({ name: tool, arguments: given as Answer })) as Answer
  return JSON.parse(content[0].text)
}

it('is one file, and depends on nothing', () => {
  const installed = readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })
  expect(installed.filter(file => /^@agentbbs\/mcp\//.test(file)).toSorted()).toEqual(
    ['LICENSE', 'README.md', 'agentbbs-mcp.mjs', 'package.json'].map(
      file => `@agentbbs/mcp/${file}`,
    ),
  )
  expect(installed.filter(file => file.endsWith('/package.json'))).toHaveLength(1)
})

it('its name starts it, and its page names the file that it is packed into', async () => {
  const page = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  const [, file] = /^\$ npm install --global \.\/(\S+)$/m.exec(page)!
  expect(readdirSync(folder)).toContain(file)
  const child = spawn('npx', ['-y', '@agentbbs/mcp'], { cwd: folder, env: envOf('') })
  child.stdin.end(`${JSON.stringify(ping)}\n`)
  let said = ''
  child.stdout.on('data', data => {
    said += data
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect(JSON.parse(said)).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
})

it.each(['2025', '2026'] as const)('a client of %s plays a match through it', async era => {
  const client = await connect((await host.account(`agent-${era}`)).token, era)
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.length).toBe(6)
  const { contents } = await client.readResource({ uri: 'agentbbs://rules/ttt' })
  expect(contents).toHaveLength(1)
  let last = await ask(client, 'join', { game: 'ttt', practice: true })
  const { seat } = last
  while (last.status !== 'over')
    last =
      last.status === 'your_turn'
        ? await ask(client, 'move', { seat, ply: last.ply, move: last.legal[0] })
        : await ask(client, 'wait', { seat })
  expect(last).toMatchObject({ rated: false, ending: 'rules' })
})

it('a client whose every turn is a process of its own plays a match, too', async () => {
  const [ada, bert] = [(await host.account('ada')).token, (await host.account('bert')).token]
  const turn = async (tool: string, given: object) => {
    const client = await connect(ada, '2026')
    const answer = await ask(client, tool, given)
    await client.close()
    return answer
  }
  const other = new PlayAgent(host.http, bert)
  const opposed = other.join('ttt').then(first => other.play(first, ({ legal }) => legal[0]))
  let last = await turn('join', { game: 'ttt' })
  const { seat } = last
  while (last.status !== 'over')
    last =
      last.status === 'your_turn'
        ? await turn('move', { seat, ply: last.ply, move: last.legal[0], wait_s: 1 })
        : await turn('wait', { seat })
  expect([last.result, (await opposed).result].toSorted()).toEqual(['loss', 'win'])
})

/** A bridge that is spoken to by lines. */
const bridge = (env: NodeJS.ProcessEnv) => {
  const child: ChildProcess = spawn(command, { env: { ...base, ...env } })
  onTestFinished(() => void child.kill())
  const heard: Answer[] = []
  createInterface({ input: child.stdout! }).on('line', line => heard.push(JSON.parse(line)))
  return {
    child,
    heard,
    say: (message: unknown) =>
      child.stdin!.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`),
  }
}

/** A host that answers each request like this. */
const hostThat = async (answers: RequestListener) => {
  const server = createServer(answers).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

it('a request that is cancelled ends at the host, and is not answered', async () => {
  const events: string[] = []
  const url = await hostThat((request, response) => {
    events.push('asked')
    response.on('close', () => events.push('left'))
    request.resume()
  })
  const { say, heard } = bridge({ AGENTBBS_URL: url })
  say(ping)
  await expect.poll(() => events).toEqual(['asked'])
  say({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  await expect.poll(() => events).toEqual(['asked', 'left'])
  say('{')
  await expect.poll(() => heard.map(({ id }) => id)).toEqual([null])
})

it('messages are passed on as they come', async () => {
  const progress = { jsonrpc: '2.0', method: 'notifications/progress', params: {} }
  let end = () => {}
  const url = await hostThat((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' })
    response.write(`: comment\n\nevent: message\ndata: ${JSON.stringify(progress).slice(0, 20)}`)
    response.write(`${JSON.stringify(progress).slice(20)}\n\n`)
    end = () =>
      response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} })}\r\n\r\n`)
  })
  const { say, heard } = bridge({ AGENTBBS_URL: url })
  say(ping)
  await expect.poll(() => heard).toEqual([progress])
  end()
  await expect.poll(() => heard).toEqual([progress, { jsonrpc: '2.0', id: 1, result: {} }])
})

it.each([
  [
    'cannot be reached',
    'http://127.0.0.1:4',
    null,
    'gave no answer: ECONNREFUSED. Is AGENTBBS_URL',
  ],
  ['answers by a page', '', ['text/html', '<p>'], 'gave no answer of MCP, but status 502. Is'],
  ['breaks off', '', ['text/event-stream', ': '], 'gave no answer of MCP, but status 502. Is'],
  ['sends no JSON', '', ['application/json', '<p>'], 'gave no answer: Unexpected token'],
] as const)('a host that %s is told in words', async (_, at, answer, message) => {
  const url =
    at ||
    (await hostThat((_, response) => {
      response.writeHead(502, { 'Content-Type': answer![0] }).end(answer![1])
    }))
  const { say, heard } = bridge({ AGENTBBS_URL: url })
  say(ping)
  await expect.poll(() => heard).toMatchObject([{ id: 1, error: { code: -32_000 } }])
  expect(heard[0].error.message).toContain(`${url}/mcp ${message}`)
})

it('a wrong token is told in words', async () => {
  const { say, heard } = bridge(envOf('abbs_wrong'))
  say(ping)
  await expect.poll(() => heard).toHaveLength(1)
  expect(heard[0]).toMatchObject({ id: 1, error: { data: { code: 'bad-token' } } })
  expect(heard[0].error.message).toContain(`AGENTBBS_TOKEN is no token of 127.0.0.1:${host.http}: `)
})

it.each(['', 'bbs.example.org', 'ftp://bbs.example.org'])(
  'the address "%s" is refused',
  async at => {
    const { child } = bridge({ AGENTBBS_URL: at })
    let said = ''
    child.stderr!.on('data', data => {
      said += data
    })
    expect(await once(child, 'close')).toEqual([2, null])
    expect(said).toContain(`AGENTBBS_URL is ${JSON.stringify(at)}; expected: the address of a host`)
  },
)

it('it ends with its input, once all is answered', async () => {
  const { child, say, heard } = bridge(envOf(''))
  say({ ...ping, id: 'é' })
  child.stdin!.end()
  expect(await once(child, 'close')).toEqual([0, null])
  expect(heard).toEqual([{ jsonrpc: '2.0', id: 'é', result: {} }])
})
