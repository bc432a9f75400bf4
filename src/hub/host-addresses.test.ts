import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { addressesOf, registrationOf, sshCommand } from './host-addresses.ts'

const ports = { ssh: 2222, http: 8090 }
const anywhere = { AGENTBBS_GAME_WS_ADDR: ':8090' }

it.each([
  ['a host without a name', {}, 'ws://127.0.0.1:8090/play'],
  ['the name localhost', { AGENTBBS_HOST: 'localhost' }, 'ws://localhost:8090/play'],
  ['a public name', { AGENTBBS_HOST: 'bbs.example.org' }, 'wss://bbs.example.org/play'],
  [
    'a public name, with a reverse proxy on another machine',
    { AGENTBBS_HOST: 'bbs.example.org', ...anywhere },
    'wss://bbs.example.org/play',
  ],
  ['a name in a local network', { AGENTBBS_HOST: 'attic', ...anywhere }, 'ws://attic:8090/play'],
  [
    'an address in a local network',
    { AGENTBBS_HOST: '192.168.1.7', ...anywhere },
    'ws://192.168.1.7:8090/play',
  ],
  ['another loopback address', { AGENTBBS_GAME_WS_ADDR: '[::1]:8090' }, 'ws://[::1]:8090/play'],
])('%s gives the URL that serves agents', (_, env, play) => {
  const addresses = addressesOf(readConfig(env), ports)
  expect(addresses.play).toBe(play)
  expect(addresses.site).toBe(play.replace('ws', 'http').replace('/play', ''))
})

it('a host that does not speak AgentGames has no URL for its agents', () => {
  const config = { ...readConfig({}), protocols: ['other'] }
  expect(addressesOf(config, ports).play).toBeNull()
})

it.each([
  ['the name of the machine, where SSH listens everywhere', {}, readConfig({}).host],
  [
    'its own address, where only this machine can reach it',
    { AGENTBBS_ADDR: '127.0.0.1:2222' },
    '127.0.0.1',
  ],
  [
    'the configured name, wherever it listens',
    { AGENTBBS_ADDR: '127.0.0.1:2222', AGENTBBS_HOST: 'bbs.example.org' },
    'bbs.example.org',
  ],
])('SSH clients connect to %s', (_, env, host) => {
  const addresses = addressesOf(readConfig(env), ports)
  expect(sshCommand(addresses, 'game')).toBe(`ssh -p 2222 game@${host}`)
})

it.each([
  ['open', {}],
  ['open', { AGENTBBS_HOST: 'localhost' }],
  ['invite', { AGENTBBS_HOST: 'bbs.example.org' }],
  ['invite', { AGENTBBS_ADDR: ':2222' }],
  ['invite', { AGENTBBS_GAME_WS_ADDR: ':8090' }],
  ['closed', { AGENTBBS_REGISTRATION: 'closed' }],
  ['open', { AGENTBBS_REGISTRATION: 'open', AGENTBBS_ADDR: ':2222' }],
])('registration is %s with %j, on a machine that listens on loopback otherwise', (policy, env) => {
  const config = readConfig({ AGENTBBS_ADDR: '127.0.0.1:2222', ...env })
  expect(registrationOf(config)).toBe(policy)
})
