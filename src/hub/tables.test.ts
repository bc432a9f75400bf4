import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestHub } from '../../test/support/test-hub.ts'
import { TestPlayer } from '../../test/support/test-player.ts'
import { chess } from '../games/chess.ts'
import { danceBattle } from '../games/dance-battle.ts'
import type { Game, Json } from '../games/game.ts'
import { gameOf } from '../games/index.ts'
import type { PartyTable } from '../matchmaking/party-tables.ts'

let hub: TestHub
beforeEach(async () => {
  hub = await TestHub.open()
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

const dance = danceBattle as unknown as Game

const agent = (name: string) => new TestPlayer(hub.arena, 0, { account: hub.account(name) })
const create = (game: Game, seats: number, name = 'Reef'): PartyTable => {
  const table = hub.arena.parties.create({
    ...{ game, seats, name, speed: 'normal', protocol: 'test' },
  })
  if ('detail' in table) throw new Error(table.detail)
  return table
}

it.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('lists the tables that players have set up, at %i × %i', async (columns, rows) => {
  const table = create(chess, 2, 'A name that is longer than the screen is wide, and then some')
  const client = hub.connect(null, columns, rows)
  const text = await client.type('o', 't')
  expect(text).toContain(table.code)
  expect(text).toContain('0 of 2')
  agent('robin').seek({ game: chess, table: table.code })
  expect(await client.text()).toContain('1 of 2')
  expect(client.screen.text).toContain('robin')
  for (const line of client.screen.lines) expect(line.length).toBeLessThanOrEqual(columns)
  expect(await client.type('<enter>')).toContain('To sit down you need an account')
})

it('a person sets up a table, and plays with an agent that knows its code', async () => {
  const client = hub.connect(hub.account('anna'))
  expect(await client.type('o', 't')).toContain('No table waits')
  await client.type('n')
  // The last of the games has two seats.
  await client.type('\x1b[F', '<enter>')
  expect(await client.type(...'Reef', '<enter>')).toContain('Reef')
  const [table] = hub.arena.parties.tables()
  expect(table).toMatchObject({ name: 'Reef', seats: 2, status: 'waiting', protocol: 'hub' })
  expect(client.screen.text).toContain(`code ${table!.code}`)
  expect(client.screen.text).toMatch(/1 {2}anna \(you\)/)
  expect(client.screen.text).toMatch(/2 {2}free/)
  const robin = agent('robin').seek({ game: table!.game, table: table!.code })
  await hub.settle()
  expect(robin.seated).toMatchObject({ seat: 1, unrated: 'a casual match' })
  expect(await client.text()).toContain('anna (you)')
})

it('a person asks for house players, changes their level, and starts', async () => {
  const table = create(dance, 4)
  const client = hub.connect(hub.account('anna'))
  await client.type('o', 't', '<enter>')
  expect(await client.type('h')).toContain('2  house-level-1')
  expect(await client.type('<tab>', 'h')).toContain('3  house-level-2')
  expect(await client.type('x')).toContain('3  free')
  expect(await client.type('s')).toContain('Too few players: dance-battle needs 4, and 2 sit')
  await client.type('h')
  await client.type('h')
  await hub.settle()
  expect(table.status).toBe('playing')
  const [live] = hub.arena.tables.values()
  expect(live!.deal).toMatchObject({ unrated: 'practice against the house' })
  expect(live!.deal.players.map(({ account }) => account.name)).toEqual([
    ...['anna', 'house-level-1', 'house-level-2', 'house-level-2'],
  ])
})

it('who leaves the screen leaves the table', async () => {
  const table = create(chess, 2)
  const client = hub.connect(hub.account('anna'))
  await client.type('o', 't', '<enter>')
  expect(table.sitters[0]?.name).toBe('anna')
  expect(await client.type('<esc>')).toContain('0 of 2')
  expect(table.sitters).toEqual([null, null])
})

it('a table is found by its code, and one that is none is named', async () => {
  create(chess, 2, 'Other')
  const table = create(chess, 2)
  const client = hub.connect(hub.account('anna'))
  expect(await client.type('o', 't', 'c', ...'aaaaaa', '<enter>')).toContain(
    'There is no table aaaaaa.',
  )
  expect(await client.type('c', ...table.code.toLowerCase(), '<enter>')).toContain(
    `code ${table.code}`,
  )
})

it('the third table that waits is the last that one person may set up', async () => {
  const client = hub.connect(hub.account('anna'))
  await client.type('o', 't')
  for (let i = 0; i < 3; i++) await client.type('n', '<enter>', '<enter>', '<esc>')
  expect(hub.arena.parties.tables()).toHaveLength(3)
  expect(await client.type('n', '<enter>', '<enter>')).toContain(
    '3 tables that you have set up still wait',
  )
})

it('a spectator follows a table to its match', async () => {
  const table = create(chess, 2)
  const watcher = hub.connect(null)
  await watcher.type('o', 't')
  for (const name of ['robin', 'sam']) agent(name).seek({ game: chess, table: table.code })
  await hub.settle()
  expect(await watcher.text()).toContain('live')
  expect(await watcher.type('<enter>')).toContain('Chess · match 1')
})

it('the command rooms lists the tables, too', async () => {
  const table = create(chess, 2)
  agent('robin').seek({ game: chess, table: table.code })
  const run = async (command: string) => {
    const client = hub.connect(null, 80, 24, { screen: null, command })
    for (let i = 0; client.status === null && i < 20; i++) await hub.settle()
    return client.sent
  }
  expect(await run('rooms')).toMatch(new RegExp(`by code +${table.code} +robin – free +waiting`))
  const { tables } = JSON.parse(await run('rooms --json'))
  expect(tables).toMatchObject([
    { code: table.code, name: 'Reef', seats: [{ name: 'robin' }, null] },
  ])
  expect(JSON.parse(await run('rooms chess --json'))).not.toHaveProperty('tables')
})

it('a person plays Clawpoly by typing, with an agent and a house player', async () => {
  const client = hub.connect(hub.account('anna'))
  await client.type('o', 't', 'n', '<left>', '<left>', '<left>', '<tab>', '<tab>', '<enter>')
  await client.type('<enter>')
  const [table] = hub.arena.parties.tables()
  expect(table).toMatchObject({ name: 'Table of anna', seats: 3, speed: 'instant' })
  await client.type('h')
  const robin = agent('robin').seek({ game: table!.game, table: table!.code })
  await hub.settle()
  const live = hub.arena.tables.get(table!.match!)!
  for (let i = 0; i < 40 && !client.screen.text.includes('anna (you) throws'); i++) {
    const board = robin.messages.findLast(({ kind }) => kind === 'shown')
    if (board?.kind === 'shown' && board.yourTurn)
      robin.handle.move((board.observation.legal as readonly Json[])[0])
    await hub.settle(300)
    if (client.screen.text.includes('Your move.')) await client.type(...'roll', '<enter>')
  }
  expect(client.screen.text).toContain('anna (you) throws')
  expect(live.moves.filter(([seat]) => seat === 0)[0]?.[1]).toEqual({ action: 'roll_dice' })
})

it('at 40 × 12 a person at a table for six sees its code and all who sit there', async () => {
  const clawpoly = gameOf('clawpoly')!
  const table = create(clawpoly, 6, 'A name that is longer than the screen is wide')
  const client = hub.connect(hub.account('anna'), 40, 12)
  await client.type('o', 't', '<enter>')
  agent('robin').seek({ game: clawpoly, table: table.code })
  const text = await client.text()
  expect(text).toContain(table.code)
  expect(text).toMatch(/2 {2}robin\b/)
  for (const line of client.screen.lines) expect(line.length).toBeLessThanOrEqual(40)
})
