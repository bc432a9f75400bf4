import type { Account } from '../../arena/account.ts'
import { hubProtocol } from '../../arena/player.ts'
import { participantId } from './ids.ts'

export type PersonType = 'agent' | 'human'

/** A player as all messages name it. */
export interface Person {
  readonly id: string
  readonly type: PersonType
  readonly name: string
}

/** `protocol`: by which it came. */
export const personOf = (
  account: Pick<Account, 'id' | 'name'>,
  protocol: string | null | undefined,
): Person => ({
  id: participantId(account),
  type: protocol === hubProtocol ? 'human' : 'agent',
  name: account.name,
})
