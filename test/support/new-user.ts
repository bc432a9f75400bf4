// A new user with a fresh clone: a folder like a clone, an empty home, and the programs of this machine.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The files that the commands of the README add to a clone. */
const notCloned = ['.git', 'data', 'my-bot', 'my-bot.pub']

export class NewUser {
  readonly clone = mkdtempSync(join(tmpdir(), 'agentbbs-clone-'))
  readonly #home = mkdtempSync(join(tmpdir(), 'agentbbs-home-'))
  readonly #children = new Set<ChildProcess>()
  /** More environment variables, such as the address of the host. */
  readonly env: NodeJS.ProcessEnv

  constructor(env: NodeJS.ProcessEnv = {}) {
    for (const name of readdirSync(root))
      if (!notCloned.includes(name)) symlinkSync(join(root, name), join(this.clone, name))
    const bin = sshWithoutAPast(this.#home)
    this.env = {
      PATH: `${bin}:${process.env.PATH}`,
      HOME: this.#home,
      // npm does not check for a newer npm.
      npm_config_update_notifier: 'false',
      ...env,
    }
  }

  /** Runs a script to its end, as typed into a shell in the clone. */
  async run(script: string): Promise<Said> {
    const child = this.#sh(`set -eu\n${script}`)
    let out = ''
    let err = ''
    child.stdout!.on('data', chunk => {
      out += chunk
    })
    child.stderr!.on('data', chunk => {
      err += chunk
    })
    const [code] = await once(child, 'close')
    return { out, err, code }
  }

  /** Starts a script that keeps running, and waits until it has printed all of this. */
  async start(script: string, ...until: readonly RegExp[]): Promise<readonly RegExpExecArray[]> {
    const child = this.#sh(script)
    let said = ''
    return new Promise((resolve, reject) => {
      const heard = (chunk: Buffer) => {
        said += chunk
        const found = until.map(pattern => pattern.exec(said))
        if (found.every(match => match !== null)) resolve(found)
      }
      child.stdout!.on('data', heard)
      child.stderr!.on('data', heard)
      child.on('close', code => reject(new Error(`${script} ended with ${code}:\n${said}`)))
    })
  }

  async leave(): Promise<void> {
    await Promise.all(
      [...this.#children].map(child => {
        const gone = once(child, 'close')
        // The whole group: a shell does not pass signals on to what it has started.
        process.kill(-child.pid!, 'SIGKILL')
        return gone
      }),
    )
    for (const folder of [this.clone, this.#home]) rmSync(folder, { recursive: true, force: true })
  }

  #sh(script: string): ChildProcess {
    const child = spawn('sh', ['-c', script], {
      cwd: this.clone,
      env: this.env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    child.on('close', () => this.#children.delete(child))
    return child
  }
}

export interface Said {
  readonly out: string
  readonly err: string
  readonly code: number | null
}

/**
 * The folder of an ssh without known hosts and settings. The real ssh reads those from the home in the system's list
 * of users, and ignores HOME.
 */
export const sshWithoutAPast = (home: string): string => {
  const bin = join(home, 'bin')
  const real = execFileSync('sh', ['-c', 'command -v ssh'], { encoding: 'utf8' }).trim()
  const options = `-F none -o IdentityAgent=none -o UserKnownHostsFile='${join(home, 'known_hosts')}'`
  mkdirSync(bin)
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nexec ${real} ${options} "$@"\n`)
  chmodSync(join(bin, 'ssh'), 0o755)
  return bin
}
