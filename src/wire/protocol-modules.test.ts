import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request } from 'node:http'
import { Hono } from 'hono'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { type HttpHost, startHttpHost } from '../../test/support/http-host.ts'
import { letters } from '../../test/support/letters.ts'
import { SshHost } from '../../test/support/ssh-host.ts'
import type { Account } from '../arena/account.ts'
import type { HttpEnv } from '../protocols/routes.ts'

type Settings = NonNullable<Parameters<typeof startHttpHost>[0]>

let host: HttpHost
let clock: FakeClock
const open = async (settings: Settings = {}) => {
  clock = new FakeClock()
  host = await startHttpHost({ protocols: [letters], clock, ...settings })
}
afterEach(async () => {
  for (const { webSocket } of clients.splice(0)) webSocket.terminate()
  await host.close()
})

const clients: Client[] = []

/** A client at this address, as the edge names it. */
class Client {
  readonly webSocket: WebSocket
  readonly heard: string[] = []
  /** The close code, and its reason; the HTTP status of a refused handshake. */
  readonly closed: Promise<readonly [number, string]>

  constructor(address = '192.0.2.7', query = '', autoPong = true) {
    this.webSocket = new WebSocket(`ws://${host.address}/letters${query}`, {
      autoPong,
      headers: { 'X-Forwarded-For': address },
    })
    clients.push(this)
    this.webSocket.on('error', () => {})
    this.webSocket.on('message', data => this.heard.push(String(data)))
    this.closed = new Promise(resolve => {
      this.webSocket.on('unexpected-response', async (_, response) => {
        let body = ''
        for await (const chunk of response) body += chunk
        resolve([response.statusCode!, body])
      })
      this.webSocket.on('close', (code, reason) => resolve([code, String(reason)]))
    })
  }

  /** Says this, and waits for an answer. */
  async say(text: string): Promise<string> {
    if (this.webSocket.readyState === WebSocket.CONNECTING) await once(this.webSocket, 'open')
    this.webSocket.send(text)
    const [data] = await once(this.webSocket, 'message')
    return String(data)
  }
}

/** A client that has connected, and done this. */
const client = async (...words: readonly string[]): Promise<Client> => {
  const made = new Client()
  for (const word of words) await made.say(word)
  await made.say('ping')
  return made
}

describe('a session that opens before its account is known', () => {
  it('logs in by a secret, and is known from then on', async () => {
    await open()
    host.register('anna')
    const anna = await client()
    expect(host.roster.accounts).toEqual([])
    expect(await anna.say('login anna')).toBe('yes anna')
    expect(host.roster.accounts).toMatchObject([{ name: 'anna' }])
    expect(host.accounts.used).toEqual(['anna'])
    clock.pass(20_000)
    expect(await anna.say('still')).toBe('still')
    anna.webSocket.close()
    await anna.closed
    await expect.poll(() => host.roster.size).toBe(0)
  })

  it('has 15 s to log in', async () => {
    await open()
    const late = await client()
    clock.pass(14_999)
    expect(await late.say('early')).toBe('early')
    clock.pass(1)
    expect(await late.closed).toEqual([4002, ''])
    expect(late.heard.at(-1)).toBe('end login-timeout')
  })

  it('has no time limit as a guest, who may still log in', async () => {
    await open()
    host.register('anna')
    const guest = new Client()
    await guest.say('hello')
    guest.webSocket.send('guest')
    await guest.say('there')
    clock.pass(20_000)
    expect(await guest.say('login anna')).toBe('yes anna')
  })

  it('counts as unauthenticated until it has logged in', async () => {
    await open({ limits: { unauthenticatedPerAddress: 2 } })
    host.register('anna')
    const [first] = [await client(), await client()]
    expect(await new Client().closed).toEqual([418, 'letters: too-many-connections\n'])
    expect(await first.say('login anna')).toBe('yes anna')
    expect(await new Client().say('hello')).toBe('hello')
  })

  it('is told in its own words when others need its place', async () => {
    await open({ limits: { requests: 2 } })
    const [oldest] = [await client(), await client()]
    expect(await new Client('192.0.2.8').say('hello')).toBe('hello')
    expect(await oldest.closed).toEqual([4029, ''])
    expect(oldest.heard.at(-1)).toBe('end full')
  })

  it('locks its address out by failed logins, as many connections would', async () => {
    await open({ limits: { lockoutAfter: 3 } })
    host.register('anna')
    const [guesser, other] = [await client(), await client()]
    for (const guess of ['a', 'b', 'c'])
      expect(await guesser.say(`login ${guess}`)).toBe('no bad-token')
    expect(await guesser.say('login anna')).toBe('no locked-out')
    expect(await other.say('login anna')).toBe('no locked-out')
    expect(await new Client('192.0.2.8').say('login anna')).toBe('yes anna')
  })

  it('has the limit on connections of its account', async () => {
    await open({ limits: { connectionsPerAccount: 1 } })
    host.register('anna')
    const [first, second] = [await client('login anna'), await client()]
    expect(await second.say('login anna')).toBe('no too-many-connections')
    first.webSocket.close()
    await first.closed
    await expect.poll(() => second.say('login anna')).toBe('yes anna')
  })

  it('ends with an internal error if it logs in twice', async () => {
    await open()
    host.register('anna')
    const anna = await client('login anna')
    expect(await anna.say('login anna')).toBe('end internal')
    expect(await anna.closed).toEqual([1011, ''])
  })
})

