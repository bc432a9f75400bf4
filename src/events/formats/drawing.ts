import type { AccountId } from '../../arena/account.ts'

/** What a format draws for a round. */
export interface Drawing {
  /** By seat in the first match. */
  readonly boards: readonly (readonly AccountId[])[]
  readonly byes: readonly AccountId[]
}
