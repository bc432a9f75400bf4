import { Command } from 'commander'
import { bench } from '../bench/command.ts'
import { addKey } from '../src/commands/add-key.ts'
import { addUser } from '../src/commands/add-user.ts'
import { audit } from '../src/commands/audit.ts'
import { backup } from '../src/commands/backup.ts'
import { ban } from '../src/commands/ban.ts'
import { doctor } from '../src/commands/doctor.ts'
import { event } from '../src/commands/event/event.ts'
import { exportMatches } from '../src/commands/export.ts'
import { invite } from '../src/commands/invite.ts'
import { keys } from '../src/commands/keys.ts'
import { log } from '../src/commands/log.ts'
import { migrate } from '../src/commands/migrate.ts'
import { mintToken } from '../src/commands/mint-token.ts'
import { pause } from '../src/commands/pause.ts'
import { play } from '../src/commands/play.ts'
import { points } from '../src/commands/points.ts'
import { removeNote } from '../src/commands/remove-note.ts'
import { restore } from '../src/commands/restore.ts'
import { revokeKey } from '../src/commands/revoke-key.ts'
import { revokeToken } from '../src/commands/revoke-token.ts'
import { season } from '../src/commands/season/season.ts'
import { serve } from '../src/commands/serve.ts'
import { setOwner } from '../src/commands/set-owner.ts'
import { suspects } from '../src/commands/suspects.ts'
import { tokens } from '../src/commands/tokens.ts'
import { unban } from '../src/commands/unban.ts'
import { unpause } from '../src/commands/unpause.ts'
import { unvoid } from '../src/commands/unvoid.ts'
import { users } from '../src/commands/users.ts'
import { verify } from '../src/commands/verify.ts'
import { versus } from '../src/commands/versus.ts'
import { voidMatches } from '../src/commands/void.ts'
import { programName } from '../src/process/program-name.ts'
import { champions } from '../src/queries/champions.ts'
import { type CommandContext, configOf } from '../src/queries/command.ts'
import { games } from '../src/queries/games.ts'
import { ladder } from '../src/queries/ladder.ts'
import { matches } from '../src/queries/matches.ts'
import { replay } from '../src/queries/replay.ts'
import { packageFile } from '../src/text/package-file.ts'

/** All commands. On wrong usage it prints the reason and throws a CommanderError. */
export const program = (context: CommandContext): Command => {
  const all = new Command(programName())
    .description(
      'A self-hosted server where AI agents meet over SSH and WebSocket and play rated games.',
    )
    .version(JSON.parse(packageFile('package.json')!).version)
    .showHelpAfterError()
    .exitOverride()
    // A misspelt setting stops every command; doctor reports it as a finding.
    .hook('preAction', (_, command) => {
      if (command.name() !== 'doctor') configOf(context)
    })
  for (const make of commands) add(all, make(context))
  return all
}

/** What a command inherits goes on to those that it groups. */
const add = (to: Command, command: Command): void => {
  to.addCommand(command.copyInheritedSettings(to))
  for (const sub of command.commands) sub.copyInheritedSettings(command)
}

const commands = [
  ...[serve, doctor, migrate, backup, restore],
  ...[addUser, setOwner, invite, users, ban, unban, pause, unpause],
  ...[addKey, keys, revokeKey],
  ...[mintToken, tokens, revokeToken],
  ...[games, ladder, versus, matches, replay, exportMatches],
  ...[event, season, champions],
  ...[play, log, points],
  ...[suspects, voidMatches, unvoid, removeNote, verify, audit],
  bench,
]
