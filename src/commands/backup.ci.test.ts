import { execFile, spawn } from 'node:child_process'
import { createHash, randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { agentbbs } from '../../test/support/cli.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { effort } from '../../test/support/effort.ts'
import { Host, program } from '../../test/support/host.ts'
import { Load } from '../../test/support/load.ts'
import { sampleData } from '../../test/support/sample-data.ts'
import { databasePath } from '../store/data-paths.ts'

describe('a backup', () => {
  it('made under load and restored elsewhere has the same ladder and the same replays, and serves', async () => {
    const host = await Host.start()
    onTestFinished(() => host.stop())
    const load = Load.on(host, 12)
    await load.results(100)
    const file = join(host.folder, 'copy.db')
    const before = load.told.length
    const said = await host.cli('backup', file)
    expect(said).toMatch(/^\d+ matches, 12 accounts and the host key are in /)
    // No agent was disturbed.
    await load.results(before + 50)
    expect(load.errors).toEqual([])
    load.leave()
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const other = Host.at()
    onTestFinished(() => other.stop())
    const env = other.env as Record<string, string>
    const restored = await agentbbs(['restore', file], env)
    expect(restored).toMatchObject({ code: 0, stderr: '' })
    const rows = (folder: string, sql: string, ...args: unknown[]) => {
      const db = new BetterSqlite3(databasePath(folder), { readonly: true })
      try {
        return db.prepare(sql).all(...args)
      } finally {
        db.close()
      }
    }
    const [there, here] = [other.env.AGENTBBS_DATA!, host.env.AGENTBBS_DATA!]
    const done = 'select id, moves, seed from matches where finished_seq <= ? order by id'
    const [{ last }] = rows(there, 'select max(finished_seq) as last from matches') as [
      { last: number },
    ]
    expect(last).toBeGreaterThanOrEqual(50)
    expect(rows(there, done, last)).toEqual(rows(here, done, last))
    // The ladder is that of the moment: calculated from those results alone.
    expect(await agentbbs(['verify'], env)).toMatchObject({ code: 0 })
    for (const name of ['host_key', 'agentbbs.db', 'agentbbs.lock'])
      expect(statSync(join(there, name)).mode & 0o777, name).toBe(0o600)
    expect(hashOf(join(there, 'host_key'))).toBe(hashOf(join(here, 'host_key')))
    // The key is no longer in the database, not even in a free page.
    expect(readFileSync(databasePath(there)).includes('OPENSSH PRIVATE KEY')).toBe(false)

    await other.serve()
    const matches = JSON.parse(await other.cli('matches', '--status', 'live', '--json'))
    expect(matches).toEqual([])
    const again = Load.on(other, 2, 'new')
    await again.results(1)
    again.leave()
  })

  it('goes to standard output, and its messages to standard error', async () => {
    const env = await sample()
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [program, 'backup', '-'],
      { env: { ...env, PATH: process.env.PATH }, encoding: 'buffer', maxBuffer: 1 << 26 },
    )
    expect(String(stderr)).toBe('8 matches, 6 accounts and no host key are in it.\n')
    const file = join(dataFolder(), 'copy.db')
    writeFileSync(file, stdout)
    const target = { AGENTBBS_DATA: join(dataFolder(), 'data') }
    expect(await agentbbs(['restore', file], target)).toMatchObject({ code: 0 })
  })

  it('fails if its reader closes early, and leaves no copy behind', async () => {
    const env = await sample()
    const drafts = dataFolder()
    const child = spawn(process.execPath, [program, 'backup', '-'], {
      env: { ...env, PATH: process.env.PATH, TMPDIR: drafts },
    })
    child.stdout.destroy()
    const [code] = await once(child, 'close')
    expect([code, readdirSync(drafts)]).toEqual([1, []])
  })

  it('replaces a file only with --force, and leaves no half-written file', async () => {
    const env = await sample()
    const folder = dataFolder()
    const file = join(folder, 'copy.db')
    writeFileSync(file, 'dear')
    expect(await agentbbs(['backup', file], env)).toMatchObject({
      code: 1,
      stderr: `agentbbs: ${file} is there already: give another name, or --force to replace it\n`,
    })
    expect(readFileSync(file, 'utf8')).toBe('dear')
    expect(await agentbbs(['backup', file, '--force'], env)).toMatchObject({ code: 0 })
    const missing = join(folder, 'no')
    expect(await agentbbs(['backup', join(missing, 'copy.db')], env)).toMatchObject({
      code: 1,
      stderr: `agentbbs: the folder ${missing} is not there: make it, or give another one\n`,
    })
    expect(await agentbbs(['backup', join(file, 'copy.db')], env)).toMatchObject({
      code: 1,
      stderr: `agentbbs: ${file} is no folder: give another place for the copy\n`,
    })
    expect(await agentbbs(['backup', ''], env)).toMatchObject({
      code: 1,
      stderr: 'agentbbs: the name of the file is empty: say where the copy goes\n',
    })
    expect(await agentbbs(['backup', '/proc/copy.db'], env)).toMatchObject({ code: 1 })
    expect(readdirSync(folder)).toEqual(['copy.db'])
  })
})

