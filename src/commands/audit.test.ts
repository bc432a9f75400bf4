import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { program } from '../../cmd/program.ts'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { Host } from '../../test/support/host.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { newKey, sampleData } from '../../test/support/sample-data.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import { systemClock } from '../clock.ts'
import { databasePath } from '../store/data-paths.ts'

/** Runs a command within this process, and returns its output. */
const run = async (env: Record<string, string>, ...args: string[]): Promise<string> => {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const stream = async (pieces: () => Iterable<string>) => print([...pieces()].join(''))
  const all = program({ env, clock: systemClock, print, stream, width: undefined })
  for (const command of [all, ...all.commands])
    command.configureOutput({ writeOut: print, writeErr: print })
  await all.parseAsync(args, { from: 'user' })
  return printed.join('\n')
}

describe('the audit', () => {
  let folder: string
  let env: Record<string, string>
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
    await sampleData(folder)
    env = { AGENTBBS_DATA: folder }
    writeFileSync(join(folder, 'key.pub'), `${newKey}\n`)
    onTestFinished(() => rmSync(folder, { recursive: true }))
  })

  const entries = async (...filter: string[]) =>
    JSON.parse(await run(env, 'audit', '--json', ...filter)) as Record<string, unknown>[]

  it.each([
    ['ban', ['ban', 'cat', '--reason', 'floods'], { target: 'cat', reason: 'floods' }],
    ['unban', ['unban', 'spam-bot'], { target: 'spam-bot' }],
    ['pause', ['pause', 'cat', '--reason', 'stalls'], { target: 'cat', reason: 'stalls' }],
    ['unpause', ['unpause', 'dan'], { target: 'dan' }],
    ['void', ['void', '1', '--reason', 'one person'], { target: 'match 1', reason: 'one person' }],
    ['unvoid', ['unvoid', '5'], { target: 'match 5' }],
    [
      'remove-note',
      ['remove-note', '1', '5', '--reason', 'an insult'],
      { target: 'match 1', detail: 'move 5', reason: 'an insult' },
    ],
    ['mint-token', ['mint-token', 'ann', '--label', 'x'], { target: 'ann', detail: 'token 3 (x)' }],
    ['revoke-token', ['revoke-token', '1'], { target: 'ann', detail: 'token 1 (laptop)' }],
    [
      'add-key',
      ['add-key', 'ann', 'KEY'],
      { target: 'ann', detail: expect.stringMatching(/^key 2 SHA256:/) },
    ],
    [
      'revoke-key',
      ['revoke-key', '1'],
      { target: 'ann', detail: expect.stringMatching(/^key 1 SHA256:/) },
    ],
    ['set-owner', ['set-owner', 'cat', 'bob'], { target: 'cat', detail: 'owner bob' }],
    ['set-owner', ['set-owner', 'dan', '--none'], { target: 'dan', detail: 'no owner' }],
    ['add-user', ['add-user', 'nora', '--owner', 'ann'], { target: 'nora', detail: 'owner ann' }],
    ['invite', ['invite', '--count', '2'], { target: 'invitations', detail: '2 codes for 7 days' }],
  ])('records %s, with its author, target and reason', async (action, args, entry) => {
    const before = (await entries())[0]!.id as number
    await run(env, ...args.map(arg => (arg === 'KEY' ? join(folder, 'key.pub') : arg)))
    const [newest] = await entries()
    expect(newest).toEqual({
      id: before + 1,
      at: expect.stringMatching(/^20/),
      by: userInfo().username,
      via: 'command',
      action,
      detail: null,
      reason: null,
      ...entry,
    })
  })

  it('records nothing that was refused or changed nothing', async () => {
    const before = await entries()
    await expect(run(env, 'void', '7')).rejects.toThrow('aborted')
    await expect(run(env, 'remove-note', '1', '4')).rejects.toThrow(
      'move 4 of match 1 has no note; moves with a note: 5',
    )
    await expect(run(env, 'remove-note', '2', '1')).rejects.toThrow('with a note: none')
    await expect(run(env, 'remove-note', '8', '1')).rejects.toThrow('is still being played')
    await expect(run(env, 'remove-note', '99', '1')).rejects.toThrow('there is no match 99')
    await expect(run(env, 'revoke-token', '99')).rejects.toThrow('no valid token')
    await expect(run(env, 'add-user', 'ann')).rejects.toThrow('taken')
    await run(env, 'unban', 'ann')
    await run(env, 'unpause', 'ann')
    expect(await entries()).toEqual(before)
  })

  it('a note that is removed is in no replay, and no seal misses it', async () => {
    expect(await run(env, 'replay', '1')).toContain('note: “the row at the top”')
    await run(env, 'remove-note', '1', '5')
    for (const format of ['json', 'ndjson'])
      expect(await run(env, 'replay', '1', '--format', format)).not.toContain('the row at')
    expect(await run(env, 'verify')).toContain('are as they should be')
  })

  it('names the user who ran sudo', async () => {
    env.SUDO_USER = 'carol'
    await run(env, 'ban', 'cat')
    expect((await entries())[0]).toMatchObject({ by: `${userInfo().username} (sudo by carol)` })
  })

  it('records the keys of a new account, the migration and the restore', async () => {
    await run(env, 'add-user', 'nora', '--key', join(folder, 'key.pub'))
    expect((await entries('--target', 'nora')).map(({ action }) => action)).toEqual([
      'add-key',
      'add-user',
    ])
    const copy = join(folder, 'copy.db')
    await run(env, 'backup', copy)
    const target = { AGENTBBS_DATA: join(folder, 'elsewhere') }
    await run(target, 'restore', copy)
    env = target
    expect((await entries())[0]).toMatchObject({ action: 'restore', target: copy })
    const [first] = (await entries('--action', 'migrate')).slice(-1)
    expect(first).toMatchObject({ by: 'host', via: 'host', target: 'database' })
    env = { AGENTBBS_DATA: join(folder, 'made') }
    await run(env, 'migrate')
    expect(await entries()).toMatchObject([
      { by: userInfo().username, action: 'migrate', detail: expect.stringContaining('0001-start') },
    ])
  })

  it('is filtered by action, target, author, time and number, and printed one entry on each line', async () => {
    const all = await entries()
    expect(await entries('--action', 'ban')).toEqual(all.filter(({ action }) => action === 'ban'))
    expect(await entries('--target', 'dan')).toEqual(all.filter(({ target }) => target === 'dan'))
    expect(await entries('--by', 'host')).toEqual(all.filter(({ by }) => by === 'host'))
    expect(await entries('--since', '2026-11-01T12:06')).toEqual(all.slice(0, 1))
    expect(await entries('--before', String(all[1]!.id), '--limit', '1')).toEqual([all[2]])
    const lines = (await run(env, 'audit', '--format', 'ndjson')).split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(all)
    await expect(run(env, 'audit', '--since', 'then\u001b')).rejects.toThrow(
      /^--since "then.*2026-01-31/,
    )
  })

  it('can neither be changed, nor shortened, nor replaced, nor can a seal', () => {
    const db = new BetterSqlite3(databasePath(folder))
    onTestFinished(() => void db.close())
    for (const table of ['audit', 'seals'])
      for (const change of [
        `delete from ${table}`,
        `update ${table} set reason = 'x'`,
        `insert or replace into ${table} select * from ${table} limit 1`,
      ])
        expect(() => db.exec(change)).toThrow(`${table}: what is written here stays as it is`)
  })

  it('contains no secret', async () => {
    const { token } = JSON.parse(await run(env, 'mint-token', 'ann', '--json'))
    const { codes } = JSON.parse(await run(env, 'invite', '--json'))
    await run(env, 'add-key', 'ann', join(folder, 'key.pub'))
    const printed = await run(env, 'audit', '--json')
    for (const secret of [token, ...codes, newKey.split(' ')[1]])
      expect(printed).not.toContain(secret)
  })
})

