import { once } from 'node:events'
import { copyFileSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import ssh2, { type AnyAuthMethod, type ParsedKey } from 'ssh2'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Program } from '../../test/support/program.ts'
import { SshHost } from '../../test/support/ssh-host.ts'
import { fingerprint } from './ssh-keys.ts'

let host: SshHost
let stranger: string
beforeAll(async () => {
  host = await SshHost.open()
  host.agent('anna')
  stranger = host.key('stranger')
})
afterAll(() => host.close())

interface Inside {
  readonly _protocol: {
    authNone(user: string): void
    authPK(user: string, key: Buffer): void
    authPK(
      user: string,
      key: ParsedKey,
      kind: string,
      sign?: (data: Buffer, signed: (signature: Buffer) => void) => void,
    ): void
  }
}

/** Logs in for a game that does not exist, which is answered at once. */
const knock = (...options: string[]) => host.ssh(options, 'whist').exit

/** The same, with an OpenSSH that prints banners. */
const aloud = (...options: string[]) => {
  const [program, ...args] = host.sshCommand(options, 'whist')
  const [quiet, loud] = ['LogLevel=ERROR', 'LogLevel=INFO']
  return new Program(program, ...args.map(arg => (arg === quiet ? loud : arg))).exit
}

const letIn = { code: 1, messages: [{ type: 'error', code: 'unknown-game' }] }
const anna = () => `${host.folder}/anna`
const print = (key: string) => {
  const [, blob] = readFileSync(`${key}.pub`, 'utf8').split(' ')
  return fingerprint(Buffer.from(blob!, 'base64'))
}

