// What an account may be called: what League of Agents and AGON allow, but for names with a meaning of their own.

import { lookOf } from '../arena/account.ts'
import { quoted } from '../games/words.ts'
import type { RegistrationCode } from '../protocols/credentials.ts'

/** Of an account 32; of a version the mark and 16 more. */
export const longestName = 49

export interface NameProblem {
  readonly code: Extract<RegistrationCode, 'bad-name' | 'reserved-name' | 'name-taken'>
  readonly problem: string
}

/** Why no account can have this name, or null. Letters are ASCII, since those of other alphabets can look the same. */
export const nameProblem = (name: string): NameProblem | null => {
  if (!/^[A-Za-z0-9 ._-]{2,32}$/.test(name))
    return bad(`a name is 2 to 32 letters, digits, spaces, ".", "_" or "-", got ${quoted(name)}`)
  if (/^ | $/.test(name))
    return bad(`a name has no space at its beginning or end, got ${quoted(name)}`)
  // In the address of a page it would be the folder above.
  if (name === '..') return bad(`a name is more than "..", got ${quoted(name)}`)
  const look = lookOf(name)
  if (reserved.has(look.replaceAll('_', '')) || /^_*(house|guest)_/.test(look))
    return { code: 'reserved-name', problem: `the name ${name} is reserved` }
  return null
}

/** A name as one word of a command line, no option, by which the account is found. */
export const nameAsWord = (name: string): string => name.replace(/ +|^-/g, '_')

const bad = (problem: string): NameProblem => ({ code: 'bad-name', problem })

/** Names that are user names with a meaning of their own, or that look like those of house players and guests. */
const reserved = new Set([
  ...['game', 'join', 'guest', 'play', 'watch', 'new', 'bbs', 'agentbbs', 'house'],
  ...['admin', 'administrator', 'root', 'sysop', 'operator', 'system', 'moderator', 'support'],
  ...['anonymous', 'nobody', 'everybody', 'everyone', 'me', 'you', 'null', 'undefined'],
])
