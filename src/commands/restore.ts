import {
  chownSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { ownerLogPath } from '../owner-log/log-paths.ts'
import { programName } from '../process/program-name.ts'
import { signingKeyPath } from '../process/signing-keys.ts'
import { type CommandContext, command, configOf, Failure, printJson } from '../queries/command.ts'
import { withStore } from '../queries/with-store.ts'
import { sync, unpackCopy } from '../store/backup.ts'
import { databasePath, lockPath } from '../store/data-paths.ts'
import { lockFolder } from '../store/lock.ts'
import { numbersTold, reserveUpTo } from '../store/match-numbers.ts'
import { wrongRoomElo } from '../store/room-elo-check.ts'
import { migrateStore, visitStore } from '../store/store.ts'
import { hostKeyPath } from '../wire/host-key.ts'
import { audited, operatorOf } from './audited.ts'
import { contents, contentsJson } from './backup.ts'
import { wrongRatings } from './verify.ts'

export const restore = (context: CommandContext) =>
  command(
    'restore',
    'Put a backup into the data folder, while no server runs there.',
    'agentbbs restore /var/backups/agentbbs.db',
  )
    .argument('<file>', 'a file of the command backup, or another whole copy of the database')
    .option('--force', 'replace existing data, and keep it in a folder beside the new')
    .action(async (file: string, { force, json }: { force?: true; json?: true }) => {
      const { data } = configOf(context)
      if (!existsSync(file)) throw new Failure(`there is no ${file}`)
      if (existsSync(`${file}-wal`) && statSync(`${file}-wal`).size > 0)
        throw new Failure(
          `${file}-wal belongs to it and is not in it: make a copy with ${programName()} backup instead`,
        )
      mkdirSync(data, { recursive: true, mode: 0o700 })
      const unlock = lockFolder(data)
      belongTo(data, lockPath(data))
      try {
        const there = [databasePath(data), hostKeyPath(data)].filter(path => existsSync(path))
        if (there.length > 0 && !force)
          throw new Failure(`${there[0]} is there already: --force keeps it aside and goes on`)
        const { copied, aside } = await putInPlace(file, data, context)
        const differences = withStore(context, store => [
          ...wrongRatings(store),
          ...wrongRoomElo(store),
        ])
        if (json) printJson(context, { ...contentsJson(copied), aside, differences })
        else {
          context.print(`${contents(copied)} restored.`)
          if (aside !== null) context.print(`What was there before is in ${aside}.`)
          for (const difference of differences) context.print(difference)
          if (differences.length === 0)
            context.print(
              `All ratings follow from the results. No match was played again: ${programName()} verify does that.`,
            )
        }
        if (differences.length > 0)
          throw new Failure(
            'it is restored as it was, and its ratings do not follow from its results',
          )
      } finally {
        unlock()
      }
    })

/** At every moment there is a whole database in the folder, if there was one before: the old one or the new one. */
const putInPlace = async (file: string, data: string, context: CommandContext) => {
  // In a folder of its own, it is migrated before it is put in place.
  const draft = join(data, 'restoring')
  // A draft of an interrupted restore; the lock keeps other processes away.
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { mode: 0o700 })
  try {
    copyFileSync(file, databasePath(draft), constants.COPYFILE_EXCL)
    const copied = unpackCopy(databasePath(draft), file)
    await migrateStore(draft, operatorOf(context), context.clock)
    record(draft, data, file, context)
    if (copied.hostKey !== null)
      writeFileSync(hostKeyPath(draft), copied.hostKey, { mode: 0o600, flush: true })
    const aside = keepAside(data, context.clock.date(), copied.hostKey !== null)
    for (const path of [hostKeyPath, databasePath])
      if (existsSync(path(draft))) {
        belongTo(data, path(draft))
        renameSync(path(draft), path(data))
        sync(path(data))
      }
    return { copied, aside }
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Writes the restore into the audit log of the copy, and reserves the match numbers that were told here: those from
 * after the backup are not used again.
 */
const record = (draft: string, data: string, file: string, context: CommandContext): void => {
  const store = visitStore(draft, context.clock)
  try {
    audited(
      context,
      store,
      () => reserveUpTo(store.db, numbersTold(data)),
      () => [{ action: 'restore', target: file }],
    )
  } finally {
    store.db.file.close()
  }
}

/** Moves the old data into a folder beside it and returns that folder; null if there was no data. */
const keepAside = (data: string, now: number, hostKey: boolean): string | null => {
  const old = [databasePath(data), ...(hostKey ? [hostKeyPath(data)] : [])].filter(existsSync)
  if (old.length === 0 && !existsSync(ownerLogPath(data))) return null
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '')
  const aside = join(data, `replaced-${stamp}`)
  mkdirSync(aside, { mode: 0o700 })
  for (const path of old) linkSync(path, join(aside, basename(path)))
  // Their accounts are known by numbers, which other accounts may have in the backup.
  if (existsSync(ownerLogPath(data))) renameSync(ownerLogPath(data), ownerLogPath(aside))
  // So is who holds a token that was signed here.
  if (existsSync(signingKeyPath(data))) renameSync(signingKeyPath(data), signingKeyPath(aside))
  // A killed server leaves these behind. SQLite would take them for those of the new database.
  for (const path of ['-wal', '-shm'].map(end => `${databasePath(data)}${end}`))
    if (existsSync(path)) renameSync(path, join(aside, basename(path)))
  belongTo(data, aside)
  return aside
}

/** Root may restore for the user that runs the server. */
const belongTo = (data: string, path: string) => {
  const { uid, gid } = statSync(data)
  if (process.getuid?.() === 0) chownSync(path, uid, gid)
}
