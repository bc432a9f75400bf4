import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'

it('an older Node is refused, with the version that is needed, before the program is loaded', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const older = join(folder, 'older.cjs')
  writeFileSync(
    older,
    `const versions = { ...process.versions, node: '18.20.8' }
    Object.defineProperties(process, { versions: { value: versions }, version: { value: 'v18.20.8' } })`,
  )
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  // No other file can be loaded.
  for (const name of ['agentbbs.js', 'node-version.js'])
    copyFileSync(fileURLToPath(new URL(`../dist/cmd/${name}`, import.meta.url)), join(folder, name))
  const args = ['--require', older, join(folder, 'agentbbs.js'), 'games']
  await expect(promisify(execFile)(process.execPath, args)).rejects.toMatchObject({
    code: 1,
    stderr: 'AgentBBS needs Node 20.19 or newer; this is v18.20.8.\n',
  })
})
