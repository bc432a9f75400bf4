import type { Arena } from '../arena/arena.ts'
import type { ApiAnswer } from '../protocols/protocol.ts'
import type { PageTime } from '../scheduling/text-stream.ts'
import type { Remote } from '../threads/calls.ts'
import { liveAt } from './live-match.ts'
import type { PageService } from './page-service.ts'

interface Context {
  readonly arena: Arena
  readonly pages: Remote<PageService>
  readonly pageTime: PageTime
}

/** Longer texts are streamed, and no faster than their clients read. In characters. */
const longest = 1024 * 1024

/** What the API answers at a path, for protocols that pass it on; null where that is too long to be made at once. */
export const shortAnswer = async (
  { arena, pages, pageTime }: Context,
  path: string,
  source: string | undefined,
): Promise<ApiAnswer | null> => {
  const request = {
    method: 'GET',
    url: path,
    known: undefined,
    lastEventId: undefined,
    reader: null,
  }
  const made = await pages.answer({ ...request, live: liveAt(arena, path) })
  pageTime.use(source, made.ms)
  if (made.text === null) return { status: made.status, body: Buffer.from(made.body!).toString() }
  const { id, holds } = made.text
  if (holds > longest) {
    await pages.texts.stop(id)
    return null
  }
  let body = ''
  for (;;) {
    const { text, isLast, ms } = await pages.texts.next(id)
    pageTime.use(source, ms)
    body += text
    if (isLast) return { status: made.status, body }
  }
}
