import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export const hasTmux = (() => {
  try {
    execFileSync('tmux', ['-V'])
    return true
  } catch {
    return false
  }
})()

/** A program in a real terminal, by tmux. */
export class Tmux {
  readonly #server = `agentbbs-${randomUUID()}`

  constructor(command: string, columns = 80, rows = 24) {
    const size = ['-x', String(columns), '-y', String(rows)]
    const shell = `TERM=xterm-256color ${command}; echo "left with $?"; exec sleep 1000`
    this.#tmux('-f', '/dev/null', 'new-session', '-d', ...size, shell)
    this.#tmux('set', '-g', 'status', 'off')
  }

  get text(): string {
    return this.#tmux('capture-pane', '-p')
  }

  /** Names of keys as tmux has them, or letters. */
  type(...keys: string[]): void {
    for (const key of keys) this.#tmux('send-keys', key)
  }

  /** Waits until the screen has this text. */
  async until(wanted: string | RegExp): Promise<string> {
    const giveUp = performance.now() + 15_000
    for (;;) {
      const { text } = this
      if (typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text)) return text
      if (performance.now() > giveUp) throw new Error(`never saw ${wanted}:\n${text}`)
      await pause(20)
    }
  }

  close(): void {
    this.#tmux('kill-server')
  }

  #tmux(...args: string[]): string {
    return execFileSync('tmux', ['-L', this.#server, ...args], { encoding: 'utf8' })
  }
}
