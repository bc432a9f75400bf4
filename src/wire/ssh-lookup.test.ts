// What SSH clients do while their login is looked up.

import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import ssh2, { type ParsedKey } from 'ssh2'
import { afterEach, describe, expect, it } from 'vitest'
import { SshHost } from '../../test/support/ssh-host.ts'

let host: SshHost
const sockets: Socket[] = []
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await host.close()
})

const open = async (settings: Parameters<typeof SshHost.open>[0] = {}) => {
  host = await SshHost.open(settings)
}

const faults = () => host.logged.filter(({ level }) => Number(level) >= 50)
const parsed = (path: string): ParsedKey => {
  const key = ssh2.utils.parseKey(readFileSync(path))
  if (key instanceof Error) throw key
  return key
}

/** What ssh2 has inside: the only client at hand that does not wait for an answer. */
interface Inside {
  readonly _protocol: {
    readonly _handlers: { [message: string]: () => void }
    authPK(
      user: string,
      key: ParsedKey,
      kind: string,
      sign?: (data: Buffer, signed: (signature: Buffer) => void) => void,
    ): void
  }
}

/** A client that goes on as `tries` does as soon as it may log in, and the answers to that. */
const client = (tries: (inside: Inside['_protocol']) => void) => {
  const made = new ssh2.Client()
  const answers: string[] = []
  const socket = connect({
    ...{ port: host.wire.port, host: '127.0.0.1', localAddress: '127.0.0.7', noDelay: true },
  })
  sockets.push(socket)
  let isFirst = true
  made
    .on('error', () => {})
    .connect({
      sock: socket.on('error', () => {}),
      username: 'game',
      authHandler: () => {
        if (!isFirst) return
        isFirst = false
        const inside = (made as unknown as Inside)._protocol
        for (const answer of ['FAILURE', 'PK_OK', 'SUCCESS'])
          inside._handlers[`USERAUTH_${answer}`] = () => answers.push(answer)
        socket.cork()
        tries(inside)
        socket.uncork()
      },
    })
  const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
  return { answers, socket, closed }
}

const signed =
  (key: ParsedKey) =>
  (data: Buffer, done: (signature: Buffer) => void): void =>
    done(key.sign(data) as Buffer)

describe('while a key is looked up', () => {
  it('further requests wait, and are answered in their order', async () => {
    await open()
    const [first, second] = [host.agent('anna'), host.agent('bert')].map(({ key }) => parsed(key))
    const stranger = parsed(host.key('stranger'))
    host.accounts.hold()
    const { answers } = client(inside => {
      inside.authPK('game', stranger, 'ssh-ed25519')
      inside.authPK('game', first!, 'ssh-ed25519')
      inside.authPK('game', stranger, 'ssh-ed25519')
      inside.authPK('game', second!, 'ssh-ed25519', signed(second!))
    })
    await expect.poll(() => host.accounts.waiting).toBe(1)
    host.accounts.release()
    await expect.poll(() => answers).toEqual(['FAILURE', 'PK_OK', 'FAILURE', 'SUCCESS'])
    expect(host.accounts.used).toEqual(['bert'])
  })

  it('only so many requests may wait', async () => {
    await open()
    const stranger = parsed(host.key('stranger'))
    host.accounts.hold()
    const { closed } = client(inside => {
      for (let i = 0; i < 12; i++) inside.authPK('game', stranger, 'ssh-ed25519')
    })
    await closed
    await expect.poll(() => host.logged.at(-1)?.reason).toBe('too many tries to log in')
    host.accounts.release()
  })

  it('a client that hangs up leaves nothing behind', async () => {
    await open()
    const key = parsed(host.agent('anna').key)
    host.accounts.hold()
    const { socket } = client(inside => inside.authPK('game', key, 'ssh-ed25519', signed(key)))
    await expect.poll(() => host.accounts.waiting).toBe(1)
    socket.destroy()
    await expect.poll(() => host.wire.count().arriving).toBe(0)
    host.accounts.release()
    await new Promise(resolve => setImmediate(resolve))
    expect([host.accounts.used, host.roster.size, faults()]).toEqual([[], 0, []])
  })

  it('a fault of the host ends the connection, is logged once, and is no failed login', async () => {
    await open({ limits: { lockoutAfter: 0.1 } })
    const key = parsed(host.agent('anna').key)
    host.accounts.hold()
    const { closed } = client(inside => inside.authPK('game', key, 'ssh-ed25519', signed(key)))
    await expect.poll(() => host.accounts.waiting).toBe(1)
    host.accounts.release(new Error('the thread ended'))
    await closed
    await expect.poll(faults).toMatchObject([{ err: { message: 'the thread ended' } }])
    const again = client(inside => inside.authPK('game', key, 'ssh-ed25519', signed(key)))
    await expect.poll(() => again.answers).toEqual(['SUCCESS'])
  })
})

