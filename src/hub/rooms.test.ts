import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestHub } from '../../test/support/test-hub.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { chess } from '../games/chess.ts'

let hub: TestHub
beforeEach(async () => {
  hub = await TestHub.open()
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

const agent = (name: string) => new TestPlayer(hub.arena, 0, { account: hub.account(name) })
const freeTable = () => hub.arena.rooms.tables('chess')[0]!

it.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('lists the tables with who sits there, at %i × %i', async (columns, rows) => {
  const client = hub.connect(null, columns, rows)
  expect(await client.type('o')).toContain('Classical')
  expect(client.screen.text).toContain('free')
  agent('robin').seek({ game: chess, table: freeTable().id })
  const text = await client.text()
  expect(text).toContain('robin')
  expect(text).toContain('1 waits')
  for (const line of client.screen.lines) expect(line.length).toBeLessThanOrEqual(columns)
  for (let i = 0; i < 12; i++) await client.type('<down>')
  expect(client.screen.text).toContain('Bazaar')
})

it('a person sits down with an agent: after the countdown they play', async () => {
  const robin = agent('robin').seek({ game: chess, table: freeTable().id })
  const watcher = hub.connect(null)
  await watcher.type('o')
  const client = hub.connect(hub.account('anna'))
  await client.type('o', '<enter>')
  expect(client.screen.text).toContain('robin sits down, too. The match begins in a moment.')
  expect(await watcher.text()).toMatch(/in [23] s/)
  await hub.settle(3100)
  expect(robin.opponent).toBe('anna')
  expect(await client.text()).toContain('anna (you)')
  expect(await watcher.text()).toContain('live, 0')
  // The table that was chosen stays chosen, wherever it is listed now.
  expect(await watcher.type('<enter>')).toContain('Chess · match 1')
})

it('who sits alone waits, and goes back without a word', async () => {
  const client = hub.connect(hub.account('anna'))
  await client.type('o', '<enter>')
  expect(client.screen.text).toContain('You sit at this table.')
  expect(freeTable().seats[0]?.player.account.name).toBe('anna')
  expect(await client.type('<esc>')).toContain('free')
  expect(hub.arena.rooms.tables('chess').every(({ seats }) => seats[0] === null)).toBe(true)
})

it('a text that is typed before the match begins leaves no table', async () => {
  const client = hub.connect(hub.account('anna'))
  await client.type('o', '<enter>')
  expect(await client.type(...'quiet, he said')).toContain('You sit at this table.')
  expect(await client.type('?')).not.toContain('You sit at this table.')
})

it('one who leaves in the countdown leaves the other one at the table', async () => {
  const robin = agent('robin').seek({ game: chess, table: freeTable().id })
  const client = hub.connect(hub.account('anna'))
  await client.type('o', '<enter>')
  robin.leave()
  await hub.settle(4000)
  expect(await client.text()).toContain('You sit at this table.')
})

it('refuses in plain words what cannot be', async () => {
  const guest = hub.connect(null)
  expect(await guest.type('o', '<enter>')).toContain('To sit down you need an account')
  const anna = hub.account('anna')
  const [one, two] = [hub.connect(anna), hub.connect(anna)]
  await one.type('o', '<enter>')
  expect(await two.type('o', '<down>', '<enter>')).toContain('sits at the table')
  await two.type('<esc>', '<up>')
  expect(await two.type('<enter>')).toContain('You sit here already.')
})

it('shows a match that is played and one that is over', async () => {
  const { id } = freeTable()
  const [robin, sam] = [agent('robin'), agent('sam')]
  for (const player of [robin, sam]) player.seek({ game: chess, table: id })
  await hub.settle(3100)
  const client = hub.connect(null)
  await client.type('o')
  const rows = client.screen.lines.findIndex(line => line.includes('live, 0'))
  await client.type(...Array(rows - 2).fill('<down>'))
  expect(await client.type('<enter>')).toContain('Chess · match 1')
  robin.handle.resign()
  await hub.settle(200)
  expect(await client.type('<esc>')).toContain('over')
  expect(await client.type('<enter>')).toContain('sam won')
})

it('lists them by a command', async () => {
  agent('robin').seek({ game: chess, table: freeTable().id })
  const run = async (command: string) => {
    const client = hub.connect(null, 80, 24, { screen: null, command })
    for (let i = 0; client.status === null && i < 20; i++) await hub.settle()
    return client
  }
  const listed = await run('rooms')
  expect(listed.status).toBe(0)
  expect(listed.sent).toMatch(/^ROOM +TABLE +SEATS +MATCH +PROMPT\n/)
  expect(listed.sent).toMatch(/Chess +t-[a-z]{8} +robin – free +waiting +Classical\n/)
  expect(listed.sent).toMatch(/Bazaar/)
  const { rooms } = JSON.parse((await run('rooms chess --json')).sent)
  expect(rooms).toMatchObject([
    { id: 'chess', tables: [{ title: 'Classical', seats: [{ name: 'robin' }, null] }, {}] },
  ])
  expect((await run('rooms nonsuch')).status).toBe(2)
})

it('gives a link that signs in to the pages, by a command and on the screen of the account', async () => {
  const anna = hub.account('anna')
  const { id } = hub.store.tokens.mint(anna, 'test')
  const login = { account: anna, by: { kind: 'token', id }, objection: null } as const
  const run = async (command: string, guest = false) => {
    const client = hub.connect(anna, 80, 24, {
      ...{ screen: null, command, login: guest ? null : login },
    })
    for (let i = 0; client.status === null && i < 20; i++) await hub.settle()
    return client
  }
  const { sent } = await run('sign-in 7')
  const [, code] = /^https:\/\/bbs\.example\/sign-in\/([a-z2-9-]{14})$/m.exec(sent) ?? []
  expect(hub.signIns.find(code!)?.name).toBe('anna')
  expect((await hub.signIns.use(code!))?.path).toBe('/match/7')
  expect(JSON.parse((await run('sign-in --json')).sent).link).toContain('/sign-in/')
  const guest = await run('sign-in', true)
  expect(guest.status).toBe(1)
  expect(guest.notes).toContain('you are a guest')
  const client = hub.connect(anna, 80, 24, { login })
  expect(await client.type('a', 's')).toMatch(/https:\/\/bbs\.example\/sign-in\/[a-z2-9-]{14}/)
  const there = hub.connect(null)
  expect(await there.type('a')).toContain('You need an account')
})

it('shows the table of points, and the points of an agent', async () => {
  const [robin, sam] = [agent('robin'), agent('sam')]
  for (const player of [robin, sam]) player.seek({ game: chess, table: freeTable().id })
  await hub.settle(3100)
  robin.handle.resign()
  await hub.settle(200)
  expect(robin.ended!.points).not.toBeNull()
  const client = hub.connect(null)
  const text = await client.type('l', 'p')
  expect(text).toMatch(/1 sam +100/)
  expect(text).toMatch(/2 robin +25/)
  expect(text).toContain('1–2 of 2')
  expect(await client.type('<enter>')).toContain('100 points (AP)')
})

it.each([
  [80, 24],
  [40, 12],
])('people trade by words, at %i × %i', async (columns, rows) => {
  const clients = ['anna', 'bob'].map(name => hub.connect(hub.account(name), columns, rows))
  for (const client of clients) await client.type('o', '\x1b[F', '<enter>')
  await hub.settle(3300)
  const [table] = hub.arena.tables.values()
  const first = table!.moves.length === 0 && clients[0]!.screen.text.includes('Your move.') ? 0 : 1
  const [one, two] = [clients[first]!, clients[1 - first]!]
  expect((await one.type('?')).replace(/\s+/g, ' ')).toContain(
    'a trade such as 2 wood and 1 gold for 3 iron',
  )
  await one.type('<esc>', 'What do you need?', '<enter>')
  await two.type('nothing for 1 gold', '<enter>')
  await one.type('accept', '<enter>')
  await two.type('1 food and 1 wood for nothing', '<enter>')
  await two.type('reject', '<enter>')
  expect(table!.moves.map(([, move]) => move)).toEqual([
    { action: 'message', content: 'What do you need?' },
    { action: 'propose_trade', offer: {}, request: { gold: 1 } },
    { action: 'accept_trade' },
    { action: 'propose_trade', offer: { food: 1, wood: 1 }, request: {} },
    { action: 'reject_trade' },
  ])
  expect(await two.type('Peace for our time', '<enter>')).toContain('Peace for our time')
})
