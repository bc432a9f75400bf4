import { deflateSync } from 'node:zlib'
import type { Luck } from './luck.ts'
import { mutate } from './mutate.ts'

/** An SSH message of a valid type with invalid contents. */
export const oddPacket = (luck: Luck, channels = 3): Buffer => {
  const made = luck.once(10)
    ? Buffer.concat([byte(luck.roll(256)), luck.bytes(luck.roll(200))])
    : luck.pick(kinds)(luck, luck.once(6) ? luck.oddNumber() : luck.roll(channels))
  if (luck.once(40)) return deflateSync(made)
  return luck.once(3) ? mutate(luck, made).subarray(0, 30_000) : made
}

type Kind = (luck: Luck, channel: number) => Buffer

const byte = (value: number) => Buffer.from([value & 255])
const uint32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}
const string = (value: string | Buffer) => {
  const bytes = Buffer.from(value as string)
  return Buffer.concat([uint32(bytes.length), bytes])
}
const odd = (luck: Luck) => string(luck.oddText())
const bool = (luck: Luck) => byte(luck.pick([0, 1, 1, 2, 255]))
const number = (luck: Luck) => uint32(luck.oddNumber())

/** The types of messages are those of RFC 4250, section 4.1. */
const kinds: readonly Kind[] = [
  luck => Buffer.concat([byte(luck.from(1, 7)), number(luck), odd(luck), odd(luck)]),
  luck => Buffer.concat([byte(5), string(luck.pick(['ssh-userauth', 'ssh-connection', 'x']))]),
  luck => Buffer.concat([byte(7), number(luck), odd(luck), odd(luck)]),
  luck =>
    Buffer.concat([
      byte(20),
      luck.bytes(16),
      ...Array.from({ length: 10 }, () =>
        string(luck.pick([...algorithms, algorithms.join(','), ',,,', ''])),
      ),
      bool(luck),
      uint32(0),
    ]),
  () => byte(21),
  luck => Buffer.concat([byte(luck.from(30, 34)), string(luck.bytes(luck.pick([0, 31, 32, 33])))]),
  luck => authentication(luck),
  luck => Buffer.concat([byte(61), number(luck), odd(luck), odd(luck)]),
  luck =>
    Buffer.concat([
      byte(80),
      string(luck.pick(globalRequests)),
      bool(luck),
      odd(luck),
      number(luck),
    ]),
  luck => byte(luck.pick([81, 82, 92, 60])),
  luck =>
    Buffer.concat([
      byte(90),
      string(luck.pick(channelTypes)),
      uint32(luck.once(2) ? luck.roll(4) : luck.oddNumber()),
      number(luck), // window
      number(luck), // largest packet
      ...(luck.once(2) ? [odd(luck), number(luck), odd(luck), number(luck)] : []),
    ]),
  (luck, channel) => Buffer.concat([byte(93), uint32(channel), number(luck)]),
  (luck, channel) => Buffer.concat([byte(94), uint32(channel), odd(luck)]),
  (luck, channel) =>
    Buffer.concat([byte(94), uint32(channel), string(luck.bytes(luck.pick([0, 1, 1000, 30_000])))]),
  (luck, channel) => Buffer.concat([byte(95), uint32(channel), number(luck), odd(luck)]),
  (luck, channel) => Buffer.concat([byte(luck.pick([96, 97, 99, 100])), uint32(channel)]),
  (luck, channel) => Buffer.concat([byte(91), uint32(channel), number(luck), number(luck)]),
  channelRequest,
  channelRequest,
  channelRequest,
]

/** Opens a session, mostly as a client would. */
export const openSession = (luck: Luck, id: number): Buffer =>
  Buffer.concat([
    ...[byte(90), string('session'), uint32(id)],
    uint32(luck.pick([0, 1, 0x1_0000, 0x20_0000, 0xffff_ffff])), // window
    uint32(luck.pick([0, 1023, 1024, 0x8000, 0x8000, 0xffff_ffff])), // largest packet
  ])

/** Requests to a session, most of them invalid. */
export function channelRequest(luck: Luck, channel: number): Buffer {
  const [name, ...fields] = luck.pick<readonly [string, ...Buffer[]]>([
    ['pty-req', odd(luck), number(luck), number(luck), number(luck), number(luck), odd(luck)],
    ['pty-req', string('xterm'), number(luck), number(luck), uint32(0), uint32(0), modes(luck)],
    ['window-change', number(luck), number(luck), number(luck), number(luck)],
    ['env', string(luck.pick(['NO_COLOR', 'COLORTERM', 'LD_PRELOAD', '__proto__'])), odd(luck)],
    ['env', string(luck.bytes(luck.roll(80))), string(luck.bytes(luck.pick([0, 65, 20_000])))],
    ['exec', string(luck.pick(['ttt', 'ladder', 'help', 'games --json', luck.oddText()]))],
    ['exec', string(luck.pick(['ttt\0', '\0', 'ladder\0--json', 'join \0 x']))],
    // The last one is longer than a packet may be.
    ['exec', string(luck.pick(['x', 'ttt ', '"', '--']).repeat(luck.pick([100, 8_000, 1 << 19])))],
    ['shell'],
    ['subsystem', string(luck.pick(['sftp', 'netconf', luck.oddText()]))],
    ['signal', string(luck.pick(['KILL', 'TERM', luck.oddText()]))],
    ['x11-req', bool(luck), odd(luck), odd(luck), number(luck)],
    ['auth-agent-req@openssh.com'],
    ['exit-status', number(luck)],
    ['exit-signal', odd(luck), bool(luck), odd(luck), odd(luck)],
    ['break', number(luck)],
    ['eow@openssh.com'],
    [luck.oddText(), luck.bytes(luck.roll(40))],
  ])
  return Buffer.concat([byte(98), uint32(channel), string(name), bool(luck), ...fields])
}

