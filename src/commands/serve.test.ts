import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Host } from '../../test/support/host.ts'

const script = fileURLToPath(new URL('../../cmd/agentbbs', import.meta.url))
let host: Host
let elsewhere: string

beforeAll(async () => {
  host = Host.at({ AGENTBBS_PROGRAM: script, AGENTBBS_HOST: 'bbs.example.org' })
  host.env.AGENTBBS_DATA = join(host.folder, "ann's data")
  await host.serve()
  elsewhere = join(host.folder, 'elsewhere')
  mkdirSync(elsewhere)
})
afterAll(() => host.stop())

/** As typed into a terminal in another folder, where nothing is set. */
const typed = (line: string) =>
  promisify(execFile)('sh', ['-euc', line], {
    cwd: elsewhere,
    env: { PATH: process.env.PATH, HOME: host.folder },
  })

it('prints commands that work in another terminal, one after the other', async () => {
  await expect.poll(() => host.said).toContain('Ctrl-C stops it')
  const lines = host.said.split('In another terminal:')[1]!.match(/^ {2}\S.*$/gm)!
  // It plays a match, as examples/agent.sh does in the tests of the documents.
  const [playing, ...others] = [
    ...lines.filter(line => line.includes('game@localhost')),
    ...lines.filter(line => !line.includes('game@localhost')),
  ]
  expect(others).toHaveLength(4)
  for (const line of others) expect((await typed(line)).stderr, line).toBe('')
  const [, key] = / -i (\S+) /.exec(playing!)!
  expect(existsSync(join(elsewhere, key!))).toBe(true)
})

it('prints where League of Agents is', async () => {
  const [, address] = /League of Agents\n +(http:\S+)/.exec(host.said)!
  expect((await fetch(`${address}/.well-known/agent.json`)).status).toBe(200)
})

it('leaves its addresses for mint-token, which has other settings', async () => {
  const token = async () =>
    JSON.parse(
      (await typed(`AGENTBBS_DATA="${host.data}" ${script} mint-token my-bot --json`)).stdout,
    )
  const { url, localUrl } = await token()
  expect(url).toMatch(/^wss:\/\/bbs\.example\.org\/play\?game=ttt&token=/)
  expect(localUrl).toContain(`ws://127.0.0.1:${host.http}/play?game=ttt&token=`)
  await host.kill()
  const after = await token()
  expect([after.url, after.localUrl]).toEqual([
    expect.stringMatching(/^ws:\/\/127\.0\.0\.1:8090\/play\?/),
    expect.stringMatching(/^ws:\/\/127\.0\.0\.1:8090\/play\?/),
  ])
  await host.serve()
  expect((await token()).localUrl).toContain(`:${host.http}/play`)
  await host.terminate()
  expect(existsSync(join(host.data, 'agentbbs.served'))).toBe(false)
})
