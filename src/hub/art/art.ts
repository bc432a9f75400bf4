import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Art, banner, goodbye, smallBanner, welcome } from './default-art.ts'

export type { Art }

/** The art and texts of the hub. A file in the operator's folder replaces the built-in one. */
export const openArt = (folder: string): Art => {
  const builtIn: Art = { banner, smallBanner, welcome, goodbye }
  if (folder === '') return builtIn
  const replaced = Object.entries(files).map(([name, file]) => {
    const path = join(folder, file)
    return [
      name,
      existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : builtIn[name as keyof Art],
    ]
  })
  return Object.fromEntries(replaced) as Art
}

/** The file names. Files may have escape sequences for the sixteen colours. */
const files = {
  banner: 'banner.txt',
  smallBanner: 'banner-small.txt',
  welcome: 'welcome.txt',
  goodbye: 'goodbye.txt',
} as const satisfies Record<keyof Art, string>
