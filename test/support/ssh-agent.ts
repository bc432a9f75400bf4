import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ScriptedAgent } from './scripted-agent.ts'

/** An agent behind the OpenSSH client, or another program with lines on stdin and stdout. */
export class SshAgent extends ScriptedAgent {
  readonly process: ChildProcessWithoutNullStreams
  readonly closed: Promise<number>
  /** The stderr of the program. */
  words = ''

  constructor(args: readonly string[], program = 'ssh') {
    super()
    this.process = spawn(program, args)
    this.process.stdin.on('error', () => {})
    this.process.stderr.on('data', chunk => {
      this.words += chunk
    })
    createInterface({ input: this.process.stdout }).on('line', line => this.hear(line))
    this.closed = new Promise(resolve => {
      this.process.on('close', (code, signal) => {
        this.over()
        resolve(code ?? (signal === null ? 0 : -1))
      })
    })
  }

  write(text: string): void {
    this.process.stdin.write(`${text}\n`)
  }
}
