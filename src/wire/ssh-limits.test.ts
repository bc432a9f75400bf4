import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import ssh2, { type ClientChannel } from 'ssh2'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { Program } from '../../test/support/program.ts'
import { SshHost } from '../../test/support/ssh-host.ts'
import { likeAgentGames } from '../../test/support/test-protocol.ts'
import type { Connection, Message, Session } from '../protocols/connection.ts'
import { longestLine } from './lines.ts'

let host: SshHost
afterEach(() => host.close())

/** Two agents in a match, both shown the board. */
const match = async (): Promise<{ anna: Program; bert: Program }> => {
  const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
  const bert = host.ssh(['-i', host.agent('bert').key], 'ttt')
  await Promise.all([anna.until('state'), bert.until('state')])
  return { anna, bert }
}

/** What ssh2 has inside: the only client at hand that can misbehave. */
interface Inside {
  readonly _protocol: {
    readonly _cipher: { allocPacket(length: number): Buffer; encrypt(packet: Buffer): void }
    ping(): void
    rekey(): void
  }
}

const text = (words: string) => [0, 0, 0, words.length, ...Buffer.from(words)]

const sendPacket = (client: ssh2.Client, payload: readonly number[]) => {
  const { _cipher: cipher } = (client as unknown as Inside)._protocol
  const packet = cipher.allocPacket(payload.length)
  packet.set(payload, 5)
  cipher.encrypt(packet)
}

const rekey = (client: ssh2.Client) =>
  new Promise<void>(resolve => {
    client.once('handshake', () => resolve())
    ;(client as unknown as Inside)._protocol.rekey()
  })

const faults = () => host.logged.filter(({ level }) => Number(level) >= 50)

const forfeit = { outcome: 'win', reason: 'forfeit: connection closed' }
const ended = (reason: string | RegExp, timeout = 20_000) =>
  expect
    .poll(() => host.logged, { timeout })
    .toContainEqual(expect.objectContaining({ reason: expect.stringMatching(reason) }))

describe('a client that leaves', () => {
  it('by closing its side loses, and is told on stderr', async () => {
    host = await SshHost.open()
    const { anna, bert } = await match()
    bert.process.stdin.end()
    expect(await anna.until('result')).toMatchObject(forfeit)
    expect(await bert.exit).toMatchObject({ code: 1, stderr: /closed, which counts as leaving/ })
  })

  it('without ever having had an input leaves the queue', async () => {
    host = await SshHost.open()
    const anna = host.ssh(['-n', '-i', host.agent('anna').key], 'ttt')
    expect(await anna.exit).toMatchObject({ code: 1, messages: [{ type: 'queued' }] })
    expect(host.arena.waiting).toEqual([])
  })

  it('by being killed loses', async () => {
    host = await SshHost.open()
    const { anna, bert } = await match()
    bert.process.kill('SIGKILL')
    expect(await anna.until('result')).toMatchObject(forfeit)
  })

  it('by being frozen loses when it does not answer two keep-alive pings', async () => {
    host = await SshHost.open({ keepAlive: 100 })
    const { anna, bert } = await match()
    bert.process.kill('SIGSTOP')
    expect(await anna.until('result')).toMatchObject(forfeit)
    await ended('Keepalive timeout')
    bert.process.kill('SIGKILL')
  })

  it('by a reset is gone from the queue', async () => {
    host = await SshHost.open()
    const { stream, socket } = await open('anna')
    await heard(stream)
    expect(host.arena.waiting).toHaveLength(1)
    socket.resetAndDestroy()
    await expect.poll(() => host.arena.waiting).toEqual([])
  })

  it('by closing the whole connection for good is gone from the queue', async () => {
    host = await SshHost.open()
    const { stream, socket } = await open('anna')
    await heard(stream)
    socket.end()
    await expect.poll(() => host.arena.waiting).toEqual([])
  })
})

