import type { AuthContext, Connection, PublicKeyAuthContext } from 'ssh2'
import type { Refusal } from '../arena/codes.ts'
import type { Dialect } from '../dialects/dialect.ts'
import type { Accounts, Login } from './accounts.ts'
import { fingerprint, proves } from './ssh-keys.ts'

/** What is spoken to whoever comes as which user. */
export type Users = ReadonlyMap<string, Dialect>

/** Who has come in: somebody with a registered key, or somebody to be told why not, and nothing else. */
export type Visitor =
  | { readonly kind: 'known'; readonly login: Login; readonly dialect: Dialect }
  | { readonly kind: 'stranger'; readonly refusal: Refusal; readonly dialect: Dialect }

export interface Decision {
  admit(visitor: Visitor): void
  giveUp(): void
}

/**
 * Lets in who proves to have a registered key. A key that is not known is no more than refused, so that the client
 * can offer its next one. Who has no more keys is let in by `keyboard-interactive`, without a question, to be told
 * what is wrong in a message: the protocol has no place for words in a refused login. (OpenSSH leaves that method
 * out when it is told BatchMode=yes, and then has only its own "Permission denied".)
 */
export class SshLogin {
  readonly #accounts: Accounts
  readonly #users: Users
  readonly #then: Decision
  readonly #refused: string[] = []
  #tries = 0

  constructor(client: Connection, accounts: Accounts, users: Users, then: Decision) {
    this.#accounts = accounts
    this.#users = users
    this.#then = then
    client.on('authentication', context => this.#consider(context))
    // Nothing of the login is kept for as long as the client stays.
    client.once('ready', () => client.removeAllListeners('authentication'))
  }

  #consider(context: AuthContext): void {
    const dialect = this.#users.get(context.username)
    if (context.method === 'keyboard-interactive') {
      this.#then.admit({
        kind: 'stranger',
        refusal: dialect === undefined ? this.#noUser(context.username) : this.#noKey(),
        dialect: dialect ?? this.#users.values().next().value!,
      })
      context.accept()
    } else if (context.method !== 'publickey' || dialect === undefined) {
      // `none` is how clients ask for the methods, and no try.
      this.#reject(context, context.method !== 'none')
    } else this.#tryKey(context, dialect)
  }

  #tryKey(context: PublicKeyAuthContext, dialect: Dialect): void {
    const { key, signature, blob, hashAlgo } = context
    const login = this.#accounts.byKey(key.data)
    if (login === undefined || (key.algo === 'ssh-rsa' && hashAlgo === undefined)) {
      const why = login === undefined ? '' : ' (used with SHA-1, which is not taken)'
      this.#refused.push(fingerprint(key.data) + why)
      this.#reject(context, true)
    } else if (signature === undefined || blob === undefined) {
      // The client asks whether this key would do, before it signs.
      context.accept()
    } else if (proves(key.data, { data: blob, signature, hash: hashAlgo })) {
      this.#then.admit({ kind: 'known', login, dialect })
      context.accept()
    } else this.#reject(context, true)
  }

  #reject(context: AuthContext, isTry: boolean): void {
    if (isTry) this.#tries++
    if (this.#tries > mostTries) this.#then.giveUp()
    else if (this.#tries < mostTries) context.reject(['publickey', 'keyboard-interactive'])
    else context.reject(['keyboard-interactive'])
  }

  #noUser(name: string): Refusal {
    const names = [...this.#users.keys()].join(', ')
    return {
      code: 'unknown-user',
      detail: `there is no user ${JSON.stringify(name.slice(0, 40))} here: agents come as ${names}`,
    }
  }

  #noKey(): Refusal {
    const register = 'ask the operator to register it with: agentbbs add-key ACCOUNT KEYFILE.pub'
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

const mostTries = 6
