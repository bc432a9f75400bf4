import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Art, banner, goodbye, smallBanner, welcome } from './own.ts'

export type { Art }

/** The art and texts of the house, each replaced by the file of its name in the operator's folder, if there is one. */
export const openArt = (folder: string): Art => {
  const own: Art = { banner, smallBanner, welcome, goodbye }
  if (folder === '') return own
  const replaced = Object.entries(files).map(([name, file]) => {
    const path = join(folder, file)
    return [name, existsSync(path) ? readFileSync(path, 'utf8').trimEnd() : own[name as keyof Art]]
  })
  return Object.fromEntries(replaced) as Art
}

/** What to call them. Colours may be given as the escape sequences of the sixteen colours. */
const files = {
  banner: 'banner.txt',
  smallBanner: 'banner-small.txt',
  welcome: 'welcome.txt',
  goodbye: 'goodbye.txt',
} as const satisfies Record<keyof Art, string>
