import { createHash } from 'node:crypto'

/** All that is kept of a secret. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
