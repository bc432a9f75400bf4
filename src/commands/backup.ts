import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type CommandContext, command, configOf, Failure, printJson } from '../queries/command.ts'
import { withStore } from '../queries/with-store.ts'
import { countText } from '../record/count-text.ts'
import { type Copied, copyDatabase, sync } from '../store/backup.ts'
import { hostKeyPath } from '../wire/host-key.ts'

export const backup = (context: CommandContext) =>
  command(
    'backup',
    'Copy the database and the host key into one file, also while the server runs. The name - writes to standard output.',
    'agentbbs backup /var/backups/agentbbs.db',
    'agentbbs backup - | ssh elsewhere "cat > agentbbs.db"',
  )
    .argument('<file>', 'the file to write')
    .option('--force', 'replace an existing file')
    .action(async (file: string, { force, json }: { force?: true; json?: true }) => {
      if (file === '-') return toStandardOutput(context)
      if (file === '') throw new Failure('the name of the file is empty: say where the copy goes')
      if (existsSync(file) && !force)
        throw new Failure(`${file} is there already: give another name, or --force to replace it`)
      const folder = dirname(file)
      // The folder is not made: if a disk for backups is not mounted, the copy would be on the wrong disk.
      if (!existsSync(folder))
        throw new Failure(`the folder ${folder} is not there: make it, or give another one`)
      if (!statSync(folder).isDirectory())
        throw new Failure(`${folder} is no folder: give another place for the copy`)
      const draft = `${file}.${process.pid}.part`
      const copied = copyTo(context, draft)
      try {
        renameSync(draft, file)
        sync(file)
      } finally {
        rmSync(draft, { force: true })
      }
      if (json) return printJson(context, { file, ...contentsJson(copied) })
      context.print(`${contents(copied)} in ${file}.`)
    })

const copyTo = (context: CommandContext, path: string): Copied => {
  const key = hostKeyPath(configOf(context).data)
  return withStore(context, ({ db }) =>
    copyDatabase(db, path, existsSync(key) ? readFileSync(key) : null),
  )
}

/** Through a file, so that only a whole copy, which has been read back, is sent. */
const toStandardOutput = async (context: CommandContext) => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-backup-'))
  try {
    const draft = join(folder, 'agentbbs.db')
    const copied = copyTo(context, draft)
    // When the reader disconnects early, the pipeline fails, and the draft is removed.
    process.stdout.removeAllListeners('error')
    await pipeline(createReadStream(draft), process.stdout, { end: false })
    process.stderr.write(`${contents(copied)} in it.\n`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const contents = ({ matches, accounts, hostKey }: Copied): string =>
  `${countText(matches, 'match')}, ${countText(accounts, 'account')} and ${hostKey === null ? 'no' : 'the'} host key are`

export const contentsJson = ({ matches, accounts, hostKey }: Copied) => ({
  matches,
  accounts,
  hostKey: hostKey !== null,
})
