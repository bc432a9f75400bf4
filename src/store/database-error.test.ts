import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { expect, it } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { DataFolderError } from './data-folder-error.ts'
import { databaseProblem, readableError } from './database-error.ts'

it('a native module that Node cannot load is reported in one line that says what to do', () => {
  const file = join(dataFolder(), 'module.node')
  writeFileSync(file, 'of another machine')
  const failed = () => {
    try {
      process.dlopen({ exports: {} }, file)
    } catch (error) {
      return readableError(error, 'agentbbs.db')
    }
  }
  expect(failed()).toBeInstanceOf(DataFolderError)
  expect((failed() as Error).message).toContain('run npm ci')
})

it.each([
  ['SQLITE_FULL', 'the disk is full: make room on it'],
  ['SQLITE_IOERR_SHMSIZE', 'the disk is full, or a quota is used up: make room on it'],
])('%s says that the disk is full', (code, advice) => {
  const problem = databaseProblem(new BetterSqlite3.SqliteError('no space', code))
  expect(problem).toBe(`${advice} (${code})`)
})

it('other errors of the disk are told apart from a full one', () => {
  const problem = databaseProblem(new BetterSqlite3.SqliteError('no sector', 'SQLITE_IOERR_READ'))
  expect(problem).toMatch(/^the disk fails, or a quota is used up/)
})
