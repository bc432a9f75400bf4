import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { DataFolderError } from './data-folder-error.ts'
import { readableError } from './database-error.ts'

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
