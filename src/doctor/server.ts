import { readFileSync } from 'node:fs'
import { about, type Finding } from './finding.ts'

/** Checks whether the server runs, and its limit of open files. */
export const examineServer = (pid: number | null | undefined): readonly Finding[] => [
  pid === undefined
    ? about('server').warn(
        'no server runs in the data folder',
        'start it: systemctl start agentbbs',
      )
    : about('server').ok(pid === null ? 'it runs' : `it runs as process ${pid}`),
  descriptors(pid ?? null),
]

/** Each connection takes one. */
const few = 4_096

const descriptors = (pid: number | null): Finding => {
  const { ok, warn } = about('descriptors')
  const most = limitOf(pid) ?? limitOf(null)
  if (most === null) return warn('the limit of open files cannot be read here', 'check ulimit -n')
  return most < few
    ? warn(
        `at most ${most} connections and files at once`,
        'raise LimitNOFILE in the unit, ulimits in the compose file, or ulimit -n',
      )
    : ok(`up to ${most} connections and files at once`)
}

/** The limit of a process, or of this one. Only Linux has this file. */
const limitOf = (pid: number | null): number | null => {
  try {
    const limits = readFileSync(`/proc/${pid ?? 'self'}/limits`, 'utf8')
    const [, soft] = /^Max open files +(\S+)/m.exec(limits)!
    return soft === 'unlimited' ? Number.POSITIVE_INFINITY : Number(soft)
  } catch {
    return null
  }
}
