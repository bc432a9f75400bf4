import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'

/** A request to a route: the parameters from its path, and the query. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Answers; undefined is 404; 'handled' means that the handler writes the response itself. */
export type Handler = (
  request: RouteRequest,
) => Answer | undefined | 'handled' | Promise<Answer | undefined>

export type Routes = Readonly<Record<string, Handler>>

/** Finds the route for a path. In `/match/:id` a parameter ends at the next slash; `*` matches the rest of the path. */
export const router = (
  routes: Routes,
): ((path: string) => { handler: Handler; params: RouteRequest['params'] } | undefined) => {
  const patterns = Object.entries(routes).map(([pattern, handler]) => ({
    handler,
    pattern: new RegExp(
      `^${pattern
        .replace(/[.]/g, '\\.')
        .replace(/:(\w+)/g, '(?<$1>[^/]+)')
        .replace('*', '(?<rest>.+)')}$`,
    ),
  }))
  return path => {
    for (const { pattern, handler } of patterns) {
      const match = pattern.exec(path)
      if (match) return { handler, params: decoded(match.groups ?? {}) }
    }
    return undefined
  }
}

const decoded = (params: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