describe('logging in', () => {
  it.each([
    ['ed25519', ['-t', 'ed25519']],
    ['ecdsa-256', ['-t', 'ecdsa', '-b', '256']],
    ['ecdsa-384', ['-t', 'ecdsa', '-b', '384']],
    ['ecdsa-521', ['-t', 'ecdsa', '-b', '521']],
    ['rsa-2048', ['-t', 'rsa', '-b', '2048']],
    ['rsa-4096', ['-t', 'rsa', '-b', '4096']],
  ])('works with a key of kind %s, twice', async (name, kind) => {
    const { key } = host.agent(name, ...kind)
    expect(await knock('-i', key)).toMatchObject(letIn)
    expect(await knock('-i', key)).toMatchObject(letIn)
  })

  it('works when the right key is offered second', async () => {
    expect(await knock('-i', stranger, '-i', anna())).toMatchObject(letIn)
  })

  it('with an unknown key alone ends in one error that names the key, and exit status 1', async () => {
    const { code, messages, stderr } = await knock('-i', stranger)
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(messages).toEqual([
      { type: 'error', code: 'unknown-key', error: expect.stringContaining(print(stranger)) },
    ])
    expect(messages[0]?.error).toContain('agentbbs add-key')
  })

  it('is not told where the program is on this machine', async () => {
    vi.stubEnv('AGENTBBS_PROGRAM', '/home/ann/agentbbs/cmd/agentbbs')
    const { messages } = await knock('-i', stranger)
    vi.unstubAllEnvs()
    expect(messages[0]?.error).toContain('with: agentbbs add-key')
  })

  it('with too many unknown keys ends in one error that names them', async () => {
    const keys = Array.from({ length: 7 }, (_, i) => host.key(`wrong-${i}`))
    const exit = await knock(...keys.flatMap(key => ['-i', key]), '-i', anna())
    expect(exit).toMatchObject({ code: 1, messages: [{ code: 'unknown-key' }] })
    for (const key of keys.slice(0, 6)) expect(exit.messages[0]?.error).toContain(print(key))
    expect(exit.messages[0]?.error).toContain('IdentitiesOnly')
  })

  it('without any key ends in an error that asks for one', async () => {
    const exit = await knock('-o', 'PubkeyAuthentication=no')
    expect(exit).toMatchObject({ code: 1, messages: [{ code: 'unknown-key' }] })
    expect(exit.messages[0]?.error).toContain('no key was offered')
  })

  it('with BatchMode=yes and an unknown key is told why in a banner', async () => {
    const exit = await aloud('-o', 'BatchMode=yes', '-i', stranger)
    expect(exit).toMatchObject({ code: 255, messages: [] })
    expect(exit.stderr).toMatch(`unknown key ${print(stranger)}: make an account for it`)
    expect(exit.stderr).toContain('agentbbs add-key')
    expect(exit.stderr).toContain('Permission denied')
  })

  it('by password is told in a banner that it takes a key', async () => {
    let banner = ''
    const { error } = await guess(
      [{ type: 'password', username: 'game', password: 'x' }],
      client => {
        client.on('banner', text => {
          banner += text
        })
      },
    )
    expect(error).toBe('All configured authentication methods failed')
    expect(banner).toMatch(/^no key was offered: give a registered one/)
  })

  it('brings one banner at most, and none for a key that is known', async () => {
    const other = host.key('another-stranger')
    const two = await aloud('-o', 'BatchMode=yes', '-i', stranger, '-i', other)
    expect(two.stderr.match(/unknown key/g)).toHaveLength(1)
    expect((await aloud('-i', anna())).stderr).not.toContain('key SHA256')
  })

  it('under another name brings no banner', async () => {
    const { stderr } = await aloud('-l', 'root', '-o', 'BatchMode=yes', '-i', stranger)
    expect(stderr).not.toContain('unknown key')
  })

  it('as another user ends in an error, with whatever key', async () => {
    const exit = await knock('-l', 'root', '-i', anna())
    expect(exit).toMatchObject({ code: 1, messages: [{ code: 'unknown-user' }] })
    expect(exit.messages[0]?.error).toContain('agents come as game')
  })

  it('to a banned account ends in an error, with or without a key', async () => {
    const { account, key } = host.agent('cheat')
    host.accounts.ban(account)
    expect(await knock('-i', key)).toMatchObject({ code: 1, messages: [{ code: 'banned' }] })
  })

  it('is over for a client that goes on guessing', async () => {
    const tries: AnyAuthMethod[] = Array.from({ length: 50 }, () => ({
      type: 'password' as const,
      username: 'game',
      password: 'guess',
    }))
    expect(await guess(tries)).toMatchObject({ tried: 7, error: expect.anything() })
  })

  it('takes no signature but that of the key', async () => {
    const forged = ssh2.utils.parseKey(readFileSync(anna()))
    if (forged instanceof Error) throw forged
    const other = ssh2.utils.parseKey(readFileSync(stranger))
    if (other instanceof Error) throw other
    forged.sign = data => other.sign(data)
    const { error } = await guess([
      { type: 'publickey', username: 'game', key: forged as unknown as string },
    ])
    expect(error).toBe('All configured authentication methods failed')
  })

  it('uses a key only by proving to have it', async () => {
    const { account, key } = host.agent('probed')
    const { used } = host.accounts
    copyFileSync(`${key}.pub`, `${host.folder}/only.pub`)
    expect(await knock('-i', `${host.folder}/only.pub`)).toMatchObject({ code: 1 })
    expect(used).not.toContain(account.name)
    expect(await knock('-i', key)).toMatchObject(letIn)
    expect(used).toContain(account.name)
  })

  it('takes no RSA key that signs with SHA-1, and the same key with SHA-2', async () => {
    const { account, key } = host.agent('rsa', '-t', 'rsa', '-b', '2048')
    expect(await used(key, 'ssh-rsa')).toBe('FAILURE')
    expect(await used(key, 'ssh-rsa', 'sha1')).toBe('FAILURE')
    expect(host.accounts.used).not.toContain(account.name)
    expect(await used(key, 'rsa-sha2-256')).toBe('PK_OK')
    expect(await used(key, 'rsa-sha2-256', 'sha256')).toBe('SUCCESS')
    expect(await used(key, 'rsa-sha2-512', 'sha512')).toBe('SUCCESS')
  })

  it('is over when ssh2 closes its side, whatever else came in the same packet', async () => {
    const { key } = host.agent('hasty')
    const client = new ssh2.Client()
    client.on('error', () => {})
    const socket = connect(host.wire.port, '127.0.0.1')
    const over = once(socket, 'close')
    client.connect({
      sock: socket,
      username: 'game',
      authHandler: () => {
        // The inside of ssh2 has the only client at hand that can do this.
        const { _protocol: inside } = client as unknown as Inside
        socket.cork()
        for (const user of ['game', 'other']) inside.authNone(user)
        inside.authPK('game', readFileSync(key))
        socket.uncork()
      },
    })
    await over
    expect(host.logged.filter(({ level }) => Number(level) >= 50)).toEqual([])
  })

  /**
   * What the host answers to a key that is used so, with a signature or, without a hash, before one. OpenSSH makes no
   * SHA-1 for a server such as this; ssh2 does, behind its own back, and trips over every answer but that it is let in.
   */
  const used = (path: string, kind: string, hash?: string) =>
    new Promise<string>(resolve => {
      const key = ssh2.utils.parseKey(readFileSync(path))
      if (key instanceof Error) throw key
      const client = new ssh2.Client()
      client.on('error', () => client.destroy())
      client.on('ready', () => client.end())
      client.connect({
        host: '127.0.0.1',
        port: host.wire.port,
        username: 'game',
        authHandler: () => {
          const { _protocol: inside } = client as unknown as Inside
          if (hash === undefined) inside.authPK('game', key, kind)
          else inside.authPK('game', key, kind, (data, signed) => signed(key.sign(data, hash)))
        },
        debug: text => {
          // Why it is refused comes as a banner before that.
          const [, answer] = /Received USERAUTH_(?!BANNER)(\w+)/.exec(text) ?? []
          if (answer !== undefined) resolve(answer)
        },
      })
    })

  /** How often these were tried before it was over, and with what error. */
  const guess = (methods: readonly AnyAuthMethod[], meet = (_: ssh2.Client) => {}) =>
    new Promise<{ tried: number; error: string }>((resolve, reject) => {
      let tried = 0
      const client = new ssh2.Client()
      meet(client)
      client.on('ready', () => reject(new Error('was let in')))
      client.on('error', ({ message }) => {
        client.destroy()
        resolve({ tried, error: message })
      })
      client.on('close', () => resolve({ tried, error: 'closed' }))
      client.connect({
        host: '127.0.0.1',
        port: host.wire.port,
        username: 'game',
        // biome-ignore lint/suspicious/noExplicitAny: false, for the end, is missing in its type
        authHandler: (_left, _partial, next: any) => next(methods[tried++] ?? false),
      })
    })
})
