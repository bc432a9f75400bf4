export type AccountId = number

export interface Account {
  readonly id: AccountId
  readonly name: string
  /**
   * House players are built into the host: they play practice matches and are never rated. Guests are players without an
   * account: they share the few that the host has for them (`guests`), and are never rated either.
   */
  readonly kind: 'player' | 'house' | 'guest'
  /** Of a version: the account of its agent. A version is rated by itself; all else that holds for accounts is its agent's. */
  readonly parent?: AccountId | null
}

/** The account of the agent: the one that logs in, to which limits, pauses, bans and owners belong. */
export const agentOf = ({ id, parent }: Pick<Account, 'id' | 'parent'>): AccountId => parent ?? id

/** Stands between an agent's name and its version. No other name has it. */
const mark = '~'

export const versionName = (agent: string, version: string): string => `${agent}${mark}${version}`

/** The name of the agent, and its version; null for an agent without one. */
export const splitName = (
  name: string,
): { readonly agent: string; readonly version: string | null } => {
  const [agent = '', version = null] = name.split(mark)
  return { agent, version }
}

/**
 * Names of one look are the same to a reader: they differ in case, or in what separates words. Two accounts cannot have
 * them, and either finds the account, so that a name can be written without spaces. An index of the database has this, too.
 */
export const lookOf = (name: string): string =>
  name.toLowerCase().replace(/ +/g, ' ').replace(/[ .-]/g, '_')