describe('a client that has not logged in', () => {
  it.each([
    ['says nothing', ''],
    ['says only what it is', 'SSH-2.0-sleeper\r\n'],
  ])('and %s is cut after a while', async (_, words) => {
    host = await SshHost.open({ limits: { loginTime: 200 } })
    await closed(dial(words))
    await ended('took too long to log in')
  })

  it('is cut after a while, even when it speaks SSH correctly', async () => {
    host = await SshHost.open({ limits: { loginTime: 300 } })
    const idle = host.ssh(['-N', '-i', host.agent('anna').key])
    expect(await idle.exit).toMatchObject({ code: 255 })
    await ended('took too long to log in')
  })

  it('is cut when it sends more than a login takes, even when it speaks SSH correctly', async () => {
    host = await SshHost.open()
    const client = new ssh2.Client()
    client.on('error', () => {})
    client.connect({
      host: '127.0.0.1',
      port: host.wire.port,
      username: 'game',
      authHandler: () => {
        const ignored = [2, 0, 0, 0x40, 0, ...Buffer.alloc(0x4000)]
        for (let i = 0; i < 10; i++) sendPacket(client, ignored)
      },
    })
    await ended('too much before the login')
    expect(faults()).toEqual([])
  })

  it.each([
    ['a web browser', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['noise', randomBytes(4096)],
    [
      'noise behind the right words',
      Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), randomBytes(4096)]),
    ],
    ['an endless first line', Buffer.alloc(1 << 20, 'SSH')],
    ['an old protocol', 'SSH-1.5-old\r\n'],
  ])('and is %s is cut, and nothing else happens', async (_, words) => {
    host = await SshHost.open()
    await closed(dial(words))
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    const bert = host.ssh(['-i', host.agent('bert').key], 'ttt')
    for (const exit of await Promise.all([anna.play(), bert.play()])) expect(exit.code).toBe(0)
  })

  it('is not cut when it waits for its opponent after the login', async () => {
    const clock = new FakeClock()
    host = await SshHost.open({ clock })
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    await anna.until('queued')
    clock.pass(3_600_000)
    anna.send({ type: 'ping' })
    expect(await anna.until('pong')).toBeDefined()
  })

  it('may vanish at any moment', async () => {
    host = await SshHost.open()
    for (const words of ['', 'SSH-2.0-x\r\n', randomBytes(64)])
      for (let i = 0; i < 10; i++) {
        const socket = dial(words)
        socket.on('connect', () => setImmediate(() => socket.resetAndDestroy()))
        await closed(socket)
      }
    await expect.poll(() => host.logged).toHaveLength(30)
  })
})

describe('what is not offered', () => {
  it('is a terminal, but a client at one can play without', async () => {
    host = await SshHost.open()
    const { key } = host.agent('anna')
    const anna = new Program('python3', '-c', atTerminal, ...host.sshCommand(['-i', key]))
    const bert = host.ssh(['-i', host.agent('bert').key], 'ttt')
    anna.send({ type: 'join', game: 'ttt' })
    const [exit] = await Promise.all([anna.play(), bert.play()])
    expect(exit).toMatchObject({ code: 0, stderr: /PTY allocation request failed/ })
    expect(exit.messages.at(-1)).toMatchObject({ type: 'result' })
  })

  it('is a terminal, and OpenSSH ends when it has to have one', async () => {
    host = await SshHost.open()
    const exit = await host.ssh(['-tt', '-i', host.agent('anna').key], 'ttt').exit
    expect(exit).toMatchObject({ code: 255, messages: [] })
  })

  it('is an environment variable, but a client can play without', async () => {
    host = await SshHost.open()
    const options = ['-o', 'SetEnv=LANG=C', '-i', host.agent('anna').key]
    expect(await host.ssh(options, 'whist').exit).toMatchObject({ code: 1, stderr: '' })
  })

  it.each([
    ['a subsystem', ['-s'], 'sftp', /subsystem request failed/],
    ['a connection on', ['-W', '127.0.0.1:22'], '', /forwarding failed/],
    [
      'a connection back',
      ['-o', 'ExitOnForwardFailure=yes', '-R', '0:127.0.0.1:22'],
      'ttt',
      /forwarding/,
    ],
  ])('is %s', async (_, options, command, stderr) => {
    host = await SshHost.open()
    const words = command === '' ? [] : [command]
    const exit = await host.ssh([...options, '-i', host.agent('anna').key], ...words).exit
    expect(exit).toMatchObject({ code: 255, messages: [], stderr: expect.stringMatching(stderr) })
  })

  it('is a third session', async () => {
    host = await SshHost.open()
    const { client } = await open('anna')
    await exec(client, 'ttt')
    await expect(exec(client, 'ttt')).rejects.toThrow('Channel open failure')
  })

  it('is X11, or the agent of the client', async () => {
    host = await SshHost.open()
    const { client } = await open('anna')
    await expect(exec(client, 'ttt', { x11: true })).rejects.toThrow('X11')
  })
})

