import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { readHostKey } from '../wire/host-key.ts'
import { about, type Finding } from './finding.ts'

/** The key by which clients recognize the host. */
export const examineHostKey = (folder: string): Finding => {
  const { ok, warn, fail } = about('host key')
  try {
    const key = readHostKey(folder)
    if (key === undefined)
      return warn(
        `there is none in ${folder}`,
        'the server makes it when it starts; if clients know this host already, restore the old key',
      )
    const hash = createHash('sha256').update(key.getPublicSSH()).digest('base64')
    return ok(`${key.type} SHA256:${hash.replace(/=+$/, '')}`)
  } catch (error) {
    return fail((error as Error).message, `check ${join(folder, 'host_key')}`)
  }
}
