import { readFileSync } from 'node:fs'
import type { Served } from './announce.ts'
import { servedPath } from './data-paths.ts'
import { serverOf } from './lock.ts'

/** The addresses of the server of this folder; undefined if none runs or none are published. */
export const servedFrom = (folder: string): Served | undefined => {
  // A killed server leaves the file behind.
  if (serverOf(folder) === undefined) return undefined
  try {
    const { play, local } = JSON.parse(readFileSync(servedPath(folder), 'utf8'))
    return typeof play === 'string' && typeof local === 'string' ? { play, local } : undefined
  } catch {
    return undefined
  }
}
