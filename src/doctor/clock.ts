import { spawnSync } from 'node:child_process'
import { about, type Finding } from './finding.ts'

/** Whether the clock is synchronized, as systemd knows it: a clock without synchronization drifts. */
export const examineClock = ({ PATH }: NodeJS.ProcessEnv): readonly Finding[] => {
  const asked = ['show', '--property=NTPSynchronized', '--value']
  const { stdout } = spawnSync('timedatectl', asked, {
    env: { PATH },
    encoding: 'utf8',
    timeout: 3_000,
  })
  return stdout?.trim() === 'no'
    ? [about('clock').warn('it is not synchronized', 'synchronize it: timedatectl set-ntp true')]
    : []
}
