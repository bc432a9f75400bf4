import { once } from 'node:events'
import { CommanderError } from 'commander'
import { systemClock } from '../src/clock.ts'
import { printable } from '../src/text/printable.ts'
import { program } from './program.ts'

// The reader may close early, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`agentbbs: cannot print: ${error.message}\n`)
  process.exit(1)
})

try {
  await program({
    env: process.env,
    clock: systemClock,
    print: text => void process.stdout.write(`${printable(text)}\n`),
    stream: async pieces => {
      for (const text of pieces())
        if (!process.stdout.write(text)) await once(process.stdout, 'drain')
    },
    width: process.stdout.columns,
  }).parseAsync()
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    const [why] = (error instanceof Error ? error.message : String(error)).split('\n')
    process.stderr.write(`agentbbs: ${printable(why!)}\n`)
    process.exitCode = 1
  }
}
