import { isDeepStrictEqual } from 'node:util'
import { type Account, versionName } from '../arena/account.ts'
import { BoundedMap } from '../limits/bounded-map.ts'
import type { TokenBuckets } from '../limits/token-bucket.ts'
import type {
  DeclaredVersion,
  Minted,
  NewSecret,
  Registered,
  Registrar,
  RegistrationRefusal,
  RegistrationRequest,
  VersionRefusal,
} from '../protocols/credentials.ts'
import type { Remote } from '../threads/calls.ts'
import type { Acts } from './acts.ts'
import { publicKeyOf } from './public-key.ts'

interface KeyRequest extends Omit<RegistrationRequest, 'secret'> {
  /** The SSH key in its wire format. The client has proved that it owns it. */
  readonly key: Buffer
}

interface RegistrarOptions {
  readonly acts: Remote<Pick<Acts, 'register' | 'registerKey' | 'mint' | 'declare'>>
  /** How often one address may try, by all doors together. */
  readonly rate: TokenBuckets
}

/** Versions in memory: nothing that is known of one ever changes. */
const mostVersions = 10_000

/** Registers accounts as often as one address may try. */
export class LimitedRegistrar implements Registrar {
  readonly #acts: RegistrarOptions['acts']
  readonly #rate: TokenBuckets
  readonly #versions = new BoundedMap<string, Known>(mostVersions)

  constructor({ acts, rate }: RegistrarOptions) {
    this.#acts = acts
    this.#rate = rate
  }

  async register({
    source,
    ...request
  }: RegistrationRequest): Promise<Registered | RegistrationRefusal> {
    return this.#tooMany(source) ?? this.#acts.register(request)
  }

  async registerKey({
    source,
    key,
    ...request
  }: KeyRequest): Promise<Account | Pick<RegistrationRefusal, 'detail'>> {
    return this.#tooMany(source) ?? this.#acts.registerKey({ ...request, key: publicKeyOf(key) })
  }

  mint(account: Account, secret: NewSecret): Promise<Minted> {
    return this.#acts.mint(account, secret)
  }

  async declare(agent: Account, declared: DeclaredVersion): Promise<Account | VersionRefusal> {
    const name = versionName(agent.name, declared.version)
    const known = this.#versions.get(name)
    if (known !== undefined && isDeepStrictEqual(known.declared, declared)) return known.account
    const account = await this.#acts.declare(agent, declared)
    if ('id' in account) this.#versions.set(name, { account, declared })
    return account
  }

  #tooMany(source = thisMachine): RegistrationRefusal | null {
    const retryAfter = this.#rate.take(source)
    if (retryAfter === 0) return null
    const detail = `too many tries from your address: try again in ${retryAfter} s`
    return { code: 'too-many-tries', detail, retryAfter }
  }
}

interface Known {
  readonly account: Account
  /** In the words in which it was declared last. */
  readonly declared: DeclaredVersion
}

/** Over SSH, which leaves no address out, it is called so. */
const thisMachine = '127.0.0.1'