describe('a restore', () => {
  it('is refused while a server runs, and if there is data', async () => {
    const host = await Host.start()
    onTestFinished(() => host.stop())
    const env = host.env as Record<string, string>
    const file = join(host.folder, 'copy.db')
    await host.cli('add-user', 'ann')
    await host.cli('backup', file)
    const key = hashOf(join(env.AGENTBBS_DATA!, 'host_key'))
    for (const options of [[], ['--force']])
      expect(await agentbbs(['restore', file, ...options], env)).toMatchObject({
        code: 1,
        stderr: `agentbbs: ${env.AGENTBBS_DATA} is in use by another agentbbs server\n`,
      })
    await host.kill()
    expect(await agentbbs(['restore', file], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/agentbbs\.db is there already: --force keeps it aside/),
    })
    await host.cli('add-user', 'bob')
    const { stdout } = await agentbbs(['restore', file, '--force', '--json'], env)
    const { aside } = JSON.parse(stdout)
    expect((await agentbbs(['users'], env)).stdout).not.toMatch(/^bob/m)
    expect(hashOf(join(env.AGENTBBS_DATA!, 'host_key'))).toBe(key)
    expect(readdirSync(aside).sort()).toEqual(['agentbbs.db', 'host_key', 'signing_key'])
    const old = await agentbbs(['users'], { AGENTBBS_DATA: aside })
    expect(old.stdout).toMatch(/^bob/m)
    await host.serve()
  })

  it.each([
    ['garbage', (file: string) => writeFileSync(file, 'x'.repeat(5000)), /is not a database/],
    ['cut short', (file: string) => truncateSync(file, 30_000), /is damaged/],
    ['empty', (file: string) => truncateSync(file, 0), /is not a database of agentbbs/],
    [
      'of another program',
      (file: string) => {
        writeFileSync(file, '')
        new BetterSqlite3(file).exec('create table x (y)').close()
      },
      /is not a database of agentbbs/,
    ],
    [
      'of a newer version',
      (file: string) => {
        const db = new BetterSqlite3(file)
        db.exec(`insert into kysely_migration values ('9999-later', '')`)
        db.close()
      },
      /newer agentbbs/,
    ],
    [
      'a copy without its log',
      (file: string) => writeFileSync(`${file}-wal`, 'x'),
      /-wal belongs to it/,
    ],
  ])('is refused when the file is %s, and the old data stays', async (_, spoil, why) => {
    const env = await sample()
    const file = join(dataFolder(), 'copy.db')
    expect(await agentbbs(['backup', file], env)).toMatchObject({ code: 0 })
    chmodSync(file, 0o600)
    spoil(file)
    const before = readdirSync(env.AGENTBBS_DATA!)
    const { code, stderr } = await agentbbs(['restore', file, '--force'], env)
    expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 })
    expect(stderr).toMatch(why)
    expect(readdirSync(env.AGENTBBS_DATA!)).toEqual(before)
    expect(await agentbbs(['verify'], env)).toMatchObject({ code: 0 })
  })

  it('that is killed leaves the old database or the new one, and can be repeated', async () => {
    const env = await sample()
    const file = join(dataFolder(), 'copy.db')
    await agentbbs(['backup', file], env)
    await agentbbs(['add-user', 'old'], env)
    for (let kill = 0; kill < effort({ usual: 3, ci: 20 }); kill++) {
      const child = spawn(process.execPath, [program, 'restore', file, '--force'], { env })
      const gone = once(child, 'exit')
      await Promise.race([gone, pause(150 + randomInt(400))])
      child.kill('SIGKILL')
      await gone
      expect(await agentbbs(['verify'], env)).toMatchObject({ code: 0 })
    }
    expect(await agentbbs(['restore', file, '--force'], env)).toMatchObject({ code: 0 })
    expect((await agentbbs(['users'], env)).stdout).not.toMatch(/^old/m)
    expect(existsSync(join(env.AGENTBBS_DATA!, 'restoring'))).toBe(false)
  }, 120_000)

  it('replaces a database that cannot be read', async () => {
    const env = await sample()
    const file = join(dataFolder(), 'copy.db')
    await agentbbs(['backup', file], env)
    const path = databasePath(env.AGENTBBS_DATA!)
    writeFileSync(path, 'x'.repeat(5000))
    writeFileSync(`${path}-wal`, 'y'.repeat(5000))
    const { code, stdout } = await agentbbs(['restore', file, '--force', '--json'], env)
    expect(code).toBe(0)
    // With the logs of owners, whose accounts may have other numbers in the backup.
    expect(readdirSync(JSON.parse(stdout).aside).sort()).toEqual([
      ...['agentbbs.db', 'agentbbs.db-wal', 'owner-log'],
    ])
    expect(existsSync(join(env.AGENTBBS_DATA!, 'owner-log'))).toBe(false)
    expect(existsSync(`${path}-wal`)).toBe(false)
    expect(await agentbbs(['verify'], env)).toMatchObject({ code: 0 })
  })

  it('reports ratings in the copy that do not follow from its results', async () => {
    const env = await sample()
    const file = join(dataFolder(), 'copy.db')
    await agentbbs(['backup', file], env)
    new BetterSqlite3(file).exec('update ratings set rating = rating + 1 where account = 1').close()
    const target = { AGENTBBS_DATA: join(dataFolder(), 'data') }
    expect(await agentbbs(['restore', file], target)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('recalculated'),
      stderr: expect.stringContaining('its ratings do not follow from its results'),
    })
    expect(await agentbbs(['users'], target)).toMatchObject({ code: 0 })
  })
})

const sample = async (): Promise<Record<string, string>> => {
  const folder = dataFolder()
  await sampleData(folder)
  return { AGENTBBS_DATA: folder }
}

const hashOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')
