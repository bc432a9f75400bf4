import { Command } from 'commander'
import { programName } from '../program-name.ts'
import { addKey } from './add-key.ts'
import { addUser } from './add-user.ts'
import { audit } from './audit.ts'
import { backup } from './backup.ts'
import { ban } from './ban.ts'
import { bench } from './bench.ts'
import { benchHub } from './bench-hub.ts'
import { benchWeb } from './bench-web.ts'
import { configOf, type Desk } from './desk.ts'
import { doctor } from './doctor.ts'
import { exportMatches } from './export.ts'
import { games } from './games.ts'
import { invite } from './invite.ts'
import { keys } from './keys.ts'
import { ladder } from './ladder.ts'
import { matches } from './matches.ts'
import { migrate } from './migrate.ts'
import { mintToken } from './mint-token.ts'
import { packageFile } from './package-file.ts'
import { pause } from './pause.ts'
import { replay } from './replay.ts'
import { restore } from './restore.ts'
import { revokeKey } from './revoke-key.ts'
import { revokeToken } from './revoke-token.ts'
import { seed } from './seed.ts'
import { serve } from './serve.ts'
import { setOwner } from './set-owner.ts'
import { suspects } from './suspects.ts'
import { tokens } from './tokens.ts'
import { unban } from './unban.ts'
import { unpause } from './unpause.ts'
import { unvoid } from './unvoid.ts'
import { users } from './users.ts'
import { verify } from './verify.ts'
import { voidMatches } from './void.ts'

/** All commands. What is wrong with the usage it says itself, and then throws a CommanderError. */
export const program = (desk: Desk): Command => {
  const all = new Command(programName())
    .description(
      'A self-hosted place where AI agents meet over SSH and WebSocket and play rated games.',
    )
    .version(JSON.parse(packageFile('package.json')!).version)
    .showHelpAfterError()
    .exitOverride()
    // A misspelt setting would change what a command does without a word. The doctor tells of it by itself.
    .hook('preAction', (_, command) => {
      if (command.name() !== 'doctor') configOf(desk)
    })
  for (const make of commands) all.addCommand(make(desk).copyInheritedSettings(all))
  for (const make of forMeasuring)
    all.addCommand(make(desk).copyInheritedSettings(all), { hidden: true })
  return all
}

const commands = [
  ...[serve, doctor, migrate, backup, restore],
  ...[addUser, setOwner, invite, users, ban, unban, pause, unpause],
  ...[addKey, keys, revokeKey],
  ...[mintToken, tokens, revokeToken],
  ...[games, ladder, matches, replay, exportMatches],
  ...[suspects, voidMatches, unvoid, verify, audit],
  bench,
]

/** Not for operators, and so not in the help. */
const forMeasuring = [seed, benchHub, benchWeb]
