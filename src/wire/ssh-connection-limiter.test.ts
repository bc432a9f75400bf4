import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { Program } from '../../test/support/program.ts'
import { SshHost } from '../../test/support/ssh-host.ts'
import { unmetered } from '../meter.ts'
import { mostRejections } from './rejections.ts'
import { fingerprint } from './ssh-keys.ts'

let host: SshHost
let told: string[]
afterEach(() => host.close())

const open = async (limits: NonNullable<Parameters<typeof SshHost.open>[0]>['limits'] = {}) => {
  told = []
  host = await SshHost.open({
    limits: { lockoutAfter: 1, ...limits },
    meter: {
      ...unmetered,
      refused: code => told.push(code),
      loginFailed: wire => told.push(wire),
    },
  })
}

/** From an address of the loopback range, for a game that does not exist, which is answered at once. */
const knock = (from: string, ...options: string[]) =>
  host.ssh(['-b', from, ...options], 'whist').exit
const letIn = { code: 1, messages: [{ code: 'unknown-game' }] }
const lockedOut = {
  code: 255,
  stderr: /too many failed logins from your address: try again in \d+ s/,
}

const dial = (from: string, words: string | Buffer = ''): Socket => {
  const socket = connect({ port: host.wire.port, host: '127.0.0.1', localAddress: from })
  socket.on('error', () => {}).resume()
  if (words.length > 0) socket.write(words)
  return socket
}
const closed = (socket: Socket) =>
  new Promise<void>(resolve => (socket.destroyed ? resolve() : socket.on('close', () => resolve())))
const gone = (count: number) =>
  expect.poll(() => host.logged.filter(({ msg }) => msg === 'connection ended').length).toBe(count)

describe('what locks out one address, and no other', () => {
  const failures: [string, () => Promise<unknown>][] = [
    ['a key that is not registered', () => knock('127.0.0.7', '-i', host.key('stranger'))],
    ['no key at all', () => knock('127.0.0.7', '-o', 'PubkeyAuthentication=no')],
    ['another user name', () => knock('127.0.0.7', '-l', 'root')],
    [
      'a key that is not registered, in batch mode',
      () => knock('127.0.0.7', '-o', 'BatchMode=yes', '-i', host.key('stranger')),
    ],
    ['guesses', () => guess('127.0.0.7')],
    ['a forged signature', () => forge('127.0.0.7')],
    ['a web browser', () => closed(dial('127.0.0.7', 'GET / HTTP/1.1\r\n\r\n'))],
    ['noise', () => closed(dial('127.0.0.7', randomBytes(4096)))],
    [
      'noise behind the right words',
      () =>
        closed(dial('127.0.0.7', Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(4096)]))),
    ],
    ['an endless first line', () => closed(dial('127.0.0.7', Buffer.alloc(1 << 20, 'SSH')))],
  ]
  it.each(failures)('is %s', async (_, fail) => {
    await open()
    const { key } = host.agent('anna')
    await fail()
    await gone(1)
    expect(await knock('127.0.0.7', '-i', key)).toMatchObject(lockedOut)
    expect(await knock('127.0.0.8', '-i', key)).toMatchObject(letIn)
    expect(told.filter(code => code === 'ssh')).toHaveLength(1)
    expect(told).toContain('locked-out')
  })

  it('is silence until the time for the login is up', async () => {
    await open({ loginTime: 300 })
    await closed(dial('127.0.0.7'))
    await gone(1)
    expect(await knock('127.0.0.7')).toMatchObject(lockedOut)
  })
})

describe('what locks no address out', () => {
  const harmless: [string, () => Promise<unknown>][] = [
    ['a right key', () => knock('127.0.0.7', '-i', `${host.folder}/anna`)],
    [
      'a right key after several others',
      () =>
        knock(
          '127.0.0.7',
          ...['x', 'y', 'z'].flatMap(name => ['-i', host.key(name)]),
          ...['-i', `${host.folder}/anna`],
        ),
    ],
    [
      'to knock and go',
      async () =>
        void dial('127.0.0.7').on('connect', function (this: Socket) {
          this.destroy()
        }),
    ],
    ['to ask for the host key', async () => scan('127.0.0.7')],
    ['a frozen agent that is cut', () => knock('127.0.0.7', '-i', `${host.folder}/anna`, '-N')],
  ]
  it.each(harmless)('is %s', async (_, act) => {
    await open({ loginTime: 2_000 })
    const { key } = host.agent('anna')
    await act()
    await gone(1)
    expect(await knock('127.0.0.7', '-i', key)).toMatchObject(letIn)
    expect(told).not.toContain('locked-out')
  })
})

