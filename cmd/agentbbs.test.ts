import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import BetterSqlite3 from 'better-sqlite3'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../src/clock.ts'
import { settings } from '../src/config.ts'
import { watchChanges } from '../src/store/change-watch.ts'
import { openCredentialLookup } from '../src/store/credential-lookup.ts'
import { databasePath } from '../src/store/data-paths.ts'
import { hashOf } from '../src/store/secret-hash.ts'
import { agentbbs } from '../test/support/cli.ts'
import { openStore } from '../test/support/open-store.ts'
import { newKey, sampleData } from '../test/support/sample-data.ts'
import { copyWorkingTree, repository } from '../test/support/working-tree.ts'
import { program } from './program.ts'

const home = mkdtempSync(join(tmpdir(), 'agentbbs-'))
const sample = join(home, 'sample')
beforeAll(() => sampleData(sample))
afterAll(() => rmSync(home, { recursive: true }))

const manual = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')
const sections = manual
  .split(/^## /m)
  .slice(1)
  .map(section => {
    const block = (kind: string) =>
      new RegExp(`\`\`\`${kind}\n(.*?)\n\`\`\``, 's').exec(section)?.[1] ?? null
    const [line, ...lines] = block('console')?.split('\n') ?? ['$ agentbbs serve']
    const words = line!.replace('$ agentbbs ', '').matchAll(/"([^"]*)"|(\S+)/g)
    return {
      name: /^.*/.exec(section)![0],
      args: [...words].map(([, quoted, plain]) => (quoted ?? plain)!),
      text: lines.join('\n'),
      json: block('json'),
    }
  })
// Without serve, which does not end, and bench, doctor, play, versus and the commands of seasons, which have tests of their own.
const examples = sections.filter(
  ({ name }) =>
    !['serve', 'bench', 'doctor', 'play', 'versus'].includes(name) && !/^season /.test(name),
)

describe.concurrent('docs/cli.md', () => {
  it('has every command, each with an example in its --help', async () => {
    const commands = namesOf(program(context).commands)
    expect(sections.map(({ name }) => name).sort()).toEqual(commands.sort())
    for (const { name } of sections)
      expect(await within([...name.split(' '), '--help'], {})).toMatch(
        new RegExp(`Examples?:\n  \\$ (\\S+=\\S+ )*agentbbs ${name}`),
      )
  })

  it.each(examples)('shows what $name prints', async ({ args, text }) => {
    const { code, stdout, stderr } = await agentbbs(args, ...place())
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const shown = comparable(text.endsWith('\n…') ? text.slice(0, -1) : `${text}\n`)
    expect(comparable(stdout).slice(0, shown.length)).toBe(shown)
  })

  it.each(examples.filter(({ json }) => json !== null))(
    'shows the shape of $name --json',
    async ({ args, json }) => {
      const [env, folder] = place()
      const absolute = args.map(arg => (/\.(pub|db)$/.test(arg) ? join(folder, arg) : arg))
      const printed = await within([...absolute, '--json'], env)
      expect(misfits(JSON.parse(printed), JSON.parse(json!))).toEqual([])
    },
  )
})

