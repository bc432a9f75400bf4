import fc from 'fast-check'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { HubHouse } from '../../test/support/hub-house.ts'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { FairScheduler } from '../scheduling/fair-scheduler.ts'

let house: HubHouse
beforeAll(async () => {
  house = await HubHouse.open()
  const [carl, dora] = [house.account('carl'), house.account('dora')]
  await house.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
})
afterAll(() => house.close())

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

it('an answer that is cut while it is begun is no fault of ours', () => {
  const ended: string[] = []
  const session = house.hub.open(
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
  expect(ended[0]).toBe('cut')
  session.closed()
  expect(ended.filter(word => !/^(cut|0|1)$/.test(word))).toEqual([])
})

it('answers any command with a status of its own, and never with a fault', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (words, joins) => {
        const visit = { screen: null, command: words.join(' '), user: joins ? 'join' : 'guest' }
        const sitter = house.sit(null, 80, 24, visit)
        for (let i = 0; sitter.status === null && i < 20; i++) await house.settle()
        sitter.session.closed()
        expect(house.failures).toEqual([])
        expect([0, 1, 2]).toContain(sitter.status)
        // biome-ignore lint/suspicious/noControlCharactersInRegex: what must not come back
        expect(sitter.sent + sitter.notes).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f]/)
      },
    ),
    { numRuns: 300 },
  )
})

const guest = (command: string) => ({ screen: null, command, user: 'guest' })

it('counts the time of answers for the address, and gives none where that is used up', async () => {
  const used: (string | undefined)[] = []
  const detail = 'try again in 3 s'
  let over = false
  const own = await HubHouse.open({
    pageTime: { left: () => 0, use: source => used.push(source) },
    noAnswer: source =>
      over && source === '192.0.2.7' ? { code: 'too-fast', detail, retryAfter: 3 } : undefined,
  })
  onTestFinished(() => own.close())
  const ask = async (source: string) => {
    const sitter = own.sit(null, 80, 24, { ...guest('games'), source })
    await own.settle()
    return [sitter.status, sitter.notes]
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
    'a line at the prompt of a dumb terminal',
    { columns: 80, rows: 24, term: 'dumb', variables: new Map() },
    '',
  ],
])('cuts off whoever reads no answer to %s', async (_, screen, command) => {
  const own = await HubHouse.open({ scheduler: new FairScheduler() })
  onTestFinished(() => own.close())
  const sitter = own.sit(null, 80, 24, { ...guest(command), screen })
  sitter.unsent = 1 << 20
  if (screen !== null) sitter.session.receive(Buffer.from('matches --json\r'))
  await own.settle()
  expect(sitter.wasCut).toBe(true)
  sitter.session.closed()
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
])('says what was meant by %j', async (command, words) => {
  const sitter = house.sit(null, 80, 24, { screen: null, command, user: 'my-bot' })
  await house.settle()
  expect([sitter.status, sitter.sent]).toEqual([2, ''])
  expect(sitter.notes).toMatch(words)
})
