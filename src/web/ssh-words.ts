/** Where SSH clients connect to. */
export interface SshPlace {
  readonly sshHost: string
  readonly sshPort: number
}

/** What to type for a session or a command by SSH, such as `ssh -p 2222 NAME@bbs.example sign-in`. */
export const sshWords = ({ sshHost, sshPort }: SshPlace, user: string, command = ''): string =>
  `ssh ${sshPort === 22 ? '' : `-p ${sshPort} `}${user}@${sshHost} ${command}`.trimEnd()
