import type { Account } from '../../arena/account.ts'
import type { Clock } from '../../clock.ts'
import type { Director } from '../../events/director.ts'
import { leagueOptionsOf, queueId } from '../../events/league-options.ts'
import type { EventState } from '../../events/state.ts'
import { gameOf, games } from '../../games/index.ts'
import { oneLine } from '../../games/words.ts'
import type { HttpClient } from '../../outgoing/http-client.ts'
import type { Registrar } from '../credentials.ts'
import type { Gate } from '../gate.ts'
import type { LeagueAgent } from './agents.ts'
import { isText, isTextList, missingField, senderId } from './checks.ts'
import { gameTypeOf } from './match.ts'
import { freeId, hashOf, isTokenOf, type Members, newToken, numberIn } from './members.ts'
import { type Fields, isFields } from './messages.ts'
import type { LeagueQueue } from './queue.ts'
import { ownRefereeId, type Rounds } from './rounds.ts'
import { protocolId } from './seat.ts'

/** Who registers, and where it came from. */
export interface Applicant {
  readonly params: Fields
  readonly gate: Gate
  readonly source: string | undefined
}

interface RegistrationOptions {
  readonly clock: Clock
  readonly director: Pick<Director, 'enter' | 'get'>
  readonly members: Members
  readonly rounds: Rounds
  readonly queue: LeagueQueue
  readonly http: HttpClient
  readonly registrar: Registrar
}

export type Registered =
  | { readonly agent: LeagueAgent; readonly token: string }
  | { readonly reason: string }

/** Longer than a league lasts: with its league the token ends. */
const tokenLifetime = 400 * 86_400_000
const mostReferees = 32
const longestName = 64

/** Registers the servers of players and referees, one after the other in each league. */
export class Registration {
  readonly #options: RegistrationOptions
  readonly #last = new Map<string, Promise<unknown>>()

  constructor(options: RegistrationOptions) {
    this.#options = options
  }

  /** The field that is missing in what a player or a referee says of itself; undefined for none. */
  static missing(kind: 'player' | 'referee', params: Fields): string | undefined {
    const field = `${kind}_meta`
    const meta = params[field]
    if (!isFields(meta)) return field
    const missing = missingField(meta, {
      display_name: isText,
      version: isText,
      game_types: isTextList,
      contact_endpoint: isText,
    })
    return missing === undefined ? undefined : `${field}.${missing}`
  }

  /** `state`: null for the ordinary queue. */
  register(
    kind: 'player' | 'referee',
    state: EventState | null,
    applicant: Applicant,
  ): Promise<Registered> {
    const league = state?.plan.id ?? queueId
    const before = this.#last.get(league) ?? Promise.resolve()
    const registered = before.then(() =>
      kind === 'player'
        ? this.#player(state === null ? null : this.#now(state), applicant)
        : this.#referee(state === null ? null : this.#now(state), applicant),
    )
    const done = registered
      .catch(() => {})
      .then(() => {
        if (this.#last.get(league) === done) this.#last.delete(league)
      })
    this.#last.set(league, done)
    return registered
  }

  /** Others may have registered meanwhile. */
  #now(state: EventState): EventState {
    return this.#options.director.get(state.plan.id) ?? { ...state, status: 'finished' }
  }

  async #player(state: EventState | null, applicant: Applicant): Promise<Registered> {
    const { members, queue } = this.#options
    const meta = applicant.params.player_meta as Meta
    const league = state?.plan.id ?? queueId
    const { params } = applicant
    const known = this.#known(members.players(league), meta, params)
    if (state === null && params.leave === true) {
      if (known === undefined || !isTokenOf(known, params.auth_token))
        return { reason: 'to leave the queue, send the auth_token that you were given for it' }
      queue.leave(known)
      await members.remove(known)
      return { agent: known, token: '' }
    }
    const problem = this.#closedFor(state, known, params) ?? (await this.#unfit(state, meta))
    if (problem !== null) return { reason: problem }
    const taken =
      state === null
        ? new Set(members.players(league).map(({ id }) => id))
        : this.#options.rounds.view(state).ids
    const account = known?.account ?? (await this.#knownAccount(applicant, meta))
    if (account !== null && 'reason' in account) return account
    const entered = account === null ? undefined : members.player(league, account.id)
    const own =
      known ??
      entered ??
      (account !== null && state !== null && isEntrant(state, account)
        ? { id: this.#options.rounds.view(state).playerId(account.id) }
        : undefined)
    const id = own?.id ?? grantedId(params, /^P\d\d$/, taken) ?? freeId('P', taken)
    const made = account ?? (await this.#newAccount(applicant, meta, id))
    if ('reason' in made) return { reason: made.reason }
    const { token } = 'token' in made ? made : await this.#mint(made, id)
    const agent: LeagueAgent = {
      ...{ league, id, account: 'token' in made ? made.account : made, concurrent: 1 },
      ...described(meta),
      token: hashOf(token),
    }
    members.set(agent)
    if (state !== null && !isEntrant(state, agent.account!)) {
      const refusal = await this.#options.director.enter(agent.account!, league, numberIn(id))
      if (refusal !== null) {
        if (known === undefined) members.unset(agent)
        else members.set(known)
        return { reason: refusal.detail }
      }
    }
    await members.keep(agent)
    if (state === null) queue.join(agent)
    return { agent, token }
  }

  async #referee(state: EventState | null, { params }: Applicant): Promise<Registered> {
    const { members } = this.#options
    if (state === null) return { reason: 'the queue has referees of its own' }
    const meta = params.referee_meta as Meta
    const league = state.plan.id
    if (!leagueOptionsOf(state.plan).referees)
      return { reason: 'this league has no referees but its own' }
    const referees = members.referees(league)
    const known = this.#known(referees, meta, params)
    const problem =
      this.#closedFor({ ...state, entrants: [] }, known, params) ?? (await this.#unfit(state, meta))
    if (problem !== null) return { reason: problem }
    if (known === undefined && referees.length >= mostReferees)
      return { reason: `this league has its ${mostReferees} referees` }
    const taken = new Set([ownRefereeId, ...referees.map(({ id }) => id)])
    const id = known?.id ?? grantedId(params, /^REF\d\d$/, taken) ?? freeId('REF', taken)
    const token = newToken(id)
    const { max_concurrent_matches: most } = meta
    const concurrent = Number.isSafeInteger(most) && (most as number) > 0 ? (most as number) : 1
    const agent: LeagueAgent = {
      ...{ league, id, account: null, concurrent },
      ...described(meta),
      token: hashOf(token),
    }
    await members.keep(agent)
    return { agent, token }
  }

  /** Who comes again: to the same endpoint, or with its token. */
  #known(
    agents: readonly LeagueAgent[],
    { contact_endpoint }: Meta,
    { auth_token }: Fields,
  ): LeagueAgent | undefined {
    return (
      agents.find(agent => isTokenOf(agent, auth_token)) ??
      agents.find(({ endpoint }) => endpoint === contact_endpoint)
    )
  }

