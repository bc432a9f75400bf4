import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { certificate } from '../../test/support/certificate.ts'
import { agentbbs } from '../../test/support/cli.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { freePort, missing, startCaddy, startNginx } from '../../test/support/edge.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { Host, program } from '../../test/support/host.ts'
import { sampleData } from '../../test/support/sample-data.ts'
import { systemClock } from '../clock.ts'
import { databasePath } from '../store/data-paths.ts'
import { openHostKey } from '../wire/host-key.ts'
import { type CheckOptions, examine } from './doctor.ts'
import type { Finding } from './finding.ts'

const isRoot = process.getuid!() === 0

/** A data folder in good order, with no server, and settings whose ports are free. */
const household = async () => {
  const data = dataFolder()
  await sampleData(data)
  openHostKey(data)
  const [ssh, http] = [await freePort(), await freePort()]
  return {
    AGENTBBS_DATA: data,
    AGENTBBS_ADDR: `127.0.0.1:${ssh}`,
    AGENTBBS_GAME_WS_ADDR: `127.0.0.1:${http}`,
  }
}

const look = (env: NodeJS.ProcessEnv, given: Partial<CheckOptions> = {}) =>
  examine({
    env,
    clock: systemClock,
    node: { version: process.version, needs: '>=20.19' },
    edge: null,
    ...given,
  })

/** What is not well. */
const complaints = (findings: readonly Finding[]) => findings.filter(({ level }) => level !== 'ok')

/** The only thing that is not well, apart from there being no server. */
const complaint = (findings: readonly Finding[]) => {
  const found = complaints(findings).filter(({ check }) => check !== 'server')
  expect(found).toHaveLength(1)
  return found[0]!
}

const running = async (env: NodeJS.ProcessEnv = {}) => {
  const host = await Host.start(env)
  onTestFinished(() => host.stop())
  const settings = {
    AGENTBBS_DATA: host.env.AGENTBBS_DATA!,
    AGENTBBS_ADDR: `127.0.0.1:${host.ssh}`,
    AGENTBBS_GAME_WS_ADDR: `127.0.0.1:${host.http}`,
  }
  return { host, settings, address: `127.0.0.1:${host.http}` }
}

const held = async (server: Server): Promise<number> => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Has another port lead to a server. */
const passOn = async (from: number, to: number) => {
  const server = createServer(socket => {
    const onward = connect(to, '127.0.0.1')
    pipeline(socket, onward, socket, () => {})
  })
  await new Promise<void>(resolve => server.listen(from, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
}

const contents = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    // SQLite's own map of the log, which says who reads.
    .filter(file => file.isFile() && !file.name.endsWith('-shm'))
    .map(({ name }) => name)
    .map(name => [
      name,
      statSync(join(folder, name)).mtimeMs,
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ])

const run = (command: string | null) => execFileSync('sh', ['-c', command!.replace(/^run /, '')])

describe('beside a server', () => {
  it('all checks pass, and the server is recognized', async () => {
    const { host, settings } = await running()
    const findings = await look(settings)
    expect(complaints(findings)).toEqual([])
    const says = Object.fromEntries(findings.map(({ check, says }) => [check, says]))
    expect(says).toMatchObject({
      server: `it runs as process ${host.pid}`,
      ssh: `AGENTBBS_ADDR=127.0.0.1:${host.ssh}: our server answers`,
      http: `AGENTBBS_GAME_WS_ADDR=127.0.0.1:${host.http}: our server answers`,
    })
    const shown = execFileSync('ssh-keygen', ['-lf', join(settings.AGENTBBS_DATA, 'host_key')])
    expect(String(shown)).toContain(says['host key']!.split(' ')[1])
  })

  it('settings that differ from those of the server are found', async () => {
    const { settings } = await running()
    const port = await freePort()
    expect(
      complaint(await look({ ...settings, AGENTBBS_ADDR: `127.0.0.1:${port}` })),
    ).toMatchObject({ check: 'ssh', level: 'fail', cure: expect.stringContaining('settings') })
  })

  it('a server that has just started is waited for', async () => {
    const { host, settings } = await running()
    const [ssh, http] = [await freePort(), await freePort()]
    const looking = look({
      ...settings,
      AGENTBBS_ADDR: `127.0.0.1:${ssh}`,
      AGENTBBS_GAME_WS_ADDR: `127.0.0.1:${http}`,
    })
    await setTimeout(300)
    await passOn(http, host.http)
    await passOn(ssh, host.ssh)
    expect(complaints(await looking)).toEqual([])
  })

  it('its address for metrics is checked, if it is set', async () => {
    const metrics = { AGENTBBS_METRICS: `127.0.0.1:${await freePort()}` }
    const { settings } = await running(metrics)
    const findings = await look({ ...settings, ...metrics })
    expect(complaints(findings)).toEqual([])
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'metrics',
        says: `AGENTBBS_METRICS=${metrics.AGENTBBS_METRICS}: our server answers`,
      }),
    )
  })

  it('a server of another data folder is not this one', async () => {
    const { settings } = await running()
    const other = await household()
    const found = complaints(await look({ ...settings, AGENTBBS_DATA: other.AGENTBBS_DATA }))
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['server', 'warn'],
      ['ssh', 'fail'],
      ['http', 'fail'],
    ])
  })

  it('the limit of open files is that of the server', async () => {
    const { host, settings } = await running()
    execFileSync('prlimit', ['--pid', String(host.pid), '--nofile=1000:1000'])
    expect(complaint(await look(settings))).toMatchObject({
      check: 'descriptors',
      level: 'warn',
      says: 'at most 1000 connections and files at once',
    })
  })
})

