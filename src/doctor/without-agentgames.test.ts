import { BlockList } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { unmetered } from '../meter.ts'
import { HttpClient } from '../outgoing/http-client.ts'
import { type Ask, addressesOf } from './ask.ts'
import { examineEdge } from './edge.ts'
import { examineListeners } from './listeners.ts'
import { examineSettings } from './settings.ts'

const http = new HttpClient({
  clock: systemClock,
  meter: unmetered,
  callOut: { addresses: 'any', networks: new BlockList(), hosts: new Set() },
  resolve: addressesOf,
})
const ask: Ask = (url, more) => http.call({ url, longest: 4096, ...more }, answer => answer)

const config = { ...readConfig({}), protocols: ['other'] }

describe('of a host without AgentGames, doctor', () => {
  let host: HttpHost
  afterEach(() => host?.close())

  it('asks the listener for its health, and not for /play', async () => {
    host = await startHttpHost({ protocols: [] })
    const http = { host: '127.0.0.1', port: host.port }
    const findings = await examineListeners({ ...config, http }, true, ask)
    expect(findings.find(({ check }) => check === 'http')).toMatchObject({ level: 'ok' })
  })

  it('asks the edge for a page, and not for /play', async () => {
    host = await startHttpHost({
      protocols: [],
      pages: ({ url }, response) => response.end(url === '/games' ? 'AgentBBS' : ''),
    })
    const findings = await examineEdge(`http://${host.address}`, systemClock, ask, false)
    expect(findings.map(({ check }) => check)).not.toContain('play')
    expect(findings.find(({ check }) => check === 'pages')).toMatchObject({ level: 'ok' })
  })

  it('does not name /play', () => {
    expect(JSON.stringify(examineSettings({}, config))).not.toContain('/play')
  })
})
