import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import type { Gate } from './gate.ts'

/** What a route knows of its request, in `c.env`, besides what hono tells. */
export interface HttpEnv {
  Bindings: HttpBindings & HttpClient
}

/** Who has sent a request. */
export interface HttpClient {
  /** The client address that rate limits count for; undefined for a client on this machine. */
  readonly source: string | undefined
  /** Logs the client in for this request, which is cut when the login becomes invalid. */
  readonly gate: Gate
}

/**
 * Routes under a prefix, such as those of a protocol at `/toy`. An error in one of them goes to the `onError` of its own
 * app, where it has one. A body is at most 64 KiB long, comes only to a route of its method, and is whole before the route
 * is called. An answer that takes longer than one turn of the event loop waits for something: that is not work, and others
 * are answered meanwhile. `c.req.raw.signal` tells a route that waits that its client has left.
 */
export interface Mount {
  readonly prefix: string
  readonly app: Hono<HttpEnv>
}

export const isBelow = (path: string, { prefix }: Pick<Mount, 'prefix'>): boolean => {
  const base = prefix.replace(/\/$/, '')
  return path === base || path.startsWith(`${base}/`)
}