describe('without a server', () => {
  it('all other checks pass, and no file is changed', async () => {
    const env = await household()
    const before = contents(env.AGENTBBS_DATA)
    expect(complaints(await look(env))).toMatchObject([{ check: 'server', level: 'warn' }])
    expect(contents(env.AGENTBBS_DATA)).toEqual(before)
  })

  it('the files of a killed server are not touched', async () => {
    const { host, settings } = await running()
    await host.account('ann')
    await host.kill()
    const before = contents(settings.AGENTBBS_DATA)
    expect(before.map(([name]) => name)).toContain('agentbbs.db-wal')
    expect(complaints(await look(settings))).toMatchObject([{ check: 'server', level: 'warn' }])
    expect(contents(settings.AGENTBBS_DATA)).toEqual(before)
  })

  it('an empty machine gets a list of what the server will make', async () => {
    const data = join(dataFolder(), 'not', 'yet')
    const found = complaints(await look({ ...(await household()), AGENTBBS_DATA: data }))
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['data folder', 'warn'],
      ['database', 'warn'],
      ['host key', 'warn'],
      ['server', 'warn'],
    ])
  })
})

describe('the data folder', () => {
  it.each([
    ['folder', '', 'data folder'],
    ['database', 'agentbbs.db', 'files'],
    ["folder of owner's logs", 'owner-log', "owner's logs"],
  ])(
    'is closed by the command that doctor gives, if the %s was open to others',
    async (_, file, check) => {
      const env = await household()
      chmodSync(join(env.AGENTBBS_DATA, file), 0o755)
      const found = complaint(await look(env))
      expect(found).toMatchObject({ check, level: 'fail', says: expect.stringContaining('755') })
      run(found.cure)
      expect(complaints(await look(env)).map(({ check }) => check)).toEqual(['server'])
    },
  )

  it('has a host key that other users cannot read', async () => {
    const env = await household()
    chmodSync(join(env.AGENTBBS_DATA, 'host_key'), 0o644)
    const found = complaints(await look(env)).filter(({ level }) => level === 'fail')
    expect(found.map(({ check }) => check)).toEqual(['files', 'host key'])
    run(found[0]!.cure)
    expect(complaints(await look(env)).map(({ check }) => check)).toEqual(['server'])
  })

  it('has a database that its owner can write to', async () => {
    const env = await household()
    chmodSync(databasePath(env.AGENTBBS_DATA), 0o400)
    const found = complaint(await look(env))
    expect(found).toMatchObject({ check: 'files', level: 'fail' })
    run(found.cure)
    expect(complaints(await look(env)).map(({ check }) => check)).toEqual(['server'])
  })

  it('may have a host key that is read-only', async () => {
    const env = await household()
    chmodSync(join(env.AGENTBBS_DATA, 'host_key'), 0o400)
    expect(complaints(await look(env)).map(({ check }) => check)).toEqual(['server'])
  })

  it.skipIf(!isRoot)('belongs to one user, with all its files', async () => {
    const env = await household()
    execFileSync('chown', ['12345', join(env.AGENTBBS_DATA, 'agentbbs.db')])
    const found = complaint(await look(env))
    expect(found).toMatchObject({ check: 'files', level: 'fail' })
    run(found.cure!.split(',')[0]!)
    expect(complaints(await look(env)).map(({ check }) => check)).toEqual(['server'])
  })

  const nobody = { uid: 65_534, gid: 65_534, encoding: 'utf8' } as const
  const canRun = isRoot && spawnSync('test', ['-r', program], nobody).status === 0
  it.skipIf(!canRun)('is reported if its own user cannot read it', async () => {
    const env = await household()
    execFileSync('chown', ['-R', String(nobody.uid), env.AGENTBBS_DATA])
    chmodSync(env.AGENTBBS_DATA, 0o600)
    const { stdout, status } = spawnSync(process.execPath, [program, 'doctor', '--offline'], {
      ...nobody,
      env,
    })
    expect(status).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}files .*; .*chmod 700/m)
    expect(stdout).toMatch(/^FAIL {2}database .*EACCES/m)
    expect(stdout).not.toContain('backup')
  })

  it('is a folder', async () => {
    const env = await household()
    const found = complaints(
      await look({ ...env, AGENTBBS_DATA: join(env.AGENTBBS_DATA, 'host_key') }),
    )
    expect(found).toContainEqual(expect.objectContaining({ check: 'data folder', level: 'fail' }))
  })
})

