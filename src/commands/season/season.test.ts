import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { program } from '../../../cmd/program.ts'
import { FakeClock } from '../../../test/support/fake-clock.ts'
import { sampleData } from '../../../test/support/sample-data.ts'
import { type Clock, systemClock } from '../../clock.ts'

let env: Record<string, string>
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
  await sampleData(folder)
  env = { AGENTBBS_DATA: folder }
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

/** Runs a command within this process, and returns its output. */
const run = (...args: string[]): Promise<string> => runAt(systemClock, ...args)

const runAt = async (clock: Clock, ...args: string[]): Promise<string> => {
  const printed: string[] = []
  const print = (text: string) => void printed.push(text)
  const stream = async (pieces: () => Iterable<string>) => print([...pieces()].join(''))
  const all = program({ env, clock, print, stream, width: undefined })
  await all.parseAsync(args, { from: 'user' })
  return printed.join('\n')
}

const close = ['season', 'close', 'ttt', '--title', 'Autumn 2026', '--rule', 'half']

it('a season is closed, listed, shown and checked, and its champion is in the hall', async () => {
  expect(await run('season', 'list')).toBe('No season is closed yet.')
  expect(await run(...close)).toBe(
    'Season 1 of ttt is closed after 4 matches. Ratings went half way back to 1500.',
  )
  expect(await run('season', 'list')).toMatch(
    /^LADDER +SEASON +TITLE +CLOSED.*\nttt +1 +Autumn 2026 +[-0-9: Z]+ +4 +half$/,
  )
  const shown = await run('season', 'show', 'ttt')
  expect(shown).toContain('ttt, season 1: Autumn 2026\n\nRANK  NAME')
  expect(shown).toMatch(/Seal \d+ of ttt: [0-9a-f]{64}$/)
  expect(await run('season', 'verify')).toBe('1 season and 9 seals are as they should be.')
  expect(await run('verify')).toContain('as they should be')
  const { table } = JSON.parse(await run('season', 'show', 'ttt', '1', '--json'))
  expect(table[0]).toMatchObject({ rank: null, provisional: true, name: 'ann' })
  expect(await run('champions')).toBe('No champion yet.')
  expect(JSON.parse(await run('audit', '--action', 'close-season', '--json'))).toMatchObject([
    { target: 'ttt', detail: 'season 1, Autumn 2026, ratings half', via: 'command' },
  ])
})

it('the commands in docs/seasons.md do what they say', async () => {
  const manual = readFileSync(new URL('../../../docs/seasons.md', import.meta.url), 'utf8')
  const lines = [...manual.matchAll(/^cmd\/agentbbs (.*)$/gm)].map(([, words]) =>
    [...words!.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => (quoted ?? plain)!),
  )
  expect(lines).toHaveLength(3)
  for (const words of lines) expect(await run(...words)).toMatch(/season/i)
})

it('a date is set, listed, replaced and cancelled', async () => {
  const at = (time: string) => run(...close, '--at', time)
  expect(await at('2099-01-01T12:00')).toBe('The season of ttt will close at 2099-01-01 12:00Z.')
  expect(await run('season', 'list')).toContain(
    'ttt: Autumn 2026 will close at 2099-01-01 12:00Z, ratings half.',
  )
  expect(JSON.parse(await run('season', 'list', '--json'))).toEqual({
    seasons: [],
    dates: [{ ladder: 'ttt', title: 'Autumn 2026', rule: 'half', at: '2099-01-01T12:00:00.000Z' }],
  })
  expect(await run('season', 'cancel', 'ttt')).toBe('The season of ttt goes on.')
  await expect(run('season', 'cancel', 'ttt')).rejects.toThrow('no date is set')
  await expect(at('2020-01-01')).rejects.toThrow('the date is past: leave out --at')
  await expect(at('soon')).rejects.toThrow('--at "soon": a time such as 2026-01-31')
})

it('what cannot be is refused with a reason', async () => {
  await expect(run('season', 'close', 'tt', '--title', 'x', '--rule', 'half')).rejects.toThrow(
    'no ladder is called tt (did you mean ttt?)',
  )
  await expect(run('season', 'close', 'c4', '--title', 'x', '--rule', 'half')).rejects.toThrow(
    'no rated match was played on c4 in this season',
  )
  for (const title of [' ', 'x'.repeat(61), 'a\nb', 'a\u202eb'])
    await expect(run('season', 'close', 'ttt', '--title', title, '--rule', 'half')).rejects.toThrow(
      'a title has 1 to 60 characters in one line',
    )
  await expect(run('season', 'show', 'ttt')).rejects.toThrow('no season of ttt is closed yet')
  await run(...close)
  await expect(run('season', 'show', 'ttt', '2')).rejects.toThrow(
    'ttt has no season 2: there are 1 to 1',
  )
})

it('docs/cli.md shows what they print', async () => {
  const manual = readFileSync(new URL('../../../docs/cli.md', import.meta.url), 'utf8')
  const shown = (name: string, kind: string) =>
    new RegExp(`^## season ${name}\\n.*?\`\`\`${kind}\\n(.*?)\\n\`\`\``, 'ms').exec(manual)![1]!
  class November extends FakeClock {
    override date = () => Date.UTC(2026, 10, 30, 20)
  }
  const clock = new November()
  const example = async (name: string) => {
    const [line, ...text] = shown(name, 'console').split('\n')
    const words = line!.replace('$ agentbbs ', '').matchAll(/"([^"]*)"|(\S+)/g)
    const args = [...words].map(([, quoted, plain]) => (quoted ?? plain)!)
    expect(await runAt(clock, ...args)).toBe(text.join('\n'))
    return args
  }
  await example('close')
  for (const name of ['list', 'show', 'verify']) {
    const args = await example(name)
    const json = JSON.parse(await runAt(clock, ...args, '--json'))
    const told = JSON.parse(shown(name, 'json'))
    // One row of the table stands for all.
    expect(name === 'show' ? { ...json, table: json.table.slice(0, 1) } : json).toEqual(told)
    if (name === 'list') expect(json.seasons[0]).toEqual(JSON.parse(shown('close', 'json')))
  }
  await run('season', 'close', 'ttt', '--title', 'x', '--rule', 'kept', '--at', '2099-01-01')
  expect(JSON.parse(await run('season', 'cancel', 'ttt', '--json'))).toEqual(
    JSON.parse(shown('cancel', 'json')),
  )
  await run('season', 'close', 'ttt', '--title', 'x', '--rule', 'kept', '--at', '2099-01-01')
  await example('cancel')
})
