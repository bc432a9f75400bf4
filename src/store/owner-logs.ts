import { type AccountId, splitName } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import { type LogQuery, timesOf } from '../owner-log/read-log.ts'
import type { Tables } from './store.ts'
import type { User } from './users.ts'

/** The agent of this name, or of this version, if this account may read its log: its own, or that of its owner. */
export const readableBy = (
  { users }: Pick<Tables, 'users'>,
  reader: AccountId,
  name: string,
): User | undefined => {
  const user = users.find(splitName(name).agent)
  return user !== undefined && (user.id === reader || user.owner === reader) ? user : undefined
}

/** What a reader asks for. */
export interface LogRequest extends Pick<LogQuery, 'since' | 'after' | 'limit'> {
  readonly match?: MatchId
}

/** The query for an agent's log; null for a match that is not there. */
export const logQuery = (
  { matches }: Pick<Tables, 'matches'>,
  account: AccountId,
  { match: id, ...request }: LogRequest,
  now: number,
): LogQuery | null => {
  if (id === undefined) return { ...request, account }
  const match = matches.find(id)
  return match === undefined ? null : { ...request, account, match: timesOf(match, now) }
}
