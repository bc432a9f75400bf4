import type { Account, AccountId } from '../arena/account.ts'
import type { TokenBuckets } from '../limits/token-bucket.ts'
import type {
  Minted,
  NewSecret,
  Registered,
  Registrar,
  RegistrationCode,
  RegistrationRefusal,
  RegistrationRequest,
} from '../protocols/credentials.ts'
import type { Actor, Via } from './audit.ts'
import { addKey, mintSecret } from './credentials.ts'
import { publicKeyOf } from './public-key.ts'
import type { Store } from './store.ts'

/** Who may make an account: everyone, holders of an invitation code, or only the operator. */
export type RegistrationPolicy = 'open' | 'invite' | 'closed'

interface RegistrationOptions {
  readonly store: RegistrationStore
  readonly policy: RegistrationPolicy
  /** How often one address may try, by all doors together. */
  readonly rate: TokenBuckets
}

type RegistrationStore = Pick<Store, 'users' | 'keys' | 'tokens' | 'codes' | 'audit' | 'write'>

interface KeyRequest extends Omit<RegistrationRequest, 'secret'> {
  /** The SSH key in its wire format. The client has proved that it owns it. */
  readonly key: Buffer
}

/** Registers accounts that come over SSH, by the API or by a protocol, and writes into the audit log who came and how. */
export class Registration implements Registrar {
  readonly #store: RegistrationStore
  readonly #policy: RegistrationPolicy
  readonly #rate: TokenBuckets

  constructor({ store, policy, rate }: RegistrationOptions) {
    this.#store = store
    this.#policy = policy
    this.#rate = rate
  }

  register(request: RegistrationRequest): Promise<Registered | RegistrationRefusal> {
    return this.#limited(request, () => {
      const permit = this.#permit(request)
      if ('code' in permit) return permit
      if (permit.account !== null)
        return refusal('bad-code', 'this code adds an SSH key to an account: it makes no account')
      const account = this.#add(request, viaOf(request.secret))
      if ('code' in account) return account
      this.#spend(request)
      return { account, minted: this.#mint(account, request.secret) }
    })
  }

  /** Registers an account for an SSH key, or adds the key to the account of a one-time code. */
  registerKey(request: KeyRequest): Promise<Account | Pick<RegistrationRefusal, 'detail'>> {
    return this.#limited(request, () => {
      const { keys, users } = this.#store
      const permit = this.#permit(request)
      if ('code' in permit) return permit
      // The key is checked first, so that no name goes to an account without a key.
      const owner = permit.account === null ? keys.owner(request.key) : undefined
      if (owner !== undefined)
        return { detail: `this key belongs to ${owner}, or did before it was revoked` }
      const account =
        permit.account === null ? this.#add(request, 'hub') : users.byId(permit.account)!
      if ('code' in account) return account
      const actor: Actor = { by: account.name, via: 'hub' }
      const added = addKey(this.#store, actor, account, publicKeyOf(request.key))
      if ('problem' in added) return { detail: added.problem }
      this.#spend(request)
      return account
    })
  }

  mint(account: Account, secret: NewSecret): Promise<Minted> {
    return this.#store.write(() => this.#mint(account, secret))
  }

  async #limited<T>(
    { source = thisMachine }: Pick<RegistrationRequest, 'source'>,
    run: () => T,
  ): Promise<T | RegistrationRefusal> {
    const retryAfter = this.#rate.take(source)
    if (retryAfter === 0) return this.#store.write(run)
    const detail = `too many tries from your address: try again in ${retryAfter} s`
    return { code: 'too-many-tries', detail, retryAfter }
  }

  /** What the policy and the code permit: a new account, or a key for an account. */
  #permit({ code = '' }: Pick<RegistrationRequest, 'code'>): Permit | RegistrationRefusal {
    const found = code === '' ? undefined : this.#store.codes.find(code)
    if (code !== '' && found === undefined)
      return refusal('bad-code', 'this code is not valid, or is no longer valid')
    if (found !== undefined && found.account !== null) return found
    if (this.#policy === 'closed')
      return refusal('closed', 'registration is closed: no new accounts at present')
    if (found === undefined && this.#policy === 'invite')
      return refusal(
        'invitation-needed',
        'registration needs an invitation: ask the operator for a code',
      )
    return { account: null }
  }

  #spend({ code = '' }: Pick<RegistrationRequest, 'code'>): void {
    if (code !== '') this.#store.codes.spend(code)
  }

  #add(
    { name, code = '' }: Pick<RegistrationRequest, 'name' | 'code'>,
    via: Via,
  ): Account | RegistrationRefusal {
    const account = this.#store.users.add(name)
    if ('problem' in account) return refusal(account.code, account.problem)
    const detail = code === '' ? 'open registration' : 'by invitation'
    const actor = { by: account.name, via }
    this.#store.audit.add(actor, { action: 'add-user', target: account.name, detail })
    return account
  }

  #mint(account: Account, secret: NewSecret): Minted {
    return mintSecret(this.#store, { by: account.name, via: viaOf(secret) }, account, secret)
  }
}

interface Permit {
  /** The account that gets the key; null for a new one. */
  readonly account: AccountId | null
}

/** Over SSH, which leaves no address out, it is called so. */
const thisMachine = '127.0.0.1'

/** The host's own API mints tokens; protocols mint what is theirs. */
const viaOf = ({ kind }: NewSecret): Via => (kind === 'token' ? 'api' : 'protocol')

const refusal = (code: RegistrationCode, detail: string): RegistrationRefusal => ({ code, detail })
