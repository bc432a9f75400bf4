import { Hono } from 'hono'
import { queueId } from '../../events/league-options.ts'
import { isForeign } from '../../http-input.ts'
import { packageFile } from '../../text/package-file.ts'
import type { Protocol, ProtocolModule } from '../protocol.ts'
import type { HttpEnv } from '../routes.ts'
import { Calls } from './calls.ts'
import { rpcCodes } from './codes.ts'
import { Manager } from './manager.ts'
import { Members } from './members.ts'
import { MessageLog } from './message-log.ts'
import { LeagueQueue } from './queue.ts'
import { OwnReferee } from './referee.ts'
import { Registration } from './registration.ts'
import { Rounds } from './rounds.ts'
import { errorText, RpcError } from './rpc.ts'
import { protocolId } from './seat.ts'

/** league.v2: players and referees are servers, which the host calls. docs/protocols/league-v2.md is its contract here. */
export const leagueModule: ProtocolModule = {
  id: protocolId,
  codes: (Object.values(rpcCodes) as number[]).concat([-32000, -32001]).map(code => `rpc${code}`),
  open: (host): Protocol => {
    const { arena, clock, director, matchmaking, registrar, http, addresses, failed, league } = host
    const { prefix } = league
    const base = () =>
      league.host === '' ? `${addresses.site}${prefix}` : `https://${league.host}`
    const log = new MessageLog(league.folder, failed)
    const members = new Members(league.store, league.agents)
    const calls = new Calls({ http, clock, log, failed })
    const queue = new LeagueQueue({ clock, matchmaking, members, referee: () => referee })
    const referee: OwnReferee = new OwnReferee({
      ...{ arena, clock, calls, failed },
      ended: (seat, end) => {
        const { agent } = seat.place
        if (agent.league === queueId) queue.ended(agent, end.table.deal.players.indexOf(seat), end)
      },
    })
    const endpoint = () => `${base()}/mcp`
    const shared = { arena, clock, director, members, calls, referee, endpoint, failed }
    const rounds = new Rounds(shared)
    const registration = new Registration({ ...shared, rounds, queue, http, registrar })
    const manager = new Manager({ ...shared, rounds, registration, log })
    for (const agent of members.players(queueId)) queue.join(agent)
    return {
      id: protocolId,
      // It has neither SSH nor WebSockets.
      lastWords: () => null,
      httpAnswer: ({ detail, retryAfter }) => ({
        status: 503,
        type: 'application/json',
        body: errorText(null, new RpcError(-32000, detail)),
        headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
      }),
      routes: { prefix, app: routes(manager, prefix) },
      close: async () => {
        queue.close()
        rounds.close()
        await log.close()
      },
    }
  },
}

const routes = (manager: Manager, prefix: string): Hono<HttpEnv> => {
  const app = new Hono<HttpEnv>()
  const answer = (text: string, status: 200 | 403 | 404 | 500 = 200) =>
    new Response(text, { status, headers: { 'Content-Type': 'application/json' } })
  const refuse = (status: 403 | 404 | 500, code: number, message: string) =>
    answer(errorText(null, new RpcError(code, message)), status)
  const guide = () =>
    new Response(packageFile('docs/protocols/league-v2.md')!, {
      headers: { 'Content-Type': 'text/markdown; charset=utf-8' },
    })
  app.on('POST', ['/mcp', '/:league/mcp'], async c => {
    const { gate, source, incoming } = c.env
    if (isForeign(incoming.headers))
      return refuse(403, rpcCodes.request, 'Invalid request: no page of another site may send one')
    const text = await c.req.text()
    return answer(await manager.answer({ text, league: c.req.param('league'), gate, source }))
  })
  app.get('/', guide)
  app.all('*', c =>
    c.req.method === 'GET' && c.req.path === `${prefix}/`
      ? guide()
      : refuse(404, rpcCodes.request, `Not found. There is: POST ${prefix}/mcp`),
  )
  app.onError((error, c) => {
    c.env.gate.failed(error)
    return refuse(500, rpcCodes.internal, 'Internal error; it has been logged')
  })
  return app
}
