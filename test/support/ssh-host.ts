import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import type { Account } from '../../src/arena/account.ts'
import { systemClock } from '../../src/clock.ts'
import type { Limits } from '../../src/config.ts'
import { agentGames } from '../../src/protocols/agentgames/index.ts'
import type { Protocol } from '../../src/protocols/protocol.ts'
import { Roster } from '../../src/wire/accounts.ts'
import { openHostKey } from '../../src/wire/host-key.ts'
import { listenSsh, type SshOptions, type SshWire } from '../../src/wire/ssh.ts'
import { guardedWith, unguarded } from './limits.ts'
import { MemoryAccounts } from './memory-accounts.ts'
import { MemoryMatchStore } from './memory-match-store.ts'
import { Program } from './program.ts'
import { TestArena } from './test-arena.ts'

interface Settings extends Omit<Partial<SshOptions>, 'limits'> {
  readonly queueWait?: number
  readonly limits?: Partial<Limits>
}

/** A server on SSH, with everything in memory. */
export class SshHost {
  readonly folder = mkdtempSync(join(tmpdir(), 'agentbbs-ssh-'))
  readonly accounts = new MemoryAccounts()
  readonly roster: Roster
  readonly matchStore = new MemoryMatchStore()
  readonly arena: TestArena
  readonly hostKey = openHostKey(this.folder)
  readonly logged: { readonly [field: string]: unknown }[] = []
  wire!: SshWire

  private constructor(queueWait: number, connectionsPerAccount: number | undefined) {
    this.roster = new Roster(this.accounts, connectionsPerAccount)
    this.arena = new TestArena({
      clock: systemClock,
      matchStore: this.matchStore,
      house: () => undefined,
      queueWait,
    })
  }

  static async open(given: Settings = {}): Promise<SshHost> {
    const { queueWait, limits, meter, ...options } = given
    const host = new SshHost(queueWait ?? 60_000, limits?.connectionsPerAccount)
    const log = pino({}, { write: line => host.logged.push(JSON.parse(line)) })
    host.wire = await listenSsh({
      address: { host: '127.0.0.1', port: 0 },
      hostKey: host.hostKey,
      accounts: host.accounts,
      roster: host.roster,
      protocols: [host.protocol],
      clock: systemClock,
      keepAlive: 15_000,
      ...guardedWith(systemClock, log, { ...unguarded, ...limits }, meter),
      ...options,
    })
    return host
  }

  get protocol(): Protocol {
    return agentGames(this.arena, this.arena, systemClock, 15_000)
  }

  async close(): Promise<void> {
    await this.wire.close()
    rmSync(this.folder, { recursive: true })
  }

  /** Makes a key pair with ssh-keygen, and returns the path of the private key. */
  key(name: string, ...kind: string[]): string {
    const path = join(this.folder, name)
    const options = kind.length > 0 ? kind : ['-t', 'ed25519']
    execFileSync('ssh-keygen', ['-q', '-N', '', '-f', path, ...options])
    return path
  }

  /** An account with a new key of its own. */
  agent(name: string, ...kind: string[]): { account: Account; key: string } {
    const account = this.accounts.add(name)
    const key = this.key(name, ...kind)
    this.register(account, `${key}.pub`)
    return { account, key }
  }

  register(account: Account, publicKey: string): void {
    const [, blob] = readFileSync(publicKey, 'utf8').split(' ')
    this.accounts.addKey(account, Buffer.from(blob!, 'base64'))
  }

  /** OpenSSH's client: options first, then what follows the address. */
  ssh(options: readonly string[], ...command: string[]): Program {
    const [program, ...args] = this.sshCommand(options, ...command)
    return new Program(program, ...args)
  }

  sshCommand(options: readonly string[], ...command: string[]): [string, ...string[]] {
    const settings = [
      'IdentitiesOnly=yes',
      'StrictHostKeyChecking=no',
      'UserKnownHostsFile=/dev/null',
      'LogLevel=ERROR',
    ].flatMap(setting => ['-o', setting])
    const port = String(this.wire.port)
    return ['ssh', '-F', 'none', '-p', port, ...settings, ...options, 'game@127.0.0.1', ...command]
  }
}
