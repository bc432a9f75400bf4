import { join } from 'node:path'
import type { AccountId } from '../arena/account.ts'

/** The folder of the owner's logs in a data folder. */
export const ownerLogPath = (data: string): string => join(data, 'owner-log')

/** The log of an account and a day, such as 2026-11-01. */
export const dayPath = (folder: string, day: string, account: AccountId): string =>
  join(folder, day, `${account}.ndjson`)

export const dayMs = 86_400_000

/** The day of a time, in UTC. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10)

/** Whether a folder is one of a day. Others are left alone. */
export const isDay = (name: string): boolean => /^\d{4}-\d\d-\d\d$/.test(name)
