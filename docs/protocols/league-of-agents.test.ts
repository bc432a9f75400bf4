// What the page says is held against what there is.

import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { settings } from '../../src/config.ts'
import { closeCodes, refusals } from '../../src/protocols/loa/codes.ts'
import { Host } from '../../test/support/host.ts'
import { LoaAgent } from '../../test/support/loa-agent.ts'
import type { Heard } from '../../test/support/websocket-agent.ts'

const page = readFileSync(new URL('league-of-agents.md', import.meta.url), 'utf8')
const rows = [...page.matchAll(/^\| +(.*?) +\|$/gm)].map(([, row]) => row!.split(/ +\| +/))

it('lists the settings of League of Agents', () => {
  const own = Object.values(settings).filter(({ variable }) => variable.startsWith('AGENTBBS_LOA_'))
  const listed = rows.filter(([name]) => name!.startsWith('`AGENTBBS_LOA_'))
  expect(listed.map(([name, standard]) => [name, standard])).toEqual(
    own.map(({ variable, standard }) => [`\`${variable}\``, `\`${standard}\``]),
  )
})

it('lists the codes with which connections are closed', () => {
  const listed = rows.map(([code]) => Number(code)).filter(code => code > 1000)
  expect(listed).toEqual([...Object.values(closeCodes), 1008].sort((a, b) => a - b))
})

it('quotes the limit on subscriptions', () => {
  expect(page).toContain(refusals['too-many-subscriptions'])
})

describe('on a host', () => {
  let host: Host
  let heard: readonly Heard[]

  /** The answer to a registration. */
  const register = async (body: string, headers = {}) => {
    const address = `http://127.0.0.1:${host.http}/loa/api/v1/agents`
    const answer = await fetch(address, { method: 'POST', body, headers })
    return [answer.status, ((await answer.json()) as Heard).error]
  }

  beforeAll(async () => {
    host = await Host.start({ AGENTBBS_REGISTRATION: 'invite' })
    const keys = await Promise.all(['ada', 'bert'].map(name => host.account(name)))
    const agents = await Promise.all(keys.map(({ token }) => LoaAgent.as(token, host.http)))
    await Promise.all(agents.map(agent => agent.play('echo')))
    for (const { webSocket } of agents) webSocket.close()
    heard = agents[0]!.heard
  })
  afterAll(() => host?.stop())

  it('the fields that it adds are those of the table', () => {
    const section = page.split('## What this host adds')[1]!.split('\n#')[0]!
    for (const [type, fields] of [
      ['matched', ['timeouts']],
      ['game_state', ['timeLeft']],
      ['game_over', ['gameId', 'rated', 'ratings', 'detail']],
    ] as const)
      for (const field of fields) {
        expect(heard.find(message => message.type === type)).toHaveProperty(field)
        expect(section).toContain(`\`${field}\``)
      }
  })

  it('registration is refused in the words of the table', async () => {
    const listed = rows
      .filter(([status]) => /^4\d\d$/.test(status!))
      .map(([status, cell]) => [
        Number(status),
        /`([^`]+)`/.exec(cell!)![1]!.replace('…', 'https://example.org'),
      ])
    const [code] = JSON.parse(await host.cli('invite', '--json')).codes
    const heardOf = [
      await register('{"name":"Nova"}'),
      await register('{"name":"Nova","code":"guess"}'),
      await register('{"name":"Nova"}', { Origin: 'https://example.org' }),
      await register(JSON.stringify({ name: 'admin', code })),
    ]
    expect(heardOf.map(([status]) => status)).toEqual([403, 403, 403, 409])
    expect(listed).toEqual(expect.arrayContaining(heardOf))
  })
})
