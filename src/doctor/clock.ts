import { spawnSync } from 'node:child_process'
import { about, type Finding } from './finding.ts'

/** Whether the clock is kept by others, where systemd can be asked: one that nobody keeps is wrong after a year. */
export const examineClock = ({ PATH }: NodeJS.ProcessEnv): readonly Finding[] => {
  const asked = ['show', '--property=NTPSynchronized', '--value']
  const { stdout } = spawnSync('timedatectl', asked, {
    env: { PATH },
    encoding: 'utf8',
    timeout: 3_000,
  })
  return stdout?.trim() === 'no'
    ? [about('clock').warn('nobody keeps it', 'have it kept: timedatectl set-ntp true')]
    : []
}
