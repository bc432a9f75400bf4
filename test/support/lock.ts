// The packages of package-lock.json, by the folders of npm.

import { readFileSync } from 'node:fs'

export interface Package {
  readonly version: string
  readonly license?: string
  readonly dev?: true
  readonly optional?: true
  readonly hasInstallScript?: true
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const lock: { packages: Record<string, Package & { link?: true }> } = JSON.parse(
  readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8'),
)

/** Packages of other authors, by folder, such as `node_modules/ws`. */
export const packages = Object.fromEntries(
  Object.entries(lock.packages).filter(
    ([folder, { link }]) => folder.startsWith('node_modules/') && !link,
  ),
) as Readonly<Record<string, Package>>

/** The folders of a package's dependencies, on any machine. */
export const broughtBy = (name: string): ReadonlySet<string> => {
  const brought = new Set<string>()
  const follow = (folder: string) => {
    const { dependencies, optionalDependencies } = packages[folder]!
    for (const next of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const found = resolved(folder, next)
      if (found === undefined || brought.has(found)) continue
      brought.add(found)
      follow(found)
    }
  }
  follow(`node_modules/${name}`)
  return brought
}

/** Searches as Node does: in this folder, then in the folders above. */
const resolved = (from: string, name: string): string | undefined => {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    const candidate = `${folder}${folder === '' ? '' : '/'}node_modules/${name}`
    if (candidate in packages) return candidate
    if (folder === '') return undefined
  }
}
