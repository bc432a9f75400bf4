import { execFile } from 'node:child_process'
import { program } from './host.ts'

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the built program to its end. */
export const agentbbs = (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<Ran> =>
  new Promise(resolve => {
    execFile(
      process.execPath,
      [program, ...args],
      { env: { PATH: process.env.PATH, ...env }, cwd, maxBuffer: 1 << 26 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? -1), stdout, stderr }),
    )
  })
