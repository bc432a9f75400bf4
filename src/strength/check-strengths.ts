import type { AccountId } from '../arena/account.ts'
import type { LadderId } from '../arena/ladder.ts'
import type { Database } from '../store/database.ts'
import { plainBasis, StrengthSource } from '../store/strength-source.ts'
import { Strengths } from '../store/strengths.ts'
import { fitLadder } from './fit-ladder.ts'
import { Outcomes } from './outcomes.ts'
import { middle } from './scale.ts'

/**
 * Fits every ladder again from where its fit began, and names what differs in any digit. A ladder in which matches were voided, or a
 * season has ended, since its fit is left out: the host will fit it again.
 */
export const wrongStrengths = (
  db: Database,
  nameOf: (account: AccountId) => string,
): readonly string[] => {
  const source = new StrengthSource(db)
  const strengths = new Strengths(db)
  const bases = source.bases()
  const house = source.house()
  const wrongOn = (ladder: LadderId): readonly string[] => {
    const kept = strengths.fit(ladder)!
    const { after, text } = bases.get(ladder) ?? plainBasis
    if (kept.voided !== text) return []
    const outcomes = new Outcomes()
    for (const result of source.onLadder(ladder, after, kept.last_seq)) outcomes.add(result)
    const rows = new Map(strengths.all(ladder).map(row => [row.account, row]))
    const again = fitLadder(ladder, outcomes, {
      strength: account => rows.get(account)?.start ?? middle,
      first: kept.first_start,
      house,
    })
    const wrong: string[] = []
    for (const row of again.rows) {
      const { account } = row
      const told = rows.get(account)
      rows.delete(account)
      if (told === undefined)
        wrong.push(`${nameOf(account)}, ${ladder}: no strength is stored, fitted ${row.strength}`)
      else if (differ(told, row, ['strength', 'error', 'matches']))
        wrong.push(
          `${nameOf(account)}, ${ladder}: strength ${told.strength} ± ${told.error} after ${told.matches}, fitted again ${row.strength} ± ${row.error} after ${row.matches}`,
        )
    }
    for (const account of rows.keys())
      wrong.push(`${nameOf(account)}, ${ladder}: a strength is stored, but no match of it counts`)
    if (differ(kept, again.fit, ['matches', 'first', 'first_error', 'intransitivity']))
      wrong.push(
        `${ladder}: the fit has ${kept.matches} matches, ${kept.first} ± ${kept.first_error} for the first seat and ${kept.intransitivity} not transitive, fitted again ${again.fit.matches}, ${again.fit.first} ± ${again.fit.first_error} and ${again.fit.intransitivity}`,
      )
    return wrong
  }
  return strengths.ladders().flatMap(wrongOn)
}

const differ = <K extends string>(
  one: Readonly<Record<K, number | null>>,
  other: Readonly<Record<K, number | null>>,
  keys: readonly K[],
): boolean => keys.some(key => one[key] !== other[key])
