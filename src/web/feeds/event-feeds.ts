import type { ServerResponse } from 'node:http'
import type { Arena } from '../../arena/arena.ts'
import type { Table } from '../../arena/table.ts'
import type { Clock, Timer } from '../../clock.ts'
import type { Director } from '../../events/director.ts'
import type { EventId } from '../../events/plan.ts'
import type { Remote } from '../../threads/calls.ts'
import { isOf, liveBoards, liveMatch } from '../live-match.ts'
import type { PageService } from '../page-service.ts'
import { LiveFeed, shownTables } from './live-feed.ts'

/** How often tables and rounds are sent while they change, in milliseconds: those of a large event have some 50 KB. */
const partsInterval = 2_000

interface Context {
  readonly arena: Arena
  readonly clock: Clock
  readonly director: Pick<Director, 'get' | 'watch'>
  readonly pages: Remote<PageService>
  readonly failed: (event: EventId, error: unknown) => void
}

/** What happens at events, for their pages: a feed for each event that is watched. */
export class EventFeeds {
  readonly #context: Context
  readonly #feeds = new Map<EventId, EventFeed>()
  readonly #stopWatching: () => void

  constructor(context: Context) {
    this.#context = context
    this.#stopWatching = context.director.watch(({ plan }) => this.#feeds.get(plan.id)?.changed())
  }

  /** Null for an event that is over, or that there is none of. */
  watch(
    event: EventId,
    lastId: string | undefined,
    response: ServerResponse,
  ): Promise<void> | null {
    if (this.#context.director.get(event) === undefined) return null
    let feed = this.#feeds.get(event)
    if (feed === undefined) {
      feed = new EventFeed(this.#context, event, () => this.#feeds.delete(event))
      this.#feeds.set(event, feed)
    }
    return feed.live.watch(lastId, response)
  }

  get clientCount(): number {
    let count = 0
    for (const { live } of this.#feeds.values()) count += live.clientCount
    return count
  }

  close(): void {
    this.#stopWatching()
    for (const { live } of [...this.#feeds.values()]) live.close()
  }
}

class EventFeed {
  readonly live: LiveFeed<unknown>
  readonly #context: Context
  readonly #event: EventId
  /** The page as it was last sent, or when the first client came. */
  #sent: Awaited<ReturnType<Context['pages']['event']>> | null = null
  #hasChanged = false
  #timer: Timer | null = null

  constructor(context: Context, event: EventId, stopped: () => void) {
    const { arena, clock } = context
    this.#context = context
    this.#event = event
    const unwatch = arena.watch(({ kind, table }) => {
      if ((kind === 'began' || kind === 'ended' || kind === 'aborted') && isOf(event)(table))
        this.changed()
    })
    this.live = new LiveFeed(arena, clock, {
      shown: () => shownTables(arena, isOf(event)),
      concerns: isOf(event),
      describe: (changed, ended, to) => this.#describe(changed, ended, to),
      failed: error => context.failed(event, error),
      stopped: () => {
        unwatch()
        this.#timer?.cancel()
        stopped()
      },
    })
  }

  /** Something of the table or the rounds has changed. */
  changed(): void {
    this.#timer ??= this.#context.clock.after(partsInterval, () => {
      this.#timer = null
      this.#hasChanged = true
      this.live.touch()
    })
  }

  async #describe(changed: readonly Table[], ended: readonly Table[], to: 'all' | 'one') {
    const { arena, pages } = this.#context
    const shown = shownTables(arena, isOf(this.#event)).map(({ id }) => id)
    const { matches, results } = await pages.changes(changed.map(liveMatch), ended.map(liveMatch))
    const parts = await this.#parts(to)
    const { entries, status } = this.#sent!
    return { entries, status, parts, shown, matches, ended: ended.map(({ id }) => id), results }
  }

  /** What has changed of the page, where it is time to send that to all. */
  async #parts(to: 'all' | 'one') {
    const before = this.#sent
    if (before !== null && (to === 'one' || !this.#hasChanged)) return {}
    this.#hasChanged = false
    const { arena, pages } = this.#context
    const now = await pages.event(this.#event, liveBoards(arena, this.#event))
    this.#sent = now
    if (before === null) return {}
    return Object.fromEntries(
      Object.entries(now.parts).filter(([id, part]) => part !== before.parts[id]),
    )
  }
}
