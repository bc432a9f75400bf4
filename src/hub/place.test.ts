import { expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { dial } from './house.ts'
import { placeOf } from './place.ts'

const ports = { ssh: 2222, http: 8090 }
const anywhere = { AGENTBBS_GAME_WS_ADDR: ':8090' }

it.each([
  ['a plain start, which no edge stands before', {}, 'ws://127.0.0.1:8090/play'],
  ['a name for this machine alone', { AGENTBBS_HOST: 'localhost' }, 'ws://localhost:8090/play'],
  ['a name', { AGENTBBS_HOST: 'bbs.example.org' }, 'wss://bbs.example.org/play'],
  [
    'a public name, with an edge in a container of its own',
    { AGENTBBS_HOST: 'bbs.example.org', ...anywhere },
    'wss://bbs.example.org/play',
  ],
  ['a name on a network at home', { AGENTBBS_HOST: 'attic', ...anywhere }, 'ws://attic:8090/play'],
  [
    'an address on a network at home',
    { AGENTBBS_HOST: '192.168.1.7', ...anywhere },
    'ws://192.168.1.7:8090/play',
  ],
  ['another loopback address', { AGENTBBS_GAME_WS_ADDR: '[::1]:8090' }, 'ws://[::1]:8090/play'],
])('%s gives the address that is served', (_, env, play) => {
  expect(placeOf(readConfig(env), ports).play).toBe(play)
})

it.each([
  ['the name of the machine, where SSH listens everywhere', {}, readConfig({}).host],
  [
    'its own address, where only this machine gets there',
    { AGENTBBS_ADDR: '127.0.0.1:2222' },
    '127.0.0.1',
  ],
  [
    'the name that it was given, wherever it listens',
    { AGENTBBS_ADDR: '127.0.0.1:2222', AGENTBBS_HOST: 'bbs.example.org' },
    'bbs.example.org',
  ],
])('SSH is dialled at %s', (_, env, host) => {
  const place = placeOf(readConfig(env), ports)
  expect(dial(place, 'game')).toBe(`ssh -p 2222 game@${host}`)
})
