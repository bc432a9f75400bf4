import type { Address, Config } from '../config.ts'
import type { Place, Registration } from './house.ts'

/** Where this is, as it is written in instructions; the ports once they are known. */
export const placeOf = (
  { host, http }: Pick<Config, 'host' | 'http'>,
  ports: { readonly ssh: number; readonly http: number },
): Place => ({
  host,
  get sshPort() {
    return ports.ssh
  },
  get play() {
    return isLocal(host) || !isLoopback(http)
      ? `ws://${host}:${ports.http}/play`
      : `wss://${host}/play`
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
