// Secrets: who can read the data folder, and where secrets must not appear.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import ssh2 from 'ssh2'
import { afterEach, describe, expect, it } from 'vitest'
import { Host } from '../test/support/host.ts'
import { WebSocketAgent } from '../test/support/websocket-agent.ts'

let host: Host
afterEach(() => host.stop())

const modes = () => {
  const folder = host.env.AGENTBBS_DATA!
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
  return Object.fromEntries(
    ['.', ...readdirSync(folder)].map(name => [name, modeOf(join(folder, name))]),
  )
}

/** The folder, and all that is in it. */
const expectModes = (folder: string, files: string) => {
  const { '.': own, ...others } = modes()
  expect(own).toBe(folder)
  expect(Object.keys(others)).toEqual(
    expect.arrayContaining(['agentbbs.db', 'agentbbs.db-wal', 'agentbbs.lock', 'host_key']),
  )
  for (const [name, mode] of Object.entries(others)) expect([name, mode]).toEqual([name, files])
}

describe('the data folder', () => {
  it('is closed to other users with any umask', async () => {
    host = await Host.start({}, { within: ['sh', '-c', 'umask 0; exec "$@"', 'sh'] })
    expectModes('700', '600')
  })

  it('that is open to others is reported, and its files are closed again', async () => {
    host = await Host.start()
    await host.terminate()
    const folder = host.env.AGENTBBS_DATA!
    for (const name of ['agentbbs.db', 'agentbbs.lock']) chmodSync(join(folder, name), 0o644)
    chmodSync(folder, 0o755)
    await host.serve()
    await expect
      .poll(() => host.said)
      .toContain(`${folder} is open to others (mode 755): run: chmod 700`)
    expect(host.said).toContain('agentbbs.db is open to others (mode 644): it has been closed')
    expectModes('755', '600')
  })

  it('that existed before is used as it is', async () => {
    host = Host.at()
    mkdirSync(host.env.AGENTBBS_DATA!, { mode: 0o700 })
    await host.serve()
    expectModes('700', '600')
    expect(host.said).not.toContain('open to others')
  })
})