describe('a client that is refused', () => {
  it('is one that connects and leaves at too high a rate', async () => {
    await open({ sshConnectionRate: 1 })
    let words = ''
    for (let i = 0; i < 500 && !words.includes('one after the other'); i++) {
      words = ''
      const socket = dial('127.0.0.7').on('data', data => {
        words += data
      })
      await once(socket, 'data')
      socket.destroy()
      await closed(socket)
    }
    expect(words).toContain('too many connections from your address one after the other')
    expect(new Set(told)).toEqual(new Set(['too-many-connections']))
    expect(await knock('127.0.0.8', '-i', host.agent('anna').key)).toMatchObject(letIn)
  })

  it.skipIf(spawnSync('plink', ['-V']).error)('is told why by plink, too', async () => {
    await open()
    await knock('127.0.0.1', '-l', 'root')
    await gone(1)
    const hostKey = fingerprint(host.hostKey.getPublicSSH())
    const options = ['-ssh', '-batch', '-noagent', '-P', String(host.wire.port)]
    const plink = new Program('plink', ...options, '-hostkey', hostKey, 'game@127.0.0.1', 'ttt')
    expect(await plink.exit).toMatchObject({ stderr: /too many failed logins from your address/ })
  })

  it('is refused only for a moment when its address has too many unauthenticated connections', async () => {
    await open({ unauthenticatedPerAddress: 3 })
    const { key } = host.agent('anna')
    const silent = [1, 2, 3].map(() => dial('127.0.0.7'))
    await Promise.all(silent.map(socket => once(socket, 'connect')))
    expect(await knock('127.0.0.7', '-i', key)).toMatchObject({
      code: 255,
      stderr: /too many connections from your address at the same time/,
    })
    expect(await knock('127.0.0.8', '-i', key)).toMatchObject(letIn)
    for (const socket of silent) socket.destroy()
    await expect
      .poll(async () => (await knock('127.0.0.7', '-i', key)).messages, { timeout: 10_000 })
      .toMatchObject(letIn.messages)
  })

  it('is told why, however many sockets do not read', async () => {
    // A rejected client may stay for a second, which never comes.
    host = await SshHost.open({
      clock: new FakeClock(),
      limits: { unauthenticatedPerAddress: 1 },
    })
    const crowd = Array.from({ length: 2 * mostRejections }, () => {
      const { port } = host.wire
      const from = { host: '127.0.0.1', localAddress: '127.0.0.7' }
      const one = { socket: connect({ port, ...from, allowHalfOpen: true }), heard: '' }
      one.socket
        .on('error', () => {})
        .on('data', chunk => {
          one.heard += chunk
        })
      return one
    })
    const told = () => crowd.filter(({ heard }) => heard.includes('at the same time')).length
    await expect.poll(told).toBe(crowd.length - 1)
    expect(await knock('127.0.0.7', '-i', host.agent('anna').key)).toMatchObject({
      code: 255,
      stderr: /too many connections from your address at the same time/,
    })
    for (const { socket } of crowd) socket.destroy()
  })

  it.each([
    ['has said nothing', ''],
    ['has only greeted', 'SSH-2.0-x\r\n'],
  ])('is told why when it %s and has to make room for others', async (_, words) => {
    await open({ unauthenticated: 2 })
    const eldest = dial('127.0.0.7', words)
    let heard = ''
    eldest.on('data', chunk => {
      heard += chunk
    })
    await once(eldest, 'data')
    await once(dial('127.0.0.7', words), 'data')
    const { key } = host.agent('anna')
    expect(await knock('127.0.0.8', '-i', key)).toMatchObject(letIn)
    await closed(eldest)
    expect(heard).toContain('as many connections as it takes, and yours was the oldest')
  })

  it('is refused by account when that has as many sessions as it may', async () => {
    await open({ connectionsPerAccount: 1 })
    const { account, key } = host.agent('anna')
    const first = host.ssh(['-i', key], 'ttt')
    await first.until('queued')
    expect(host.roster.objection(account)).toMatchObject({ code: 'too-many-connections' })
    const second = host.ssh(['-i', key], 'ttt')
    expect(await second.exit).toMatchObject({
      code: 1,
      messages: [{ type: 'error', code: 'too-many-connections', retryAfter: 10 }],
    })
    first.process.kill('SIGKILL')
    await expect.poll(() => host.roster.objection(account)).toBeUndefined()
    const third = host.ssh(['-i', key], 'ttt')
    await third.until('queued')
  })
})

/** What OpenSSH's own tool asks of every host. */
const scan = (from: string) => {
  const client = new ssh2.Client()
  const socket = dial(from)
  return new Promise<void>(resolve => {
    client.on('error', () => {}).on('close', () => resolve())
    client.connect({ sock: socket, username: 'game', hostVerifier: () => false })
  })
}

const guess = (from: string) =>
  new Promise<void>(resolve => {
    const client = new ssh2.Client()
    client.on('error', () => client.destroy()).on('close', () => resolve())
    client.connect({ sock: dial(from), username: 'game', password: 'guess', tryKeyboard: false })
  })

const forge = (from: string) => {
  const [forged, other] = ['bert', 'stranger'].map(name => {
    if (name === 'bert') host.agent(name)
    else host.key(name)
    const key = ssh2.utils.parseKey(readFileSync(`${host.folder}/${name}`))
    if (key instanceof Error) throw key
    return key
  })
  forged!.sign = data => other!.sign(data)
  return new Promise<void>(resolve => {
    const client = new ssh2.Client()
    client.on('error', () => client.destroy()).on('close', () => resolve())
    client.connect({
      sock: dial(from),
      username: 'game',
      authHandler: [{ type: 'publickey', username: 'game', key: forged }] as never,
    })
  })
}
