import { afterEach, beforeEach, expect, it } from 'vitest'
import { hostileText, unsafe } from '../../test/support/hostile-text.ts'
import { openHubWeb } from '../../test/support/hub-web.ts'
import { type TestClient, TestHub } from '../../test/support/test-hub.ts'
import type { Account } from '../arena/account.ts'

let hub: TestHub
let people: Account[]
beforeEach(async () => {
  hub = await TestHub.open()
  people = ['anna', 'bob', 'wilma', 'xaver'].map(name => hub.account(name))
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

/** Two people sit down at the first table for debates. The first one argues for its topic. */
const seated = async (columns = 80, rows = 24) => {
  const clients = people.slice(0, 2).map(person => hub.connect(person, columns, rows))
  // Chess has two tables, Go one.
  for (const client of clients) await client.type('o', '<down>', '<down>', '<down>', '<enter>')
  await hub.settle(3300)
  const [table] = hub.arena.tables.values()
  const first = table!.deal.players[0]!.account.name === 'anna' ? 0 : 1
  return { table: table!, pro: clients[first]!, contra: clients[1 - first]! }
}

const watching = async (person: Account | null, columns = 80, rows = 24) => {
  const client = hub.connect(person, columns, rows)
  await client.type('n', '<enter>')
  return client
}

const lines = (client: TestClient) => client.screen.lines.map(line => line.trim())

it.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('two people debate, and a third one reads it, at %i × %i', async (columns, rows) => {
  const { table, pro, contra } = await seated(columns, rows)
  expect(await pro.text()).toContain('Your turn. You argue for')
  expect(await contra.text()).toMatch(/You argue\s+against/)
  const watcher = await watching(people[2]!, columns, rows)
  await pro.type('Streets are shared.', '<enter>')
  expect(table.moves[0]![1]).toEqual({ action: 'message', content: 'Streets are shared.' })
  await contra.type('Not at night.', '<enter>')
  for (const client of [pro, contra, watcher]) {
    const text = await client.text()
    expect(text).toContain('Not at night.')
    expect(text).toMatch(/2\. (anna|bob)( \(you\))? · Against/)
    for (const line of client.screen.lines) expect(line.length).toBeLessThanOrEqual(columns)
  }
})

it('a text may be written ahead, and stays until it is the turn of its writer', async () => {
  const { table, pro, contra } = await seated()
  expect(await contra.type('I say no.', '<enter>')).toContain('It is not your turn.')
  expect(contra.screen.text).toContain('9 / 2000')
  expect(await pro.type('I say yes.', '<enter>')).toContain('0 / 2000')
  expect(await contra.type(' Never.', '<enter>')).toContain('0 / 2000')
  expect(table.moves[1]![1]).toMatchObject({ content: 'I say no. Never.' })
})

it('a text that is refused stays, to be written in other words', async () => {
  hub = await TestHub.open({}, { blocks: text => text.includes('cabbage') })
  people = ['anna', 'bob'].map(name => hub.account(name))
  const { table, pro } = await seated()
  expect(await pro.type('You cabbage', '<enter>')).toContain('write it')
  expect(pro.screen.text).toContain('You cabbage')
  await pro.type('\x17', 'turnip', '<enter>')
  expect(table.moves[0]![1]).toMatchObject({ content: 'You turnip' })
})

it('takes 2000 characters and no more', async () => {
  const { table, pro } = await seated()
  const paste = (text: string) => pro.type(`\x1b[200~${text}\x1b[201~`)
  expect(await paste('word '.repeat(390))).toContain('1949 / 2000')
  expect(await paste('y'.repeat(60))).toContain('An argument has at most 2000 characters.')
  await pro.type('<enter>')
  const [, move] = table.moves[0]!
  expect((move as { content: string }).content).toHaveLength(2000)
})

it('a long transcript scrolls, and goes on with what is new', async () => {
  const { pro, contra } = await seated(40, 12)
  const words = Array.from({ length: 60 }, (_, i) => `w${i}`).join(' ')
  await pro.type(words, '<enter>')
  const watcher = await watching(null, 40, 12)
  expect(watcher.screen.text).toContain('w0 ')
  expect(watcher.screen.text).not.toContain('w59')
  expect(await watcher.type('\x1b[F')).toContain('w59')
  await contra.type('short', '<enter>')
  expect(await watcher.text()).toContain('short')
  expect(await watcher.type('\x1b[H')).toContain('w0 ')
  await pro.type('again', '<enter>')
  // Who reads what was said before is not taken away from it.
  expect(await watcher.text()).toContain('w0 ')
})

it('who leaves is asked first, and then the audience votes', async () => {
  const { table, pro, contra } = await seated()
  await pro.type('Yes.', '<enter>')
  expect(await contra.type('But', '<esc>')).toContain('What you have typed is not sent.')
  expect(await contra.type('n')).toContain('But')
  await contra.type('<esc>', 'y')
  expect(table.moves[1]!.slice(0, 2)).toEqual([1, { action: 'leave' }])
  expect(await pro.text()).toContain('The vote of the audience opens in 5 s.')
  await hub.settle(5100)
  expect(await pro.text()).toMatch(/Audience vote: \d+ s left, 0 votes\./)
  expect(pro.screen.text).toContain('Neither of you can write any more.')
})

const voting = async () => {
  const all = await seated()
  await all.pro.type('Yes.', '<enter>')
  await all.contra.type('<esc>', 'y')
  await hub.settle(5100)
  return all
}

it('spectators vote, and may change their vote until it closes', async () => {
  const { table, pro } = await voting()
  const [one, two] = [await watching(people[2]!), await watching(people[3]!)]
  const name = (seat: number) => table.deal.players[seat]!.account.name
  expect(await one.type('v')).toContain(`Vote for  1 ${name(0)} (For)   2 ${name(1)} (Against)`)
  expect(await one.type('2')).toContain(`Your vote for ${name(1)} (Against) counts.`)
  expect(await one.text()).toContain(`Your vote: ${name(1)} (Against).`)
  await two.type('v', '<esc>')
  expect(table.vote!.count).toBe(1)
  await two.type('v', '1')
  await hub.settle(1000)
  expect(await pro.text()).toMatch(/2 votes\./)
  await one.type('v', '1')
  expect(table.vote!.count).toBe(2)
  await hub.settle(60_000)
  expect(await one.text()).toContain(`${name(0)} won, 2 votes to 0.`)
  expect(await pro.text()).toContain('You won, 2 votes to 0.')
  expect(await one.type('v')).toContain('No vote is open')
})

it('says plainly why a vote does not count', async () => {
  const { pro } = await voting()
  const guest = await watching(null)
  expect(await guest.type('v')).toContain('Votes need an account: ssh -p 2222 join@bbs.example')
  hub.store.users.setOwner(people[2]!, { ...people[0]!, owner: null })
  const own = await watching(people[2]!)
  expect(await own.type('v', '1')).toContain('you and a player here belong to one owner')
  const player = await watching(people[0]!)
  expect(await player.type('v', '1')).toContain('who plays in a match has no vote')
  expect(await pro.text()).toContain('0 votes.')
})

it('a vote that is not open yet, or not any more, is not taken', async () => {
  const { table, pro, contra } = await seated()
  const watcher = await watching(people[2]!)
  expect(await watcher.type('v')).toContain('No vote is open in this match.')
  await pro.type('Yes.', '<enter>')
  await contra.type('<esc>', 'y')
  expect(await watcher.type('v')).toContain('The vote of the audience opens in')
  await hub.settle(5100)
  await watcher.type('v')
  await hub.settle(60_000)
  expect(await watcher.text()).toContain('draw, no votes.')
  expect(table.isOver).toBe(true)
  // The key that would have chosen does nothing any more.
  expect(await watcher.type('r')).toContain('Move 0 of 3')
})

it('reactions are seen by all who watch, and fade', async () => {
  await seated()
  const [one, two] = [await watching(people[2]!), await watching(people[3]!)]
  await one.type('1')
  expect(await two.text()).toContain('🔥')
  expect(await one.type('2')).toContain('One reaction in two seconds.')
  await hub.settle(2000)
  await one.type('3')
  expect(lines(two).at(-3)).toBe('🔥 😂')
  await hub.settle(9000)
  expect(await two.text()).not.toContain('🔥')
  const guest = await watching(null)
  expect(await guest.type('1')).toContain('Reactions need an account')
})

it('the end of a match is shown although another screen was in front of it', async () => {
  const { pro } = await voting()
  const watcher = await watching(people[2]!)
  await watcher.type('s')
  expect(watcher.screen.text).toContain('https://bbs.example/sign-in/')
  await hub.settle(60_000)
  expect(await pro.text()).toContain('Draw')
  expect(await watcher.type('<esc>')).toContain('draw, no votes.')
})

it('a replay goes message by message, and ends with the vote', async () => {
  const { table, pro, contra } = await seated()
  await pro.type('First.', '<enter>')
  await contra.type('Second.', '<enter>')
  await contra.type('<esc>', 'y')
  await hub.settle(5100)
  const watcher = await watching(people[2]!)
  await watcher.type('v', '2')
  await hub.settle(60_000)
  await watcher.type('r')
  expect(watcher.screen.text).not.toContain('First.')
  expect(await watcher.type('<right>')).toContain('First.')
  expect(watcher.screen.text).not.toContain('Second.')
  expect(await watcher.type('<right>')).toContain('Second.')
  expect(await watcher.type('<right>')).toContain('has left')
  expect(await watcher.type('<right>')).toContain('The audience has voted: 1 vote to 0.')
  expect(watcher.screen.text).toContain(`${table.deal.players[1]!.account.name} won`)
})

it('what players write does nothing to the terminals of others', async () => {
  const { table, pro, contra } = await seated()
  const watcher = await watching(people[2]!)
  const before = watcher.sent.length
  table.listener(0)
  // As an agent of another protocol could send it: not typed in a hub that cleans it.
  const [seat] = hub.arena.seatsOf(table.deal.players[0]!.account.id)
  seat!.attach({
    tell: news => {
      if (news.kind === 'seated') news.handle.move(hostileText)
    },
  })
  await hub.settle(200)
  expect(table.moves).toHaveLength(1)
  for (const client of [watcher, contra]) {
    const text = await client.text()
    expect(text).toContain('<script>alert(1)</script>')
    expect(text).toContain('[31mred')
    expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u200b-\u200f\ufeff]/)
  }
  const sent = watcher.sent.slice(before)
  expect(sent).not.toContain('\x1b[31mred')
  expect(sent).not.toContain('\x1b]0;')
  expect(sent).not.toContain('\x07')
  expect(pro.status).toBeNull()
  // Nor afterwards, in replays.
  await contra.type('<esc>', 'y')
  await hub.settle(66_000)
  await watcher.type('r', '<right>')
  expect(watcher.screen.text).toContain('[31mred')
  for (const command of ['replay 1', 'replay 1 --json']) {
    const replay = hub.connect(null, 80, 24, { screen: null, command })
    for (let i = 0; replay.status === null && i < 20; i++) await hub.settle()
    expect(replay.sent).toContain('<script>')
    expect(replay.sent).not.toMatch(unsafe)
  }
  const web = await openHubWeb(hub)
  for (const path of ['/match/1', '/match/1?ply=1']) {
    const page = await (await fetch(web.url + path)).text()
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page).not.toMatch(/<script>|<img/)
    expect(page).not.toMatch(unsafe)
  }
  web.close()
})