it('a pause by the host is in the audit, in the transaction of the match that led to it', async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock, { pauseAfter: 1 })
  onTestFinished(() => store.close())
  const [bot, ...others] = ['bot', 'ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
  for (const other of others) {
    void store.matchStore.finish(
      store.matchStore.begin(tttMatch(other, bot!)),
      outcomes.secondLate,
      ttt.draw.slice(0, 3),
    )
    clock.pass(10)
  }
  expect(store.audit.find({ action: 'pause', limit: 9 })).toMatchObject([
    { by: 'host', via: 'host', target: 'bot', reason: expect.stringContaining('in a row') },
  ])
})

describe('in the hub', () => {
  let hub: TestHub
  beforeAll(async () => {
    hub = await TestHub.open()
  })
  afterAll(() => hub.close())

  const newest = (count: number) =>
    hub.store.audit
      .find({ limit: count })
      .map(({ by, via, action, target, detail }) => [by, via, action, target, detail])

  it('accounts are recorded with what they do to their credentials', async () => {
    const client = hub.connect(hub.account('erna'))
    await client.type('a', 't', 'b', 'o', 't', '<enter>', '<esc>')
    expect(newest(1)).toEqual([['erna', 'hub', 'mint-token', 'erna', 'token 1 (bot)']])
    await client.type('c', '<esc>')
    expect(newest(1)).toEqual([['erna', 'hub', 'mint-code', 'erna', null]])
    await client.type('a', ...newKey, '<enter>')
    expect(newest(1)).toEqual([
      ['erna', 'hub', 'add-key', 'erna', expect.stringMatching(/^key 1 SHA256:/)],
    ])
    await client.type('x', 'y')
    expect(newest(1)).toEqual([
      ['erna', 'hub', 'revoke-key', 'erna', expect.stringMatching(/^key 1 SHA256:/)],
    ])
    await client.type('x', 'y')
    expect(newest(1)).toEqual([['erna', 'hub', 'revoke-token', 'erna', 'token 1 (bot)']])
  })

  it('an owner is recorded who lets an agent play again', async () => {
    const [olga, bot] = [hub.account('olga'), hub.account('bot')]
    hub.store.users.setOwner(bot, hub.store.users.find('olga')!)
    hub.store.db.file.exec(
      `update accounts set paused_at = 1, pause_reason = 'it fails', paused_by = 'host' where id = ${bot.id}`,
    )
    const client = hub.connect(olga)
    await client.type('a', 'u', 'y')
    expect(newest(1)).toEqual([['olga', 'hub', 'unpause', 'bot', null]])
  })
})

it('the server writes each entry to its log', async () => {
  const host = await Host.start()
  onTestFinished(() => host.stop())
  await host.account('ann')
  await host.cli('ban', 'ann', '--reason', 'floods')
  await expect
    .poll(() => host.said)
    .toMatch(
      /"by":"[^"]+","via":"command","action":"ban","target":"ann","detail":null,"reason":"floods","msg":"audit"/,
    )
})
