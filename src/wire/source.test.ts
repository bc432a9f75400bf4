import { BlockList } from 'node:net'
import { describe, expect, it } from 'vitest'
import { loopback } from '../../test/support/limits.ts'
import { behind, sourceOf } from './source.ts'

describe('a source', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:c000:207', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::9', '2001:db8:1:2::/64'],
    ['2001:DB8:1:3::9', '2001:db8:1:3::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ])('of %s is %s', (address, source) => {
    expect(sourceOf(address)).toBe(source)
  })

  it.each(['', 'unknown', '192.0.2', '192.0.2.7:80', '[::1]', 'x'.repeat(9000)])(
    'of %j is undefined, as it is not an address',
    address => expect(sourceOf(address)).toBeUndefined(),
  )
})

describe('the source behind a peer', () => {
  const edges = new BlockList()
  edges.addSubnet('10.0.0.0', 8, 'ipv4')
  edges.addAddress('2001:db8::e', 'ipv6')

  it.each([
    [
      'is the peer when it is not trusted, whatever it says',
      '192.0.2.7',
      '198.51.100.1',
      '192.0.2.7',
    ],
    ['is the peer where it says nothing', '192.0.2.7', undefined, '192.0.2.7'],
    ['is whom a trusted peer names', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
    [
      'does not depend on what the client has made up',
      '10.0.0.1',
      '1.1.1.1, 2.2.2.2, 198.51.100.1',
      '198.51.100.1',
    ],
    [
      'is behind all trusted proxies',
      '10.0.0.1',
      '1.1.1.1,198.51.100.1,2001:db8::e, 10.9.9.9',
      '198.51.100.1',
    ],
    ['may be on the same network', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
    ['may be named with a zone', '10.0.0.1', 'fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['may have IPv6', '::ffff:10.0.0.1', '2001:db8:5::1', '2001:db8:5:0::/64'],
    ['is undefined where all are trusted', '10.0.0.1', '10.0.0.2', undefined],
    ['is undefined where a trusted peer names none', '10.0.0.1', undefined, undefined],
    [
      'is undefined where a trusted peer sends nonsense',
      '10.0.0.1',
      '198.51.100.1, unknown',
      undefined,
    ],
  ])('%s', (_, peer, forwardedFor, source) => {
    expect(behind(peer, forwardedFor, edges)).toBe(source)
  })

  it('is undefined on this machine by default', () => {
    for (const peer of ['127.0.0.1', '::1', '::ffff:127.3.2.1'])
      expect(behind(peer, undefined, loopback)).toBeUndefined()
  })
})
