import { BlockList, isIP } from 'node:net'
import type { CallOut } from '../config.ts'

/** Addresses at which clouds tell their machines secrets. Some are public ones, by their range. */
const metadata = [
  ...['169.254.169.254', '169.254.170.2', '169.254.170.23', '168.63.129.16'],
  ...['100.100.100.200', '192.0.0.192', 'fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254'],
]

/** All networks that are not of the public internet, by IANA's registries of special-purpose addresses. */
const special: Readonly<Record<string, readonly string[]>> = {
  'an unspecified address': ['0.0.0.0/8', '::/128'],
  'a loopback address': ['127.0.0.0/8', '::1/128'],
  'a private address': ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
  'a link-local address': ['169.254.0.0/16', 'fe80::/10'],
  'an address behind carrier-grade NAT': ['100.64.0.0/10'],
  'a multicast address': ['224.0.0.0/4', 'ff00::/8'],
  'an address for documentation': [
    ...['192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32', '3fff::/20'],
  ],
  'an address with an IPv4 address in it': ['64:ff9b::/96', '64:ff9b:1::/48', '2002::/16'],
  'a reserved address': [
    ...['192.0.0.0/24', '192.88.99.0/24', '198.18.0.0/15', '240.0.0.0/4', '2001::/23'],
  ],
}

const listOf = (networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const family = familyOf(network.split('/')[0]!)
    const [address, bits = family === 'ipv4' ? '32' : '128'] = network.split('/')
    list.addSubnet(address!, Number(bits), family)
  }
  return list
}

const familyOf = (address: string) => (isIP(address) === 4 ? 'ipv4' : 'ipv6')

const ofMetadata = listOf(metadata)
const kinds = Object.entries(special).map(([kind, networks]) => ({ kind, list: listOf(networks) }))
/** The IPv6 addresses that are given to networks. Those that embed IPv4, as ::ffff:10.0.0.1 does, are not among them. */
const unicast = listOf(['2000::/3'])

/**
 * The ports from 1024 that browsers do not call either (the list of the Fetch standard): servers of other protocols, such as
 * IRC and SIP, could take the lines of a request for commands.
 */
const otherProtocols = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566],
  ...[6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080],
])

/**
 * Why this address may not be called, in words that continue "it is"; null if it may. `host` is the name that it was
 * found by. What the operator has listed may be called at every port.
 */
export const refusalOf = (
  host: string,
  address: string,
  port: number,
  { addresses, networks, hosts }: CallOut,
): string | null => {
  // A link-local address names a network interface, which a BlockList does not take.
  const [plain = ''] = address.split('%')
  const family = familyOf(plain)
  const isIn = (list: BlockList) => list.check(plain, family)
  if (isIn(networks) || hosts.has(host.toLowerCase().replace(/\.$/, ''))) return null
  if (isIn(ofMetadata)) return 'an address of cloud metadata'
  if (addresses === 'any') return null
  const kind = kinds.find(({ list }) => isIn(list))?.kind
  if (kind !== undefined) return kind
  if (family === 'ipv6' && !isIn(unicast)) return 'no address of the public internet'
  if (addresses === 'listed') return 'not listed'
  return (port < 1024 && port !== 80 && port !== 443) || otherProtocols.has(port)
    ? `at port ${port}, of another protocol`
    : null
}