describe.concurrent('agentbbs', () => {
  it.each([
    ['no command', [], /^Usage: agentbbs/],
    ['an unknown command', ['frobnicate'], /unknown command/],
    ['a misspelt command', ['lader'], /Did you mean ladder\?/],
    ['a misspelt option', ['users', '--jsn'], /Did you mean --json\?/],
    ['a missing argument', ['mint-token'], /missing required argument.*\n\nUsage: .*mint-token/],
    ['one argument too many', ['users', 'x'], /too many arguments/],
    ['an unknown option', ['users', '--x'], /unknown option/],
    ['a number that is none', ['replay', 'one'], /whole number from 1/],
    ['more codes than are allowed', ['invite', '--count', '999999999'], /from 1 to 10000/],
    ['a status that is none', ['matches', '--status', 'x'], /Allowed choices are live, done/],
  ])('shows its usage and exits with 2 for %s', async (_, args, why) => {
    const { code, stdout, stderr } = await agentbbs(args, ...place())
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(why)
  })

  it.each([
    ['an unknown account', ['mint-token', 'nobody'], /^agentbbs: no account is called nobody\n$/],
    ['a name that is taken', ['add-user', 'ANN'], /^agentbbs: the name ANN is taken\n$/],
    ['a name that is reserved', ['add-user', 'game'], /^agentbbs: the name game is reserved\n$/],
    ['a name that is a folder', ['add-user', '..'], /^agentbbs: a name is more than ".."/],
    ['a file that is not there', ['add-key', 'ann', 'no.pub'], /^agentbbs: cannot read no.pub: /],
    [
      'a private key',
      ['add-key', 'ann', 'private'],
      /^agentbbs: private: .* give the \.pub file\n$/,
    ],
    [
      'an unknown ladder',
      ['ladder', 'tttt'],
      /^agentbbs: no ladder is called tttt \(did you mean ttt\?\): there are ttt, /,
    ],
    ['an unknown match', ['replay', '99'], /^agentbbs: there is no match 99\n$/],
    ['a step after the end', ['replay', '1', '--step', '6'], /^agentbbs: match 1 has 5 moves\n$/],
    [
      'a format that the game has not',
      ['replay', '1', '--format', 'pgn'],
      /^agentbbs: a match of ttt has no PGN: ndjson is what it has\n$/,
    ],
    [
      'a token without a name',
      ['mint-token', 'ann', '--label', ' '],
      /^agentbbs: the label is empty: say what the token is for, or leave out --label\n$/,
    ],
    ['an unknown token', ['revoke-token', '99'], /^agentbbs: no valid token has/],
  ])('prints the reason in one line and exits with 1 for %s', async (_, args, why) => {
    const { code, stdout, stderr } = await agentbbs(args, ...place())
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(why)
    expect(stderr.match(/\n/g)).toHaveLength(1)
  })

  it('names the variable that it cannot read', async () => {
    const { code, stderr } = await agentbbs(['users'], { AGENTBBS_GAME_MOVE_TIMEOUT: 'abc' })
    expect(code).toBe(1)
    expect(stderr).toMatch(/^agentbbs: AGENTBBS_GAME_MOVE_TIMEOUT="abc": .*\n$/)
  })

  it('says what to do without a database, and makes it for the first account', async () => {
    const env = { AGENTBBS_DATA: join(home, 'none', 'data') }
    const before = await agentbbs(['users'], env)
    expect(before.code).toBe(1)
    expect(before.stderr).toMatch(/^agentbbs: no database in .*add-user or serve\n$/)
    expect(existsSync(env.AGENTBBS_DATA)).toBe(false)
    expect(await agentbbs(['add-user', 'ann'], env)).toMatchObject({ code: 0 })
    expect((await agentbbs(['users'], env)).stdout).toMatch(/^ann /m)
  })

  it('does not report a missing database in a folder that it cannot read', async () => {
    const [env, folder] = place()
    rmSync(databasePath(folder))
    symlinkSync(databasePath(folder), databasePath(folder))
    const { code, stderr } = await agentbbs(['users'], env)
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^agentbbs: .* cannot be used: /)])
  })

  it('adds all keys of a file, or none', async () => {
    const [env, folder] = place()
    writeFileSync(join(folder, 'two.pub'), `${newKey}\nssh-ed25519 AAAA broken\n`)
    expect(await agentbbs(['add-user', 'new', '--key', 'two.pub'], env, folder)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^agentbbs: two.pub: line 2: /),
    })
    expect((await agentbbs(['users'], env)).stdout).not.toMatch(/^new /m)
  })

  it('works beside a running server', async () => {
    const [env, folder] = place()
    const store = await openStore(folder, systemClock)
    const { token } = store.tokens.mint(store.users.find('ann')!, '')
    const noticed = new Promise<void>(resolve => {
      const stop = watchChanges(store.db, systemClock, () => {
        stop()
        resolve()
      })
    })
    expect(await agentbbs(['ban', 'ann'], env)).toMatchObject({ code: 0 })
    await noticed
    const login = openCredentialLookup(store.db).byHash(hashOf(token))
    expect(login?.objection?.code).toBe('banned')
    expect(await agentbbs(['verify'], env)).toMatchObject({ code: 0 })
    await store.close()
  })

  it.each([['games'], ['users'], ['serve'], ['replay', '1']])(
    'stops %s on a misspelt setting',
    async (...args) => {
      const [env] = place()
      expect(await agentbbs(args, { ...env, AGENTBBS_DTAA: '/srv' })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'agentbbs: there is no setting AGENTBBS_DTAA (did you mean AGENTBBS_DATA?): correct or remove it\n',
      })
    },
  )

  it.each([['games'], ['users'], ['serve'], ['replay', '1']])(
    'stops %s where a setting is a constant now, and says which value it has',
    async (...args) => {
      const [env] = place()
      expect(await agentbbs(args, { ...env, AGENTBBS_MAX_UNREAD: '16' })).toEqual({
        code: 1,
        stdout: '',
        stderr:
          'agentbbs: AGENTBBS_MAX_UNREAD is no setting any more: a client that leaves 1 MiB unread is cut, because the server keeps in memory what is not read. Remove AGENTBBS_MAX_UNREAD\n',
      })
    },
  )

  it('ends quietly when the reader closes early', async () => {
    const [env] = place()
    const program = fileURLToPath(new URL('../dist/cmd/agentbbs.js', import.meta.url))
    const child = spawn(process.execPath, [program, 'replay', '6'], {
      env: { ...env, PATH: process.env.PATH },
    })
    child.stdout.destroy()
    let said = ''
    child.stderr.on('data', text => {
      said += text
    })
    const [code] = await once(child, 'close')
    expect([code, said]).toEqual([0, ''])
  })

  it('reports a full disk under its standard output', async () => {
    const [env] = place()
    const line = `"$0" "$1" games > /dev/full`
    const program = fileURLToPath(new URL('../dist/cmd/agentbbs.js', import.meta.url))
    const { status, stderr } = spawnSync('sh', ['-c', line, process.execPath, program], {
      env: { ...env, PATH: process.env.PATH },
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^agentbbs: cannot print: ENOSPC.*\n$/),
    ])
  })

  it('prints nothing that a terminal would act on', async () => {
    const [env, folder] = place()
    const db = new BetterSqlite3(databasePath(folder))
    db.prepare('update tokens set label = ? where id = 1').run('\u001b[2J\u009b1m\u202eevil\nrow')
    db.close()
    const { stdout } = await agentbbs(['tokens'], env)
    expect(stdout).toContain('?[2J?1m?evil row')
    const json = await agentbbs(['tokens', '--json'], env)
    for (const char of '\u001b\u009b\u202e') expect(json.stdout).not.toContain(char)
    expect(JSON.parse(json.stdout)[0].label).toBe('\u001b[2J\u009b1m\u202eevil\nrow')
  })

  it('lists every setting in serve --help', async () => {
    const { stdout } = await agentbbs(['serve', '--help'], {})
    for (const { variable } of Object.values(settings)) expect(stdout).toContain(`  ${variable} `)
  })

  it.each([
    [
      'a move',
      `update matches set moves = replace(moves, '"4"', '"0"') where id = 1`,
      /^match 1: move 4 cannot be played: cell 0 is taken$/m,
    ],
    [
      'the end of a match',
      `update matches set moves = '[[0,"4",9]]' where id = 2`,
      /^match 2: its moves come to no result$/m,
    ],
    [
      'a place',
      'update match_seats set place = 3 - place where match = 3',
      /^match 3: places are 1,2, played again 2,1$/m,
    ],
    [
      'an ending',
      `update matches set ending = 'resigned' where id = 4`,
      /^match 4: it ended "resigned", played again "gone"$/m,
    ],
    [
      'the order of results',
      'update match_seats set place = 5 - place where match = 6',
      /^match 6: places are 4,2,1,3, played again/m,
    ],
    [
      'a rating',
      'update ratings set rating = rating + 1 where account = 1',
      /^ann, ttt: 1530\.86.* recalculated 1529\.86/m,
    ],
    [
      'a rating away',
      'delete from ratings where account = 1',
      /^ann, dance-battle: 1500 after 0 .* recalculated 1504 after 1 /m,
    ],
    [
      'who was first',
      'update meetings set firsts = 7 where account = 3',
      /^cat, ttt: first 7 times against ann, counted again 1$/m,
    ],
  ])('verify finds a change of %s', async (_, change, line) => {
    const [env, folder] = place()
    const db = new BetterSqlite3(databasePath(folder))
    db.exec(change)
    db.close()
    const printed: string[] = []
    await expect(within(['verify'], env, printed)).rejects.toThrow(
      /^\d+ differences? in 8 matches$/,
    )
    expect(printed.join('\n')).toMatch(line)
  })

  it('exits with 1 if verify finds a difference', async () => {
    const [env, folder] = place()
    const db = new BetterSqlite3(databasePath(folder))
    db.exec(`update matches set moves = '[]' where id = 2`)
    db.close()
    expect(await agentbbs(['verify'], env)).toEqual({
      code: 1,
      stdout:
        'match 2: its moves come to no result\nmatch 2: it is not as it was sealed (seal 2 of ttt)\n',
      stderr: 'agentbbs: 2 differences in 8 matches\n',
    })
  })
})

