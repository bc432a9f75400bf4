import { createHash } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'

/** An account that a host is to have. */
export interface Account {
  readonly name: string
  /** What it logs in with over WebSocket. */
  readonly token: string
  /** The public key with which it connects over SSH. */
  readonly key?: Buffer
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
    for (const { name, token: secret, key: blob } of accounts) {
      const id = account.get(name, now)
      token.run(id, createHash('sha256').update(secret).digest(), now)
      if (blob !== undefined) key.run(id, blob, name, now)
    }
  })()
  db.close()
}
