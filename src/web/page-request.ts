import type { Seat } from '../games/game.ts'
import type { Answer } from './answer.ts'
import type { Live } from './live-match.ts'

/** A request for a page or to the API, with all that its answer depends on besides the database. */
export interface PageRequest {
  readonly method: string
  readonly url: string
  /** The header `If-None-Match`. */
  readonly known: string | undefined
  readonly lastEventId: string | undefined
  readonly live: Live
  /** Who asks for the page of a match, if it has signed in. */
  readonly reader: SignedIn | null
}

/** A person who has signed in to the pages. */
export interface SignedIn {
  readonly name: string
  /** The seat that it votes for in the match that is asked for; null if it has not voted. */
  readonly votesFor: Seat | null
}

/** What a route is called with: the request, and what takes its answer. */
export interface PageEnv {
  Bindings: { readonly request: PageRequest; answer(answer: Answer): Response }
}

export const pathOf = ({ url = '' }: { readonly url?: string | undefined }): string =>
  url.split('?', 1)[0]!

/** Whether errors are answered in JSON. */
export const isApi = (path: string): boolean => path.startsWith('/api/')