describe.concurrent('cmd/agentbbs', () => {
  const script = fileURLToPath(new URL('agentbbs', import.meta.url))
  const env = { PATH: process.env.PATH }
  const run = (command: string, args: readonly string[], cwd: string, path = env.PATH) =>
    promisify(execFile)(command, args, { cwd, env: { PATH: path } })

  it('runs the program of its clone from any folder, and by its name there', async () => {
    const { stdout } = await run(script, ['mint-token', '--help'], home)
    expect(stdout).toContain(`Usage: ${script} mint-token`)
    expect(stdout).toContain(`$ ${script} mint-token my-bot`)
    const here = await run('cmd/agentbbs', ['--help'], dirname(dirname(script)))
    expect(here.stdout).toContain('Usage: cmd/agentbbs ')
  })

  it('runs through a symbolic link on the PATH, in a folder with a space in its name', async () => {
    const folder = mkdtempSync(join(home, 'my programs-'))
    symlinkSync(script, join(folder, 'one'))
    symlinkSync('one', join(folder, 'agentbbs'))
    const { stdout } = await run('agentbbs', ['games'], home, `${folder}:${env.PATH}`)
    expect(stdout).toContain('ttt')
  })

  it('passes arguments and exit status through', async () => {
    const failed = run(script, ['add-user', 'a b', '--frob'], home)
    await expect(failed).rejects.toMatchObject({ code: 2, stdout: '' })
  })

  it('builds first in a clone that has never been built', async () => {
    const clone = mkdtempSync(join(home, 'clone-'))
    copyWorkingTree(clone)
    symlinkSync(join(repository, 'node_modules'), join(clone, 'node_modules'))
    const { stdout, stderr } = await run(join(clone, 'cmd/agentbbs'), ['games', '--json'], home)
    expect(JSON.parse(stdout).length).toBeGreaterThan(10)
    expect(stderr).toContain('building')
  }, 120_000)

  it('reports a missing node', async () => {
    const folder = mkdtempSync(join(home, 'bin-'))
    for (const name of ['sh', 'dirname', 'readlink'])
      symlinkSync(execFileSync('which', [name], { encoding: 'utf8' }).trim(), join(folder, name))
    await expect(run(script, ['games'], home, folder)).rejects.toMatchObject({
      code: 1,
      stderr: 'AgentBBS needs Node 20.19 or newer, and there is no node on the PATH.\n',
    })
  })
})

