import { randomBytes } from 'node:crypto'
import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'

/** A file with a secret cannot be used; the message says what to do about it. */
export class SecretFileError extends Error {}

/** The content of a file that its owner alone may read: made by `make` where there is none. `what` is its name in errors. */
export const openSecretFile = (path: string, what: string, make: () => string | Buffer): Buffer => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  return readSecretFile(path, what) ?? write(path, what, make())
}

/** The same, or undefined where there is none. */
export const readSecretFile = (path: string, what: string): Buffer | undefined => {
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    const others = fstatSync(file).mode & 0o077
    if (others !== 0)
      throw new SecretFileError(`${path}: others may read the ${what}; run: chmod 600 ${path}`)
    return readFileSync(file)
  } catch (error) {
    if (error instanceof SecretFileError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return undefined
    throw new SecretFileError(`${path}: the ${what} cannot be read: ${message}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

const write = (path: string, what: string, content: string | Buffer): Buffer => {
  // Not named by the process id: in a container that is always the same, and an old draft may have been left behind.
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(draft, content, { mode: 0o600, flag: 'wx', flush: true })
    // Atomic, and never overwrites a file that is there.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readSecretFile(path, what)!
}
