import type { Account } from '../arena/account.ts'
import type { MatchId } from '../arena/match-store.ts'
import type { Tables } from './store.ts'
import { isValid } from './tokens.ts'

/**
 * What the hub asks of the database. Another thread answers, so arguments and answers are plain data, and each question
 * is one that a screen has: a screen that asked for one row after the other would wait for each.
 */
export const questionsOf = ({ users, keys, tokens, codes, matches }: Tables) => ({
  match: (id: MatchId) => matches.find(id),

  /** The keys and secrets of an account and of its agents that log in at this time, in milliseconds since 1970. */
  credentials: ({ id, name }: Account, now: number) =>
    [users.find(name)!, ...users.owned(id)].map(user => ({
      user,
      keys: keys.of(user.id).filter(({ revoked_at }) => revoked_at === null),
      tokens: tokens.of(user.id).filter(token => isValid(token, now)),
    })),

  /** Whether this code makes a new account. */
  isInvitation: (code: string): boolean => codes.find(code)?.account === null,
})

export type Questions = ReturnType<typeof questionsOf>
