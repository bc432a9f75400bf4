import { existsSync, readFileSync } from 'node:fs'

/** A file that comes with the program, or null where it was left out; run from its source or as it was built. */
export const packageFile = (path: string): string | null => {
  const root = ['../../', '../../../']
    .map(up => new URL(up, import.meta.url))
    .find(root => existsSync(new URL('package.json', root)))
  const file = new URL(path, root)
  return existsSync(file) ? readFileSync(file, 'utf8') : null
}
