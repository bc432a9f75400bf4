import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Answer } from './answer.ts'

/** The files that the build made for browsers. An address contains the hash of its file, so its content never changes. */
export class Assets {
  readonly #files = new Map<string, Answer>()
  readonly #addresses = new Map<string, string>()

  constructor(folder = join(packageRoot, 'dist', 'web')) {
    if (!existsSync(folder)) throw new Error(`${folder} is missing: run npm run build`)
    for (const name of readdirSync(folder)) {
      const body = readFileSync(join(folder, name))
      const [, stem, ending] = /^(.+)\.(css|js|svg)$/.exec(name) ?? []
      if (stem === undefined) continue
      const hash = createHash('sha256').update(body).digest('hex').slice(0, 10)
      const address = `/assets/${stem}.${hash}.${ending}`
      this.#addresses.set(name, address)
      this.#files.set(address, {
        type: types[ending as keyof typeof types],
        body,
        headers: { 'Cache-Control': 'public, max-age=31536000, immutable' },
      })
    }
  }

  address(name: string): string {
    const address = this.#addresses.get(name)
    if (address === undefined) throw new Error(`there is no asset "${name}"`)
    return address
  }

  file(path: string): Answer | undefined {
    return this.#files.get(path)
  }
}

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** The nearest parent folder with a package.json: the same for the sources and for the built files. */
export const packageRoot = (() => {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()
