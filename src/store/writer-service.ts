import type { Clock } from '../clock.ts'
import { type Meter, unmetered } from '../meter.ts'
import type { Remote } from '../threads/calls.ts'
import { actsOf } from './acts.ts'
import type { AuditEntry } from './audit.ts'
import { watchChanges } from './change-watch.ts'
import { clawpolyStoreOf } from './clawpoly-agents.ts'
import { type CredentialUse, openCredentialUses } from './credential-uses.ts'
import type { Alarm } from './database-error.ts'
import { eventStoreOf } from './event-store.ts'
import { leagueStoreOf } from './league-agents.ts'
import type { Rules } from './match-writer.ts'
import { type PackedFit, unpacked } from './packed-fit.ts'
import type { RegistrationPolicy } from './registration.ts'
import { closeSeasonsInTime } from './season-closing.ts'
import { openWriter } from './writer.ts'

export interface StoreOptions extends Rules {
  /** The data folder. */
  readonly folder: string
  readonly policy: RegistrationPolicy
}

/** What the writer tells the thread of the arena. */
export interface StoreEvents extends Alarm {
  committed(commits: readonly Commit[]): void
  /** Another process has changed the database. */
  changed(): void
  /** An entry of the audit log, by whatever process. */
  audited(entry: AuditEntry): void
}

type Commit = Parameters<Meter['committed']>

/** Commits are reported together: only metrics count them. */
const reportEvery = 250

/** Opens a data folder for a server, and all that a server writes into it. */
export const openWriterService = async (
  { folder, policy, ...rules }: StoreOptions,
  clock: Clock,
  events: Remote<StoreEvents>,
) => {
  let unreported: Commit[] = []
  const report = () => {
    void events.committed(unreported)
    unreported = []
  }
  const committed = (...commit: Commit) => {
    if (unreported.push(commit) === 1) clock.after(reportEvery, report)
  }
  const writer = await openWriter(folder, clock, {
    ...rules,
    alarm: {
      raised: problem => void events.raised(problem),
      over: ms => void events.over(ms),
    },
    meter: { ...unmetered, committed },
    soon: run => {
      const soon = setImmediate(run)
      return { cancel: () => clearImmediate(soon) }
    },
  })
  const { tables, writing, numbers, eventLadders } = writer
  const uses = openCredentialUses(tables.db)
  const unwatch = [
    watchChanges(tables.db, clock, () => void events.changed()),
    tables.audit.watch(entry => void events.audited(entry)),
    closeSeasonsInTime(tables.closing, clock, () => void events.changed()),
  ]
  return {
    writing,
    acts: actsOf(tables, writer.write, policy),
    events: eventStoreOf(tables, writer.write),
    league: leagueStoreOf(tables.leagueAgents, writer.write),
    clawpoly: clawpolyStoreOf(tables.clawpolyAgents, writer.write),
    keepFit: ({ ladder, fit, rows }: PackedFit) =>
      writer.write(() => tables.strengths.keep(ladder, fit, unpacked(rows))),
    noteUses: (given: readonly CredentialUse[]) => writer.write(() => uses.note(given)),
    /** What the other side begins with. */
    start: { numbers, eventLadders },
    /** Resolves once everything is on disk. `last`: the last match number that was given. */
    close: async (last: number) => {
      for (const stop of unwatch) stop()
      await writer.close(last)
    },
  }
}

export type WriterService = Awaited<ReturnType<typeof openWriterService>>
