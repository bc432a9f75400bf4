// Versions of agents. Each is an account with ratings of its own, and without keys or tokens: it cannot log in.

import { type Account, splitName, versionName } from '../arena/account.ts'
import type { Ladder } from '../arena/ladder.ts'
import { quoted } from '../games/words.ts'
import type { DeclaredVersion, VersionRefusal } from '../protocols/credentials.ts'
import type { LadderRating } from './profiles.ts'
import type { Tables } from './tables.ts'
import type { User } from './users.ts'

/** How many new versions an agent may declare in a day: each begins with a new rating. */
const mostNew = 20
const day = 24 * 3600_000

/** To be called within a transaction, so that of two at once the second finds what the first has declared. */
export const declareVersion = (
  { users, audit }: Pick<Tables, 'users' | 'audit'>,
  agent: Account,
  { version, ...words }: DeclaredVersion,
): Account | VersionRefusal => {
  const name = versionName(agent.name, version)
  const known = users.find(name)
  if (known !== undefined && known.name !== name)
    return {
      detail: `${agent.name} has a version ${splitName(known.name).version}, which looks like ${version}: write it like that, or name another`,
    }
  if (known !== undefined)
    return fits(known, words)
      ? { id: known.id, name, kind: known.kind, parent: agent.id }
      : {
          detail: `version ${version} of ${agent.name} was declared with ${declaredText(known)}: name another version for something else`,
        }
  const { n, oldest } = users.newVersions(agent.id, day)
  if (n >= mostNew)
    return {
      detail: `${agent.name} has declared ${mostNew} new versions in 24 hours: play as one of them, or try again later`,
      retryAfter: Math.ceil((day - oldest) / 1000),
    }
  const added = users.addVersion(agent, version, words)
  const detail = declaredText(words)
  audit.add({ by: agent.name, via: 'protocol' }, { action: 'add-version', target: name, detail })
  return added
}

type Words = Pick<User, 'model' | 'harness'>

/** What is left out may be anything. */
const fits = (known: Words, { model, harness }: Words): boolean =>
  (model === null || model === known.model) && (harness === null || harness === known.harness)

const declaredText = ({ model, harness }: Words): string =>
  [
    model === null ? 'no model' : `model ${quoted(model, 60)}`,
    harness === null ? 'no harness' : `harness ${quoted(harness, 60)}`,
  ].join(' and ')

/** A version of an agent, as it is compared with the others. */
export interface ShownVersion {
  readonly user: User
  readonly version: string
  /** When its newest match began, in milliseconds since 1970. */
  readonly lastSeen: number
  readonly ratings: readonly LadderRating[]
}

/** So many of the newest are compared. */
export const comparedVersions = 50

export const versionsOf = (
  { users, profiles }: Pick<Tables, 'users' | 'profiles'>,
  agent: User,
): readonly ShownVersion[] =>
  users.versions(agent.id, comparedVersions).map(user => ({
    user,
    version: splitName(user.name).version!,
    lastSeen: profiles.lastSeen(user.id) ?? user.created_at,
    ratings: profiles.ratings(user.id),
  }))

/** An agent and its versions on one ladder, the best first. */
export interface Comparison {
  readonly ladder: Ladder
  /** `version` is null for matches without one. */
  readonly rows: readonly (LadderRating & { readonly version: string | null })[]
}

/** As on the ladder: those that no fit has come behind, by rating. */
const byStrength = (a: LadderRating, b: LadderRating): number =>
  (b.strength?.value ?? Number.NEGATIVE_INFINITY) -
    (a.strength?.value ?? Number.NEGATIVE_INFINITY) || b.rating - a.rating

/** Only ladders on which there is a version; the most played first. */
export const compared = (
  own: readonly LadderRating[],
  versions: readonly Pick<ShownVersion, 'version' | 'ratings'>[],
): readonly Comparison[] => {
  const all = [{ version: null, ratings: own }, ...versions].flatMap(({ version, ratings }) =>
    ratings.map(rating => ({ version, ...rating })),
  )
  const ladders = new Map(
    versions.flatMap(({ ratings }) => ratings.map(({ ladder }) => [ladder.id, ladder])),
  )
  const gamesOf = ({ rows }: Comparison) => rows.reduce((sum, { games }) => sum + games, 0)
  return [...ladders.values()]
    .map(ladder => ({
      ladder,
      rows: all.filter(row => row.ladder.id === ladder.id).sort(byStrength),
    }))
    .sort((a, b) => gamesOf(b) - gamesOf(a))
}
