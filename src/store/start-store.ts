import { MessageChannel } from 'node:worker_threads'
import { Unkept } from '../arena/match-store.ts'
import type { Clock } from '../clock.ts'
import type { ClawpolyStore } from '../protocols/clawpoly/agents.ts'
import type { LeagueStore } from '../protocols/league/agents.ts'
import { crossesThreads, type Remote, serve } from '../threads/calls.ts'
import { ServiceThread } from '../threads/service-thread.ts'
import { startThread } from '../threads/start-thread.ts'
import type { Acts } from './acts.ts'
import type { CredentialUse } from './credential-uses.ts'
import { DataFolderError } from './data-folder-error.ts'
import { MatchBook } from './match-book.ts'
import type { PackedFit } from './packed-fit.ts'
import type { StoreEvents, StoreOptions, WriterService } from './writer-service.ts'

crossesThreads(Unkept)
crossesThreads(DataFolderError)

/** The store of a server as the thread of the arena sees it: it never waits for the disk. */
export interface RunningStore {
  readonly matchStore: MatchBook
  readonly acts: Remote<Acts>
  readonly league: LeagueStore
  readonly clawpoly: ClawpolyStore
  /** The logs of events. */
  readonly events: Remote<WriterService['events']>
  /** Notes when credentials were last used. */
  noteUses(uses: readonly CredentialUse[]): Promise<void>
  /** Replaces the strengths of a ladder; resolves once they are on disk. */
  keepFit(fit: PackedFit): Promise<void>
  /** Closes the store once all waiting writes are on disk. */
  close(): Promise<void>
}

/**
 * Opens a data folder for a server, in a thread that writes. `failed` is called with the error that ended that thread: no
 * result can be kept any more.
 */
export const startStore = async (
  options: StoreOptions,
  clock: Clock,
  events: StoreEvents,
  failed: (error: Error) => void,
): Promise<RunningStore> => {
  const { port1, port2 } = new MessageChannel()
  serve(port1, events)
  const thread = new ServiceThread<WriterService & { open(): WriterService['start'] }>(
    () =>
      startThread(import.meta.url, './writer-thread', {
        workerData: { options, port: port2 },
        transferList: [port2],
      }),
    failed,
  )
  const { open, writing, acts, events: eventLog, league, clawpoly } = thread.service
  const { keepFit, noteUses, close } = thread.service
  const end = async () => {
    await thread.close()
    port1.close()
  }
  try {
    const { numbers, eventLadders: ladders } = await open()
    const matchStore = new MatchBook({ clock, writing, numbers, ladders })
    return {
      matchStore,
      acts,
      league,
      clawpoly,
      events: eventLog,
      keepFit,
      noteUses,
      close: async () => {
        await close(matchStore.close())
        await end()
      },
    }
  } catch (error) {
    await end()
    throw error
  }
}
