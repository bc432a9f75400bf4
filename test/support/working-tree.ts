import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The files of a commit of the whole working tree. */
export const workingTree = (): string[] => {
  const git = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  return execFileSync('git', git, { cwd: repository, encoding: 'utf8' })
    .split('\0')
    .filter(path => path !== '' && existsSync(join(repository, path)))
}

/** Copies these files. */
export const copyWorkingTree = (
  to: string,
  wanted: (path: string) => boolean = () => true,
): void => {
  for (const path of workingTree().filter(wanted)) {
    mkdirSync(join(to, dirname(path)), { recursive: true })
    cpSync(join(repository, path), join(to, path))
  }
}
