import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Answer } from './answer.ts'

/** What a route is asked: the parts of the path that it left open, and the query. */
export interface Asked {
  readonly parts: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

/** Answers, says that there is nothing, or has taken the response into its own hands. */
export type Handler = (asked: Asked) => Answer | undefined | 'taken' | Promise<Answer | undefined>

export type Routes = Readonly<Record<string, Handler>>

/** Finds the route of a path such as `/match/:id`; a part ends at the next slash, `*` goes on to the end. */
export const router = (
  routes: Routes,
): ((path: string) => { handler: Handler; parts: Asked['parts'] } | undefined) => {
  const patterns = Object.entries(routes).map(([pattern, handler]) => ({
    handler,
    shape: new RegExp(
      `^${pattern
        .replace(/[.]/g, '\\.')
        .replace(/:(\w+)/g, '(?<$1>[^/]+)')
        .replace('*', '(?<rest>.+)')}$`,
    ),
  }))
  return path => {
    for (const { shape, handler } of patterns) {
      const found = shape.exec(path)
      if (found) return { handler, parts: decoded(found.groups ?? {}) }
    }
    return undefined
  }
}

const decoded = (parts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parts).map(([name, value]) => {
      try {
        return [name, decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
