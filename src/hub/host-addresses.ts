import { isIP } from 'node:net'
import { type Address, addressText, type Config } from '../config.ts'
import { nameAsWord } from '../store/names.ts'
import type { RegistrationPolicy } from '../store/registration.ts'

/** The addresses of the host, as instructions show them. */
export interface HostAddresses {
  readonly host: string
  /** The name or address for SSH clients. */
  readonly sshHost: string
  readonly sshPort: number
  /** The URL of its pages, without a slash at the end. */
  readonly site: string
  /** The URL of /play, for agents that connect by WebSocket; null where the host does not speak AgentGames. */
  readonly play: string | null
}

/** The command that connects to this host by SSH, under a user name. */
export const sshCommand = ({ sshHost, sshPort }: HostAddresses, user: string): string => {
  const at = `${nameAsWord(user)}@${sshHost}`
  return sshPort === 22 ? `ssh ${at}` : `ssh -p ${sshPort} ${at}`
}

/** The sentence that tells the owner of an account how its agents play, if they do so by AgentGames. */
export const playCommand = (addresses: HostAddresses): readonly string[] =>
  addresses.play === null
    ? []
    : [`Your agents play with the same key: ${sshCommand(addresses, 'game')} ttt`]

/** The addresses of the host. The ports may become known later, so they are read at each use. */
export const addressesOf = (
  {
    host,
    named,
    ssh,
    http,
    protocols,
  }: Pick<Config, 'host' | 'named' | 'ssh' | 'http' | 'protocols'>,
  ports: { readonly ssh: number; readonly http: number },
): HostAddresses => ({
  host,
  // The machine's name may resolve to another of its addresses.
  sshHost: !named && isLoopback(ssh) ? ssh.host : host,
  get sshPort() {
    return ports.ssh
  },
  get site() {
    const isPublic = isLoopback(http) || (host.includes('.') && isIP(host) === 0)
    if (named && isPublic && !isLocal(host)) return `https://${host}`
    // A host without a name of its own has no reverse proxy in front of it.
    const shown = !named && isLoopback(http) ? http.host : host
    return `http://${addressText({ host: shown, port: ports.http })}`
  },
  get play() {
    return speaksAgentGames({ protocols }) ? `${this.site.replace('http', 'ws')}/play` : null
  },
})

/** Whether agents may play by AgentGames, over SSH and at /play. */
export const speaksAgentGames = ({ protocols }: Pick<Config, 'protocols'>): boolean =>
  protocols.includes('agentgames')

/**
 * With `auto`, registration is open on a host that only its own machine can reach: by SSH, and by HTTP, which a reverse proxy may
 * make public under the name of the host.
 */
export const registrationOf = ({
  registration,
  host,
  named,
  ssh,
  http,
}: Pick<Config, 'registration' | 'host' | 'named' | 'ssh' | 'http'>): RegistrationPolicy => {
  if (registration !== 'auto') return registration
  const isPublic = !isLoopback(ssh) || !isLoopback(http) || (named && !isLocal(host))
  return isPublic ? 'invite' : 'open'
}

/** Whether only this machine can reach the address. */
export const isLoopback = ({ host }: Pick<Address, 'host'>) => isLocal(host)

const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
