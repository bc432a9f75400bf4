import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'

/** What a route knows of its request, in `c.env`, besides what hono tells. */
export interface HttpEnv {
  Bindings: HttpBindings &
    HttpClient & {
      /**
       * Set by a route that works through several turns of the event loop. An answer that takes longer than one turn and
       * does not set it waits for something: the wait is not work, and other requests are answered meanwhile.
       */
      takesTurns?: boolean
    }
}

/** Who has sent a request. */
export interface HttpClient {
  /** The client address that rate limits count for; undefined for a client on this machine. */
  readonly source: string | undefined
}

/**
 * Routes under a prefix, such as those of a protocol at `/toy`. An error in one of them goes to the `onError` of its own
 * app, where it has one. A body is at most 64 KiB long, comes only to a route of its method, and is whole before the route
 * is called. A route that waits is told by `c.req.raw.signal` that its client has left.
 */
export interface Mount {
  readonly prefix: string
  readonly app: Hono<HttpEnv>
}