describe('while the login of a channel is looked at again', () => {
  /** An agent whose channel waits for that. */
  const beginning = async (name = 'anna', key = host.agent(name).key) => {
    const { objections } = host.accounts
    const waiting = host.accounts.waiting
    host.accounts.objections = logins => {
      if (waiting === 0) host.accounts.hold()
      host.accounts.objections = objections
      return host.accounts.objections(logins)
    }
    const agent = host.ssh(['-i', key])
    agent.send('{"type":"ping"}')
    agent.send('{"type":"join","game":"ttt"}')
    await expect.poll(() => host.accounts.waiting, { timeout: 10_000 }).toBe(waiting + 1)
    return agent
  }

  it('what the client sends waits, in order', async () => {
    await open()
    const anna = await beginning()
    host.accounts.release()
    await anna.until('queued')
    expect(host.roster.size).toBe(1)
    host.roster.clear({ code: 'shutting-down', detail: 'the host is stopping' })
    const { messages } = await anna.exit
    expect(messages.map(({ type }) => type)).toEqual(['pong', 'queued', 'error'])
  })

  it('a ban since the key was shown counts', async () => {
    await open()
    const { account, key } = host.agent('anna')
    const anna = await beginning('anna', key)
    host.accounts.ban(account)
    host.accounts.release()
    expect(await anna.exit).toMatchObject({ code: 1, messages: [{ code: 'banned' }] })
    expect(host.roster.size).toBe(0)
  })

  it('a fault of the host is told and logged once', async () => {
    await open()
    const anna = await beginning()
    host.accounts.release(new Error('the thread ended'))
    expect(await anna.exit).toMatchObject({ code: 1, messages: [{ code: 'internal' }] })
    expect(faults()).toMatchObject([{ err: { message: 'the thread ended' } }])
  })

  it('a client that hangs up leaves nothing behind', async () => {
    await open()
    const anna = await beginning()
    anna.process.kill('SIGKILL')
    await expect.poll(() => host.wire.count().agents).toBe(0)
    host.accounts.release()
    await new Promise(resolve => setImmediate(resolve))
    expect([host.roster.size, host.arena.waiting, faults()]).toEqual([0, [], []])
  })

  it('another channel of the same account does not get past its limit', async () => {
    await open({ limits: { connectionsPerAccount: 1 } })
    const { key } = host.agent('anna')
    const stranger = new ssh2.Client()
    const channels: Promise<string>[] = []
    host.accounts.objections = (ask => {
      let asked = 0
      return logins => {
        if (asked++ === 0) host.accounts.hold()
        return ask.call(host.accounts, logins)
      }
    })(host.accounts.objections)
    const heard = (command: string) =>
      new Promise<string>((resolve, reject) =>
        stranger.exec(command, (error, stream) => {
          if (error) reject(error)
          else stream.once('data', (data: Buffer) => resolve(JSON.parse(String(data)).code ?? 'in'))
        }),
      )
    await new Promise<void>((resolve, reject) => {
      stranger.on('ready', resolve).on('error', reject)
      stranger.connect({
        ...{ host: '127.0.0.1', port: host.wire.port, username: 'game' },
        privateKey: readFileSync(key),
      })
    })
    channels.push(heard('ttt'), heard('ttt'))
    await expect.poll(() => host.accounts.waiting).toBe(2)
    host.accounts.release()
    expect(await Promise.all(channels)).toEqual(['in', 'too-many-connections'])
    stranger.end()
  })
})
