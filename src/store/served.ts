import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverOf } from './lock.ts'

/** Where a running server is reached, for commands that run beside it with settings of their own. */
export interface Served {
  /** The address of /play for agents anywhere, and for those on this machine. */
  readonly play: string
  readonly local: string
}

const pathIn = (folder: string) => join(folder, 'agentbbs.served')

/** The server of this folder says where it is. Answers with what takes that back. */
export const announce = (folder: string, served: Served): (() => void) => {
  try {
    writeFileSync(pathIn(folder), JSON.stringify(served), { mode: 0o600 })
  } catch {
    // A full disk is no reason not to serve; commands then go by their own settings.
  }
  return () => rmSync(pathIn(folder), { force: true })
}

/** Where the server of this folder is; undefined where none runs, or none that says so. */
export const servedFrom = (folder: string): Served | undefined => {
  // A server that was killed left the file behind.
  if (serverOf(folder) === undefined) return undefined
  try {
    const { play, local } = JSON.parse(readFileSync(pathIn(folder), 'utf8'))
    return typeof play === 'string' && typeof local === 'string' ? { play, local } : undefined
  } catch {
    return undefined
  }
}
