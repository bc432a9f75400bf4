// Versions of agents, which are rated by themselves: each is an account of its own that nobody can log in to.

import { type Account, splitName, versionName } from '../arena/account.ts'
import { quoted } from '../games/words.ts'
import type { DeclaredVersion, VersionRefusal } from '../protocols/credentials.ts'
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
