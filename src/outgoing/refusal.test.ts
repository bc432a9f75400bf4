import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { refusalOf } from './refusal.ts'

const allowing = (setting: string) => readConfig({ AGENTBBS_CALL_OUT: setting }).callOut
const refusal = (address: string, setting = 'public', port = 443, host = address) =>
  refusalOf(host, address, port, allowing(setting))

describe('public addresses alone, which is the default,', () => {
  it.each([
    ['0.0.0.0', 'an unspecified address'],
    ['0.1.2.3', 'an unspecified address'],
    ['10.255.255.255', 'a private address'],
    ['100.64.0.1', 'an address behind carrier-grade NAT'],
    ['100.127.255.255', 'an address behind carrier-grade NAT'],
    ['127.0.0.1', 'a loopback address'],
    ['127.255.0.1', 'a loopback address'],
    ['169.254.1.1', 'a link-local address'],
    ['172.16.0.1', 'a private address'],
    ['172.31.255.255', 'a private address'],
    ['192.0.0.8', 'a reserved address'],
    ['192.0.2.1', 'an address for documentation'],
    ['192.88.99.1', 'a reserved address'],
    ['192.168.0.1', 'a private address'],
    ['198.18.0.1', 'a reserved address'],
    ['198.19.255.255', 'a reserved address'],
    ['198.51.100.7', 'an address for documentation'],
    ['203.0.113.9', 'an address for documentation'],
    ['224.0.0.1', 'a multicast address'],
    ['239.255.255.250', 'a multicast address'],
    ['240.0.0.1', 'a reserved address'],
    ['255.255.255.255', 'a reserved address'],
    ['::', 'an unspecified address'],
    ['::1', 'a loopback address'],
    ['::ffff:127.0.0.1', 'a loopback address'],
    ['::ffff:7f00:1', 'a loopback address'],
    ['::ffff:10.1.2.3', 'a private address'],
    ['::ffff:8.8.8.8', 'no address of the public internet'],
    ['::127.0.0.1', 'no address of the public internet'],
    ['::ffff:0:127.0.0.1', 'no address of the public internet'],
    ['64:ff9b::10.0.0.1', 'an address with an IPv4 address in it'],
    ['64:ff9b::8.8.8.8', 'an address with an IPv4 address in it'],
    ['64:ff9b:1::1', 'an address with an IPv4 address in it'],
    ['2002:7f00:1::', 'an address with an IPv4 address in it'],
    ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'a reserved address'],
    ['2001:db8::1', 'an address for documentation'],
    ['3fff::1', 'an address for documentation'],
    ['100::1', 'no address of the public internet'],
    ['4000::1', 'no address of the public internet'],
    ['5f00::1', 'no address of the public internet'],
    ['fc00::1', 'a private address'],
    ['fdff::1', 'a private address'],
    ['fe80::1', 'a link-local address'],
    ['fe80::1%eth0', 'a link-local address'],
    ['fec0::1', 'no address of the public internet'],
    ['ff02::1', 'a multicast address'],
    ['169.254.169.254', 'an address of cloud metadata'],
    ['::ffff:169.254.169.254', 'an address of cloud metadata'],
    ['100.100.100.200', 'an address of cloud metadata'],
    ['168.63.129.16', 'an address of cloud metadata'],
    ['fd00:ec2::254', 'an address of cloud metadata'],
  ])('leave out %s: %s', (address, kind) => {
    expect(refusal(address)).toBe(kind)
  })

  it.each([
    ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.0.0.1'],
    ...['172.15.255.255', '172.32.0.0', '192.167.0.1', '198.17.0.1', '223.255.255.255'],
    ...['2606:4700::1111', '2a00:1450:4001::1', '2400:cb00::1', '2003::1'],
  ])('have %s among them', address => {
    expect(refusal(address)).toBeNull()
  })

  it.each([22, 25, 81, 465, 1023, 5060, 6667])('are not called at port %i', port => {
    expect(refusal('1.1.1.1', 'public', port)).toBe(`at port ${port}, of another protocol`)
  })

  it.each([80, 443, 1024, 3000, 8101, 65_535])('are called at port %i', port => {
    expect(refusal('1.1.1.1', 'public', port)).toBeNull()
  })
})

describe('what the operator lists', () => {
  it('is called at every port, be it private', () => {
    expect(refusal('10.1.0.9', 'public,10.1.0.0/16', 22)).toBeNull()
    expect(refusal('10.2.0.9', 'public,10.1.0.0/16')).toBe('a private address')
    expect(refusal('127.0.0.1', 'loopback', 22)).toBeNull()
    expect(refusal('fd12::1', 'fd12::/16')).toBeNull()
  })

  it('is all that is called, if "public" is not in the list', () => {
    expect(refusal('1.1.1.1', '10.0.0.0/8')).toBe('not listed')
    expect(refusal('1.1.1.1', 'none')).toBe('not listed')
    expect(refusal('1.1.1.1', '1.1.1.1')).toBeNull()
  })

  it('may be the name of a host, whatever that resolves to', () => {
    const named = (host: string) => refusal('10.0.0.7', 'Bots.example.org, player1.', 80, host)
    expect(named('bots.example.org')).toBeNull()
    expect(named('bots.example.org.')).toBeNull()
    expect(named('player1')).toBeNull()
    expect(named('evil.bots.example.org')).toBe('a private address')
    expect(named('10.0.0.7')).toBe('a private address')
  })
})

it('"any" leaves out cloud metadata alone, unless it is listed', () => {
  for (const address of ['1.1.1.1', '10.0.0.1', '::1', '192.0.2.1', '64:ff9b::a00:1'])
    expect(refusal(address, 'any', 22)).toBeNull()
  expect(refusal('169.254.169.254', 'any')).toBe('an address of cloud metadata')
  expect(refusal('::ffff:169.254.169.254', 'any')).toBe('an address of cloud metadata')
  expect(refusal('169.254.169.254', 'any,169.254.169.254')).toBeNull()
})
