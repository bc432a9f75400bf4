import type { Account } from '../arena/account.ts'
import type { TokenBuckets } from '../limits/token-bucket.ts'
import type {
  Minted,
  NewSecret,
  Registered,
  Registrar,
  RegistrationRefusal,
  RegistrationRequest,
} from '../protocols/credentials.ts'
import type { Remote } from '../threads/calls.ts'
import type { Acts } from './acts.ts'
import { publicKeyOf } from './public-key.ts'

interface KeyRequest extends Omit<RegistrationRequest, 'secret'> {
  /** The SSH key in its wire format. The client has proved that it owns it. */
  readonly key: Buffer
}

interface RegistrarOptions {
  readonly acts: Remote<Pick<Acts, 'register' | 'registerKey' | 'mint'>>
  /** How often one address may try, by all doors together. */
  readonly rate: TokenBuckets
}

/** Registers accounts as often as one address may try. */
export class LimitedRegistrar implements Registrar {
  readonly #acts: RegistrarOptions['acts']
  readonly #rate: TokenBuckets

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

  #tooMany(source = thisMachine): RegistrationRefusal | null {
    const retryAfter = this.#rate.take(source)
    if (retryAfter === 0) return null
    const detail = `too many tries from your address: try again in ${retryAfter} s`
    return { code: 'too-many-tries', detail, retryAfter }
  }
}

/** Over SSH, which leaves no address out, it is called so. */
const thisMachine = '127.0.0.1'
