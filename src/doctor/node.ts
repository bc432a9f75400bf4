import BetterSqlite3 from 'better-sqlite3'
import { about, type Finding } from './finding.ts'

const { ok, fail } = about('node')

/** Checks the version of Node against `needs`, as package.json gives it, and loads the native module. */
export const examineNode = (version: string, needs: string): Finding => {
  const [major = 0, minor = 0] = numbers(version)
  const [leastMajor = 0, leastMinor = 0] = numbers(needs)
  if (major < leastMajor || (major === leastMajor && minor < leastMinor))
    return fail(`${version} is too old`, `install Node ${needs.replace('>=', '')} or newer`)
  try {
    const memory = new BetterSqlite3(':memory:')
    const sqlite = memory.prepare('select sqlite_version()').pluck().get()
    memory.close()
    return ok(`${version}, with SQLite ${sqlite}`)
  } catch (error) {
    const [why] = (error as Error).message.split('\n')
    return fail(
      `${version} cannot load better-sqlite3: ${why}`,
      'run npm ci in the folder of the program: the module was built for another Node or machine',
    )
  }
}

const numbers = (version: string) => version.match(/\d+/g)?.map(Number) ?? []
