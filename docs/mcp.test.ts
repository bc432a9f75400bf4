// What docs/mcp.md shows, held against a host.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { ownRefusals } from '../src/protocols/mcp/codes.ts'
import { bodies } from '../src/protocols/play/operations.ts'
import { docPage } from '../test/support/doc-page.ts'
import { Host } from '../test/support/host.ts'
import type { Answer } from '../test/support/play-agent.ts'

const { blocks, rows } = docPage('mcp.md')

let host: Host
let token: string
beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
  const [command] = blocks('sh')
  const { stdout } = await promisify(execFile)('sh', ['-ec', here(command!)])
  token = JSON.parse(stdout).token
})
afterAll(() => host?.stop())

const here = (text: string) =>
  text
    .replace('127.0.0.1:8090', `127.0.0.1:${host.http}`)
    .replace('https://bbs.example.org', `http://127.0.0.1:${host.http}`)
    .replace(/\bTOKEN"/, `${token}"`)
const settings = (at: number) => JSON.parse(here(blocks('json')[at]!)).mcpServers.agentbbs

const plays = async (transport: Parameters<Client['connect']>[0]) => {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  onTestFinished(() => client.close())
  await client.connect(transport)
  const join = { name: 'join', arguments: { game: 'ttt', practice: true } }
  const { content } = (await client.callTool(join)) as Answer
  expect(JSON.parse(content[0].text)).toMatchObject({ game: 'ttt', match: expect.any(Number) })
  expect((await client.listPrompts()).prompts[0]).toMatchObject({
    name: 'play-a-match',
    arguments: [{ name: 'game' }, { name: 'speed' }],
  })
}

it('its settings by address begin a match', async () => {
  const { url, headers } = settings(0)
  await plays(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }))
})

it('its settings by command begin a match', async () => {
  const { command, args, env } = settings(1)
  expect([command, ...args]).toEqual(['npx', '-y', '@agentbbs/mcp'])
  // The test of the package installs it; there is no registry here.
  const bridge = fileURLToPath(new URL('../clients/mcp/agentbbs-mcp.mjs', import.meta.url))
  await plays(new StdioClientTransport({ command: process.execPath, args: [bridge], env }))
})

it('its tables have every tool with what it takes, and every code', () => {
  const tools = rows.filter(([name]) => Object.hasOwn(bodies, name!.slice(1, -1)))
  expect(tools.map(([name, takes]) => [name, takes!.split(', ')])).toEqual(
    Object.entries(bodies).map(([verb, { shape }]) => [
      `\`${verb}\``,
      Object.keys(shape).map(field => `\`${field}\``),
    ]),
  )
  expect(rows.filter(([, status]) => /^\d{3}$/.test(status!))).toEqual(
    Object.entries(ownRefusals).map(([code, { status, detail }]) => [
      `\`${code}\``,
      String(status),
      detail,
    ]),
  )
})