it('no secret is in a log, in the list of processes or in a file', async () => {
  host = await Host.start({ LOG_LEVEL: 'trace', AGENTBBS_REGISTRATION: 'invite' })
  const anna = await host.account('anna')
  const bert = await host.account('bert')
  const wrong = `${anna.token.slice(0, -4)}AAAA`
  const { token: minted } = JSON.parse(await host.cli('mint-token', 'anna', '--json'))
  const { codes } = JSON.parse(await host.cli('invite', '--count', '3', '--json'))
  const tokens = [anna.token, bert.token, wrong, minted]

  // In every valid place and in invalid ones.
  for (const token of tokens) {
    await visit(host.playUrl('?game=ttt'), { headers: { Authorization: `Bearer ${token}` } })
    await visit(host.playUrl(`?game=ttt&practice=1&token=${token}`))
    await visit(host.playUrl(`/${token}?game=ttt`))
    await visit(host.playUrl('?game=ttt'), { headers: { 'Sec-WebSocket-Protocol': token } })
    await visit(host.playUrl('?game=ttt'), { headers: { Authorization: token, Cookie: token } })
    await visit(host.playUrl(`?game=${token}&token=${anna.token}`))
    for (const path of [
      '/agent/X',
      '/match/X',
      '/api/v1/agents/X',
      '/docs/X?q=X',
      '/X',
      '/?token=X',
    ])
      await ask(path.replaceAll('X', token))
    await ask('/play', { method: 'POST', body: JSON.stringify({ token }) })
    await ask(`/healthz?token=${token}`, { headers: { Referer: `http://x/?token=${token}` } })
    await ssh('game', anna.key, token)
    await ssh('game', anna.key, 'ttt', '--token', token)
    await ssh(token, anna.key, 'whoami')
    await ssh('guest', anna.key, token)
    await ssh('join', anna.key, token)
  }
  const agent = new WebSocketAgent(host.playUrl('?game=ttt'), {
    headers: { Authorization: `Bearer ${minted}` },
  })
  await agent.opened()
  agent.write(JSON.stringify({ type: 'join', token: minted }))
  agent.write(minted)
  const { id } = JSON.parse(await host.cli('tokens', 'anna', '--json')).at(-1)
  await host.cli('revoke-token', String(id))
  await agent.closed

  // Codes, good and bad, and a token that the hub makes.
  await ssh('join', join(host.folder, await newKey('carl')), 'carl', codes[0])
  await ssh('join', join(host.folder, await newKey('dora')), 'dora', codes[0])
  await ssh('join', join(host.folder, await newKey('erna')), 'erna', 'aaaa-bbbb-cccc')
  const shown = await mintInHub(bert.key)

  // Internal errors meanwhile.
  const database = new BetterSqlite3(join(host.env.AGENTBBS_DATA!, 'agentbbs.db'))
  for (const table of ['tokens', 'codes', 'accounts'])
    database.exec(`alter table ${table} rename to ${table}_gone`)
  await visit(host.playUrl('?game=ttt'), { headers: { Authorization: `Bearer ${anna.token}` } })
  await visit(host.playUrl(`?token=${anna.token}`))
  await ask(`/agent/${anna.token}?token=${anna.token}`)
  await ssh('join', join(host.folder, 'dora'), 'dora', codes[1])
  database.close()
  await expect.poll(() => host.said).toMatch(/"level":50/)

  const hostKey = readFileSync(join(host.env.AGENTBBS_DATA!, 'host_key'), 'utf8')
  const keys = [hostKey, readFileSync(anna.key, 'utf8')].map(key => key.split('\n')[2]!)
  const secrets = [...tokens, shown, ...codes, ...keys]
  const process = ['cmdline', 'environ'].map(name => `/proc/${host.pid}/${name}`)
  const told = Object.fromEntries(process.map(path => [path, readFileSync(path, 'latin1')]))
  await host.terminate()
  const folder = host.env.AGENTBBS_DATA!
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter(file => file.isFile() && file.name !== 'host_key')) {
    const path = join(file.parentPath, file.name)
    told[path] = readFileSync(path, 'latin1')
  }
  expect(Object.keys(told).some(path => path.includes('owner-log'))).toBe(true)
  const found = secrets.flatMap(secret => [
    ...host.said.split('\n').filter(line => line.includes(secret)),
    ...Object.keys(told).filter(place => told[place]!.includes(secret)),
  ])
  expect(found).toEqual([])
  expect(Math.min(...secrets.map(({ length }) => length))).toBeGreaterThan(10)
})

const visit = async (url: string, options: object = {}) => {
  const agent = new WebSocketAgent(url, options)
  // The first message, if there is one.
  await agent.next().catch(() => {})
  agent.webSocket.terminate()
  await agent.closed
}

const ask = async (path: string, options: RequestInit = {}) => {
  const response = await fetch(`http://127.0.0.1:${host.http}${path}`, options)
  await response.text()
}

const ssh = async (user: string, key: string, ...command: string[]) => {
  const args = host.sshArgs(key, ...command).map(arg => arg.replace(/^game@/, `${user}@`))
  const child = spawn('ssh', args, { stdio: ['ignore', 'ignore', 'ignore'] })
  await once(child, 'exit')
}

const newKey = async (name: string) => {
  const path = join(host.folder, name)
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', path])
  return name
}

/** Makes a token on the account screen of the hub, and reads it from there. */
const mintInHub = async (key: string): Promise<string> => {
  const client = new ssh2.Client()
  try {
    return await new Promise((resolve, reject) => {
      client.on('error', reject)
      client.on('ready', () =>
        client.shell({ term: 'xterm', cols: 100, rows: 30 }, (error, stream) => {
          if (error) return reject(error)
          let screen = ''
          const keys = ['a', 't', 'x', '\r']
          stream.on('data', (chunk: Buffer) => {
            screen += chunk
            const token = /abbs_[\w-]{43}/.exec(screen)?.[0]
            if (token !== undefined) resolve(token)
          })
          const typing = setInterval(() => {
            const next = keys.shift()
            if (next === undefined) clearInterval(typing)
            else stream.write(next)
          }, 200)
        }),
      )
      client.connect({
        host: '127.0.0.1',
        port: host.ssh,
        username: 'bert',
        privateKey: readFileSync(key),
      })
    })
  } finally {
    client.end()
  }
}
