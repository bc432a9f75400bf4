import { existsSync, readFileSync } from 'node:fs'

/** A file of the package, or null if it was left out. Works from source and from dist. */
export const packageFile = (path: string): string | null => {
  const root = ['../../', '../../../']
    .map(up => new URL(up, import.meta.url))
    .find(root => existsSync(new URL('package.json', root)))
  const file = new URL(path, root)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
