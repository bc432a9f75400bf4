import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serverOf } from './lock.ts'

/** The addresses of a running server that speaks AgentGames, for commands that run beside it with other settings. */
export interface Served {
  /** The address of /play for agents anywhere, and for agents on this machine. */
  readonly play: string
  readonly local: string
}

const pathIn = (folder: string) => join(folder, 'agentbbs.served')

/** Publishes the addresses of the server of this folder. Answers with a function that removes them. */
export const announce = (folder: string, served: Served): (() => void) => {
  try {
    writeFileSync(pathIn(folder), JSON.stringify(served), { mode: 0o600 })
  } catch {
    // A full disk does not stop a server; commands then use their own settings.
  }
  return () => rmSync(pathIn(folder), { force: true })
}

/** The addresses of the server of this folder; undefined if none runs or none are published. */
export const servedFrom = (folder: string): Served | undefined => {
  // A killed server leaves the file behind.
  if (serverOf(folder) === undefined) return undefined
  try {
    const { play, local } = JSON.parse(readFileSync(pathIn(folder), 'utf8'))
    return typeof play === 'string' && typeof local === 'string' ? { play, local } : undefined
  } catch {
    return undefined
  }
}