describe('while a login is looked up', () => {
  /** A client whose login waits for `release`. */
  const loggingIn = async (secret: string) => {
    const made = await client()
    const before = host.accounts.waiting
    host.accounts.hold()
    made.webSocket.send(`login ${secret}`)
    await expect.poll(() => host.accounts.waiting).toBe(before + 1)
    return made
  }

  it('what the client sends waits, in order, also its close', async () => {
    await open()
    host.register('anna')
    const anna = await loggingIn('anna')
    for (const word of ['one', 'login anna', 'two']) anna.webSocket.send(word)
    anna.webSocket.close()
    clock.pass(5_000)
    expect(anna.heard).toEqual(['ping'])
    host.accounts.release()
    expect(await anna.closed).toEqual([1011, ''])
    expect(anna.heard).toEqual(['ping', 'yes anna', 'one', 'end internal'])
    await expect.poll(() => host.roster.size).toBe(0)
  })

  it('the client takes in no more than a chunk, and reads on afterwards', async () => {
    await open()
    host.register('anna')
    const [other, anna] = [await client(), await loggingIn('anna')]
    // A message that is not answered.
    const long = `guest ${'x'.repeat(60_000)}`
    for (let i = 0; i < 200; i++) anna.webSocket.send(long)
    anna.webSocket.send('end')
    for (let i = 0; i < 200; i++) await other.say('ping')
    expect(anna.webSocket.bufferedAmount).toBeGreaterThan(1_000_000)
    host.accounts.release()
    await expect.poll(() => anna.heard, { timeout: 10_000 }).toEqual(['ping', 'yes anna', 'end'])
  })

  it('a client that hangs up leaves nothing behind', async () => {
    await open()
    host.register('anna')
    const anna = await loggingIn('anna')
    anna.webSocket.terminate()
    await anna.closed
    host.accounts.release()
    await expect.poll(() => host.connectionLimiter.connections).toBe(0)
    expect([host.roster.size, host.roster.accountCount, clock.pending]).toEqual([0, 0, 1])
  })

  it('its 15 s run on', async () => {
    await open()
    host.register('anna')
    const anna = await loggingIn('anna')
    clock.pass(15_000)
    await expect.poll(() => anna.heard.at(-1)).toBe('end login-timeout')
    host.accounts.release()
    expect(await anna.closed).toEqual([4002, ''])
    await expect.poll(() => host.connectionLimiter.connections).toBe(0)
    expect(host.roster.size).toBe(0)
  })

  it('a fault of the host is answered and logged once, and is no failed login', async () => {
    const logged: string[] = []
    await open({
      limits: { lockoutAfter: 1 },
      log: pino({ level: 'error' }, { write: line => logged.push(JSON.parse(line).err.message) }),
    })
    host.register('anna')
    const anna = await loggingIn('anna')
    host.accounts.release(new Error('the thread ended'))
    await expect.poll(() => anna.heard.at(-1)).toBe('no internal')
    expect(await anna.say('login anna')).toBe('yes anna')
    expect(logged).toEqual(['the thread ended'])
  })

  it('another login of the same account does not get past its limit', async () => {
    await open({ limits: { connectionsPerAccount: 1 } })
    host.register('anna')
    const both = [await loggingIn('anna'), await client()]
    both[1]!.webSocket.send('login anna')
    await expect.poll(() => host.accounts.waiting).toBe(2)
    host.accounts.release()
    await expect
      .poll(() => both.map(({ heard }) => heard.at(-1)))
      .toEqual(['yes anna', 'no too-many-connections'])
  })

  it('as many of one address are tried at once as may fail before its lockout', async () => {
    await open({ limits: { lockoutAfter: 3 } })
    host.register('anna')
    const guessers = await Promise.all(Array.from({ length: 6 }, () => client()))
    const other = new Client('192.0.2.8')
    await other.say('ping')
    host.accounts.hold()
    for (const { webSocket } of guessers) webSocket.send('login wrong')
    await expect.poll(() => host.accounts.waiting).toBe(3)
    other.webSocket.send('login anna')
    await expect.poll(() => host.accounts.waiting).toBe(4)
    host.accounts.release()
    await expect.poll(() => other.heard.at(-1)).toBe('yes anna')
    await expect.poll(() => guessers.every(({ heard }) => heard.length === 2)).toBe(true)
    expect(guessers.map(({ heard }) => heard[1]).sort()).toEqual([
      ...Array(3).fill('no bad-token'),
      ...Array(3).fill('no locked-out'),
    ])
  })
})

