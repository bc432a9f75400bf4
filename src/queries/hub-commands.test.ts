import { afterAll, beforeAll, expect, it } from 'vitest'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import { sendWithin } from '../store/match-book.ts'
import { Failure } from './command.ts'
import { type HubCommands, hubCommandsOf } from './hub-commands.ts'

let hub: TestHub
let commands: HubCommands
let live: number
beforeAll(async () => {
  hub = await TestHub.open()
  commands = hubCommandsOf(hub.store, hub.clock)
  const match = tttMatch(hub.account('carl'), hub.account('dora'))
  await hub.keep(match, outcomes.firstWins, ttt.firstWins)
  live = hub.store.matchStore.begin(match)
  hub.clock.pass(sendWithin)
})
afterAll(() => hub.close())

const run = (command: string, given: readonly number[] = []) =>
  commands.run({
    words: command.split(' '),
    ssh: 'ssh anna@bbs.example',
    play: 'ssh game@bbs.example',
    width: undefined,
    live: given,
  })

const begun = async (command: string): Promise<number> => {
  const { next } = await run(command)
  if (next.kind !== 'text') throw new Error(`it answered ${next.kind}`)
  return next.id
}

it('gives a long text slice by slice, and then keeps nothing of it', async () => {
  const id = await begun('replay 1')
  let text = ''
  for (let isLast = false; !isLast; ) {
    const slice = commands.next(id)
    text += slice.text
    isLast = slice.isLast
  }
  expect(text).toMatch(/^Match 1: Tic-tac-toe.*three in a row\n$/s)
  expect(() => commands.next(id)).toThrow(TypeError)
})

it('keeps nothing of a text that is stopped', async () => {
  const id = await begun('replay 1 --json')
  commands.stop(id)
  expect(() => commands.next(id)).toThrow(TypeError)
})

it('fails where a match cannot be played again, and keeps nothing of it', async () => {
  const { db } = hub.store
  db.file.prepare('update matches set moves = ? where id = 1').run('[[0,"99",1]]')
  const id = await begun('replay 1')
  expect(() => commands.next(id)).toThrow(Failure)
  expect(() => commands.next(id)).toThrow(TypeError)
})

it.each([
  ['was known to be live when the command was sent', 77, [77]],
  ['is live only since then', 2, []],
])('replays no match that %s', async (_, match, given) => {
  expect(live).toBe(2)
  const { said, next } = await run(`replay ${match}`, given)
  expect(said).toEqual([
    { to: 'err', text: `match ${match} is under way: watch ${match} shows it` },
  ])
  expect(next).toEqual({ kind: 'status', status: 1 })
})

it('reads no file of the host', async () => {
  const { said, next } = await run('replay games/0001.ndjson')
  expect(next).toEqual({ kind: 'status', status: 2 })
  expect(said[0]!.text).toContain('Give a whole number from 1 on.')
})

it('leaves to the session what needs a live match or an account', async () => {
  expect((await run('watch 7 --json')).next).toEqual({ kind: 'watch', match: 7, json: true })
  expect((await run('whoami')).next).toEqual({ kind: 'whoami', json: false })
  expect((await run('unpause bot')).next).toMatchObject({ kind: 'unpause', agent: 'bot' })
  const { said, next } = await run('watch seven')
  expect(next).toEqual({ kind: 'status', status: 2 })
  expect(said[0]!.text).toContain('Give a whole number from 1 on.')
})