const modes = (luck: Luck) =>
  string(Buffer.concat(luck.list(0, 80, () => Buffer.concat([byte(luck.roll(256)), number(luck)]))))

const authentication = (luck: Luck): Buffer => {
  const user = luck.pick(['game', 'join', 'guest', 'somebody', luck.oddText()])
  const service = luck.once(8) ? luck.oddText() : 'ssh-connection'
  const [method, ...fields] = luck.pick<readonly [string, ...Buffer[]]>([
    ['none'],
    ['password', bool(luck), odd(luck)],
    ['password', byte(1), odd(luck), odd(luck)],
    ['publickey', byte(0), string(luck.pick(keyTypes)), string(oddKey(luck))],
    ['publickey', byte(1), string(luck.pick(keyTypes)), string(oddKey(luck)), oddSignature(luck)],
    ['hostbased', odd(luck), odd(luck), odd(luck), odd(luck), odd(luck)],
    ['keyboard-interactive', odd(luck), odd(luck)],
    ['gssapi-with-mic', number(luck), odd(luck)],
    [luck.oddText(), luck.bytes(luck.roll(60))],
  ])
  return Buffer.concat([byte(50), string(user), string(service), string(method), ...fields])
}

/** A public key with a valid outer format. */
const oddKey = (luck: Luck): Buffer => {
  const type = luck.pick(keyTypes)
  const whole = (length: number) => string(luck.bytes(length))
  if (type.startsWith('ecdsa')) {
    const curve = luck.once(6) ? luck.oddText() : type.slice('ecdsa-sha2-'.length)
    const point = Buffer.concat([byte(luck.pick([0, 2, 3, 4])), luck.bytes(luck.pick([64, 96, 7]))])
    return Buffer.concat([string(type), string(curve), string(point)])
  }
  if (type === 'ssh-ed25519')
    return Buffer.concat([string(type), whole(luck.pick([32, 32, 0, 31, 33]))])
  if (type === 'ssh-dss')
    return Buffer.concat([string(type), whole(128), whole(20), whole(128), whole(128)])
  const exponent = luck.pick([
    Buffer.from([3]),
    Buffer.from([1, 0, 1]),
    Buffer.from([0]),
    Buffer.alloc(0),
    luck.bytes(luck.pick([8, 256])),
  ])
  return Buffer.concat([
    string(type),
    string(exponent),
    whole(luck.pick([0, 1, 16, 64, 256, 2048])),
  ])
}

const oddSignature = (luck: Luck): Buffer =>
  luck.once(4)
    ? odd(luck)
    : string(
        Buffer.concat([
          string(luck.pick(keyTypes)),
          luck.once(3)
            ? string(Buffer.concat([string(luck.bytes(luck.roll(70))), odd(luck)]))
            : string(luck.bytes(luck.pick([0, 1, 63, 64, 65, 256]))),
        ]),
      )

const keyTypes = [
  ...['ssh-ed25519', 'ssh-rsa', 'rsa-sha2-256', 'rsa-sha2-512', 'ssh-dss'],
  ...['ecdsa-sha2-nistp256', 'ecdsa-sha2-nistp384', 'ecdsa-sha2-nistp521'],
]

const algorithms = [
  ...['curve25519-sha256', 'ecdh-sha2-nistp256', 'diffie-hellman-group14-sha256', 'none'],
  ...['diffie-hellman-group-exchange-sha256', 'ssh-ed25519', 'aes128-gcm@openssh.com'],
  ...['chacha20-poly1305@openssh.com', 'hmac-sha2-256', 'zlib', 'zlib@openssh.com', 'aes128-ctr'],
  ...['kex-strict-c-v00@openssh.com', 'ext-info-c', 'x'],
]

const channelTypes = [
  ...['session', 'session', 'session', 'session', 'direct-tcpip', 'forwarded-tcpip', 'x11', ''],
  ...['direct-streamlocal@openssh.com', 'tun@openssh.com', 'auth-agent@openssh.com', '__proto__'],
]

const globalRequests = [
  ...['tcpip-forward', 'cancel-tcpip-forward', 'keepalive@openssh.com', 'hostkeys-00@openssh.com'],
  ...['streamlocal-forward@openssh.com', 'no-more-sessions@openssh.com', '__proto__', ''],
]
