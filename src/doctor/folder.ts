import {
  accessSync,
  constants,
  existsSync,
  readdirSync,
  type Stats,
  statfsSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { ownerLogPath } from '../owner-log/log-paths.ts'
import { daysIn } from '../owner-log/log-writer.ts'
import { countText } from '../record/count-text.ts'
import { about, type Finding, mebibytes } from './finding.ts'

/** Checks that the data folder exists, is closed to others, can be written to, and has free space. */
export const examineFolder = (folder: string): readonly Finding[] => {
  const { warn, fail } = about('data folder')
  const path = resolve(folder)
  if (!existsSync(path)) {
    const above = ancestor(path)
    const found = writable(above)
      ? warn(`${path} is not there`, 'the server makes it when it starts')
      : fail(
          `${path} is not there, and ${above} cannot be written to`,
          'make it and give it to the user that runs the server, or set AGENTBBS_DATA to another folder',
        )
    return [found, disk(above)]
  }
  const found = statSync(path)
  if (!found.isDirectory())
    return [fail(`${path} is no folder`, 'set AGENTBBS_DATA to the data folder')]
  return [room(path, found), ...contents(path, found), ...logs(path), disk(path)]
}

const room = (path: string, { uid, mode }: Stats): Finding => {
  const { ok, fail } = about('data folder')
  const me = process.getuid?.() ?? uid
  if (me !== 0 && uid !== me)
    return fail(
      `${path} belongs to user ${uid}, and this is user ${me}`,
      'run this as the user that runs the server',
    )
  if ((mode & 0o077) !== 0)
    return fail(`${path} is open to others (mode ${octal(mode)})`, `run chmod 700 ${path}`)
  if (!writable(path))
    return fail(
      `${path} cannot be written to`,
      'mount it for writing, and see that its mode is 700',
    )
  return ok(`${path}, of user ${uid}, mode ${octal(mode)}`)
}

const contents = (folder: string, { uid, dev }: Stats): readonly Finding[] => {
  const { ok, fail } = about('files')
  let files: { name: string; path: string; found: Stats }[]
  try {
    files = readdirSync(folder).flatMap(name => {
      const path = join(folder, name)
      const found = statSync(path, { throwIfNoEntry: false })
      return found?.isFile() ? [{ name, path, found }] : []
    })
  } catch (error) {
    return [
      fail(
        (error as Error).message,
        `run this as the user that runs the server, and run chmod 700 ${folder}`,
      ),
    ]
  }
  const wrong = files.flatMap(({ name, path, found }) => {
    if (found.uid !== uid)
      return fail(
        `${path} belongs to user ${found.uid}, and the folder to user ${uid}`,
        `run chown ${uid} ${path}, and run commands as that user`,
      )
    if ((found.mode & 0o077) !== 0)
      return fail(`${path} is open to others (mode ${octal(found.mode)})`, `run chmod 600 ${path}`)
    if (name.startsWith('agentbbs.') && (found.mode & 0o600) !== 0o600)
      return fail(
        `${path} is closed to its owner (mode ${octal(found.mode)})`,
        `run chmod 600 ${path}`,
      )
    if (found.dev !== dev)
      return fail(
        `${path} is on another file system than its folder`,
        'move it into the folder: the database and its log belong together',
      )
    return []
  })
  return wrong.length > 0 ? wrong : [ok(`${files.length}, closed to others`)]
}

/** The owner's logs, which are kept for some days. That they cannot be read is said of the files, too. */
const logs = (data: string): readonly Finding[] => {
  const { ok, fail } = about("owner's logs")
  const folder = ownerLogPath(data)
  if (!readable(folder)) return []
  const found = statSync(folder)
  if ((found.mode & 0o077) !== 0)
    return [
      fail(`${folder} is open to others (mode ${octal(found.mode)})`, `run chmod 700 ${folder}`),
    ]
  const days = daysIn(folder)
  const sizes = days.flatMap(day =>
    readdirSync(join(folder, day)).map(
      name => statSync(join(folder, day, name), { throwIfNoEntry: false })?.size ?? 0,
    ),
  )
  const size = sizes.reduce((sum, bytes) => sum + bytes, 0)
  return [ok(`${mebibytes(size)} of ${countText(days.length, 'day')}`)]
}

const disk = (path: string): Finding => {
  const { ok, warn, fail } = about('disk')
  const { type, bsize, bavail, files, ffree } = statfsSync(path)
  const free = bsize * bavail
  const remote = overNetworks.get(type)
  if (remote !== undefined)
    return fail(
      `${path} is on ${remote}, where SQLite's locks and log do not work`,
      'keep the data folder on a disk of this machine',
    )
  if (free < scarce || (files > 0 && ffree < 1_000))
    return fail(
      `${mebibytes(free)} and ${ffree} inodes are free: matches will soon be aborted`,
      'free some space, or move the data folder to a larger disk',
    )
  if (free < 10 * scarce) return warn(`${mebibytes(free)} are free`, 'free some space soon')
  return ok(`${mebibytes(free)} free${files > 0 ? `, and ${ffree} inodes` : ''}`)
}

const scarce = 100 * 2 ** 20

// The numbers of statfs(2).
const overNetworks = new Map([
  [0x6969, 'NFS'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9p'],
])

const octal = (mode: number) => (mode & 0o777).toString(8).padStart(3, '0')

const ancestor = (path: string): string => (existsSync(path) ? path : ancestor(dirname(path)))

const readable = (path: string) => {
  try {
    accessSync(path, constants.R_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

const writable = (path: string) => {
  try {
    accessSync(path, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}
