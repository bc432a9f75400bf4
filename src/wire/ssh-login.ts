import type { AuthContext, Connection, PublicKeyAuthContext } from 'ssh2'
import type { Refusal } from '../arena/codes.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { quoted } from '../games/words.ts'
import type { Accounts, Login } from './accounts.ts'
import type { HubSessions } from './hub-session.ts'
import { sendBanner } from './ssh-banner.ts'
import { fingerprint, proves } from './ssh-keys.ts'

/** Who is received under which user name. */
export interface Users {
  /** Agents, who need a registered key, and what is spoken to them. */
  readonly agents: ReadonlyMap<string, Dialect>
  /** People, under every other name; null where there is no place for them. */
  readonly people: HubSessions | null
}

/**
 * Who has come in: an agent with a registered key; a person, with a key that is known, new or none; or somebody to be
 * told why not, and nothing else.
 */
export type Visitor =
  | { readonly kind: 'known'; readonly login: Login; readonly dialect: Dialect }
  | { readonly kind: 'stranger'; readonly refusal: Refusal; readonly dialect: Dialect }
  | Person

export interface Person {
  readonly kind: 'person'
  readonly user: string
  readonly login: Login | null
  readonly key: Buffer | null
  readonly people: HubSessions
}

export interface Decision {
  /** Whether the last word has been said: what came along with what brought that on is for nobody. */
  isOver(): boolean
  admit(visitor: Visitor): void
  /** A try that led nowhere; the next one may. */
  rejected(): void
  /** Somebody showed a key that they do not have. */
  forged(): void
  giveUp(): void
  /** A fault of ours. */
  failed(error: unknown): void
}

/**
 * Lets in who proves to have a registered key. A key that is not known is no more than refused, so that the client
 * can offer its next one. Who has no more keys is let in by `keyboard-interactive`, without a question, to be told
 * what is wrong in a message: the protocol has no place for words in a refused login. Programs often leave that method
 * out, as OpenSSH does when it is told BatchMode=yes. So an agent's first try that is refused brings the same words as a
 * banner, once: who has more keys may yet log in.
 *
 * People come in the same way, and as guests where no key of theirs is known. `join` takes the first key that its
 * owner proves to have, known or not. `guest` asks for none: `none` is the first method of every client, and taken
 * under any other name it would hide all keys.
 */
export class SshLogin {
  readonly #client: Connection
  readonly #accounts: Accounts
  readonly #users: Users
  readonly #mostTries: number
  readonly #then: Decision
  readonly #refused: string[] = []
  #tries = 0

  constructor(
    client: Connection,
    accounts: Accounts,
    users: Users,
    mostTries: number,
    then: Decision,
  ) {
    this.#client = client
    this.#accounts = accounts
    this.#users = users
    this.#mostTries = mostTries
    this.#then = then
    client.on('authentication', context => {
      try {
        if (!then.isOver()) this.#consider(context)
      } catch (error) {
        then.failed(error)
      }
    })
    // Nothing of the login is kept for as long as the client stays.
    client.once('ready', () => client.removeAllListeners('authentication'))
  }

  #consider(context: AuthContext): void {
    const { people } = this.#users
    const dialect = this.#users.agents.get(context.username)
    if (dialect === undefined && people !== null) this.#receive(context, people)
    else if (context.method === 'keyboard-interactive') {
      this.#then.admit({
        kind: 'stranger',
        refusal: dialect === undefined ? this.#noUser(context.username) : this.#noKey(),
        dialect: dialect ?? this.#users.agents.values().next().value!,
      })
      context.accept()
    } else if (context.method !== 'publickey' || dialect === undefined) {
      // `none` is how clients ask for the methods, and no try.
      this.#reject(context, context.method !== 'none')
    } else
      this.#tryKey(context, false, login => {
        this.#then.admit({ kind: 'known', login: login!, dialect })
      })
  }

  #receive(context: AuthContext, people: HubSessions): void {
    const { method, username: user } = context
    const admit = (login: Login | null, key: Buffer | null) =>
      this.#then.admit({ kind: 'person', user, login, key, people })
    if (method === 'keyboard-interactive' || (method === 'none' && user === 'guest')) {
      admit(null, null)
      context.accept()
    } else if (method === 'publickey')
      this.#tryKey(context, user === 'join', login => admit(login ?? null, context.key.data))
    else this.#reject(context, method !== 'none')
  }

  #tryKey(
    context: PublicKeyAuthContext,
    anyKey: boolean,
    admit: (login: Login | undefined) => void,
  ): void {
    const { key, signature, blob, hashAlgo } = context
    // A request may end before its key, which ssh2 does not mind.
    if (!Buffer.isBuffer(key.data)) {
      this.#reject(context, true)
      return
    }
    const login = this.#accounts.byKey(key.data)
    const weak = key.algo === 'ssh-rsa' && hashAlgo === undefined
    if ((login === undefined && !anyKey) || weak) {
      this.#refused.push(
        fingerprint(key.data) + (weak ? ' (used with SHA-1, which is not taken)' : ''),
      )
      this.#reject(context, true)
    } else if (signature === undefined || blob === undefined) {
      // The client asks whether this key would do, before it signs.
      context.accept()
    } else if (proves(key.data, { data: blob, signature, hash: hashAlgo })) {
      admit(login)
      context.accept()
    } else {
      this.#then.forged()
      this.#reject(context, true)
    }
  }

  #reject(context: AuthContext, isTry: boolean): void {
    if (isTry) {
      if (this.#tries === 0 && this.#users.agents.has(context.username))
        sendBanner(this.#client, this.#noKey().detail)
      this.#tries++
      this.#then.rejected()
    }
    if (this.#tries > this.#mostTries) this.#then.giveUp()
    else if (this.#tries < this.#mostTries) context.reject(['publickey', 'keyboard-interactive'])
    else context.reject(['keyboard-interactive'])
  }

  #noUser(name: string): Refusal {
    const names = [...this.#users.agents.keys()].join(', ')
    return {
      code: 'unknown-user',
      detail: `there is no user ${quoted(name)} here: agents come as ${names}`,
    }
  }

  #noKey(): Refusal {
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
