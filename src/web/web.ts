import { Hono } from 'hono'
import type { Logger } from 'pino'
import type { Arena } from '../arena/arena.ts'
import type { Clock } from '../clock.ts'
import type { Director } from '../events/director.ts'
import type { Pages } from '../http/site.ts'
import type { Registrar } from '../protocols/credentials.ts'
import type { HttpEnv } from '../protocols/routes.ts'
import type { PageTime, TextStreamer } from '../scheduling/text-stream.ts'
import type { Remote } from '../threads/calls.ts'
import { LiveApi } from './api/live-api.ts'
import { Assets } from './assets.ts'
import type { TablePlaces } from './feeds/table-feed.ts'
import { answerLogForm } from './log-form.ts'
import type { PageService } from './page-service.ts'
import { type RoomsPlace, roomsPage } from './pages/rooms.ts'
import { Replies } from './replies.ts'
import { addSignIn } from './sign-in-form.ts'
import type { SignIns } from './sign-ins.ts'
import { addVote } from './vote-form.ts'

/** The parts of the host that the web reads. It changes nothing but by registering accounts and entering them in events. */
export interface WebOptions extends RoomsPlace, TablePlaces {
  readonly arena: Arena
  readonly clock: Clock
  /** Makes the pages in another thread. */
  readonly pages: Remote<PageService>
  /** The time for pages that each source may use. */
  readonly pageTime: PageTime
  /** Sends long bodies. */
  readonly textStreamer: TextStreamer
  /** The name of this host. */
  readonly host: string
  readonly registrar: Pick<Registrar, 'register'>
  readonly director: Pick<Director, 'checkIn' | 'enter' | 'get' | 'watch' | 'withdraw'>
  readonly signIns: SignIns
  readonly log: Logger
}

export interface Web {
  readonly pages: Pages
  /** The number of open event streams, and of those that follow one match. */
  readonly streams: { readonly open: number; readonly following: number }
  /** Sends the clocks of live matches again, because they stood still. */
  resendClocks(): void
  /** Cuts all event streams. */
  close(): void
}

/** Pages, the API and event streams. What is not live comes from the thread that makes pages. */
export const openWeb = (options: WebOptions): Web => {
  const replies = new Replies(options, { assets: new Assets(), host: options.host })
  const app = new Hono<HttpEnv>()
  const api = new LiveApi(options, replies)
  api.addRoutes(app)
  app.get('/log', async ({ env }) => replies.send(env, await replies.forward(env)))
  app.post('/log', c => answerLogForm(c, options, replies))
  app.get('/rooms', ({ env }) => replies.page(env, site => roomsPage(site, options, options)))
  addSignIn(app, options, replies)
  addVote(app, options, replies)
  return {
    pages: {
      app,
      otherwise: (env, methods) => replies.otherwise(env, methods),
      failed: (env, error) => replies.failed(env, error),
    },
    get streams() {
      return api.streams
    },
    resendClocks: () => api.resendClocks(),
    close: () => {
      replies.close()
      api.close()
    },
  }
}