describe('a protocol has its own words and close code', () => {
  it('for a ban', async () => {
    await open()
    const { account } = host.register('anna')
    const anna = await client('login anna')
    host.accounts.ban(account)
    await host.roster.review()
    expect(await anna.closed).toEqual([4003, ''])
    expect(anna.heard.at(-1)).toBe('end banned')
  })

  it('or none: then the connection is cut', async () => {
    await open()
    const { login } = host.register('anna')
    const anna = await client('login anna')
    host.accounts.revoke(login)
    await host.roster.review()
    expect(await anna.closed).toEqual([1006, ''])
    expect(anna.heard).not.toContain('end revoked')
  })

  it('for the end of the host, of which those are told, too, who have not logged in', async () => {
    await open()
    host.register('anna')
    const both = [await client('login anna'), await client()]
    host.http.dismiss({ code: 'shutting-down', detail: 'the host is stopping' })
    for (const one of both) {
      expect(await one.closed).toEqual([1001, ''])
      expect(one.heard.at(-1)).toBe('end shutting-down')
    }
  })

  it('for too long a message', async () => {
    await open()
    const long = await client()
    expect(await long.say('x'.repeat(65_537))).toBe('end line-too-long')
    expect(await long.closed).toEqual([1009, ''])
  })

  it('for a client that answers no keep-alive', async () => {
    await open({ limits: { loginTime: 60_000 }, keepAlive: 1_000 })
    const silent = new Client('192.0.2.7', '', false)
    await silent.say('hello')
    clock.pass(4_000)
    expect(await silent.closed).toEqual([4008, ''])
  })

  it('for a client that answers none of the keep-alives that the protocol asks for', async () => {
    const [path] = letters.webSockets!
    const keepAlive = { every: 30_000, unanswered: 4 }
    await open({
      protocols: [{ ...letters, webSockets: [{ ...path!, keepAlive }] }],
      limits: { loginTime: 600_000 },
    })
    const silent = new Client('192.0.2.7', '', false)
    let pings = 0
    silent.webSocket.on('ping', () => pings++)
    await silent.say('hello')
    clock.pass(120_000)
    expect(await silent.say('here')).toBe('here')
    clock.pass(150_000)
    expect(await silent.closed).toEqual([4008, ''])
    expect(pings).toBe(8)
  })

  it('for an internal error', async () => {
    await open()
    const broken = await client()
    expect(await broken.say('break')).toBe('end internal')
    expect(await broken.closed).toEqual([1011, ''])
  })

  it('for what it ends itself; a reason is cut to what a frame takes, between two characters', async () => {
    await open()
    const one = await client()
    one.webSocket.send('bye')
    expect(await one.closed).toEqual([4999, 'ö'.repeat(61)])
  })

  it('before the handshake, and for requests that ask for none', async () => {
    await open()
    expect(await new Client('192.0.2.7', '?shut').closed).toEqual([400, 'letters: shut\n'])
    const plain = await fetch(`http://${host.address}/letters`)
    expect([plain.status, await plain.text()]).toEqual([426, 'letters: speak WebSocket\n'])
  })
})