describe('what a client sends', () => {
  it('may be a line of 64 KiB, and no more', async () => {
    host = await SshHost.open()
    const { anna, bert } = await match()
    anna.send(`{"type":"ping"${' '.repeat(longestLine - 15)}}`)
    await anna.until('pong')
    anna.send(' '.repeat(longestLine + 1))
    expect(await anna.until('error')).toMatchObject({ code: 'line-too-long' })
    expect((await anna.exit).code).toBe(1)
    expect(await bert.until('result')).toMatchObject(forfeit)
  })

  it('may be nonsense, twenty times', async () => {
    host = await SshHost.open()
    const anna = host.ssh(['-i', host.agent('anna').key], 'ttt')
    anna.process.stdin.write(
      Buffer.concat([Buffer.from([0xff, 0x0a]), Buffer.from('x\n'.repeat(50))]),
    )
    const { code, messages } = await anna.exit
    expect(messages.map(message => message.code ?? message.type)).toEqual([
      'queued',
      ...Array.from({ length: 19 }, () => 'bad-message'),
      'too-many-errors',
    ])
    expect(code).toBe(1)
  })
})

describe('a client whose bytes are changed on their way', () => {
  it.each(['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com', 'aes128-ctr'] as const)(
    'under %s is cut, and no internal error is logged',
    async cipher => {
      host = await SshHost.open()
      const { socket } = await open('anna', cipher)
      // A packet of 32 bytes by its length, where that can be read.
      socket.write(Buffer.concat([Buffer.from([0, 0, 0, 32]), randomBytes(64)]))
      await ended(/./)
      expect(faults()).toEqual([])
    },
  )
})

describe('a client that speaks against the protocol', () => {
  it.each([
    ['for a channel that there is not', [93, 255, 255, 255, 255, 0, 0, 0, 1]],
    ['without saying for which channel', [98]],
    ['to take its leave', [1, 0, 0, 0, 2, 0, 0, 0, 5, ...Buffer.from('\x1b[2J!'), 0, 0, 0, 0]],
  ])('%s is cut, and no internal error is logged', async (_, packet) => {
    host = await SshHost.open()
    const { client } = await open('anna')
    sendPacket(client, packet)
    await ended(/^[^\p{Cc}]+$/u)
    expect(faults()).toEqual([])
  })

  it('with a login that ends before its key is refused, and no internal error is logged', async () => {
    host = await SshHost.open()
    const client = new ssh2.Client()
    client.on('error', () => {})
    client.connect({
      host: '127.0.0.1',
      port: host.wire.port,
      username: 'game',
      authHandler: () => {
        const [user, service, method] = ['game', 'ssh-connection', 'publickey'].map(text)
        sendPacket(client, [50, ...user!, ...service!, ...method!, 0])
        client.end()
      },
    })
    await ended(/./)
    expect(faults()).toEqual([])
  })

  it.each([0, 1])('to send it %i bytes at a time is cut', async size => {
    host = await SshHost.open()
    const { client } = await open('anna')
    const [itsId, window] = [
      [0, 0, 0, 7],
      [0, 1, 0, 0],
    ]
    sendPacket(client, [90, ...text('session'), ...itsId!, ...window!, 0, 0, 0, size])
    sendPacket(client, [98, 0, 0, 0, 1, ...text('exec'), 1, ...text('ttt')])
    await ended('takes no packets')
  })
})

