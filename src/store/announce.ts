import { rmSync, writeFileSync } from 'node:fs'
import { servedPath } from './data-paths.ts'

/** The addresses of a running server that speaks AgentGames, for commands that run beside it with other settings. */
export interface Served {
  /** The address of /play for agents anywhere, and for agents on this machine. */
  readonly play: string
  readonly local: string
}

/** Publishes the addresses of the server of this folder. Answers with a function that removes them. */
export const announce = (folder: string, served: Served): (() => void) => {
  try {
    writeFileSync(servedPath(folder), JSON.stringify(served), { mode: 0o600 })
  } catch {
    // A full disk does not stop a server; commands then use their own settings.
  }
  return () => rmSync(servedPath(folder), { force: true })
}