it('words of a protocol that fail are logged, and the connection is cut', async () => {
  const logged: string[] = []
  const wordless = {
    ...letters,
    lastWords: () => {
      throw new Error('no words')
    },
  }
  await open({
    protocols: [wordless],
    log: pino({ level: 'error' }, { write: line => logged.push(JSON.parse(line).err.message) }),
  })
  const long = await client()
  long.webSocket.send('x'.repeat(65_537))
  expect(await long.closed).toEqual([1006, ''])
  expect(logged).toEqual(['no words', 'no words'])
})

it('a path of a protocol that is not mounted is not there', async () => {
  await open({ protocols: [] })
  expect(await new Client().closed).toEqual([404, 'There is nothing here.\n'])
  expect((await fetch(`http://${host.address}/letters`)).status).toBe(404)
})

describe('an HTTP request', () => {
  /** What kept sessions are told, and what ends them. */
  const dismissed: string[] = []
  const leave: (() => void)[] = []
  afterEach(() => {
    dismissed.length = 0
    for (const end of leave.splice(0)) end()
  })
  const withRoutes = { ...letters, routes: { prefix: '/letters', app: new Hono<HttpEnv>() } }
  /**
   * Answers with the outcome of the login by the path. `/letters/hold/…` never answers, `/letters/stream/…` does not end,
   * `/letters/long/…` answers with 4 MB, and `/letters/keep/…` keeps a session.
   */
  const routes: Settings = {
    protocols: [withRoutes],
    pages: async (request, response, { gate }) => {
      const [, , word, secret = ''] = request.url!.split('/')
      const login = await gate.login(secret, ['token'])
      if (word === 'stream') response.write('begun')
      if (word === 'long') response.end('x'.repeat(4_000_000))
      if (word?.startsWith('keep'))
        leave.push(
          gate.keep({
            dismiss: ({ code }) => {
              dismissed.push(code)
              if (word === 'keep-broken') throw new Error('broken session')
            },
          }),
        )
      if (word === 'own') {
        gate.refused('own-code')
        gate.failed(new Error('own fault'))
      }
      if (word !== 'hold' && !response.headersSent)
        response.end('code' in login ? login.code : login.account.name)
    },
  }
  const held = (path: string) =>
    once(request(`http://${host.address}/letters/${path}/anna`).end(), 'response')
  const ban = async (account: Account) => {
    await expect.poll(() => host.roster.size).toBeGreaterThan(0)
    host.accounts.ban(account)
    await host.roster.review()
  }
  const ask = async (path: string) => {
    const response = await fetch(`http://${host.address}/letters/${path}`, {
      headers: { 'X-Forwarded-For': '192.0.2.7' },
    })
    return response.text()
  }

  it('logs in for itself alone, and failures count towards the lockout', async () => {
    await open({ ...routes, limits: { lockoutAfter: 2 } })
    host.register('anna')
    expect(await ask('x/anna')).toBe('anna')
    await expect.poll(() => host.roster.size).toBe(0)
    for (const guess of ['a', 'b']) expect(await ask(`x/${guess}`)).toBe('bad-token')
    expect(await ask('x/anna')).toBe('locked-out')
  })

  it('is answered in the words of its protocol when its account is banned while it waits', async () => {
    await open(routes)
    const { account } = host.register('anna')
    const answer = held('hold')
    await ban(account)
    const [response] = await answer
    expect([response.statusCode, response.headers.connection]).toEqual([418, 'close'])
    expect(String(await once(response, 'data'))).toBe('letters: banned\n')
    await expect.poll(() => host.roster.size).toBe(0)
  })

  it('is cut by a ban where its answer has begun', async () => {
    await open(routes)
    const { account } = host.register('anna')
    const [response] = await held('stream')
    expect(String(await once(response, 'data'))).toBe('begun')
    await ban(account)
    expect(await once(response, 'error')).toMatchObject([{ code: 'ECONNRESET' }])
  })

  it('that was answered before a ban is read to the end', async () => {
    await open(routes)
    const { account } = host.register('anna')
    const [response] = await held('long')
    await ban(account)
    await new Promise(resolve => setImmediate(resolve))
    let length = 0
    for await (const chunk of response) length += chunk.length
    expect(length).toBe(4_000_000)
  })

  it('is cut by a ban for which its protocol fails to find words, which is logged', async () => {
    const logged: string[] = []
    const wordless = {
      ...withRoutes,
      httpAnswer: () => {
        throw new Error('no words')
      },
    }
    await open({
      ...routes,
      protocols: [wordless],
      log: pino({ level: 'error' }, { write: line => logged.push(JSON.parse(line).err.message) }),
    })
    const { account } = host.register('anna')
    const cut = held('hold').catch(error => error.code)
    await ban(account)
    expect(await cut).toBe('ECONNRESET')
    expect(logged).toEqual(['no words'])
  })

  it('may keep a session, which counts as a connection of the account until it is over', async () => {
    await open({ ...routes, limits: { connectionsPerAccount: 2 } })
    host.register('anna')
    for (const size of [1, 2]) {
      expect(await ask('keep/anna')).toBe('anna')
      await expect.poll(() => host.roster.size).toBe(size)
    }
    expect(await ask('x/anna')).toBe('too-many-connections')
    leave[0]!()
    expect(await ask('x/anna')).toBe('anna')
  })

  it('has kept sessions that a ban and the end of the host dismiss, also if one of them fails', async () => {
    const logged: string[] = []
    await open({
      ...routes,
      log: pino({ level: 'error' }, { write: line => logged.push(JSON.parse(line).err.message) }),
    })
    const { account } = host.register('anna')
    for (const word of ['keep-broken', 'keep']) expect(await ask(`${word}/anna`)).toBe('anna')
    await expect.poll(() => host.roster.size).toBe(2)
    host.roster.clear({ code: 'shutting-down', detail: 'the host is stopping' })
    await ban(account)
    expect(dismissed).toEqual(['shutting-down', 'shutting-down', 'banned', 'banned'])
    expect(logged).toEqual(['broken session', 'broken session'])
  })

  it('logs and counts what its protocol refuses, and errors', async () => {
    const logged: { readonly [field: string]: unknown }[] = []
    await open({ ...routes, log: pino({}, { write: line => logged.push(JSON.parse(line)) }) })
    host.register('anna')
    await ask('own/anna')
    expect(logged).toMatchObject([
      { msg: 'refused', code: 'own-code', account: 'anna', address: '192.0.2.7' },
      { msg: 'connection failed', err: { message: 'own fault' }, account: 'anna' },
    ])
  })

  it('is refused by the wire in the words of the protocol below whose prefix it is', async () => {
    await open({ ...routes, limits: { connectionsPerAddress: 1 } })
    await client()
    expect(await ask('x/anna')).toBe('letters: too-many-connections\n')
    const other = await fetch(`http://${host.address}/lettersx`, {
      headers: { 'X-Forwarded-For': '192.0.2.7' },
    })
    expect(await other.json()).toMatchObject({ code: 'too-many-connections' })
  })
})

it('over SSH a session ends with its own exit status, and with words for too long a line', async () => {
  await open()
  const ssh = await SshHost.open({ protocols: [letters] })
  const { key } = ssh.agent('anna')
  const run = (input: string) => {
    const [program, ...args] = ssh.sshCommand(['-i', key, '-l', 'letters'])
    return execute(
      program,
      args.map(arg => arg.replace('game@', '')),
      input,
    )
  }
  expect(await run('hello\nbye\n')).toEqual({ code: 3, stdout: 'hello\n' })
  expect(await run(`${'x'.repeat(65_537)}\nhello\n`)).toEqual({
    code: 1,
    stdout: 'end line-too-long\n',
  })
  await ssh.close()
})

/** Runs a program with this input, which stays open until the program ends. */
const execute = async (program: string, args: readonly string[], input: string) => {
  const child = spawn(program, args)
  let stdout = ''
  child.stdout.on('data', chunk => {
    stdout += chunk
  })
  child.stdin.on('error', () => {}).write(input)
  const [code] = await once(child, 'close')
  return { code, stdout }
}