describe('a client that wants new keys', () => {
  it('gets them ten times, and is cut when it asks again', async () => {
    host = await SshHost.open()
    const { client, stream } = await open('anna')
    for (let i = 0; i < 10; i++) await rekey(client)
    stream.write('{"type":"ping"}\n')
    await expect.poll(() => String(stream.read() ?? ''), { timeout: 10_000 }).toContain('pong')
    ;(client as unknown as Inside)._protocol.rekey()
    await ended('too many key exchanges')
    expect(host.logged).toContainEqual(expect.objectContaining({ code: 'too-fast' }))
    expect(faults()).toEqual([])
  })
})

describe('a client that does not read', () => {
  it('is cut when a mebibyte waits for it', async () => {
    const sink = hose()
    host = await SshHost.open({ protocols: [sink.protocol] })
    const anna = host.ssh(['-i', host.agent('anna').key], 'anything')
    await anna.next()
    anna.process.kill('SIGSTOP')
    await ended('too-slow')
    anna.process.kill('SIGKILL')
    expect(sink.closed).toBe(1)
  })

  it('is cut when it is frozen behind a window that it opened wide', async () => {
    const sink = hose()
    host = await SshHost.open({ protocols: [sink.protocol] })
    const { socket } = await open('anna')
    socket.pause()
    await ended('too-slow')
    expect(sink.closed).toBe(1)
  })

  // Some 300,000 answers are on their connection before any waits here, which takes a while on a busy machine.
  it('is cut when it does not read the answers of ssh2 itself', {
    timeout: 120_000,
  }, async () => {
    host = await SshHost.open()
    const { client, socket } = await open('anna')
    socket.pause()
    const inside = client as unknown as Inside
    const pinging = setInterval(() => {
      for (let i = 0; i < 5_000 && !socket.destroyed; i++) inside._protocol.ping()
    }, 1)
    await ended('too-slow', 90_000)
    clearInterval(pinging)
  })
})

it('a hub session knows how much its client has not read, and when it has read all', async () => {
  let connection: Connection | undefined
  let drained = 0
  host = await SshHost.open({
    people: {
      open: (_, own) => {
        connection = own
        return { ...deaf, drained: () => void drained++ }
      },
    },
  })
  const person = host.ssh(['-l', 'guest', '-i', host.key('anna')], 'anything')
  await expect.poll(() => connection).toBeDefined()
  person.process.kill('SIGSTOP')
  const before = drained
  // A number is JSON wherever the last of it is cut off.
  connection!.send('1'.repeat(16 << 20))
  expect(connection!.unsent).toBeGreaterThan(8 << 20)
  person.process.kill('SIGCONT')
  await expect.poll(() => connection!.unsent, { timeout: 20_000 }).toBe(0)
  expect(drained).toBeGreaterThan(before)
  connection!.cut()
  expect((await person.exit).code).toBe(255)
})

it('a connection has as many sessions as it may, without a warning of Node', async () => {
  const warnings: Error[] = []
  const warned = (warning: Error) => void warnings.push(warning)
  process.on('warning', warned)
  onTestFinished(() => void process.off('warning', warned))
  host = await SshHost.open({ limits: { channels: 30 }, people: { open: () => deaf } })
  const client = new ssh2.Client()
  await new Promise<void>((resolve, reject) => {
    client.once('ready', () => resolve())
    client.once('error', reject)
    client.connect({ host: '127.0.0.1', port: host.wire.port, username: 'guest' })
  })
  client.on('error', () => {})
  for (let i = 0; i < 30; i++) await exec(client, 'anything')
  await expect(exec(client, 'anything')).rejects.toThrow('Channel open failure')
  expect(warnings).toEqual([])
})

describe('an internal error', () => {
  it('ends that session alone, with an error and a line in the log', async () => {
    const { protocol } = await faulty()
    host = await SshHost.open({ protocols: [protocol] })
    const { key } = host.agent('anna')
    const other = host.ssh(['-i', key], 'fine')
    await other.until('ready')
    const broken = host.ssh(['-i', key], 'fine')
    broken.send('break')
    expect(await broken.exit).toMatchObject({ code: 1, messages: [{}, { code: 'internal' }] })
    expect(await host.ssh(['-i', key], 'broken').exit).toMatchObject({
      code: 1,
      messages: [{ code: 'internal' }],
    })
    expect(host.logged.filter(line => line.level === 50)).toMatchObject([
      { connection: 'run-ssh-2', err: { message: 'broken' } },
      { connection: 'run-ssh-3', err: { message: 'broken' } },
    ])
    other.send('end')
    expect(await other.exit).toMatchObject({ code: 0 })
  })
})

