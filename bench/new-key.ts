import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ParsedKey } from 'ssh2'
import { openHostKey } from '../src/wire/host-key.ts'

/** An ed25519 key for an agent. */
export const newKey = (): ParsedKey => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-bench-'))
  try {
    return openHostKey(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const publicKeyOf = (key: ParsedKey): string =>
  `ssh-ed25519 ${key.getPublicSSH().toString('base64')}`
