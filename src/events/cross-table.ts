import type { AccountId } from '../arena/account.ts'
import { resultsOf } from './results.ts'
import type { EventState } from './state.ts'
import { table } from './table.ts'

/** Each entrant against each other one, in the order of the table. */
export interface CrossRow {
  readonly account: AccountId
  readonly name: string
  /** Against each of the rows, in their order; null against itself. */
  readonly cells: readonly (readonly Meeting[] | null)[]
}

/** A board at which the two sat and which counts. */
interface Meeting {
  readonly round: number
  readonly board: number
  /** 1 ahead of the other, ½ level, 0 behind. */
  readonly share: number
}

export const crossTable = (state: EventState): readonly CrossRow[] => {
  const results = resultsOf(state)
  const rows = table(state)
  return rows.map(({ account, name }) => {
    const own = results.get(account) ?? []
    const against = (other: AccountId) =>
      own.flatMap(({ round, board, against }) =>
        against.flatMap(({ account, share }) =>
          account === other && board !== null ? [{ round, board, share }] : [],
        ),
      )
    return {
      account,
      name,
      cells: rows.map(other => (other.account === account ? null : against(other.account))),
    }
  })
}
