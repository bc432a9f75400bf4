import type { AccountId } from '../arena/account.ts'
import { idNumbers } from './id-numbers.ts'
import { byLot } from './lot.ts'
import type { EventPlan } from './plan.ts'
import { pointsOf, type Result, sumOf } from './results.ts'
import type { EventState } from './state.ts'

/** What decides between equal points. More is better, but for those of `lowerFirst`. */
export const tieBreaks = {
  directEncounter: 'Direct encounter: results among those with equal points, if all have met',
  buchholzCut1:
    'Buchholz cut 1: the points of all opponents but the weakest; a round without a match counts as one against oneself',
  sonnebornBerger: 'Sonneborn-Berger: the points of those beaten, and half of those drawn with',
  wins: 'Wins',
  number: 'The number in the id',
  seeding: 'Seeding at the start',
  lot: 'Lot: the place that the seed of the event has drawn',
} as const

export type TieBreak = keyof typeof tieBreaks

/** In the order in which they decide. */
export const tieBreaksOf = ({ format, protocol }: EventPlan): readonly TieBreak[] => {
  if (protocol === 'league.v2') return ['wins', 'number']
  switch (format.kind) {
    case 'swiss':
      return ['directEncounter', 'buchholzCut1', 'sonnebornBerger', 'wins', 'lot']
    case 'round-robin':
      return ['directEncounter', 'sonnebornBerger', 'wins', 'lot']
    case 'arena':
      return ['directEncounter', 'wins', 'lot']
    case 'series':
      return ['lot']
    case 'knockout':
      return ['seeding']
  }
}

export const lowerFirst: ReadonlySet<TieBreak> = new Set(['number', 'seeding', 'lot'])

/** The value of each tie-break for each entrant; null where it says nothing. */
export const tieBreakValues = (
  state: EventState,
  results: ReadonlyMap<AccountId, readonly Result[]>,
): ((name: TieBreak, account: AccountId) => number | null) => {
  const of = (account: AccountId) => results.get(account) ?? []
  const points = pointsOf(state, results)
  const accounts = state.entrants.map(({ account }) => account)
  const drawn = byLot(state.plan.seed, 'tie', accounts)
  const levels = new Map<number, Level>()
  let numbers: ReadonlyMap<AccountId, number> | undefined

  return (name, account) => {
    const own = of(account)
    switch (name) {
      case 'directEncounter':
        return directEncounter(account)
      case 'buchholzCut1': {
        const opponents = own.flatMap(({ against, isPlayed }) =>
          isPlayed ? against.map(other => points(other.account)) : [points(account)],
        )
        return opponents.length === 0 ? 0 : sumOf(opponents) - Math.min(...opponents)
      }
      case 'sonnebornBerger':
        return sumOf(
          own.flatMap(({ against, isPlayed, outcome }) =>
            isPlayed
              ? against.map(other => other.share * points(other.account))
              : [outcome === 'win' ? points(account) : 0],
          ),
        )
      case 'wins':
        return own.filter(({ outcome, board }) => outcome === 'win' && board !== null).length
      case 'number':
        numbers ??= idNumbers(state.entrants, grantedOf(state.entrants))
        return numbers.get(account) ?? null
      case 'seeding':
        return accounts.indexOf(account) + 1
      case 'lot':
        return drawn.indexOf(account) + 1
    }
  }

  function directEncounter(account: AccountId) {
    const own = points(account)
    const level = levels.get(own) ?? levelAt(own)
    levels.set(own, level)
    if (level.equal.size === 1 || !level.haveAllMet) return null
    return sumOf(sharesAmong(level.equal, account).map(({ share }) => share))
  }

  /** Those with so many points, and whether all of them have met. */
  function levelAt(value: number): Level {
    const equal = new Set([...results.keys()].filter(account => points(account) === value))
    const haveAllMet = [...equal].every(
      one => new Set(sharesAmong(equal, one).map(other => other.account)).size === equal.size - 1,
    )
    return { equal, haveAllMet }
  }

  function sharesAmong(equal: ReadonlySet<AccountId>, account: AccountId) {
    return of(account).flatMap(({ against }) => against.filter(other => equal.has(other.account)))
  }
}

const grantedOf = (entrants: EventState['entrants']) =>
  new Map(
    entrants.flatMap(({ account, granted }) => (granted === null ? [] : [[account, granted]])),
  )

interface Level {
  readonly equal: ReadonlySet<AccountId>
  readonly haveAllMet: boolean
}
