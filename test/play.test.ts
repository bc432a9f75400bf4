import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { program } from '../cmd/program.ts'
import { systemClock } from '../src/clock.ts'
import type { MatchRecord } from '../src/record/match-record.ts'
import { readNdjson } from '../src/record/read-ndjson.ts'
import { agentbbs } from './support/cli.ts'
import { program as built } from './support/host.ts'
import { repository } from './support/working-tree.ts'

/** Programs in Node that play what `choose` makes of the legal moves, and do `more` with each message. */
const nodeAgent = (choose: string, more = '', begin = '') => `
import { createInterface } from 'node:readline'
${begin}
for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line)
  const say = object => process.stdout.write(JSON.stringify(object) + '\\n')
  if (message.type === 'state' && message.yourTurn) {
    const { legal } = message.observation
    ${choose}
  }
  ${more}
}`
const move = (what: string) => `say({ type: 'move', move: ${what} })`

const programs = {
  'first.mjs': nodeAgent(move('legal[0]')),
  'last.mjs': nodeAgent(move('legal.at(-1)')),
  'noting.mjs': nodeAgent(`say({ type: 'move', move: legal[0], note: 'I take ' + legal[0] })`),
  'last.py': `
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "state" and message["yourTurn"]:
        print(json.dumps({"type": "move", "move": message["observation"]["legal"][-1]}), flush=True)
`,
  'one-match.mjs': nodeAgent(
    move('legal.at(-1)'),
    `if (message.type === 'result') { console.error('done'); process.exit(0) }`,
  ),
  'talker.mjs': nodeAgent(move(`'So I say.'`)),
  'illegal.mjs': nodeAgent(move(`'nowhere'`)),
  'silent.mjs': nodeAgent(''),
  'crash.mjs': nodeAgent(
    `if (legal.length < 8) throw new Error('out of ideas'); ${move('legal[0]')}`,
  ),
  'once.mjs': nodeAgent(
    move('legal[0]'),
    `if (message.type === 'result') process.exit(0)`,
    `import { existsSync, writeFileSync } from 'node:fs'
if (existsSync('been')) throw new Error('once is enough')
writeFileSync('been', '')`,
  ),
  'babble.mjs': nodeAgent(`for (let i = 0; i < 30; i++) process.stdout.write('thinking...\\n')`),
  'told.mjs': nodeAgent(
    move('legal[0]'),
    `if (message.type === 'hello') console.error(line)`,
    `console.error('started')`,
  ),
}

const home = mkdtempSync(join(tmpdir(), 'agentbbs-'))
afterAll(() => rmSync(home, { recursive: true }))

/** A folder with the programs. */
const place = (): string => {
  const folder = mkdtempSync(join(home, 'programs-'))
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(folder, name), text)
  return folder
}

/** Runs the built program in a folder. */
const spawned = (folder: string, ...args: string[]) => agentbbs(['play', ...args], {}, folder)

const shared = mkdtempSync(join(home, 'shared-'))
const node = (script: string) => `node ${join(shared, script)}`

/** Runs a command within this process, which is faster. Rejects where it fails. */
const run = async (...args: string[]): Promise<string> => {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const stream = async (pieces: () => Iterable<string>) => print([...pieces()].join(''))
  const all = program({ env: {}, clock: systemClock, print, stream, width: undefined })
  for (const command of [all, ...all.commands]) command.configureOutput({ writeErr: () => {} })
  await all.parseAsync(args, { from: 'user' })
  return printed.join('\n')
}
const play = (...args: string[]) => run('play', ...args)
// biome-ignore lint/suspicious/noExplicitAny: tests read whatever fields they expect
const json = async (...args: string[]): Promise<any> => JSON.parse(await play('--json', ...args))

beforeAll(() => {
  for (const [name, text] of Object.entries(programs)) writeFileSync(join(shared, name), text)
})

const first = node('first.mjs')
const noting = node('noting.mjs')
const last = node('last.mjs')
const ttt = ['--game', 'ttt', '--seed', '7']

