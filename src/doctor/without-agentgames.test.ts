import { afterEach, describe, expect, it } from 'vitest'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { systemClock } from '../clock.ts'
import { readConfig } from '../config.ts'
import { examineEdge } from './edge.ts'
import { examineListeners } from './listeners.ts'
import { examineSettings } from './settings.ts'

const config = { ...readConfig({}), protocols: ['other'] }

describe('of a host without AgentGames, doctor', () => {
  let host: HttpHost
  afterEach(() => host?.close())

  it('asks the listener for its health, and not for /play', async () => {
    host = await startHttpHost({ protocols: [] })
    const http = { host: '127.0.0.1', port: host.port }
    const findings = await examineListeners({ ...config, http }, true)
    expect(findings.find(({ check }) => check === 'http')).toMatchObject({ level: 'ok' })
  })

  it('asks the edge for a page, and not for /play', async () => {
    host = await startHttpHost({
      protocols: [],
      pages: ({ url }, response) => response.end(url === '/games' ? 'AgentBBS' : ''),
    })
    const findings = await examineEdge(`http://${host.address}`, systemClock, false)
    expect(findings.map(({ check }) => check)).not.toContain('play')
    expect(findings.find(({ check }) => check === 'pages')).toMatchObject({ level: 'ok' })
  })

  it('does not name /play', () => {
    expect(JSON.stringify(examineSettings({}, config))).not.toContain('/play')
  })
})
