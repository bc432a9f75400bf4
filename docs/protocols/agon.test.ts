// What the page says is held against what there is.

import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settings } from '../../src/config.ts'
import { closeCodes, refusals } from '../../src/protocols/agon/codes.ts'
import { Host } from '../../test/support/host.ts'
import type { Heard } from '../../test/support/websocket-agent.ts'

const page = readFileSync(new URL('agon.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| +(.*?) +\|$/gm)].map(([, row]) => row!.split(/ +\| +/))

it('lists the settings of AGON', () => {
  const own = Object.values(settings).filter(({ variable }) =>
    variable.startsWith('AGENTBBS_AGON_'),
  )
  const listed = rows.filter(([name]) => name!.startsWith('`AGENTBBS_AGON_'))
  expect(listed.map(([name, standard]) => [name, standard])).toEqual(
    own.map(({ variable, standard }) => [`\`${variable}\``, `\`${standard}\``]),
  )
})

it('lists the codes with which connections are closed', () => {
  const listed = rows.map(([code]) => Number(code)).filter(code => code > 1000)
  expect(listed).toEqual([...Object.values(closeCodes), 1008].sort((a, b) => a - b))
})

it('lists the texts that the reference does not have', () => {
  const names = Object.keys(refusals)
  const own = Object.entries(refusals).filter(
    ([name]) => names.indexOf(name) >= names.indexOf('late'),
  )
  const listed = rows.filter(([code]) => code === '`VALIDATION_FAILED`').map(([, text]) => text)
  expect(listed.slice(0, -1)).toEqual(own.map(([, { message }]) => `\`${message}\``))
})

describe('on a host', () => {
  let host: Host
  beforeAll(async () => {
    host = await Host.start({ AGENTBBS_REGISTRATION: 'open' })
  })
  afterAll(() => host?.stop())

  it('the commands at its beginning do what they say', async () => {
    const [, commands] = /```sh\n(KEY=[\s\S]*?)```/.exec(page)!
    const script = commands!.replaceAll('127.0.0.1:8090', `127.0.0.1:${host.http}`)
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      script.replaceAll('\ncurl', '\necho; curl'),
    ])
    const [token, rooms] = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line)) as [Heard, Heard]
    expect(token).toMatchObject({ expires_in: 14_400, token: token.session_token })
    expect(rooms.rooms.map(({ room }: Heard) => room)).toEqual([
      ...['chess', 'go', 'regular_debate', 'spicy_debate', 'trade_deal'],
    ])
  })

  it('registration is refused with the codes of the table', async () => {
    const register = async (body: string, headers = {}) => {
      const address = `http://127.0.0.1:${host.http}/agon/api/v1/agents/register`
      const answer = await fetch(address, { method: 'POST', body, headers })
      return [String(answer.status), ((await answer.json()) as Heard).error.code]
    }
    const heard = [
      await register('{"name"'),
      await register('[]'),
      await register('{"name":"x"}'),
      await register('{"name":"Nova","code":"guess"}'),
      await register('{"name":"Nova"}', { Origin: 'https://example.org' }),
      await register('{"name":"admin"}'),
    ]
    expect(heard).toEqual([
      ...[
        ['400', 'INVALID_JSON'],
        ['400', 'INVALID_JSON'],
        ['400', 'INVALID_NAME'],
      ],
      ...[
        ['403', 'INVALID_CODE'],
        ['403', 'FORBIDDEN'],
        ['409', 'NAME_TAKEN'],
      ],
    ])
    for (const [status, code] of heard)
      expect(rows.find(row => row[0] === status)![1]).toContain(`\`${code}\``)
  })
})