it('an internal error in a hub session ends that session, with a note and a line in the log', async () => {
  const broken = () => {
    throw new Error('broken')
  }
  let closed = 0
  const session = { ...deaf, receive: broken, closed: () => void closed++ }
  host = await SshHost.open({ people: { open: () => session } })
  const person = host.ssh(['-l', 'guest'], 'anything')
  person.send('a line')
  expect(await person.exit).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^internal error/),
  })
  expect(faults()).toMatchObject([{ wire: 'ssh', err: { message: 'broken' } }])
  await expect.poll(() => closed).toBe(1)
})

it('an internal error in the login ends that connection, with a line in the log', async () => {
  host = await SshHost.open()
  const { key } = host.agent('anna')
  Object.defineProperty(host.accounts, 'byKey', {
    value: () => {
      throw new Error('broken')
    },
  })
  expect(await host.ssh(['-i', key], 'ttt').exit).toMatchObject({ code: 255 })
  expect(faults()).toMatchObject([{ wire: 'ssh', err: { message: 'broken' } }])
})

const mostUnsent = 1024 * 1024

/** A protocol that talks without end. */
const hose = () => {
  const sink = {
    closed: 0,
    protocol: likeAgentGames(connection => {
      const pouring = setInterval(
        () => connection.send(JSON.stringify('x'.repeat(mostUnsent / 8))),
        1,
      )
      return {
        ...deaf,
        closed: () => {
          sink.closed++
          clearInterval(pouring)
        },
      }
    }),
  }
  return sink
}

/** A protocol that breaks when it is asked to. */
const faulty = async () => ({
  protocol: likeAgentGames((connection, _, command) => {
    if (command === 'broken') throw new Error('broken')
    connection.send('{"type":"ready"}')
    return {
      ...deaf,
      receive: message => {
        if (message === 'end') connection.end(0)
        else throw new Error('broken')
      },
    }
  }),
})

const nothing = () => {}
/** A session that does nothing at all. */
const deaf: Session<Message | Buffer> = { receive: nothing, dismiss: nothing, closed: nothing }

/** A client that can be made to misbehave, with its first session. */
const open = async (name: string, cipher?: ssh2.CipherAlgorithm) => {
  const { key } = host.agent(name)
  const client = new ssh2.Client()
  const socket = connect(host.wire.port, '127.0.0.1')
  await new Promise<void>((resolve, reject) => {
    client.once('ready', () => resolve())
    client.once('error', reject)
    client.connect({
      sock: socket,
      username: 'game',
      privateKey: readFileSync(key),
      ...(cipher && { algorithms: { cipher: [cipher] } }),
    })
  })
  client.on('error', () => {})
  return { client, socket, stream: await exec(client, 'ttt') }
}

const exec = (client: ssh2.Client, command: string, options: ssh2.ExecOptions = {}) =>
  new Promise<ClientChannel>((resolve, reject) => {
    client.exec(command, options, (error, stream) => (error ? reject(error) : resolve(stream)))
  })

const heard = (stream: ClientChannel) => new Promise(resolve => stream.once('data', resolve))

/** Runs a command with a terminal as its stdin, to which its own stdin is passed on. */
const atTerminal = `
import os, pty, subprocess, sys, threading
terminal, stdin = pty.openpty()
command = subprocess.Popen(sys.argv[1:], stdin=stdin)
def pass_on():
    for line in sys.stdin:
        os.write(terminal, line.encode())
threading.Thread(target=pass_on, daemon=True).start()
os._exit(command.wait())
`

const dial = (words: string | Buffer): Socket => {
  const socket = connect(host.wire.port, '127.0.0.1')
  socket.on('error', () => {}).resume()
  if (words.length > 0) socket.write(words)
  return socket
}

const closed = (socket: Socket) => new Promise(resolve => socket.on('close', resolve))
