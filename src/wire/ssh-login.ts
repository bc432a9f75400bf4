import type { AuthContext, Connection, PublicKeyAuthContext } from 'ssh2'
import { quoted } from '../games/words.ts'
import type { WireRefusal } from '../protocols/codes.ts'
import type { Protocol, SshUser } from '../protocols/protocol.ts'
import type { Accounts, Login } from './accounts.ts'
import type { HubSessions } from './hub-session.ts'
import { sendBanner } from './ssh-banner.ts'
import { fingerprint, proves } from './ssh-keys.ts'
import { SshLoginRequests } from './ssh-login-requests.ts'

/** What a protocol answers under its SSH user name. */
interface SshService {
  readonly protocol: Protocol
  readonly ssh: SshUser
}

/** What answers under which user name. */
export interface Users {
  /** The protocols of agents, who need a registered key. */
  readonly agents: ReadonlyMap<string, SshService>
  /** The hub, under every other name; null where there is none. */
  readonly people: HubSessions | null
}

/**
 * The outcome of a login: an agent with a registered key; a person, with a known key, a new one or none; or a client that
 * is let in only to be told why it is refused.
 */
export type LoginResult =
  | { readonly kind: 'agent'; readonly login: Login; readonly service: SshService }
  | { readonly kind: 'refused'; readonly refusal: WireRefusal; readonly service: SshService }
  | PersonLogin

export interface PersonLogin {
  readonly kind: 'person'
  readonly user: string
  readonly login: Login | null
  readonly key: Buffer | null
  readonly people: HubSessions
}

/** What the login asks and tells its connection. */
export interface LoginHost {
  /** Whether the connection is closing, so that further requests are ignored. */
  isOver(): boolean
  admit(result: LoginResult): void
  /** A try was refused; the client may make another one. */
  rejected(): void
  /** The client showed a key without having its private key. */
  forged(): void
  giveUp(): void
  /** An internal error. */
  failed(error: unknown): void
}

/**
 * Lets in a client that proves to have a registered key. An unknown key is only refused, so that the client can offer its
 * next one. A client without further keys is let in by `keyboard-interactive`, without a question, to be told in a message
 * what is wrong: SSH has no place for a reason in a refused login. Programs often leave that method out, as OpenSSH does
 * with BatchMode=yes. So the first refused try of an agent is also answered with a banner that says the same, once: a
 * client with more keys may still log in.
 *
 * People log in the same way, and become guests when none of their keys is known. `join` takes the first key that the
 * client proves to have, known or not. `guest` needs no key: every client tries the method `none` first, and under any
 * other name taking it would hide all keys.
 */
export class SshLogin {
  readonly #client: Connection
  readonly #accounts: Accounts
  readonly #users: Users
  readonly #mostTries: number
  readonly #host: LoginHost
  readonly #refused: string[] = []
  #tries = 0

  constructor(
    client: Connection,
    accounts: Accounts,
    users: Users,
    mostTries: number,
    host: LoginHost,
  ) {
    this.#client = client
    this.#accounts = accounts
    this.#users = users
    this.#mostTries = mostTries
    this.#host = host
    const requests = new SshLoginRequests(client, () => host.giveUp())
    client.on('authentication', async context => {
      requests.hold()
      try {
        if (!host.isOver()) await this.#consider(context)
      } catch (error) {
        host.failed(error)
      }
      if (!host.isOver()) requests.release()
    })
    // The login takes no memory once it is over.
    client.once('ready', () => {
      client.removeAllListeners('authentication')
      requests.end()
    })
  }

  async #consider(context: AuthContext): Promise<void> {
    const { people } = this.#users
    const service = this.#users.agents.get(context.username)
    if (service === undefined && people !== null) await this.#receive(context, people)
    else if (context.method === 'keyboard-interactive') {
      this.#host.admit({
        kind: 'refused',
        refusal: service === undefined ? this.#noUser(context.username) : this.#noKey(),
        service: service ?? this.#users.agents.values().next().value!,
      })
      context.accept()
    } else if (context.method !== 'publickey' || service === undefined) {
      // With `none` clients ask which methods there are: it does not count as a try.
      this.#reject(context, context.method !== 'none')
    } else
      await this.#tryKey(context, false, login => {
        this.#host.admit({ kind: 'agent', login: login!, service })
      })
  }

  async #receive(context: AuthContext, people: HubSessions): Promise<void> {
    const { method, username: user } = context
    const admit = (login: Login | null, key: Buffer | null) =>
      this.#host.admit({ kind: 'person', user, login, key, people })
    if (method === 'keyboard-interactive' || (method === 'none' && user === 'guest')) {
      admit(null, null)
      context.accept()
    } else if (method === 'publickey')
      await this.#tryKey(context, user === 'join', login => admit(login ?? null, context.key.data))
    else this.#reject(context, method !== 'none')
  }

  async #tryKey(
    context: PublicKeyAuthContext,
    anyKey: boolean,
    admit: (login: Login | undefined) => void,
  ): Promise<void> {
    const { key, signature, blob, hashAlgo } = context
    // A request may end before its key: ssh2 does not check that.
    if (!Buffer.isBuffer(key.data)) {
      this.#reject(context, true)
      return
    }
    const login = await this.#accounts.byKey(key.data)
    if (this.#host.isOver()) return
    const weak = key.algo === 'ssh-rsa' && hashAlgo === undefined
    if ((login === undefined && !anyKey) || weak) {
      this.#refused.push(
        fingerprint(key.data) + (weak ? ' (used with SHA-1, which is not taken)' : ''),
      )
      this.#reject(context, true)
    } else if (signature === undefined || blob === undefined) {
      // The client asks whether this key would be taken, before it signs.
      context.accept()
    } else if (proves(key.data, { data: blob, signature, hash: hashAlgo })) {
      admit(login)
      context.accept()
    } else {
      this.#host.forged()
      this.#reject(context, true)
    }
  }

  #reject(context: AuthContext, isTry: boolean): void {
    if (isTry) {
      if (this.#tries === 0 && this.#users.agents.has(context.username))
        sendBanner(this.#client, this.#noKey().detail)
      this.#tries++
      this.#host.rejected()
    }
    if (this.#tries > this.#mostTries) this.#host.giveUp()
    else if (this.#tries < this.#mostTries) context.reject(['publickey', 'keyboard-interactive'])
    else context.reject(['keyboard-interactive'])
  }

  #noUser(name: string): WireRefusal {
    const names = [...this.#users.agents.keys()].join(', ')
    return {
      code: 'unknown-user',
      detail: `there is no user ${quoted(name)} here: agents come as ${names}`,
    }
  }

  #noKey(): WireRefusal {
    // Strangers read this, so it does not say where the program is on this machine.
    const register =
      'make an account for it as the user join here, or ask the operator to register it with: agentbbs add-key ACCOUNT KEYFILE.pub'
    const keys = this.#refused
    if (keys.length === 0)
      return {
        code: 'unknown-key',
        detail: `no key was offered: give a registered one with ssh -i KEYFILE, or ${register}`,
      }
    if (keys.length === 1)
      return { code: 'unknown-key', detail: `unknown key ${keys[0]}: ${register}` }
    return {
      code: 'unknown-key',
      detail: `unknown keys ${keys.join(', ')}: give the registered one alone with ssh -o IdentitiesOnly=yes -i KEYFILE, or ${register}`,
    }
  }
}