  #closedFor(
    state: EventState | null,
    known: LeagueAgent | undefined,
    { auth_token }: Fields,
  ): string | null {
    if (state === null || (known !== undefined && isTokenOf(known, auth_token))) return null
    if (state.status !== 'open') return 'league already started'
    const { most } = state.plan.entrants
    return known === undefined && state.entrants.length >= most ? 'league is full' : null
  }

  async #unfit(
    state: EventState | null,
    { game_types, contact_endpoint }: Meta,
  ): Promise<string | null> {
    const types =
      state === null ? games.map(({ id }) => gameTypeOf(id)) : [gameTypeOf(state.plan.game)]
    if (!game_types.some(type => types.includes(type)))
      return `game_types has none of ${types.join(', ')}`
    // The words of the refusal name addresses of the host's own network.
    const refusal = await this.#options.http.refusal(contact_endpoint)
    if (refusal === null) return null
    return refusal.cause === 'no-name'
      ? 'contact_endpoint cannot be called: its name is not found'
      : refusal.cause === 'refused-address'
        ? 'contact_endpoint cannot be called: this host does not call that address or port'
        : 'contact_endpoint has to be a URL of http or https'
  }

  /** The account of a token of the host, or the one that this server has had before; null for neither. */
  async #knownAccount(
    { params, gate }: Applicant,
    { contact_endpoint, display_name }: Meta,
  ): Promise<Account | null | { readonly reason: string }> {
    const { auth_token: token } = params
    if (typeof token === 'string' && token.startsWith('abbs_')) {
      const login = await gate.login(token, ['token'])
      return 'code' in login ? { reason: `auth_token: ${login.detail}` } : login.account
    }
    return (await this.#options.members.accountAt(contact_endpoint, nameOf(display_name))) ?? null
  }

  async #newAccount(
    { params, source }: Applicant,
    { display_name, code }: Meta,
    id: string,
  ): Promise<{ readonly account: Account; readonly token: string } | { readonly reason: string }> {
    const given = isText(code) ? code : isText(params.code) ? params.code : ''
    const register = (name: string) =>
      this.#options.registrar.register({ source, name, code: given, secret: secretOf(id) })
    const name = accountName(display_name)
    let made = await register(name)
    if ('code' in made && (made.code === 'name-taken' || made.code === 'reserved-name'))
      made = await register(`${name.slice(0, 27)}-${hashOf(newToken(id)).slice(0, 4)}`)
    return 'code' in made
      ? { reason: made.detail }
      : { account: made.account, token: made.minted.secret }
  }

  async #mint(account: Account, id: string) {
    const { secret } = await this.#options.registrar.mint(account, secretOf(id))
    return { token: secret }
  }
}

/** What a server says of itself, which has been checked for its types. */
interface Meta extends Fields {
  readonly display_name: string
  readonly version: string
  readonly game_types: readonly string[]
  readonly contact_endpoint: string
}

const described = ({ display_name, contact_endpoint, game_types }: Meta) => ({
  name: nameOf(display_name),
  endpoint: contact_endpoint,
  games: game_types.filter(type => gameOf(type) !== undefined || type === 'even_odd').slice(0, 64),
})

const nameOf = (displayName: string) => oneLine(displayName).trim().slice(0, longestName)

/** A name that an account can have. */
const accountName = (displayName: string): string => {
  const name = displayName
    .replace(/[^A-Za-z0-9 ._-]+/g, '-')
    .slice(0, 32)
    .replace(/^[ -]+|[ -]+$/g, '')
  return name.length < 2 ? `player-${name}` : name
}

const secretOf = (id: string) => ({
  kind: 'session' as const,
  ...{ protocol: protocolId, lifetime: tokenLifetime },
  form: `tok_${id.toLowerCase()}_` as const,
})

/** Several clients keep the id that they name. */
const grantedId = (
  params: Fields,
  form: RegExp,
  taken: ReadonlySet<string>,
): string | undefined => {
  const id = senderId(params)
  return form.test(id) && !/00$/.test(id) && !taken.has(id) ? id : undefined
}

const isEntrant = ({ entrants }: EventState, { id }: Account) =>
  entrants.some(({ account, withdrawn }) => account === id && !withdrawn)
