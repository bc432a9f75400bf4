import { userInfo } from 'node:os'
import type { CommandContext } from '../queries/command.ts'
import type { Actor, Deed } from '../store/audit.ts'
import type { Tables } from '../store/store.ts'

/** Runs a change and writes it into the audit log, in one transaction. */
export const audited = <T>(
  context: CommandContext,
  { db, audit }: Pick<Tables, 'db' | 'audit'>,
  run: () => T,
  deedsOf: (done: T) => readonly Deed[],
): T =>
  db.file
    .transaction(() => {
      const done = run()
      for (const deed of deedsOf(done)) audit.add(operatorOf(context), deed)
      return done
    })
    .immediate()

/** The user of the operating system, and the user who ran sudo. */
export const operatorOf = ({ env }: Pick<CommandContext, 'env'>): Actor => {
  const by = env.SUDO_USER ? `${osUser()} (sudo by ${env.SUDO_USER})` : osUser()
  return { by, via: 'command' }
}

const osUser = (): string => {
  try {
    return userInfo().username
  } catch {
    // In a container a user may have no name.
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}
