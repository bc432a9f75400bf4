import { rm } from 'node:fs/promises'
import { ServiceThread } from '../threads/service-thread.ts'
import { startThread } from '../threads/start-thread.ts'
import { ownerLogPath } from './log-paths.ts'
import type { LogWriter } from './log-writer.ts'
import { OwnerLog, type OwnerLogOptions } from './owner-log.ts'

interface Settings {
  readonly data: string
  readonly ownerLogDays: number
  readonly ownerLogSize: number
}

/** Starts the thread that writes the owner's logs. With 0 days there is none, and nothing is kept of earlier ones. */
export const startOwnerLog = async (
  { data, ownerLogDays: days, ownerLogSize: mostOfDay }: Settings,
  options: Omit<OwnerLogOptions, 'writer' | 'days' | 'closed'>,
): Promise<OwnerLog | null> => {
  const folder = ownerLogPath(data)
  if (days === 0) {
    await rm(folder, { recursive: true, force: true })
    return null
  }
  const thread = new ServiceThread<LogWriter>(
    () =>
      startThread(import.meta.url, './log-writer-thread', { workerData: { folder, mostOfDay } }),
    options.failed,
  )
  return new OwnerLog({ ...options, days, writer: thread.service, closed: () => thread.close() })
}
