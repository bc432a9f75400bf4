import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** Copies what a commit of everything would hold. */
export const copyWorkingTree = (
  to: string,
  wanted: (path: string) => boolean = () => true,
): void => {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', git, { cwd: repository, encoding: 'utf8' }).split('\0')
  for (const path of files) {
    if (path === '' || !existsSync(join(repository, path)) || !wanted(path)) continue
    mkdirSync(join(to, dirname(path)), { recursive: true })
    cpSync(join(repository, path), join(to, path))
  }
}