describe.concurrent('an older Node gets the version that it needs', () => {
  const clone = dirname(dirname(fileURLToPath(import.meta.url)))
  const older = join(home, 'older.cjs')
  beforeAll(() =>
    writeFileSync(
      older,
      `const versions = { ...process.versions, node: '18.20.8' }
      Object.defineProperties(process, { versions: { value: versions }, version: { value: 'v18.20.8' } })`,
    ),
  )

  it.each([
    ['npm start', 'npm start --silent'],
    ['npm test', 'npm test --silent'],
    ['the command', 'cmd/agentbbs games'],
    ['the program', 'node dist/cmd/agentbbs.js games'],
    ['an example', 'node_modules/.bin/tsx examples/agent.ts ttt'],
  ])('by %s', async (_, line) => {
    const env = { PATH: process.env.PATH, HOME: home, NODE_OPTIONS: `--require ${older}` }
    const failed = promisify(execFile)('sh', ['-c', line], {
      cwd: clone,
      env: { ...env, npm_config_update_notifier: 'false' },
    }).then(
      () => expect.unreachable(),
      (failed: { code: number; stdout: string; stderr: string }) => failed,
    )
    const { code, stdout, stderr } = await failed
    expect([code, stdout]).toEqual([1, ''])
    const words = stderr.split('\n').filter(text => text !== '' && !text.startsWith('npm '))
    expect(words).toEqual([expect.stringMatching(/needs Node 20\.19 or newer; this is v18\.20\.8/)])
  })
})