describe('the database', () => {
  it('is reported if pages of it are damaged', async () => {
    const env = await household()
    const file = openSync(databasePath(env.AGENTBBS_DATA), 'r+')
    const { size } = statSync(databasePath(env.AGENTBBS_DATA))
    writeSync(file, Buffer.alloc(size - 8192, 0xaa), 0, size - 8192, 8192)
    expect(complaint(await look(env))).toMatchObject({
      check: 'database',
      level: 'fail',
      cure: expect.stringContaining('restore the newest backup'),
    })
  })

  it('is reported if the file is not a database', async () => {
    const env = await household()
    const file = openSync(databasePath(env.AGENTBBS_DATA), 'r+')
    writeSync(file, 'a page of something else')
    expect(complaint(await look(env))).toMatchObject({
      check: 'database',
      level: 'fail',
      says: expect.stringContaining('file is not a database'),
    })
  })

  it.each([
    ['opened', (path: string) => mkdirSync(path)],
    ['looked at', (path: string) => symlinkSync(path, path)],
  ])('is not to be replaced by a backup if it only cannot be %s', async (_, spoil) => {
    const env = await household()
    rmSync(databasePath(env.AGENTBBS_DATA))
    spoil(databasePath(env.AGENTBBS_DATA))
    const found = complaints(await look(env)).find(({ check }) => check === 'database')!
    expect(found.level).toBe('fail')
    expect(found.cure).not.toContain('backup')
  })

  it('with a missing log is not opened, because that would hide it', async () => {
    const { host, settings } = await running()
    await host.kill()
    rmSync(`${databasePath(settings.AGENTBBS_DATA)}-wal`)
    const before = contents(settings.AGENTBBS_DATA)
    expect(complaint(await look(settings))).toMatchObject({
      check: 'database',
      level: 'fail',
      says: expect.stringContaining('-wal is missing'),
    })
    expect(contents(settings.AGENTBBS_DATA)).toEqual(before)
  })

  it.each([
    ['older', 'delete from kysely_migration where name > ?', '0001-zzz', 'warn'],
    [
      'newer',
      "insert into kysely_migration (name, timestamp) values (?, '')",
      '9999-later',
      'fail',
    ],
  ])('that is %s than the program is reported', async (_, sql, name, level) => {
    const env = await household()
    const db = new BetterSqlite3(databasePath(env.AGENTBBS_DATA))
    db.prepare(sql).run(name)
    db.close()
    expect(complaint(await look(env))).toMatchObject({ check: 'migrations', level })
  })

  it('that another process has locked is reported', async () => {
    const env = await household()
    const db = new BetterSqlite3(databasePath(env.AGENTBBS_DATA))
    db.pragma('locking_mode = exclusive')
    db.exec('begin exclusive')
    onTestFinished(() => void db.close())
    expect(complaint(await look(env))).toMatchObject({
      check: 'database',
      level: 'fail',
      says: expect.stringContaining('is locked'),
    })
  })

  it('shows a clock that was set back', async () => {
    expect(complaint(await look(await household(), { clock: new FakeClock() }))).toMatchObject({
      check: 'clock',
      level: 'fail',
      says: expect.stringMatching(/^it is 2026-01-01T.* the newest match is of 2026-11-01T/),
    })
  })
})

