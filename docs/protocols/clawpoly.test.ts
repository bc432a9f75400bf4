// What the page says is held against what there is.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { speeds } from '../../src/arena/pace.ts'
import { settings } from '../../src/config.ts'
import { closeCodes, errorCodes, httpCodes } from '../../src/protocols/clawpoly/codes.ts'
import { toolBodies } from '../../src/protocols/clawpoly/mcp-tools.ts'
import { actionNames } from '../../src/protocols/clawpoly/messages.ts'
import { Host } from '../../test/support/host.ts'

const page = readFileSync(new URL('clawpoly.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| +(.*?) +\|$/gm)].map(([, row]) => row!.split(/ +\| +/))

it('lists the settings of Clawpoly', () => {
  const own = Object.values(settings).filter(({ variable }) =>
    variable.startsWith('AGENTBBS_CLAWPOLY_'),
  )
  const listed = rows.filter(([name]) => name!.startsWith('`AGENTBBS_CLAWPOLY_'))
  expect(listed.map(([name, standard]) => [name, standard])).toEqual(
    own.map(({ variable, standard }) => [`\`${variable}\``, `\`${standard}\``]),
  )
})

it('lists the codes with which connections are closed', () => {
  const listed = rows.map(([code]) => Number(code)).filter(code => code >= 1000)
  expect(listed).toEqual([...Object.values(closeCodes)].sort((a, b) => a - b))
})

it('lists all codes of errors, and of answers in HTTP with their status', () => {
  const errors = rows.map(([code]) => /^`(?!AGENTBBS_)([A-Z_]+)`$/.exec(code!)?.[1]).filter(Boolean)
  expect(new Set(errors)).toEqual(new Set(errorCodes))
  for (const [code, status] of Object.entries(httpCodes)) {
    const row = rows.find(([first]) => first === String(status))
    expect(row?.[1], code).toContain(`\`${code}\``)
  }
})

it('lists the tools of MCP, with all that they take', () => {
  const listed = rows.filter(([name]) => name!.startsWith('`clawpoly_'))
  expect(listed.map(([name, takes]) => [name, takes])).toEqual(
    Object.entries(toolBodies).map(([name, { shape }]) => [
      `\`${name}\``,
      Object.keys(shape)
        .map(argument => `\`${argument}\``)
        .join(', '),
    ]),
  )
})

it('lists all actions, and the speeds with their delays', () => {
  const names = rows.map(([name]) => name!.slice(1, -1))
  expect(names.filter(name => (actionNames as readonly string[]).includes(name)).sort()).toEqual(
    [...actionNames].sort(),
  )
  for (const [name, { event, turn }] of Object.entries(speeds))
    expect(rows.find(([first]) => first === `\`${name}\``)?.slice(1, 3)).toEqual([
      ...[`${event} ms`, `${turn} ms`],
    ])
})

let host: Host
beforeAll(async () => {
  host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
})
afterAll(() => host?.stop())

it('the commands of the first game do what they say', async () => {
  const [, commands] = /```sh\n(API=[\s\S]*?)```/.exec(page)!
  const script = commands!.replaceAll('127.0.0.1:8090', `127.0.0.1:${host.http}`)
  const { stdout } = await promisify(execFile)('sh', [
    '-c',
    script.replaceAll('\ncurl', '\necho; curl'),
  ])
  const [nemo, dory, room] = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line))
  expect([nemo.assignedToken, dory.playerId]).toEqual(['shark', 'agent-1'])
  expect(room).toMatchObject({ status: 'ready', config: { turnLimit: 20, gameSpeed: 'instant' } })
})