describe('a narrow terminal', () => {
  const shown = (columns: number, ...args: string[]) => {
    const [env] = place()
    const program = fileURLToPath(new URL('../dist/cmd/agentbbs.js', import.meta.url))
    const line = `stty cols ${columns}; ${process.execPath} ${program} ${args.join(' ')}`
    return execFileSync('script', ['-qec', line, '/dev/null'], {
      env: { ...env, PATH: process.env.PATH },
      encoding: 'utf8',
    })
      .trim()
      .split(/\r?\n/)
  }

  it('cuts long texts', () => {
    const lines = shown(60, 'games')
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(60)
    expect(lines.find(line => line.startsWith('chess'))).toMatch(/The game .*\.\.$/)
  })

  it('prints several lines for a row if cutting is not enough', () => {
    expect(shown(30, 'matches', '--limit', '1')).toContain('PLAYERS  bob – dan')
  })
})

/** A new sample for a command that changes data, with key files beside it. */
const place = (): [Record<string, string>, string] => {
  const folder = mkdtempSync(join(home, 'data-'))
  cpSync(sample, folder, { recursive: true })
  writeFileSync(join(folder, 'id_ed25519.pub'), `${newKey}\n`)
  cpSync(databasePath(folder), join(folder, 'kept.db'))
  writeFileSync(join(folder, 'private'), '-----BEGIN OPENSSH PRIVATE KEY-----\n')
  return [{ AGENTBBS_DATA: folder, AGENTBBS_HOST: 'bbs.example.org' }, folder]
}

/** Runs a command within this process, which is faster, and returns its output. */
const within = async (
  args: readonly string[],
  env: Record<string, string>,
  printed: string[] = [],
): Promise<string> => {
  const print = (text: string) => void printed.push(text)
  const stream = async (pieces: () => Iterable<string>) =>
    print([...pieces()].join('').replace(/\n$/, ''))
  const all = program({ env, clock: systemClock, print, stream, width: undefined })
  for (const command of [all, ...all.commands.flatMap(command => [command, ...command.commands])])
    command.configureOutput({ writeOut: print })
  await all.parseAsync(args, { from: 'user' }).catch(error => {
    if (error.code !== 'commander.helpDisplayed') throw error
  })
  return printed.join('\n')
}

/** All commands, those of a group with its name before theirs. */
const namesOf = (commands: readonly Command[], group = ''): string[] =>
  commands.flatMap(command =>
    command.commands.length > 0
      ? namesOf(command.commands, `${command.name()} `)
      : [group + command.name()],
  )

const context = {
  env: {},
  clock: systemClock,
  print: () => {},
  stream: async () => {},
  width: undefined,
}

/** Tokens and folders differ, and so does the width of a column when a game is added. */
const comparable = (text: string) =>
  text
    .replace(/abbs_[\w-]+/g, 'abbs_…')
    .replace(/\S*\/replaced-[\dTZ-]+/g, 'DATA/replaced-…')
    .replace(/\b[a-z\d]{4}-[a-z\d]{4}-[a-z\d]{4}\b/g, 'CODE')
    .replace(/(?<=(command|setting) +)20\d\d-\d\d-\d\d/g, 'DATE')
    .replace(/ {2,}/g, '  ')

/** Differences in keys or types between a value and its documentation. Null matches everything. */
const misfits = (value: unknown, documented: unknown, path = ''): readonly string[] => {
  if (value === null || documented === null) return []
  if (Array.isArray(value) && Array.isArray(documented))
    return value.flatMap((item, i) => misfits(item, documented[0], `${path}[${i}]`))
  if (typeof value !== 'object' || typeof documented !== 'object')
    return typeof value === typeof documented ? [] : [`${path}: ${typeof value}`]
  const [keys, expected] = [Object.keys(value), Object.keys(documented)]
  if (keys.join() !== expected.join()) return [`${path}: ${keys}, documented ${expected}`]
  return Object.entries(documented).flatMap(([key, shape]) =>
    misfits(value[key as keyof typeof value], shape, `${path}.${key}`),
  )
}
