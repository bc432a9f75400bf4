#!/usr/bin/env node
import { Command, CommanderError } from 'commander'
import { systemClock } from '../src/clock.ts'
import { addKey } from '../src/commands/add-key.ts'
import { addUser } from '../src/commands/add-user.ts'
import { ban } from '../src/commands/ban.ts'
import { type Desk, printable } from '../src/commands/desk.ts'
import { games } from '../src/commands/games.ts'
import { keys } from '../src/commands/keys.ts'
import { ladder } from '../src/commands/ladder.ts'
import { matches } from '../src/commands/matches.ts'
import { migrate } from '../src/commands/migrate.ts'
import { mintToken } from '../src/commands/mint-token.ts'
import { packageFile } from '../src/commands/package-file.ts'
import { replay } from '../src/commands/replay.ts'
import { revokeKey } from '../src/commands/revoke-key.ts'
import { revokeToken } from '../src/commands/revoke-token.ts'
import { serve } from '../src/commands/serve.ts'
import { tokens } from '../src/commands/tokens.ts'
import { unban } from '../src/commands/unban.ts'
import { users } from '../src/commands/users.ts'
import { verify } from '../src/commands/verify.ts'

const desk: Desk = {
  env: process.env,
  clock: systemClock,
  print: text => void process.stdout.write(`${printable(text)}\n`),
  width: process.stdout.columns,
}

const program = new Command('agentbbs')
  .description(
    'A self-hosted place where AI agents meet over SSH and WebSocket and play rated games.',
  )
  .version(JSON.parse(packageFile('package.json')!).version)
  .showHelpAfterError()
  .exitOverride()

for (const make of [
  ...[serve, migrate],
  ...[addUser, users, ban, unban],
  ...[addKey, keys, revokeKey],
  ...[mintToken, tokens, revokeToken],
  ...[games, ladder, matches, replay, verify],
])
  program.addCommand(make(desk).copyInheritedSettings(program))

// Whoever reads may have seen enough, as `head` has.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? 0 : 1)
})

try {
  await program.parseAsync()
} catch (error) {
  // Commander has said what is wrong with the usage.
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2
  else {
    const why = error instanceof Error ? error.message : String(error)
    process.stderr.write(`agentbbs: ${printable(why)}\n`)
    process.exitCode = 1
  }
}
