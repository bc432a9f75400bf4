import { type BlockList, isIP } from 'node:net'
import { BoundedMap } from '../limits/bounded-map.ts'

/** The source that limits count an address as: an IPv4 address itself, of IPv6 the /64 network that one customer has. */
export const sourceOf = (address: string): string | undefined => {
  const plain = withoutZone(address)
  const version = isIP(plain)
  if (version === 4) return plain
  if (version === 0) return undefined
  const groups = groupsOf(plain)
  const [high, low] = [groups[6]!, groups[7]!]
  // IPv4, as a socket for both names it.
  if (groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff)
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.')
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

/**
 * The source behind a peer: the last hop that is not a trusted proxy. It may have made up all hops before itself.
 * Undefined where all hops are trusted.
 */
export const behind = (
  peer: string,
  forwardedFor: string | undefined,
  trusted: BlockList,
): string | undefined => {
  const hops = [...(forwardedFor?.split(',') ?? []), peer]
  for (const hop of hops.reverse()) {
    const address = hop.trim()
    if (isIP(address) === 0) return undefined
    if (!isTrusted(address, trusted)) return sourceOf(address)
  }
  return undefined
}

/** Remembers its answers for 10,000 addresses: a request takes 0.3 µs with one that is known, and 1.6 with another. */
export const isTrusted = (address: string, trusted: BlockList): boolean => {
  let known = answers.get(trusted)
  if (known === undefined) {
    known = new BoundedMap(10_000)
    answers.set(trusted, known)
  }
  let answer = known.get(address)
  if (answer === undefined) {
    answer = trusted.check(withoutZone(address), isIP(address) === 6 ? 'ipv6' : 'ipv4')
    // A copy, because a part of a header would keep the whole header in memory.
    known.set(Buffer.from(address).toString(), answer)
  }
  return answer
}

const answers = new WeakMap<BlockList, Map<string, boolean>>()

/** A link-local address names a network interface of this machine, which a BlockList does not take. */
const withoutZone = (address: string): string => address.split('%')[0]!

const groupsOf = (address: string): readonly number[] => {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address)
  if (dotted !== null) {
    const [, front, ...bytes] = dotted
    const [a, b, c, d] = bytes.map(Number) as [number, number, number, number]
    return groupsOf(`${front}${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)
  }
  const [front = '', back] = address.split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
  const [left, right] = [groups(front), groups(back ?? '')]
  return [...left, ...Array(8 - left.length - right.length).fill(0), ...right]
}
