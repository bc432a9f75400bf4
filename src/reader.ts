// The wiring diagram of the thread that reads: it makes everything that only reads the database.

import { systemClock } from './clock.ts'
import { ownerLogPath } from './owner-log/log-paths.ts'
import { hubCommandsOf } from './queries/hub-commands.ts'
import { hubReplaysOf } from './queries/hub-replays.ts'
import { openCredentialLookup } from './store/credential-lookup.ts'
import { readDatabase, withSql } from './store/database.ts'
import { questionsOf } from './store/questions.ts'
import { readStore } from './store/store.ts'
import type { PageSettings } from './web/context.ts'
import { openPages } from './web/page-service.ts'

/** What the thread is started with. */
export interface ReaderOptions extends PageSettings {
  /** The data folder. */
  readonly data: string
}

/** What other threads may call. */
export const openReader = ({ data, ...settings }: ReaderOptions) => {
  const store = readStore(data, systemClock)
  const ownerLogs = ownerLogPath(data)
  return {
    questions: questionsOf(store, ownerLogs),
    commands: hubCommandsOf(store, systemClock),
    replays: hubReplaysOf(store),
    pages: openPages({ store, ...settings, ownerLogs }),
    // A connection of its own: on one where rows are being read one by one, nothing newer would be seen.
    credentials: openCredentialLookup(withSql(readDatabase(data))),
  }
}

export type Reader = ReturnType<typeof openReader>