it('the clock has to be synchronized, if systemd can be asked', async () => {
  const env = await household()
  const programs = dataFolder()
  const kept = async (answer: string) => {
    writeFileSync(join(programs, 'timedatectl'), `#!/bin/sh\necho ${answer}\n`, { mode: 0o755 })
    return complaints(await look({ ...env, PATH: `${programs}:${process.env.PATH}` }))
  }
  expect(await kept('yes')).toMatchObject([{ check: 'server' }])
  expect(await kept('no')).toMatchObject([{ check: 'clock', level: 'warn' }, { check: 'server' }])
})

describe('the addresses', () => {
  it.each(['AGENTBBS_ADDR', 'AGENTBBS_GAME_WS_ADDR', 'AGENTBBS_METRICS'])(
    '%s held by another program is reported, with the answer of that program',
    async variable => {
      const port = await held(createServer(socket => socket.end('220 mail\r\n')))
      const found = complaint(
        await look({ ...(await household()), [variable]: `127.0.0.1:${port}` }),
      )
      expect(found).toMatchObject({ level: 'fail', cure: expect.stringContaining(`:${port}`) })
      expect(found.says).toContain(`${variable}=127.0.0.1:${port} is held by another program`)
      if (variable === 'AGENTBBS_ADDR') expect(found.says).toContain('says "220 mail"')
    },
  )

  it('have to be of this machine', async () => {
    const found = complaint(await look({ ...(await household()), AGENTBBS_ADDR: '192.0.2.1:2222' }))
    expect(found).toMatchObject({ check: 'ssh', says: expect.stringContaining('EADDRNOTAVAIL') })
  })
})

