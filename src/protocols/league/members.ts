import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../../arena/account.ts'
import { firstFree, idNumbers } from '../../events/id-numbers.ts'
import type { EventState } from '../../events/state.ts'
import type { LeagueAgent, LeagueStore } from './agents.ts'

/** The servers that have registered, by league. */
export class Members {
  readonly #store: LeagueStore
  readonly #leagues = new Map<string, Map<string, LeagueAgent>>()

  constructor(store: LeagueStore, agents: readonly LeagueAgent[]) {
    this.#store = store
    for (const agent of agents) this.set(agent)
  }

  of(league: string): readonly LeagueAgent[] {
    return [...(this.#leagues.get(league)?.values() ?? [])]
  }

  players(league: string): readonly LeagueAgent[] {
    return this.of(league).filter(({ account }) => account !== null)
  }

  referees(league: string): readonly LeagueAgent[] {
    return this.of(league).filter(({ account }) => account === null)
  }

  find(league: string, id: string): LeagueAgent | undefined {
    return this.#leagues.get(league)?.get(id)
  }

  player(league: string, account: AccountId): LeagueAgent | undefined {
    return this.players(league).find(agent => agent.account?.id === account)
  }

  /** In memory alone. */
  set(agent: LeagueAgent): void {
    const agents = this.#leagues.get(agent.league)
    if (agents === undefined) this.#leagues.set(agent.league, new Map([[agent.id, agent]]))
    else agents.set(agent.id, agent)
  }

  async keep(agent: LeagueAgent): Promise<void> {
    this.set(agent)
    await this.#store.keepAgent(agent)
  }

  /** In memory alone. */
  unset({ league, id }: LeagueAgent): void {
    this.#leagues.get(league)?.delete(id)
  }

  async remove(agent: LeagueAgent): Promise<void> {
    this.unset(agent)
    await this.#store.removeAgent(agent.league, agent.id)
  }

  /** A league is over. What is on disk tells whose endpoint it was. */
  forget(league: string): void {
    this.#leagues.delete(league)
  }

  accountAt(endpoint: string, name: string) {
    return this.#store.accountAt(endpoint, name)
  }
}

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

export const isTokenOf = (agent: LeagueAgent | undefined, token: unknown): token is string =>
  agent !== undefined &&
  typeof token === 'string' &&
  timingSafeEqual(Buffer.from(agent.token), Buffer.from(hashOf(token)))

/** For a referee, which has no account. */
export const newToken = (id: string): string =>
  `tok_${id.toLowerCase()}_${randomBytes(32).toString('base64url')}`

/** The ids of all players of a league, of whatever protocol. Who has registered has the id that was granted then. */
export const playerIdsOf = (
  { entrants }: Pick<EventState, 'entrants'>,
  players: readonly LeagueAgent[],
): ReadonlyMap<AccountId, string> => {
  const granted = new Map(players.map(({ account, id }) => [account!.id, numberIn(id)]))
  return new Map(
    [...idNumbers(entrants, granted)].map(([account, number]) => [account, idOf('P', number)]),
  )
}

/** The first id that is free, from 1 on. */
export const freeId = (kind: 'P' | 'REF', taken: ReadonlySet<string>): string => {
  return idOf(kind, firstFree(new Set([...taken].map(numberIn))))
}

/** 3 for `P03`. */
export const numberIn = (id: string): number => Number(id.replace(/^\D+/, ''))

const idOf = (kind: string, number: number) => `${kind}${String(number).padStart(2, '0')}`
