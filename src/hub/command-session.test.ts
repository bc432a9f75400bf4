import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import type { CommandAnswer } from '../queries/hub-commands.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'
import type { TextSlice } from '../scheduling/text-stream.ts'
import { inThisThread } from '../threads/calls.ts'

let hub: TestHub
beforeAll(async () => {
  hub = await TestHub.open()
  const [carl, dora] = [hub.account('carl'), hub.account('dora')]
  await hub.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
})
afterAll(() => hub.close())

const word = fc.oneof(
  fc.constantFrom('ladder', 'matches', 'games', 'replay', 'watch', 'whoami', 'help'),
  fc.constantFrom('ttt', 'carl', '1', '2', '-1', '1e9', '--json', '--limit', '--help', '--', '-h'),
  fc.constantFrom(
    '--status',
    '\x1b[2J\x07',
    '\x9b31m',
    '--\x1b',
    'live',
    '--game',
    '--__proto__',
    '--constructor=1',
    '__proto__',
  ),
  fc.string({ unit: 'binary' }),
)

it('a client that is cut at the start of an answer causes no error', async () => {
  const ended: string[] = []
  const session = hub.sessions.open(
    {
      ...{ connection: 'test', user: 'guest', address: '127.0.0.1', source: '127.0.0.1' },
      ...{ login: null, key: null, screen: null, command: 'games' },
    },
    {
      ...{ id: 'test', send: () => {}, note: text => void ended.push(text), refused: () => {} },
      ...{ unsent: 2 ** 20, end: status => void ended.push(String(status)) },
      ...{ cut: () => void ended.push('cut'), failed: error => void ended.push(String(error)) },
    },
  )
  await hub.settle()
  expect(ended[0]).toBe('cut')
  session.closed()
  expect(ended.filter(word => !/^(cut|0|1)$/.test(word))).toEqual([])
})

it('answers any command with a status, and never with an internal error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (words, joins) => {
        const request = { screen: null, command: words.join(' '), user: joins ? 'join' : 'guest' }
        const client = hub.connect(null, 80, 24, request)
        for (let i = 0; client.status === null && i < 20; i++) await hub.settle()
        client.session.closed()
        expect(hub.failures).toEqual([])
        expect([0, 1, 2]).toContain(client.status)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters may not be echoed
        expect(client.sent + client.notes).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
      },
    ),
    { numRuns: 300 },
  )
})

const guest = (command: string) => ({ screen: null, command, user: 'guest' })

it('counts the page time of commands, and refuses them when it is used up', async () => {
  const used: (string | undefined)[] = []
  const detail = 'try again in 3 s'
  let over = false
  const own = await TestHub.open({
    pageTime: { left: () => 0, use: source => used.push(source) },
    commandRefusal: source =>
      over && source === '192.0.2.7' ? { code: 'too-fast', detail, retryAfter: 3 } : undefined,
  })
  onTestFinished(() => own.close())
  const ask = async (source: string) => {
    const client = own.connect(null, 80, 24, { ...guest('games'), source })
    await own.settle()
    return [client.status, client.notes]
  }
  expect(await ask('192.0.2.7')).toEqual([0, ''])
  expect(used).toContain('192.0.2.7')
  over = true
  expect(await ask('192.0.2.7')).toEqual([1, `${detail}\n`])
  expect(await ask('192.0.2.8')).toEqual([0, ''])
})

it.each([
  ['a command', null, 'matches --json'],
  [
    'a command at the prompt of a dumb terminal',
    { columns: 80, rows: 24, term: 'dumb', variables: new Map() },
    '',
  ],
])('cuts a client that does not read the answer to %s', async (_, screen, command) => {
  const own = await TestHub.open({ scheduler: new FairScheduler() })
  onTestFinished(() => own.close())
  const client = own.connect(null, 80, 24, { ...guest(command), screen })
  client.unsent = 1 << 20
  if (screen !== null) client.session.receive(Buffer.from('matches --json\r'))
  await own.settle()
  expect(client.wasCut).toBe(true)
  client.session.closed()
})

it.each([
  ['ttt', /^ttt is a game, .*: agents play it with ssh (-p \d+ )?game@\S+ ttt\n$/],
  ['ttt --practice', / game@\S+ ttt --practice\n$/],
  [
    'tttt',
    /^there is no command "tttt" \(did you mean the game ttt\? Agents play .*game@\S+ ttt\)/,
  ],
  ['lader', /^there is no command "lader" \(did you mean ladder\?\); there are help, games, /],
  ['frobnicate', /^there is no command "frobnicate"; there are help, games, ladder, /],
])('explains an unknown command such as %j', async (command, words) => {
  const client = hub.connect(null, 80, 24, { screen: null, command, user: 'my-bot' })
  await hub.settle()
  expect([client.status, client.sent]).toEqual([2, ''])
  expect(client.notes).toMatch(words)
})

it.each(['gone', 'there'])('stops a text that begins when its client is %s', async presence => {
  let answer = () => {}
  const calls: string[] = []
  const commands = inThisThread({
    run: () =>
      new Promise<CommandAnswer>(resolve => {
        answer = () => resolve({ said: [], next: { kind: 'text', id: 7, holds: 1 }, ms: 1 })
      }),
    next: (id: number) => {
      calls.push(`next ${id}`)
      return new Promise<TextSlice>(() => {})
    },
    stop: (id: number) => void calls.push(`stop ${id}`),
  })
  const own = await TestHub.open({ commands })
  onTestFinished(() => own.close())
  const client = own.connect(null, 80, 24, guest('replay 1'))
  await own.settle()
  if (presence === 'gone') client.session.closed()
  answer()
  await own.settle()
  client.session.closed()
  await own.settle()
  expect(calls).toEqual(presence === 'gone' ? ['stop 7'] : ['next 7', 'stop 7'])
  expect([client.sent, client.notes, own.failures]).toEqual(['', '', []])
})
