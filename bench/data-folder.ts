import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { ParsedKey } from 'ssh2'
import { newKey } from './new-key.ts'

/** An account that a host is to have. */
export interface Account {
  readonly name: string
  /** What it logs in with over WebSocket. */
  readonly token: string
  /** And over SSH. */
  readonly key: ParsedKey | undefined
}

/** So many accounts, of which the first ones have a key. */
export const newAccounts = (count: number, keys: number): readonly Account[] => {
  // A data folder may have the accounts of earlier benchmarks.
  const name = `bench-${Date.now().toString(36)}`
  return Array.from({ length: count }, (_, i) => ({
    ...{ name: `${name}-${i}`, token: `abbs_${name}-${i}` },
    key: i < keys ? newKey() : undefined,
  }))
}

export const openFile = (folder: string) => new Sqlite(join(folder, 'agentbbs.db'))

/** Writes accounts into a data folder that no host has open: commands would take hours for thousands. */
export const addAccounts = (folder: string, accounts: readonly Account[]): void => {
  const db = openFile(folder)
  const now = Date.now()
  const account = db
    .prepare("insert into accounts (name, kind, created_at) values (?, 'player', ?) returning id")
    .pluck()
  const token = db.prepare(
    "insert into tokens (account, hash, label, created_at) values (?, ?, 'bench', ?)",
  )
  const key = db.prepare(
    "insert into keys (account, type, blob, fingerprint, comment, created_at) values (?, 'ssh-ed25519', ?, ?, 'bench', ?)",
  )
  db.transaction(() => {
    for (const { name, token: secret, key: own } of accounts) {
      const id = account.get(name, now)
      token.run(id, createHash('sha256').update(secret).digest(), now)
      if (own !== undefined) key.run(id, own.getPublicSSH(), name, now)
    }
  })()
  db.close()
}
