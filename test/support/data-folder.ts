import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder, gone when the test is over. */
export const dataFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