describe('docs/cli.md', () => {
  const manual = readFileSync(new URL('../docs/cli.md', import.meta.url), 'utf8')
  const section = /^## play\n.*?(?=^## )/ms.exec(manual)![0]
  const block = (kind: string) => new RegExp(`\`\`\`${kind}\n(.*?\n)\`\`\``, 's').exec(section)![1]!
  const [line, ...text] = block('console').split('\n')
  const args = [...line!.matchAll(/"([^"]*)"|(\S+)/g)]
    .map(([, quoted, plain]) => (quoted ?? plain)!)
    .slice(3)

  it('shows what is printed', async () => {
    const { code, stdout, stderr } = await spawned(repository, ...args)
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: text.join('\n'), stderr: '' })
  })

  it('has the fields of --json', async () => {
    const documented = JSON.parse(block('json'))
    const printed = await json(...ttt, '--matches', '2', first, last)
    const keys = (value: object) => Object.keys(value)
    expect(keys(documented)).toEqual(keys(printed))
    expect(keys(documented.players[0])).toEqual(keys(printed.players[0]))
    expect(keys(documented.players[0].forfeits)).toEqual(keys(printed.players[0].forfeits))
  })
})

describe('agentbbs play', () => {
  it('has no audience: a debate is a draw as soon as its vote would begin', async () => {
    const folder = mkdtempSync(join(home, 'replays-'))
    const talker = node('talker.mjs')
    const game = ['--game', 'debate', '--seed', '7', '--matches', '1', '--replays', folder]
    const { players, failures } = await json(...game, '--opponent', 'house:level-1', talker)
    expect(failures).toEqual([])
    expect(players).toMatchObject([{ draws: 1 }, { draws: 1 }])
    const text = await run('replay', join(folder, '0001.ndjson'), '--step', '21')
    expect(text).toContain('21. the audience votes 0 : 0')
    expect(text).toContain('draw, no votes')
  })

  it('plays programs of any language, which have each seat in turn', async () => {
    const script = join(shared, 'last.py')
    const { players, ...rest } = await json(...ttt, '--matches', '6', first, `python3 ${script}`)
    expect(rest).toEqual({
      ...{ game: 'ttt', seed: 7, matches: 6, stopped: false },
      ...{ pairs: [0, 0, 3, 0, 0], sprt: null, failures: [] },
    })
    // In this game both play for their corner, so who begins wins.
    for (const [i, [name, command]] of [
      ['first', first.split(' ')],
      ['last', ['python3', script]],
    ].entries())
      expect(players[i]).toEqual({
        ...{ name, command, wins: 3, draws: 0, losses: 3, score: 0.5 },
        scoreInterval: [expect.closeTo(0.1876, 3), expect.closeTo(0.8124, 3)],
        elo: expect.closeTo(0, 6),
        eloInterval: [expect.closeTo(-254.6, 0), expect.closeTo(254.6, 0)],
        forfeits: { illegal: 0, late: 0, gone: 0 },
      })
  })

  it('plays the same matches again with the same seed, however many at a time', async () => {
    const movesOf = async (name: string, seed: string, ...more: string[]) => {
      const folder = join(shared, name)
      const args = ['--game', 'ttt', '--matches', '4', '--seed', seed, '--replays', folder]
      await play(...args, ...more, '--opponent', 'house:easy', first)
      return [1, 2, 3, 4].map(n =>
        readFileSync(join(folder, `000${n}.ndjson`), 'utf8')
          .split('\n')
          .flatMap(line => (line.includes('"ply"') ? JSON.parse(line).move : [])),
      )
    }
    const once = await movesOf('once', '7')
    expect(once.flat().length).toBeGreaterThan(19)
    expect(once[2]).not.toEqual(once[0])
    expect(await movesOf('again', '7', '--concurrency', '3')).toEqual(once)
    expect(await movesOf('other', '8')).not.toEqual(once)
  })

  it('writes replays that agentbbs replay shows', async () => {
    const folder = join(shared, 'replays')
    const file = join(folder, '0001.ndjson')
    await play(...ttt, '--matches', '1', '--replays', folder, noting, last)
    const shown = await run('replay', file)
    expect(shown).toMatch(/^Match 1: Tic-tac-toe, unrated/)
    expect(shown).toContain('1. noting: 0  (')
    expect(shown).toContain('   note: “I take 0”\n')
    expect(shown).toMatch(/noting won, three in a row\n$/)
    expect(await run('replay', file, '--format', 'ndjson')).toBe(readFileSync(file, 'utf8'))
    await expect(play(...ttt, '--replays', folder, first, first)).rejects.toThrow(
      'is not empty: give a new folder for replays',
    )
    await expect(run('replay', join(folder, 'none.ndjson'))).rejects.toThrow(
      /^cannot read .*none.ndjson: ENOENT/,
    )
  })

  it('begins with openings, each with both seats, which replays show', async () => {
    const folder = join(shared, 'openings')
    await play(...ttt, '--openings', '--matches', '4', '--replays', folder, first, last)
    const [one, two, three] = ['0001', '0002', '0003'].map(name =>
      JSON.parse(readFileSync(join(folder, `${name}.ndjson`), 'utf8').split('\n')[0]!),
    )
    expect(one.setup.opening).toHaveLength(2)
    expect(two.setup).toEqual(one.setup)
    expect(two.players[0].name).toBe(one.players[1].name)
    expect(three.setup).not.toEqual(one.setup)
    expect(await run('replay', join(folder, '0001.ndjson'))).toMatch(/^Match 1: Tic-tac-toe/)
    await expect(play('--game', 'echo', '--openings', first, last)).rejects.toThrow(
      '--openings: echo has none',
    )
  })

  it('starts a program once, or for each match if it ends after one', async () => {
    const { stdout, stderr } = await spawned(
      ...[place(), ...ttt, '--json', '--verbose', '--matches', '4'],
      ...['node one-match.mjs', 'node told.mjs'],
    )
    const { players, failures } = JSON.parse(stdout)
    expect(failures).toEqual([])
    expect(players.map((player: { forfeits: object }) => player.forfeits)).toEqual(
      Array(2).fill({ illegal: 0, late: 0, gone: 0 }),
    )
    expect(stderr.match(/^one-match: done$/gm)).toHaveLength(4)
    expect(stderr.match(/^told: started$/gm)).toHaveLength(1)
    const hellos = stderr.match(/^told: \{.*$/gm)!.map(line => JSON.parse(line.slice(6)))
    expect(hellos).toMatchObject(
      [1, 0, 1, 0].map((player, i) => ({
        ...{ type: 'hello', player, opponent: 'one-match', match: i + 1, moveTimeout: 15 },
        ...{ rated: false, unrated: 'a casual match' },
      })),
    )
  })

  it.each([
    ['illegal', 'illegal.mjs', []],
    ['late', 'silent.mjs', ['--move-timeout', '0.2']],
  ])('counts matches that were lost as %s', async (fault, script, more) => {
    const { players } = await json(...ttt, '--matches', '2', ...more, node(script), first)
    const none = { illegal: 0, late: 0, gone: 0 }
    expect(players[0]).toMatchObject({ losses: 2, forfeits: { ...none, [fault]: 2 }, elo: null })
    expect(players[1]).toMatchObject({ wins: 2, score: 1, forfeits: none })
  })

  it('starts a program that has crashed again for the next match, and exits with 1', async () => {
    const { code, stdout, stderr } = await spawned(
      ...[place(), ...ttt, '--matches', '4', 'node crash.mjs', 'node last.mjs'],
    )
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'agentbbs: crash ended with status 1: Error: out of ideas (4 times)\n',
    })
    const row = stdout.split('\n').find(line => line.startsWith('crash'))
    expect(row).toMatch(/^crash +0 +0 +4 +0.0 .* 4 gone$/)
  })

  it('says why a program was refused', async () => {
    await expect(play(...ttt, '--matches', '1', node('babble.mjs'), first)).rejects.toThrow(
      /^babble was refused: too-many-errors$/,
    )
  })

  it.each([
    ['no-such-program x.mjs', /^x cannot be started: spawn no-such-program ENOENT$/],
    [node('missing.mjs'), /^missing ended with status 1: Error: Cannot find module .+$/],
  ])('stops at once where %s says nothing', async (command, why) => {
    await expect(play(...ttt, '--matches', '1000', first, command)).rejects.toThrow(why)
  })

  it('shows what was played before a program could not be started again', async () => {
    const { code, stdout, stderr } = await spawned(
      ...[place(), ...ttt, '--matches', '9', 'node once.mjs', 'node first.mjs'],
    )
    expect(stdout).toMatch(/^Tic-tac-toe: 1 match with seed 7\n/)
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'agentbbs: once ended with status 1: Error: once is enough\n',
    })
  })

  it.each([
    [[first], /ttt has 2 seats: give a program or house:LEVEL for each, got 1/],
    [[first, first, first], /got 3/],
    [[first, 'house:best'], /no house player "best" plays ttt; there are level-1, level-2/],
    [[first, '--opponent', 'best'], /give house:LEVEL, such as house:steady/],
    [[first, ''], /a program is empty/],
    [[first, first, '--sprt', '10,0'], /the lower one first/],
    [[first, first, '--matches', '0'], /whole number from 1/],
  ])('refuses %j as wrong usage', async (args, why) => {
    await expect(play(...ttt, ...args)).rejects.toThrow(
      expect.objectContaining({
        name: 'CommanderError',
        message: expect.stringMatching(why),
      }),
    )
  })

  it('stops once --sprt is decided', async () => {
    const better = await json(...ttt, '--sprt', '0,200', first, node('illegal.mjs'))
    expect(better.sprt).toMatchObject({ elo0: 0, elo1: 200, accepted: 'elo1' })
    expect(better.sprt.llr).toBeGreaterThan(better.sprt.bound)
    expect(better.matches).toBe(2 * better.pairs[4])
    const equal = await json(...ttt, '--sprt', '0,200', first, last)
    expect(equal.sprt.accepted).toBe('elo0')
    const text = await play(...ttt, '--sprt', '0,5', '--matches', '2', first, first)
    expect(text).toMatch(/^SPRT of 0 against 5 Elo: LLR -?0\.\d\d .*; not decided$/m)
  })

  it('plays games of four seats, in which everyone has each seat', async () => {
    const illegal = node('illegal.mjs')
    const folder = join(shared, 'four')
    const { players, pairs } = await json(
      ...['--game', 'dance-battle', '--seed', '7', '--matches', '4', '--replays', folder],
      ...['--opponent', 'house:easy', illegal, illegal, illegal],
    )
    expect(pairs).toBe(null)
    expect(players.map(({ name }: { name: string }) => name)).toEqual([
      ...['illegal', 'illegal-2', 'illegal-3', 'house-level-1'],
    ])
    for (const player of players.slice(0, 3))
      expect(player).toMatchObject({ losses: 4, forfeits: { illegal: 4 } })
    // Each match has six pairs of players, and each player is in three of them.
    const scores = players.map(({ score }: { score: number }) => score)
    expect(scores.reduce((sum: number, score: number) => sum + score, 0)).toBeCloseTo(2, 9)
    expect(players[3]).toMatchObject({ wins: 4, score: 1 })
    const matches = [1, 2, 3, 4].map(
      n => readNdjson(readFileSync(join(folder, `000${n}.ndjson`), 'utf8')).match,
    )
    const seatOfHouse = (match: MatchRecord) =>
      match.players.findIndex(({ kind }) => kind === 'house')
    expect(matches.map(seatOfHouse)).toEqual([3, 2, 1, 0])
    expect(new Set(matches.map(({ seed }) => seed)).size).toBe(1)
  })

  it('prints the table so far when it is told to stop', async () => {
    const args = ['play', ...ttt, '--matches', '1000000', first, node('told.mjs'), '--verbose']
    const child = spawn(process.execPath, [built, ...args], { env: { PATH: process.env.PATH } })
    let stdout = ''
    child.stdout.on('data', text => {
      stdout += text
    })
    await new Promise<void>(resolve => {
      let stderr = ''
      child.stderr.on('data', text => {
        stderr += text
        if (stderr.includes('"match":3')) resolve()
      })
    })
    child.kill('SIGINT')
    child.kill('SIGINT')
    const code = await new Promise(resolve => child.on('close', resolve))
    expect(code).toBe(130)
    const [, played] = /^Tic-tac-toe: (\d+) matches with seed 7, stopped\n/.exec(stdout) ?? []
    expect(Number(played)).toBeGreaterThanOrEqual(2)
    expect(stdout).toMatch(/^told +\d/m)
  })
})