describe('the settings', () => {
  it.each([
    [
      'open registration',
      { AGENTBBS_REGISTRATION: 'open', AGENTBBS_ADDR: '0.0.0.0:0' },
      'registration',
      /everyone/,
    ],
    [
      'tokens in the clear',
      { AGENTBBS_GAME_WS_ADDR: '0.0.0.0:0', AGENTBBS_TRUSTED_PROXIES: '10.0.0.2' },
      'listener',
      /plain HTTP/,
    ],
    [
      'calls to every address',
      { AGENTBBS_CALL_OUT: 'any' },
      'call out',
      /^players can have the host send requests/,
    ],
    ['missing art', { AGENTBBS_ART: '/nowhere' }, 'art', /default art: ENOENT/],
    [
      'a limit that protects nothing',
      { AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS: '90000', AGENTBBS_MAX_CONNECTIONS: '900000' },
      'limits',
      /^AGENTBBS_MAX_CONNECTIONS, AGENTBBS_MAX_CONNECTIONS_PER_ADDRESS allow/,
    ],
    [
      'accounts of others without caps on rated matches',
      { AGENTBBS_PAIR_CAP: '0', AGENTBBS_REGISTRATION: 'invite' },
      'limits',
      /^two accounts may play rated without any cap/,
    ],
    ['a long drain', { AGENTBBS_DRAIN: '600' }, 'drain', /600 s/],
  ])('%s draws a warning', async (_, given, check, says) => {
    expect(complaint(await look({ ...(await household()), ...given }))).toMatchObject({
      check,
      level: 'warn',
      says: expect.stringMatching(says),
    })
  })

  it('name a file of blocked words that can be read', async () => {
    const env = await household()
    const file = join(dataFolder(), 'words.txt')
    const wrong = complaint(await look({ ...env, AGENTBBS_BLOCKED_WORDS: file }))
    expect(wrong).toMatchObject({
      check: 'words',
      level: 'fail',
      says: expect.stringContaining(`ENOENT: no such file or directory, open '${file}'`),
    })
    writeFileSync(file, 'grumble\n\nutter nonsense\n')
    const found = await look({ ...env, AGENTBBS_BLOCKED_WORDS: file })
    expect(found).toContainEqual(expect.objectContaining({ says: `2 lines in ${file}` }))
  })

  it('may lift the caps on pairs where the operator makes all accounts', async () => {
    const lifted = { AGENTBBS_PAIR_CAP: '0', AGENTBBS_REGISTRATION: 'closed' }
    const found = await look({ ...(await household()), ...lifted })
    expect(found.filter(({ check }) => check === 'limits')).toMatchObject([{ level: 'ok' }])
  })

  it('an edge on another machine has to be a trusted proxy', async () => {
    const env = { ...(await household()), AGENTBBS_GAME_WS_ADDR: '0.0.0.0:0' }
    expect(complaints(await look(env))).toContainEqual(
      expect.objectContaining({ cure: 'add its address to AGENTBBS_TRUSTED_PROXIES' }),
    )
  })

  it('that do not exist end the checks', async () => {
    expect(complaint(await look({ AGENTBBS_DRIAN: '10' }))).toMatchObject({
      level: 'fail',
      says: expect.stringMatching(/AGENTBBS_DRIAN \(did you mean AGENTBBS_DRAIN\?\)/),
    })
  })

  it('that are constants now end the visit', async () => {
    expect(complaint(await look({ AGENTBBS_KEEPALIVE: '10' }))).toMatchObject({
      check: 'settings',
      level: 'fail',
      says: expect.stringMatching(/^AGENTBBS_KEEPALIVE is no setting any more: .* 15 s.*/),
    })
  })

  it('that cannot be read end the checks', async () => {
    expect(complaint(await look({ AGENTBBS_DRAIN: 'long' }))).toMatchObject({
      check: 'settings',
      level: 'fail',
      says: expect.stringContaining('AGENTBBS_DRAIN="long"'),
    })
  })
})

it('Node has to be new enough', async () => {
  const found = await look({}, { node: { version: 'v20.18.3', needs: '>=20.19' } })
  expect(complaint(found)).toMatchObject({
    check: 'node',
    level: 'fail',
    cure: expect.stringContaining('20.19'),
  })
})

