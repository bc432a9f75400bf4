import { expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { TestArena } from '../../test/support/test-arena.ts'
import { guests } from '../arena/guests.ts'
import { protocolIds, readConfig } from '../config.ts'
import type { Director } from '../events/director.ts'
import { unmetered } from '../meter.ts'
import { HttpClient } from '../outgoing/http-client.ts'
import type { AgonRecords } from './agon/records.ts'
import type { ClawpolyStore } from './clawpoly/agents.ts'
import { protocolModules } from './index.ts'
import type { LeagueStore } from './league/agents.ts'
import { Play } from './play/play.ts'

const clock = new FakeClock()
const matchStore = new MemoryMatchStore()
const arena = new TestArena({ clock, matchStore, house: () => undefined, queueWait: 120_000 })
const noApi = () => Promise.reject(new Error('no API here'))
const registrar = {
  register: () => Promise.reject(new Error('no registration here')),
  mint: () => Promise.reject(new Error('nothing is minted here')),
  declare: () => Promise.reject(new Error('nothing is declared here')),
}
const moveTimeout = 15_000
const { matchmaking, rooms, parties } = arena
const host = {
  arena,
  matchmaking,
  rooms,
  parties,
  registrar,
  introduction: () => Promise.reject(new Error('no accounts here')),
  api: noApi,
  play: new Play({ arena, matchmaking, registrar, clock, api: noApi, moveTimeout }),
  addresses: { site: 'https://bbs.example.org' },
  version: '1.0.0',
  clock,
  failed: () => {},
  moveTimeout,
  loa: { prefix: '/loa', host: '', firstMove: 180_000, move: 90_000, fog: 'players' as const },
  limits: { messages: 20, tooFast: 20 },
  director: { watch: () => () => {}, use: () => {} } as unknown as Director,
  http: new HttpClient({ clock, meter: unmetered, callOut: readConfig({}).callOut }),
  points: matchStore.points,
  guests,
  league: {
    ...{ prefix: '/league', host: '', folder: '/nonexistent', agents: [] },
    store: {} as LeagueStore,
  },
  agon: {
    ...{ prefix: '/agon', host: '', actions: 20, wagers: false, key: new Uint8Array(32) },
    records: {} as AgonRecords,
  },
  clawpoly: {
    ...{ prefix: '/clawpoly', host: '', isOpen: true, rooms: 20, joins: 60 },
    agents: {} as ClawpolyStore,
  },
}

it('the settings know the protocols that there are', () => {
  expect(protocolModules.map(({ id }) => id)).toEqual(protocolIds)
})

it('no two protocols have one id, SSH user name, path or prefix', () => {
  const protocols = protocolModules.map(module => module.open(host))
  expect(protocols.map(({ id }) => id)).toEqual(protocolModules.map(({ id }) => id))
  const mounted = protocols.flatMap(({ id, ssh, webSockets = [], routes }) => [
    `protocol ${id}`,
    ...(ssh === undefined ? [] : [`ssh ${ssh.user}`]),
    ...webSockets.map(({ path }) => path),
    ...(routes === undefined ? [] : [routes.prefix]),
  ])
  expect(mounted).toContain('/play')
  expect(mounted).toEqual([...new Set(mounted)])
})
