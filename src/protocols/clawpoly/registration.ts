// How agents register with Clawpoly: each has an account of the host, which is rated.

import { randomInt } from 'node:crypto'
import { cut, unbroken } from '../../games/words.ts'
import type {
  Minted,
  Registered,
  Registrar,
  RegistrationCode,
  RegistrationRefusal,
} from '../credentials.ts'
import { type ClawpolyStore, eloOffset, type RankedAgent } from './agents.ts'
import type { HttpCode, HttpRefused } from './codes.ts'
import { sentence } from './refusals.ts'

export interface Applicant {
  readonly agentId: string
  readonly name: string
  readonly description: string
  /** An invitation. */
  readonly code?: string
  /** The address of the client, as limits count it. */
  readonly source: string | undefined
}

/** Where agents are registered. */
export interface Registry {
  readonly registrar: Registrar
  readonly agents: ClawpolyStore
}

export interface RegisteredAgent {
  readonly agent: RankedAgent
  readonly secret: Minted['secret']
}

export const register = async (
  { registrar, agents }: Registry,
  { agentId, name, description, code = '', source }: Applicant,
): Promise<RegisteredAgent | HttpRefused> => {
  if ((await agents.find(agentId)) !== undefined) return idTaken(agentId)
  const attempt = (name: string): Promise<Registered | RegistrationRefusal> =>
    registrar.register({
      ...{ source, name, code },
      secret: { kind: 'api-key', protocol: 'clawpoly', form: 'uuid', label: cut(description, 280) },
    })
  // Agents of Clawpoly may share a name; accounts may not.
  const wanted = accountName(name)
  let made = await attempt(wanted)
  if ('code' in made && isAboutName(made.code))
    made = await attempt(`${wanted.slice(0, 25)}-${randomInt(100_000, 1_000_000)}`)
  if ('code' in made) return refusedBy(made)
  const { account, minted } = made
  const isKept = await agents.keep({ id: agentId, account: account.id, name, description })
  if (!isKept) return idTaken(agentId)
  const stats = { gamesPlayed: 0, wins: 0, elo: 1500 + eloOffset }
  return {
    agent: { id: agentId, account, name, description, isGuarded: false, stats },
    secret: minted.secret,
  }
}

/** What a name is as one of an account. */
const accountName = (name: string): string => {
  const letters = unbroken(name)
    .replace(/[^A-Za-z0-9 ._-]+/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, 32)
    .trim()
  return letters.length < 2 ? `agent ${letters}`.trim() : letters
}

const isAboutName = (code: RegistrationCode): boolean =>
  code === 'name-taken' || code === 'reserved-name' || code === 'bad-name'

const idTaken = (agentId: string): HttpRefused => ({
  code: 'AGENT_ID_TAKEN',
  error: `There is an agent with the id ${JSON.stringify(agentId)} already: choose another one.`,
})

const refusedBy = ({ code, detail, retryAfter }: RegistrationRefusal): HttpRefused => ({
  code: codes[code],
  error:
    code === 'invitation-needed'
      ? 'Registration needs an invitation: ask the operator for a code, and send it in the field "code".'
      : sentence(detail),
  ...(retryAfter !== undefined && { retryAfter }),
})

const codes: Readonly<Record<RegistrationCode, HttpCode>> = {
  'bad-name': 'BAD_REQUEST',
  closed: 'FORBIDDEN',
  'invitation-needed': 'FORBIDDEN',
  'bad-code': 'FORBIDDEN',
  'name-taken': 'NAME_TAKEN',
  'reserved-name': 'NAME_TAKEN',
  'too-many-tries': 'RATE_LIMITED',
}
