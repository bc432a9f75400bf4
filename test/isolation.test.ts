import { existsSync, readFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The modules that a module loads when it is loaded: imports of types alone load nothing. */
const loadedBy = (path: string): readonly string[] =>
  Array.from(
    readFileSync(path, 'utf8').matchAll(
      /^(?:import|export)(?! type\b)[^'"]*?from '([^']+)'|^import '([^']+)'/gm,
    ),
    ([, from, alone]) => (from ?? alone)!,
  )

/** Everything that is loaded with a module, each with the module that loads it. */
const allLoadedBy = (path: string, found = new Map<string, string>()): Map<string, string> => {
  for (const name of loadedBy(path)) {
    const loaded = name.startsWith('.') ? resolve(dirname(path), name) : name
    if (found.has(loaded)) continue
    found.set(loaded, path)
    if (existsSync(loaded)) allLoadedBy(loaded, found)
  }
  return found
}

/** How a module comes to be loaded, from the first to the last. */
const wayTo = (name: string, found: ReadonlyMap<string, string>): string => {
  const way = [name]
  for (let by = found.get(name); by !== undefined; by = found.get(by))
    way.unshift(relative(root, by))
  return way.join(' → ')
}

const databases = ['better-sqlite3', 'kysely']
const mcp = ['@modelcontextprotocol/server']
const sdk = [
  '@modelcontextprotocol/sdk/server/index.js',
  '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
  '@modelcontextprotocol/sdk/types.js',
]

const waysFrom = (path: string, names: readonly string[]) => {
  const found = allLoadedBy(resolve(root, path))
  return names.filter(name => found.has(name)).map(name => wayTo(name, found))
}

it('the thread that plays loads no module that opens the database', () => {
  expect(waysFrom('src/app.ts', databases)).toEqual([])
})

it('the thread that plays loads no SDK of MCP, and the threads of MCP do', () => {
  expect(waysFrom('src/app.ts', [...mcp, ...sdk])).toEqual([])
  expect(waysFrom('src/protocols/mcp/mcp-thread.ts', [...mcp, ...sdk])).toHaveLength(mcp.length)
  const clawpoly = waysFrom('src/protocols/clawpoly/mcp-thread.ts', [...mcp, ...sdk])
  expect(clawpoly).toHaveLength(sdk.length)
})

it('the threads that read and write load the database', () => {
  expect(waysFrom('src/reader-thread.ts', databases)).toHaveLength(databases.length)
  expect(waysFrom('src/store/writer-thread.ts', databases)).toHaveLength(databases.length)
})
