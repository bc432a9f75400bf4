import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { systemClock } from '../../src/clock.ts'
import { openSite } from '../../src/http/site.ts'
import type { HttpClient } from '../../src/protocols/routes.ts'
import { FairScheduler } from '../../src/scheduling/fair-scheduler.ts'
import { TextStreamer } from '../../src/scheduling/text-stream.ts'
import { inThisThread } from '../../src/threads/calls.ts'
import { openPages } from '../../src/web/page-service.ts'
import { openWeb } from '../../src/web/web.ts'
import type { TestHub } from './test-hub.ts'

/** Serves the pages and the API of a hub's host on a free loopback port. */
export const openHubWeb = async (hub: TestHub): Promise<{ url: string; close(): void }> => {
  const { arena, store, clock, director } = hub
  const pageTime = { left: () => 0, use: () => {} }
  const pages = openPages({
    store,
    host: 'bbs.example',
    place: {
      sshHost: 'bbs.example',
      sshPort: 2222,
      site: 'https://bbs.example',
      play: 'wss://bbs.example/play',
    },
    registration: 'closed',
    playsHttp: false,
    playsMcp: false,
    version: '1.0.0',
    ownerLogs: '/nonsuch',
  })
  const web = openWeb({
    ...{ arena, rooms: arena.rooms, parties: arena.parties, clock, pageTime, director },
    signIns: hub.signIns,
    place: { sshHost: 'bbs.example', sshPort: 2222, site: 'https://bbs.example' },
    protocols: ['agentgames'],
    pages: inThisThread(pages),
    host: 'bbs.example',
    registrar: hub.registrar,
    textStreamer: new TextStreamer(new FairScheduler(), systemClock, pageTime),
    log: pino({ level: 'silent' }),
  })
  const { answer } = openSite(web.pages)
  const server = createServer((request, response) => {
    void answer(request, response, { source: undefined } as HttpClient)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      web.close()
      server.close()
      server.closeAllConnections()
    },
  }
}
