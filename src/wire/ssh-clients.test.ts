import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Program } from '../../test/support/program.ts'
import { SshHost } from '../../test/support/ssh-host.ts'
import { algorithms } from './ssh-algorithms.ts'
import { fingerprint } from './ssh-keys.ts'

// What CI installs has to be there; elsewhere a missing client is left out.
const missing = (command: string, ...args: string[]) =>
  process.env.CI !== 'true' && spawnSync(command, args).status !== 0

let host: SshHost
beforeAll(async () => {
  host = await SshHost.open()
})
afterAll(() => host.close())

describe('a whole match is played by', () => {
  it.skipIf(missing('plink', '-V'))('plink of PuTTY', async () => {
    const { key } = host.agent('putty')
    execFileSync('puttygen', [key, '-O', 'private', '-o', `${key}.ppk`])
    const port = String(host.wire.port)
    const hostKey = fingerprint(host.hostKey.getPublicSSH())
    const options = ['-ssh', '-batch', '-noagent', '-P', port, '-hostkey', hostKey]
    await playedBy('plink', ...options, '-i', `${key}.ppk`, 'game@127.0.0.1', 'ttt')
  })

  it.skipIf(missing('dropbearkey', '-h'))('dbclient of Dropbear', async () => {
    const key = `${host.folder}/dropbear`
    const { stdout } = spawnSync('dropbearkey', ['-t', 'ed25519', '-f', key], { encoding: 'utf8' })
    writeFileSync(`${key}.pub`, /^ssh-ed25519 .*$/m.exec(stdout)![0])
    host.register(host.accounts.add('dropbear'), `${key}.pub`)
    const port = String(host.wire.port)
    await playedBy('dbclient', '-yy', '-T', '-p', port, '-i', key, 'game@127.0.0.1', 'ttt')
  })

  it.skipIf(missing('/usr/bin/python3', '-c', 'import paramiko'))('Paramiko', async () => {
    const { key } = host.agent('paramiko')
    await playedBy('/usr/bin/python3', '-c', paramiko, String(host.wire.port), key)
  })
})

describe('the reason why a key is refused is shown by', () => {
  const why = (key: string) => {
    const [, blob] = readFileSync(`${key}.pub`, 'utf8').split(' ')
    const name = fingerprint(Buffer.from(blob!, 'base64'))
    return new RegExp(`unknown key ${name.replace(/[+/]/g, '\\$&')}: make an account for it`)
  }

  it.skipIf(missing('plink', '-V'))('plink of PuTTY', async () => {
    const key = host.key('unknown-putty')
    execFileSync('puttygen', [key, '-O', 'private', '-o', `${key}.ppk`])
    const hostKey = fingerprint(host.hostKey.getPublicSSH())
    const port = String(host.wire.port)
    const options = ['-ssh', '-batch', '-noagent', '-P', port, '-hostkey', hostKey]
    const plink = new Program('plink', ...options, '-i', `${key}.ppk`, 'game@127.0.0.1', 'ttt')
    // It keeps banners to itself where no terminal is, and is told in a message.
    expect(await plink.exit).toMatchObject({
      code: 1,
      messages: [{ code: 'unknown-key', error: expect.stringMatching(why(key)) }],
    })
  })

  it.skipIf(missing('/usr/bin/python3', '-c', 'import paramiko'))('Paramiko', () => {
    const key = host.key('unknown-paramiko')
    const args = ['-c', bannerOfParamiko, String(host.wire.port), key]
    // Not spawnSync: the server is in this process.
    return expect(text(spawn('/usr/bin/python3', args).stdout)).resolves.toMatch(why(key))
  })
})

it.skipIf(missing('ssh-audit', '--help'))('ssh-audit finds nothing to improve', async () => {
  const audit = spawn('ssh-audit', ['-n', '-p', String(host.wire.port), '127.0.0.1'])
  const report = await text(audit.stdout)
  const found = (kind: string) =>
    [...report.matchAll(new RegExp(`^\\(${kind}\\) (\\S+)`, 'gm'))].map(([, name]) => name)
  // A mark by which both sides agree on strict key exchange, and no algorithm: this ssh-audit does not know it yet.
  const strict = 'kex-strict-s-v00@openssh.com'
  const { kex, serverHostKey, cipher, hmac } = algorithms
  expect(['kex', 'key', 'enc', 'mac'].map(found)).toEqual([
    [...kex, strict],
    serverHostKey,
    cipher,
    hmac,
  ])
  expect(report).not.toContain('[fail]')
  const warnings = report.split('\n').filter(line => line.includes('[warn]'))
  expect(warnings.filter(line => !line.includes(strict))).toEqual([])
})

/** This client and OpenSSH play each other. */
const playedBy = async (command: string, ...args: string[]) => {
  const other = `opponent-of-${command.replaceAll('/', '-')}`
  const openSsh = host.ssh(['-i', host.agent(other).key], 'ttt')
  await openSsh.until('queued')
  const [exit] = await Promise.all([new Program(command, ...args).play(), openSsh.play()])
  expect(exit).toMatchObject({ code: 0 })
  expect(exit.messages.map(message => message.type)).toEqual([
    'queued',
    'hello',
    ...Array.from({ length: 7 }, () => 'state'),
    'result',
  ])
}

const bannerOfParamiko = `
import sys, paramiko
port, key = sys.argv[1:]
client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
try:
    client.connect('127.0.0.1', int(port), 'game', key_filename=key, allow_agent=False, look_for_keys=False)
except paramiko.AuthenticationException:
    print(client.get_transport().get_banner().decode())
`

const paramiko = `
import sys, threading, paramiko
port, key = sys.argv[1:]
client = paramiko.SSHClient()
client.set_missing_host_key_policy(paramiko.AutoAddPolicy())
client.connect('127.0.0.1', int(port), 'game', key_filename=key, allow_agent=False, look_for_keys=False)
stdin, stdout, stderr = client.exec_command('ttt')
def pass_on():
    for line in sys.stdin:
        stdin.write(line)
        stdin.flush()
threading.Thread(target=pass_on, daemon=True).start()
for line in stdout:
    print(line, end='', flush=True)
status = stdout.channel.recv_exit_status()
client.close()
sys.exit(status)
`
