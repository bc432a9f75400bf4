import { connect as connectPlainly, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectByTls } from 'node:tls'
import type { CallOut } from '../config.ts'
import { CallFailure } from './call-failure.ts'
import { refusalOf } from './refusal.ts'
import type { Resolve } from './resolve.ts'

/** What a call may connect to, and how names and certificates are checked. */
export interface Network {
  readonly callOut: CallOut
  readonly resolve: Resolve
  /** Certificates of authorities, in place of those that Node knows. */
  readonly authorities?: string | undefined
}

/**
 * Begins to connect, to addresses that are allowed and to no others. A name is resolved once for each connection, and the
 * socket connects to just what was checked: an answer that changes a moment later (DNS rebinding) is never asked for.
 */
export const connectTo = (
  url: URL,
  network: Network,
  failed: (failure: CallFailure) => void,
): Socket | null => {
  const isSecure = url.protocol === 'https:'
  const { host, port } = placeOf(url)
  const refusal = (address: string) => refusalOf(host, address, port, network.callOut)
  const refused = (address: string, why: string) => failed(refusedAddress(url, address, why))
  const lookup: LookupFunction = (name, _, found) => {
    const answer = async () => {
      const addresses = await network.resolve(name)
      const allowed = addresses.filter(address => refusal(address) === null)
      if (allowed.length === 0) refused(addresses[0]!, refusal(addresses[0]!)!)
      // A socket without any address to connect to ends.
      found(
        null,
        allowed.map(address => ({ address, family: isIP(address) })),
      )
    }
    answer().catch((error: NodeJS.ErrnoException) => {
      failed(noName(url, error))
      found(error, [])
    })
  }
  // A socket does not look up an address.
  const why = isIP(host) === 0 ? null : refusal(host)
  if (why !== null) {
    refused(host, why)
    return null
  }
  const where = { host, port, lookup, autoSelectFamily: true }
  return isSecure
    ? connectByTls({
        ...where,
        servername: isIP(host) === 0 ? host.replace(/\.$/, '') : '',
        ALPNProtocols: ['http/1.1'],
        // Also where the environment says otherwise (NODE_TLS_REJECT_UNAUTHORIZED).
        rejectUnauthorized: true,
        ...(network.authorities !== undefined && { ca: network.authorities }),
      })
    : connectPlainly(where)
}

/** Why nothing may be called at this URL; null if something may, as its name resolves now. */
export const refusalOfUrl = async (
  url: URL,
  { callOut, resolve }: Network,
): Promise<CallFailure | null> => {
  const { host, port } = placeOf(url)
  let addresses: readonly string[]
  try {
    addresses = isIP(host) === 0 ? await resolve(host) : [host]
  } catch (error) {
    return noName(url, error as NodeJS.ErrnoException)
  }
  const refusals = addresses.map(address => refusalOf(host, address, port, callOut))
  return refusals.includes(null) ? null : refusedAddress(url, addresses[0]!, refusals[0]!)
}

const placeOf = ({ hostname, protocol, port }: URL) => ({
  host: hostname.replace(/^\[|\]$/g, ''),
  port: port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
})

const refusedAddress = ({ origin }: URL, address: string, why: string) =>
  new CallFailure(
    'refused-address',
    `${origin} is not called, because ${address} is ${why}: AGENTBBS_CALL_OUT does not allow it`,
  )

const noName = ({ origin }: URL, { code, message }: NodeJS.ErrnoException) =>
  new CallFailure(
    'no-name',
    `${origin} is not found: its name does not resolve (${code ?? message})`,
  )
