import { isIP } from 'node:net'
import { type Address, addressText, type Config } from '../config.ts'
import type { Place, Registration } from './house.ts'

/** Where this is, as it is written in instructions; the ports once they are known. */
export const placeOf = (
  { host, named, ssh, http }: Pick<Config, 'host' | 'named' | 'ssh' | 'http'>,
  ports: { readonly ssh: number; readonly http: number },
): Place => ({
  host,
  // The machine's name may be that of another of its addresses.
  sshHost: !named && isLoopback(ssh) ? ssh.host : host,
  get sshPort() {
    return ports.ssh
  },
  get play() {
    const isPublic = isLoopback(http) || (host.includes('.') && isIP(host) === 0)
    if (named && isPublic && !isLocal(host)) return `wss://${host}/play`
    // Without a name of its own no edge stands before it.
    if (!named && isLoopback(http)) return `ws://${addressText({ ...http, port: ports.http })}/play`
    return `ws://${addressText({ host, port: ports.http })}/play`
  },
})

/** Where only this machine can come in, everybody may make an account. */
export const registrationOf = ({
  registration,
  ssh,
}: Pick<Config, 'registration' | 'ssh'>): Registration =>
  registration !== 'auto' ? registration : isLoopback(ssh) ? 'open' : 'invite'

/** Whether this machine alone gets there. */
export const isLoopback = ({ host }: Pick<Address, 'host'>) => isLocal(host)

const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