describe('the TLS edge', () => {
  const through = async (edge: string, given: Partial<CheckOptions> = {}) =>
    (await look(await household(), { edge, ...given })).filter(({ check }) =>
      ['name', 'edge', 'certificate', 'play', 'websocket', 'health', 'edge clock'].includes(check),
    )

  it.skipIf(missing('caddy'))('forwards through Caddy, without TLS here', async () => {
    const { address } = await running()
    const found = await through(await startCaddy(address))
    expect(found.map(({ check, level }) => [check, level])).toEqual([
      ['name', 'ok'],
      ['certificate', 'warn'],
      ['play', 'ok'],
      ['websocket', 'ok'],
      ['edge clock', 'ok'],
    ])
  })

  it.skipIf(missing('caddy'))('ends at Caddy where no server is behind it', async () => {
    const found = await through(await startCaddy(`127.0.0.1:${await freePort()}`))
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'play',
        level: 'fail',
        says: expect.stringContaining('502'),
      }),
    )
  })

  it.skipIf(missing('nginx', '-v'))(
    'forwards through nginx, with a certificate whose end is known',
    async () => {
      const { settings, address } = await running()
      const issued = certificate(dataFolder(), { days: 5 })
      const edge = await startNginx(address, { certificate: issued })
      const { code, stdout } = await agentbbs(['doctor', '--edge', edge, '--json'], {
        ...settings,
        NODE_EXTRA_CA_CERTS: issued.cert,
      })
      const found = JSON.parse(stdout) as Finding[]
      expect([code, complaints(found)]).toMatchObject([
        0,
        [{ check: 'certificate', level: 'warn', says: 'it ends in 4 days' }],
      ])
      expect(found).toContainEqual(
        expect.objectContaining({ check: 'websocket', says: 'a handshake reaches the server' }),
      )
    },
  )

  it.skipIf(missing('nginx', '-v'))('fails with a certificate that is not trusted', async () => {
    const { settings, address } = await running()
    const edge = await startNginx(address)
    const { code, stdout, stderr } = await agentbbs(['doctor', '--edge', edge], settings)
    expect(code).toBe(1)
    expect(stdout).toMatch(/^FAIL {2}certificate .*DEPTH_ZERO_SELF_SIGNED_CERT; /m)
    expect(stderr).toMatch(/^agentbbs: 1 of \d+ checks failed\n$/)
  })

  it.each([
    ['another site', 404, 'play'],
    ['an edge that shows signs of health to everybody', 200, 'health'],
  ])('%s is reported', async (_, status, check) => {
    const port = await held(createHttpServer((_, response) => response.writeHead(status).end()))
    const found = complaints(await through(`http://127.0.0.1:${port}`))
    expect(found.map(({ check }) => check)).toContain(check)
    expect(found).toContainEqual(
      expect.objectContaining({
        check: 'websocket',
        says: `a handshake does not reach the server: answers ${status}`,
      }),
    )
  })

  it('a closed port is told apart from a wrong clock', async () => {
    const shut = await through(`https://127.0.0.1:${await freePort()}`)
    expect(complaints(shut)).toMatchObject([{ check: 'edge', level: 'fail' }])
    const { address } = await running()
    const late = await through(`http://${address}`, {
      clock: { ...systemClock, date: () => Date.now() + 3_600_000 },
    })
    expect(late).toContainEqual(
      expect.objectContaining({
        check: 'edge clock',
        says: expect.stringMatching(/^36\d\d s apart/),
      }),
    )
  })

  it('that redirects is reported with where it leads to', async () => {
    const port = await held(
      createHttpServer((_, response) =>
        response.writeHead(308, { Location: 'https://bbs.example.org/play' }).end(),
      ),
    )
    expect(complaints(await through(`http://127.0.0.1:${port}`))).toMatchObject([
      { check: 'play', says: expect.stringContaining('leads to "https://bbs.example.org/play"') },
    ])
  })

  it('is found by the name of the host, if it has one', async () => {
    const env = await household()
    const asked = async (host: string) =>
      (await look({ ...env, AGENTBBS_HOST: host }, { edge: undefined })).find(
        ({ check }) => check === 'name',
      )?.says
    // A name that is never to exist, by RFC 2606.
    expect(await asked('bbs.invalid')).toContain('bbs.invalid does not resolve')
    expect(await asked('localhost')).toBeUndefined()
  })
})

describe('docs/cli.md', () => {
  const manual = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
  const section = /^## doctor\n(.*?)^## /ms.exec(manual)![1]!
  const [, example] = /```console\n(.*?)```/s.exec(section)!
  const documented = JSON.parse(/```json\n(.*?)```/s.exec(section)![1]!) as Finding[]

  it('shows what it prints', async () => {
    const { settings } = await running()
    chmodSync(settings.AGENTBBS_DATA, 0o755)
    const { stdout } = await agentbbs(['doctor', '--offline'], settings)
    const outline = (text: string) =>
      text
        .trim()
        .split('\n')
        .map(line => /^(\w+) +([a-z]+( [a-z]+)?) {2}/.exec(line)?.slice(1, 3))
    const [, ...shown] = example!.trim().split('\n')
    expect(outline(stdout)).toEqual(outline(shown.join('\n')))
  })

  it('shows the shape of --json', async () => {
    const { code, stdout } = await agentbbs(['doctor', '--offline', '--json'], await household())
    expect(code).toBe(0)
    for (const found of [...documented, ...JSON.parse(stdout)])
      expect(found).toEqual({
        check: expect.any(String),
        level: expect.stringMatching(/^(ok|warn|fail)$/),
        says: expect.any(String),
        cure: found.level === 'ok' ? null : expect.any(String),
      })
  })
})
