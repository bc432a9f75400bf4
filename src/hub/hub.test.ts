import { generateKeyPairSync } from 'node:crypto'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { loginsOf } from '../../test/support/logins.ts'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { logOf } from '../../test/support/sample-data.ts'
import { type TestClient, TestHub } from '../../test/support/test-hub.ts'
import type { Account } from '../arena/account.ts'
import { agentsLadder, peopleLadder } from '../arena/ladder.ts'
import type { News, Player, SeatHandle } from '../arena/player.ts'
import { gameOf, games } from '../games/index.ts'
import { isRecord } from '../games/json.ts'
import type { SeekRequest } from '../matchmaking/matchmaking.ts'
import { publicKeyOf } from '../store/public-key.ts'
import { type Questions, questionsOf } from '../store/questions.ts'
import { inThisThread, type Remote } from '../threads/calls.ts'
import { widthOf } from './terminal/width.ts'

let hub: TestHub
beforeEach(async () => {
  hub = await TestHub.open()
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

/** Begins a live match of two agents. Returns their handles, through which the test moves. */
const live = (game = 'ttt') => {
  const handles: SeatHandle[] = []
  for (const name of ['anna', 'bert']) {
    const player: Player = {
      account: hub.account(name),
      terms: quick,
      tell: (message: News) => {
        if (message.kind === 'seated') handles[message.seat] = message.handle
      },
    }
    seek(hub, player, { game: gameOf(game)! })
  }
  return handles
}

const seek = ({ arena }: TestHub, player: Player, request: SeekRequest) => {
  arena.seek(player, request)
  FakeClock.finishTick()
}

/** A public key in its wire format. */
const newKey = (): Buffer => {
  const { x } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const parts = [Buffer.from('ssh-ed25519'), Buffer.from(x!, 'base64url')]
  return Buffer.concat(
    parts.flatMap(part => {
      const length = Buffer.alloc(4)
      length.writeUInt32BE(part.length)
      return [length, part]
    }),
  )
}

const walks: readonly (readonly [string, readonly string[], string])[] = [
  ['the menu', [], 'Ladders'],
  ['the live matches', ['n'], 'anna'],
  ['a live match', ['n', '<enter>'], 'X'],
  ['the ladders', ['l'], 'othello'],
  ['a ladder', ['l', '<enter>'], 'carl'],
  ['a search', ['l', '<enter>', '<tab>', '/', 'd', 'o', '<enter>'], 'dora'],
  ['an agent', ['l', '<enter>', '<tab>', '<enter>'], 'carl'],
  ['a search by first letters', ['f', 'D', 'o'], 'dora'],
  ['the replays', ['r'], 'carl'],
  ['matches of two agents', ['r', '/', ...'carl dora', '<enter>'], 'carl · dora'],
  ['a replay', ['r', '<down>', '<enter>', '<right>', '<right>'], 'X'],
  ['a replay at its end', ['r', '<down>', '<enter>', 'G'], 'carl won'],
  ['an export', ['r', '<down>', '<enter>', 'e'], '"id":1,"game"'],
  ['the choice of a game', ['p'], ' ▸1 '],
  ['a seat', ['p', '<enter>'], 'erna'],
  ['the queue', ['p', '<left>', '<enter>'], 'Waiting'],
  ['the accounts online', ['w'], 'No accounts are online'],
  ['help', ['h'], 'An account'],
  ['the account', ['a'], 'erna'],
  ['a token', ['a', 't', 'b', 'o', 't', '<enter>'], 'abbs_'],
  ['a code', ['a', 'c'], 'join@bbs.example'],
  ['the themes', ['t'], 'amber'],
  ['the keys', ['?', '<down>', '<down>', '<down>', '<down>', '<down>', '<down>'], 'Ctrl-C'],
]

/** Expects that the screen fits its size, and looks the same after a redraw. */
const expectComplete = async (client: TestClient, columns: number) => {
  const shown = await client.text()
  expect(await client.type('<ctrl-l>')).toBe(shown)
  expect(client.screen.lines[0]).toContain('▟▙')
  expect(client.screen.lines.at(-1)).toMatch(/\? keys$|any key|Sure/)
  for (const line of client.screen.lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
}

describe.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('at %i × %i', (columns, rows) => {
  it.each(walks)('%s is shown', async (_, keys, text) => {
    const carl = hub.account('carl')
    const dora = hub.account('dora')
    await hub.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    const [x] = live()
    x!.move('4')
    const client = hub.connect(hub.account('erna'), columns, rows)
    await client.type(...keys)
    expect(client.screen.text).toContain(text)
    await expectComplete(client, columns)
    // After other sizes it looks as before.
    const before = await client.text()
    for (const [w, h] of [
      [60, 16],
      [20, 6],
      [150, 50],
      [columns, rows],
    ] as const)
      await client.resize(w, h)
    expect(await client.text()).toBe(before)
    await client.type('\x03')
    expect(client.status).toBe(0)
  })
})

describe('on a terminal too small for any screen', () => {
  it.each(walks)('%s is drawn without an error', async (_, keys) => {
    await hub.keep(
      tttMatch(hub.account('carl'), hub.account('dora')),
      outcomes.firstWins,
      ttt.firstWins,
    )
    live()
    const client = hub.connect(hub.account('erna'), 1, 1)
    await client.type(...keys, 'x', '<tab>')
    for (const [columns, rows] of [
      [11, 5],
      [10, 200],
      [240, 1],
    ] as const)
      await client.resize(columns, rows)
    expect(client.status).toBe(null)
  })
})

describe('the hub', () => {
  it('follows a live match to its end, in a few bytes a move', async () => {
    const [x, o] = live('gomoku')
    const client = hub.connect(null)
    await client.type('n', '<enter>')
    const moves = ['A1', 'A3', 'B1', 'B3', 'C1', 'C3', 'D1', 'D3', 'E1']
    const bytes: number[] = []
    for (const [i, move] of moves.entries()) {
      const before = client.screen.received
      ;(i % 2 === 0 ? x : o)!.move(move)
      await client.text()
      bytes.push(client.screen.received - before)
    }
    // The last move brings the result as well.
    expect(Math.max(...bytes.slice(0, -1))).toBeLessThan(300)
    expect(bytes.at(-1)).toBeLessThan(900)
    const text = await client.text()
    expect(text).toContain('anna won, five in a row.')
    expect(text).toContain('anna +16, bert −16')
    expect(text).toContain('[●]')
  })

  it('shows no simultaneous move before all seats have moved', async () => {
    const [x, o] = live('echo')
    const watcher = hub.connect(null)
    await watcher.type('n', '<enter>')
    const lines = hub.connect(null, 80, 24, { screen: null, command: 'watch 1' })
    const json = hub.connect(null, 80, 24, { screen: null, command: 'watch 1 --json' })
    const replay = hub.connect(null, 80, 24, { screen: null, command: 'replay 1' })
    const matches = hub.connect(null, 80, 24, { screen: null, command: 'matches --json' })
    await hub.settle()
    x!.move({ number: 7 })
    await hub.settle(3000)
    expect(await watcher.text()).not.toContain('7')
    expect(lines.sent).toContain('anna: has moved')
    expect(lines.sent).not.toContain('7')
    expect(json.sent).toContain('"move":null')
    expect(replay).toMatchObject({ status: 1, sent: '' })
    expect(JSON.parse(matches.sent)).toMatchObject([{ status: 'live', seed: null }])
    o!.move({ number: 3 })
    expect(await watcher.text()).toMatch(/1 +7 +3/)
  })

  it.each([
    [80, 24],
    [40, 12],
  ])(
    'shows the note of a move one move late, and in the replay beside it, at %i × %i',
    async (columns, rows) => {
      const [x, o] = live()
      const watcher = hub.connect(null, columns, rows)
      await watcher.type('n', '<enter>')
      const lines = hub.connect(null, 80, 24, { screen: null, command: 'watch 1' })
      const json = hub.connect(null, 80, 24, { screen: null, command: 'watch 1 --json' })
      await hub.settle()
      const seen = async () => [await watcher.text(), lines.sent, json.sent]
      x!.move('4', undefined, 'I take the centre')
      await hub.settle(3000)
      for (const text of await seen()) expect(text).not.toContain('I take')
      o!.move('0')
      await hub.settle(3000)
      expect((await watcher.text()).replace(/\s+/g, ' ')).toContain('anna: “I take the centre”')
      expect(lines.sent).toContain('\nNote of the move before: “I take the centre”\n\n2. bert: 0')
      expect(json.sent).toContain('"ply":2')
      expect(JSON.parse(json.sent.trim().split('\n').at(-1)!)).toMatchObject({
        noteBefore: 'I take the centre',
      })
      x!.move('1', undefined, 'one more')
      await hub.settle(3000)
      o!.resign()
      await hub.settle(3000)
      for (const text of await seen()) expect(text).toContain('one more')

      await watcher.type('r', '<right>')
      expect(watcher.screen.text.replace(/\s+/g, ' ')).toContain('anna: “I take the centre”')
      await watcher.type('<right>')
      expect(watcher.screen.text).not.toContain('“')
      await watcher.type('<right>')
      expect(watcher.screen.text).toContain('anna: “one more”')
      await expectComplete(watcher, columns)
      const replay = hub.connect(null, 80, 24, { screen: null, command: 'replay 1' })
      await hub.settle(3000)
      expect(replay.sent).toMatch(/1\. anna: 4 {2}\(.*\)\n {3}note: “I take the centre”\n/)
    },
  )

  it('cuts a long note on a narrow screen, and draws it on any', async () => {
    const [x, o] = live('chess')
    const client = hub.connect(null, 40, 16)
    await client.type('n', '<enter>')
    x!.move('e2e4', undefined, 'word '.repeat(56).trim())
    o!.move('e7e5')
    await client.text()
    expect(client.screen.text).toContain('1. anna: “word')
    expect(client.screen.text).toMatch(/word…? *…$/m)
    for (const [columns, rows] of [
      [1, 1],
      [10, 3],
      [240, 2],
      [61, 5],
    ] as const)
      await client.resize(columns, rows)
    await client.resize(80, 24)
    expect(client.screen.text.match(/word/g)).toHaveLength(56)
    await expectComplete(client, 80)
  })

  it('shows no note of a match with simultaneous moves before its end', async () => {
    const [x, o] = live('echo')
    const watcher = hub.connect(null)
    await watcher.type('n', '<enter>')
    const lines = hub.connect(null, 80, 24, { screen: null, command: 'watch 1' })
    const json = hub.connect(null, 80, 24, { screen: null, command: 'watch 1 --json' })
    await hub.settle()
    for (const note of ['a-secret', 'b-secret']) {
      x!.move({ number: 7 }, undefined, note)
      o!.move({ number: 3 }, undefined, note)
      await hub.settle(3000)
    }
    for (const text of [await watcher.text(), lines.sent, json.sent])
      expect(text).not.toContain('secret')
    x!.resign()
    await hub.settle(3000)
    expect(await watcher.text()).toContain('“b-secret”')
  })

  it('shows spectators nothing of the fog of a live resource-rush, nor its thoughts', async () => {
    const [a, b] = live('resource-rush')
    const watcher = hub.connect(null, 120, 45)
    await watcher.type('n', '<enter>')
    const lines = hub.connect(null, 80, 24, { screen: null, command: 'watch 1' })
    const json = hub.connect(null, 80, 24, { screen: null, command: 'watch 1 --json' })
    const replay = hub.connect(null, 80, 24, { screen: null, command: 'replay 1 --json' })
    await hub.settle()
    const thought = 'secret'
    a!.move({ action: 'wait', thought, memory: { at: thought } })
    b!.move({ action: 'wait', thought })
    await hub.settle(3000)
    for (const text of [await watcher.text(), lines.sent, json.sent, replay.sent]) {
      expect(text).not.toContain('secret')
      expect(text).not.toMatch(/^\W*[.~^%"o$#]{20,}/m)
    }
    expect(replay.status).toBe(1)
    expect(await watcher.text()).toContain(
      'Until the end spectators see only what both drones see.',
    )
    a!.resign()
    await hub.settle(3000)
    expect(await watcher.text()).toMatch(/[.~^%"o$#]{20,}/)
  })

  it('sends few bytes while only the clocks of a match change', async () => {
    live()
    const client = hub.connect(null)
    await client.type('n', '<enter>')
    const before = client.screen.received
    await hub.settle(3000)
    expect(client.screen.received - before).toBeLessThan(200)
  })

  it('lets a guest watch everything and change nothing', async () => {
    const client = hub.connect(null)
    expect(await client.text()).toContain('register: ssh -p 2222 join@bbs.example')
    expect(await client.type('p')).toContain('You need an account')
    expect(await client.type('a')).toContain('You need an account')
    expect(await client.type('l')).toContain('Ladders')
  })

  it('shows complete instructions on a small terminal', async () => {
    const client = hub.connect(null, 40, 12)
    expect(await client.text()).toContain('ssh -p 2222 join@bbs.example')
    expect((await client.type('n')).replace(/\s+/g, ' ')).toContain('appear here by themselves.')
  })

  it('lets a person practise by choosing cells and typing, and explains an illegal move', async () => {
    const client = hub.connect(hub.account('erna'))
    await client.type('p', '<enter>')
    expect(await client.type('9', '<enter>')).toContain('a move is a cell from "0" to "8"')
    await client.type('<enter>')
    for (let i = 0; i < 12 && !client.screen.text.includes('Unrated'); i++)
      for (const cell of ['0', '1', '2', '3', '5', '6', '7', '8'])
        if (/legal: [\d ]+/.exec(client.screen.text)?.[0].includes(cell)) {
          await client.type(cell, '<enter>')
          break
        }
    expect(client.screen.text).toMatch(/You (won|lost), |Draw, /)
  })

  it('makes a JSON move of a chosen cell, and shows an example of a typed one', async () => {
    const client = hub.connect(hub.account('erna'))
    const at = games.findIndex(({ id }) => id === 'skill-gomoku')
    await client.type('p', ...Array(at).fill('<down>'), '<enter>')
    expect(client.screen.text).toMatch(/A move is JSON, such as/)
    const [table] = hub.arena.tables.values()
    const own = table!.deal.players.findIndex(({ account }) => account.name === 'erna')
    // The house may have begun, and may have chosen this very cell.
    const taken = table!.moves.some(
      ([, move]) => isRecord(move) && move.row === 6 && move.col === 7,
    )
    await client.type('<up>', ...(taken ? ['<left>'] : []), '<enter>')
    await client.type('<ctrl-l>')
    const cell = { row: 6, col: taken ? 6 : 7 }
    expect(table!.moves.find(([seat]) => seat === own)?.[1]).toMatchObject(cell)
  })

  it('lets two people mark dead stones by choosing cells, and shows both the score', async () => {
    const clients = [hub.connect(hub.account('erna')), hub.connect(hub.account('fritz'))]
    const at = games.findIndex(({ id }) => id === 'go9')
    for (const client of clients)
      await client.type('p', ...Array(at).fill('<down>'), '<left>', '<enter>')
    const [table] = hub.arena.tables.values()
    expect(table!.deal.setup).toEqual({ dead: 'agreed' })
    const first = table!.deal.players[0]!.account.name === 'erna' ? 0 : 1
    const [black, white] = [clients[first]!, clients[1 - first]!]
    expect(await black.type(...'note the middle', '<enter>')).toContain('“the middle”')
    expect(await black.type(...`note ${'n'.repeat(281)}`, '<enter>')).toContain(
      'A note has at most',
    )
    await black.type(...'e5', '<enter>')
    await white.type(...'e4', '<enter>')
    expect(black.screen.text).not.toContain('the middle')
    expect(table!.notes).toEqual({ 1: 'the middle' })
    await black.type(...'pass', '<enter>')
    await white.type(...'pass', '<enter>')
    expect(await black.text()).toContain('Mark dead stones')
    // Chooses the stone below the middle.
    await black.type('<down>', '<enter>')
    expect(await black.text()).toContain('If it ended now: Black 81, White 6.5')
    await black.type(...'agree', '<enter>')
    expect(await white.text()).toContain('×')
    await white.type(...'agree', '<enter>')
    expect(await white.text()).toContain('both agreed on 1 dead')
    expect(white.screen.text).toContain('Score: Black 81, White 6.5')
  })

  it('pairs a person with the next agent in the queue, unrated', async () => {
    const client = hub.connect(hub.account('erna'))
    await client.type('p', '<left>', '<enter>')
    let told: News | undefined
    const agent: Player = {
      account: hub.account('agent'),
      terms: quick,
      tell: message => {
        if (message.kind === 'seated') told = message
      },
    }
    seek(hub, agent, { game: gameOf('ttt')! })
    expect(told).toMatchObject({ unrated: 'a casual match' })
    expect(JSON.stringify(told)).not.toMatch(/person|human/)
    expect(await client.text()).toContain('agent')
  })

  it.each([
    ['lea', /lea +League of Agents( 1500.*)?$/m],
    // Names, ratings and clocks come first.
    ['lea-has-a-very-long-name', /lea-has-a-very-long-name( +1500.*)?$/m],
  ])(
    'names the protocol that each seat came by where there is room, with %s',
    async (name, line) => {
      const client = hub.connect(hub.account('erna'))
      await client.type('p', '<left>', '<enter>')
      const player = { account: hub.account(name), protocol: 'loa', terms: quick, tell: () => {} }
      seek(hub, player, { game: gameOf('ttt')! })
      const watcher = hub.connect(null)
      expect(await watcher.type('n', '<enter>')).toMatch(line)
      expect(watcher.screen.text).toMatch(/erna +hub 1500/)
      await client.type('<esc>', 'y')
      expect(await watcher.type('r')).toMatch(line)
      expect(watcher.screen.text).toMatch(/erna +hub$/m)
    },
  )

  it('tells the opponent when a person is banned during the match', async () => {
    const client = hub.connect(hub.account('gerd'))
    await client.type('p', '<left>', '<enter>')
    const told: News[] = []
    const agent: Player = {
      account: hub.account('fair-agent'),
      terms: quick,
      tell: message => told.push(message),
    }
    seek(hub, agent, { game: gameOf('ttt')! })
    client.session.dismiss({ code: 'banned', detail: 'this account is banned: for gerd alone' })
    await hub.settle(100)
    expect(told.at(-1)).toMatchObject({
      kind: 'ended',
      outcome: { ending: 'gone', detail: 'banned by the operator' },
    })
  })

  it('rates matches with people on a ladder of their own if the operator sets so', async () => {
    const rated = await TestHub.open({ peopleRated: true })
    const erna = rated.account('erna')
    const client = rated.connect(erna)
    await client.type('p', '<left>', '<enter>')
    const agent = rated.account('agent')
    const player: Player = { account: agent, terms: quick, tell: () => {} }
    seek(rated, player, { game: gameOf('ttt')! })
    await client.type('<esc>', 'y')
    await rated.settle(100)
    expect(rated.store.profiles.ratings(erna.id)).toMatchObject([
      { ladder: peopleLadder('ttt'), losses: 1 },
    ])
    expect(rated.store.rankings.place(agentsLadder('ttt'), agent.id)).toBeUndefined()
    expect(rated.store.matches.newest({ account: agent.id, game: 'ttt', limit: 9 })).toHaveLength(1)
    expect(rated.store.matches.newest({ account: agent.id, limit: 9 })).toHaveLength(1)
    await rated.close()
  })

  it('shows an owner which accounts the host has paused and why, and unpauses them', async () => {
    const { users } = hub.store
    const [erna, bot] = [hub.account('erna'), hub.account('erna-bot')]
    users.setOwner(bot, users.find('erna')!)
    // The host pauses an account like this.
    const pause = hub.store.db.file.prepare(
      "update accounts set paused_at = 1, pause_reason = 'it stalls', paused_by = 'host' where id = ?",
    )
    for (const account of [erna, bot]) pause.run(account.id)
    const client = hub.connect(erna)
    expect(await client.type('a')).toContain('erna is paused: it stalls')
    expect(await client.type('u')).toContain('Let erna play again?')
    expect(await client.type('n')).toContain('erna is paused')
    await client.type('u', 'y')
    expect(await client.text()).toContain('erna-bot is paused: it stalls')
    expect(users.find('erna')!.paused_at).toBeNull()
    await client.type('u', 'y')
    expect(await client.text()).not.toContain('is paused')
    expect(users.find('erna-bot')!.paused_at).toBeNull()
  })

  it('does not unpause an account that the operator has paused', async () => {
    const { users } = hub.store
    const erna = hub.account('erna')
    users.pause(erna.id, 'it stalls')
    const client = hub.connect(erna)
    const screen = await client.type('a')
    expect(screen).toContain('erna is paused: it stalls. Only the operator can unpause it')
    expect(screen).not.toContain('u unpause')
    await client.type('u', 'y')
    expect(users.find('erna')!.paused_at).not.toBeNull()
  })

  it('tells a paused person why they cannot join the queue, and lets them practise', async () => {
    const erna = hub.account('erna')
    hub.store.users.pause(erna.id, 'it stalls')
    const client = hub.connect(erna)
    expect(await client.type('p', '<left>', '<enter>')).toContain('erna is paused')
    expect(await client.type('<esc>', '<tab>', '<enter>')).toContain('Your')
  })

  it('shows that a match is voided, and why', async () => {
    const [carl, dora] = [hub.account('carl'), hub.account('dora')]
    await hub.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    hub.store.voids.void([1], 'one person ran both')
    const client = hub.connect(null)
    expect(await client.type('r')).toContain('voided: one person ran both')
    expect(await client.type('<enter>', 'G')).toContain('Voided: one person ran both')
    expect((await client.type('e')).replace(/\s/g, '')).toContain('"reason":"onepersonranboth"')
  })

  it('asks before it resigns a match that a person leaves', async () => {
    const client = hub.connect(hub.account('erna'))
    await client.type('p', '<enter>')
    expect(await client.type('<esc>')).toContain('Resign? You lose the match.')
    expect(await client.type('n')).toContain('Your move')
    await client.type('<esc>', 'y')
    await hub.settle(100)
    const [match] = hub.store.matches.newest({ limit: 1 })
    expect(match).toMatchObject({ end: { ending: 'resigned' } })
  })

  it('reads the letter R at the board as part of a move', async () => {
    const client = hub.connect(hub.account('erna'))
    const at = games.findIndex(({ id }) => id === 'chess')
    await client.type('p', ...Array(at).fill('<down>'), '<left>', '<enter>')
    seek(
      hub,
      { account: hub.account('agent'), terms: quick, tell: () => {} },
      { game: gameOf('chess')! },
    )
    expect(await client.type('R', 'a', '3')).toContain('Ra3')
    expect(hub.arena.tables.size).toBe(1)
  })

  it('has a person meet an agent that thinks, or a fast one, as chosen', async () => {
    const client = hub.connect(hub.account('erna'))
    const agent = (): Player => ({ account: hub.account('agent'), terms: quick, tell: () => {} })
    const ladder = { speed: 'thinking', listing: 'open' } as const
    const request = { game: gameOf('ttt')!, ladder }
    expect(await client.type('p', '<left>')).toContain('a thinking agent ▸a fast one, unrated')
    await client.type('<enter>')
    seek(hub, agent(), request)
    await hub.settle(20_000)
    expect(hub.arena.tables.size).toBe(0)
    expect(await client.type('<esc>', '<left>')).toContain('or▸a thinking agent  a fast one,')
    expect(await client.type('<enter>')).toContain('agent')
    expect(hub.arena.tables.get(1)!.deal.ladder.id).toBe('ttt+thinking')
  })

  it('ignores a key that was meant for the match that has just ended', async () => {
    const client = hub.connect(hub.account('erna'))
    await client.type('p', '<left>', '<enter>')
    const player: Player = {
      account: hub.account('agent'),
      terms: quick,
      tell: message => {
        if (message.kind === 'seated') message.handle.resign()
      },
    }
    seek(hub, player, { game: gameOf('ttt')! })
    await hub.settle(0)
    expect(await client.type('4', '<enter>')).toContain('You won')
    await hub.settle(1000)
    expect(await client.type('<enter>')).toContain('Waiting for an opponent')
  })

  it('keeps the chosen account while others log in', async () => {
    const accounts = [hub.account('carl'), hub.account('erna')]
    const online = { accounts: accounts.slice(0, 1), accountCount: 1 }
    const full = await TestHub.open({ online })
    full.account('carl')
    const client = full.connect(null)
    await client.type('w')
    expect(client.screen.text).toContain('▸ carl')
    online.accounts = [...accounts, hub.account('anna')]
    await full.settle(1000)
    expect(await client.text()).toMatch(/ {2}anna.*▸ carl.* {2}erna/s)
    await full.close()
  })

  it('warns an idle session, and then closes it', async () => {
    const client = hub.connect(null)
    await client.text()
    await hub.settle(845_000)
    expect(await client.text()).toContain('Still there?')
    await client.type('<down>')
    await hub.settle(845_000)
    expect(client.status).toBeNull()
    await hub.settle(60_000)
    expect(client.status).toBe(0)
    expect(await client.text()).toContain('idle for too long')
    expect(client.screen.isAlternate).toBe(false)
  })

  it('lists the secrets of an account and of its agents by kind, and revokes them', async () => {
    const { store, clock } = hub
    const [olga, pike] = [hub.account('olga'), hub.account('Pike 2')]
    store.users.setOwner(pike, { ...olga, owner: null })
    const agon = { protocol: 'agon', form: 'agon_' } as const
    const { id } = store.tokens.mintSecret(pike, { kind: 'api-key', ...agon, label: 'a bot' })
    store.tokens.mintSecret(olga, { kind: 'session', ...agon, lifetime: 60_000 })
    const client = hub.connect(olga)
    expect(await client.type('a')).toMatch(/session token +agon .*API key +Pike 2: agon: a bot /s)
    clock.pass(60_000)
    await client.type('<esc>')
    expect(await client.type('a')).not.toContain('session token')
    expect(await client.type('x')).toContain('Revoke the API key Pike 2: agon: a bot?')
    expect(await client.type('y')).toContain('The API key is revoked.')
    expect(store.tokens.find(id)!.revoked_at).not.toBeNull()
    const [entry] = store.audit.find({ limit: 1 })
    expect(entry).toMatchObject({
      by: 'olga',
      via: 'hub',
      target: 'Pike 2',
      action: 'revoke-token',
    })
    expect(entry!.detail).toBe(`API key ${id} of agon (a bot)`)
  })

  it('tells the host whose credential has been revoked, and whose pause has ended', async () => {
    const changed: string[] = []
    const own = await TestHub.open({
      onAccountChanged: async name => void changed.push(name),
    })
    const erna = own.account('erna')
    own.store.tokens.mint(erna, 'bot')
    own.store.db.file.exec("update accounts set paused_at = 1, paused_by = 'host'")
    const client = own.connect(erna)
    await client.type('a', 'x', 'n')
    expect(changed).toEqual([])
    expect(await client.type('x', 'y')).toContain('The token is revoked.')
    expect(changed).toEqual(['erna'])
    expect(await client.type('u', 'y')).toContain('erna may play again.')
    expect(changed).toEqual(['erna', 'erna'])
    await own.close()
  })

  it('shows no list of credentials before it is known, and keeps keys typed meanwhile', async () => {
    const answers: (() => void)[] = []
    const questions = inThisThread({
      credentials: (...[account, now]: Parameters<Questions['credentials']>) =>
        new Promise(resolve => {
          answers.push(() =>
            resolve(questionsOf(own.store, own.ownerLogs).credentials(account, now)),
          )
        }),
    }) as Remote<Questions>
    const own = await TestHub.open({ questions })
    const erna = own.account('erna')
    const client = own.connect(erna)
    const waiting = await client.type('a', 't')
    expect(waiting).toContain('erna  logs in with')
    expect(waiting).not.toMatch(/No keys|A name for the token/)
    answers.shift()!()
    const shown = await client.text()
    expect(shown).toContain('No keys and no tokens.')
    expect(shown).toContain('A name for the token')
    await client.type(...'bot', '<enter>', '<esc>')
    client.session.closed()
    const { sent } = client
    answers.shift()!()
    await client.text()
    expect(client.sent).toBe(sent)
    expect(own.failures).toEqual([])
    await own.close()
  })

  it('adds no key beyond those that an account may have, and says so', async () => {
    const erna = hub.account('erna')
    for (let i = 0; i < 20; i++) hub.store.keys.add(erna, publicKeyOf(newKey()))
    const client = hub.connect(erna)
    const line = `ssh-ed25519 ${newKey().toString('base64')}`
    expect(await client.type('a', 'a', line, '<enter>')).toContain(
      'An account may have 20 keys: revoke one first.',
    )
    expect(hub.store.keys.of(erna.id)).toHaveLength(20)
  })

  it('asks for a name after an invitation, and not after another code', async () => {
    const own = await TestHub.open({ registration: 'invite' })
    const code = own.store.codes.mint(null, 60_000)
    const client = own.connect(null, 80, 24, { user: 'join', key: newKey() })
    expect(await client.type(...'guess', '<enter>')).toContain('This code is not valid')
    // All at once: what is typed while the code is looked up belongs to the name.
    expect(await client.type('\x15', `${code}\rerna\r`)).toContain('You are erna.')
    expect(own.store.codes.find(code)).toBeUndefined()
    await own.close()
  })

  it('mints no token without a name, and says so', async () => {
    const client = hub.connect(hub.account('nola'))
    const screen = await client.type('a', 't', ' ', '<enter>')
    expect(screen).toContain('A token needs a name: none was made.')
    expect(hub.store.tokens.of(hub.store.users.find('nola')!.id)).toEqual([])
  })

  it('ends only the session that had an internal error, and restores its terminal', async () => {
    const other = hub.connect(null)
    const client = hub.connect(hub.account('erna'))
    await client.type('a')
    Object.defineProperty(hub.store.tokens, 'of', {
      value: () => {
        throw new Error('a fault')
      },
    })
    await client.type('t', 'x', '<enter>')
    expect(client.status).toBe(1)
    expect(await client.text()).toContain('internal error')
    expect(client.screen.isAlternate).toBe(false)
    expect(await other.type('l')).toContain('Ladders')
    expect(hub.failures.splice(0)).toHaveLength(1)
  })

  it('sends no colours with NO_COLOR, and no escape sequences to a dumb terminal', async () => {
    const request = (term: string, ...variables: [string, string][]) => ({
      screen: { columns: 80, rows: 24, term, variables: new Map(variables) },
    })
    const plain = hub.connect(null, 80, 24, request('xterm-256color', ['NO_COLOR', '1']))
    await plain.type('l', '<down>')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: no colours may be sent
    expect(plain.sent).not.toMatch(/\x1b\[[\d;]+m/)
    expect(await plain.text()).toContain('▸ c4')
    const dumb = hub.connect(null, 80, 24, request('dumb'))
    await dumb.type(...'ladder ttt', '<enter>', ...'quit', '<enter>')
    expect(dumb.sent).not.toContain('\x1b')
    expect(dumb.sent).toContain('No rated match yet.')
    expect(dumb.status).toBe(0)
  })

  it('gives keys typed ahead to the screen that they open', async () => {
    const client = hub.connect(hub.account('erna'))
    expect(await client.type('atbot\rqq')).toContain('Ladders')
    expect(await client.type('a')).toMatch(/token +bot/)
    expect(client.status).toBeNull()
  })

  it('runs commands typed ahead at the prompt, until quit', async () => {
    const screen = { columns: 80, rows: 24, term: 'dumb', variables: new Map<string, string>() }
    const dumb = hub.connect(hub.account('erna'), 80, 24, { screen })
    await dumb.type('whoami\rladder ttt\rquit\rwhoami\r')
    expect(dumb.sent.match(/^erna\r$/gm)).toHaveLength(1)
    expect(dumb.sent).toContain('No rated match yet.')
    expect(dumb.status).toBe(0)
  })

  it('ignores keys typed after leaving', async () => {
    const before = hub.clock.pending
    const client = hub.connect(null)
    await client.type('qyx\r\x1b')
    expect(client.status).toBe(0)
    expect(hub.failures).toEqual([])
    expect(hub.clock.pending).toBe(before)
  })

  it('warns in the guide that an unlisted move loses at once', async () => {
    const shown = await hub.connect(null).type('h')
    expect(shown).toMatch(/type a move\s+from its "legal"/)
    expect(shown).toContain('A move that is not listed loses at once.')
  })

  it('asks before it ends a session from the menu', async () => {
    const client = hub.connect(null)
    expect(await client.type('l', '<esc>', 'q')).toContain('Leave AgentBBS?')
    expect(await client.type('q')).toContain('Ladders')
    expect(client.status).toBeNull()
    await client.type('q', 'y')
    expect(client.status).toBe(0)
  })

  it('shows the log of an agent to its owner alone', async () => {
    const [carl, olga] = [hub.account('carl'), hub.account('olga')]
    hub.store.users.setOwner(carl, { ...olga, owner: null })
    await logOf(join(hub.ownerLogs, '..'), carl.id)
    const walk = ['f', 'c', 'a', 'r', '<enter>']
    expect(await hub.connect(hub.account('dora')).type(...walk, 'l')).not.toContain('log')
    expect(await hub.connect(null).type(...walk, 'l')).not.toContain('log')
    for (const reader of [carl, olga]) {
      const client = hub.connect(reader)
      expect(await client.type(...walk)).toMatch(/l log/)
      const shown = await client.type('l')
      expect(shown).toContain('Log of carl')
      expect(shown).toContain('> {"type":"move","move":"2"}')
      expect(shown).toContain('* move 5 was 2, after 14 ms')
      expect(shown).toContain('! refused, not-your-turn')
      expect(await client.type('<esc>')).toContain('carl')
    }
  })

  it('clears the filter of a list by Esc, before Esc leaves the list', async () => {
    const [carl, dora] = [hub.account('carl'), hub.account('dora')]
    await hub.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    const client = hub.connect(null)
    expect(await client.type('r', '/', ...'carl', '<enter>')).toContain('Replays · carl')
    expect(await client.type('<tab>')).toContain('Replays · Tic-tac-toe · carl')
    expect(await client.type('<esc>')).toMatch(/Replays +guest/)
    expect(await client.type('<esc>')).toContain('Menu')
    expect(await client.type('f', 'd')).not.toContain('carl')
    expect(await client.type('<esc>')).toContain('carl')
    expect(await client.type('<esc>')).toContain('Menu')
  })

  it('cancels a search by Esc', async () => {
    const [carl, dora] = [hub.account('carl'), hub.account('dora')]
    await hub.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    const client = hub.connect(null)
    expect(await client.type('r', '/', ...'carl')).toContain('Esc cancel')
    expect(await client.type('<esc>')).toMatch(/Replays +guest/)
    expect(client.screen.text).toContain('/ number, game or agent')
  })

  it('does not flip a board whose rows have no names', async () => {
    live('c4')[0]!.move('3')
    const client = hub.connect(null)
    const shown = await client.type('n', '<enter>')
    expect(shown).not.toContain('f flip')
    expect(await client.type('f')).toBe(shown)
  })

  it('flips a board whose rows have names', async () => {
    live('chess')
    const client = hub.connect(null)
    expect(await client.type('n', '<enter>')).toContain('f flip')
    expect(client.screen.text).toMatch(/a +b +c .*\n.*\n +8 │/)
    expect(await client.type('f')).toMatch(/h +g +f .*\n.*\n +1 │/)
  })

  it('lists at the board only keys that are no part of a move', async () => {
    const client = hub.connect(hub.account('erna'))
    const help = await client.type('p', '<enter>', '?')
    expect(help).toContain('resign')
    expect(help).toContain('Ctrl-C')
    expect(help).not.toMatch(/j k|g G|Esc q/)
  })

  it('shows the result after a resignation, and no earlier refusal', async () => {
    const client = hub.connect(hub.account('erna'))
    expect(await client.type('p', '<enter>', '9', '<enter>')).toContain('a move is a cell')
    const text = await client.type('<esc>', 'y')
    expect(text).toContain('You lost, resigned: resignation.')
    expect(text).not.toContain('a move is a cell')
    await hub.settle(2000)
    expect(await client.type('<esc>')).toContain('Play')
  })

  it('counts a guest who registers once', async () => {
    const accounts: Account[] = []
    const online = {
      accounts,
      get accountCount() {
        return accounts.length
      },
    }
    const own = await TestHub.open({
      online,
      loginOf: key => loginsOf(own.store, own.clock).byKey(key),
      onRegistered: ({ account }) => void accounts.push(account),
    })
    const client = own.connect(null, 80, 24, { user: 'join', key: newKey() })
    expect(await client.text()).toContain('guest · 1 online')
    expect(await client.type(...'erna', '<enter>')).toContain('erna · 1 online')
    await own.close()
  })

  it('sanitizes a hostile label', async () => {
    const erna = hub.account('erna')
    hub.store.tokens.mint(erna, 'evil\x1b[2J\u202Egnp\u0007 囲碁 😀')
    const client = hub.connect(erna)
    const text = await client.type('a')
    expect(text).toContain('evil[2Jgnp 囲碁 😀')
    await expectComplete(client, 80)
  })

  it('does not count sessions that have ended, of any kind', async () => {
    live()
    const viewer = hub.connect(hub.account('erna'))
    const guests = [
      hub.connect(null),
      hub.connect(null, 80, 24, {
        screen: { columns: 80, rows: 24, term: 'dumb', variables: new Map() },
      }),
      hub.connect(null, 80, 24, { screen: null, command: 'watch 1' }),
    ]
    await guests[0]!.type('n', '<enter>')
    expect(await viewer.type('w')).toContain('and 3 guests')
    expect(hub.sessions.spectators).toBe(2)
    for (const guest of guests) guest.session.closed()
    expect(await viewer.type('<esc>', 'w')).not.toContain('guest')
    expect(hub.sessions.spectators).toBe(0)
  })

  it('leaves no timer and no place in the queue behind', async () => {
    live()
    await hub.settle()
    const before = hub.clock.pending
    const client = hub.connect(hub.account('erna'))
    await client.type('n', '<enter>', '<esc>', '<esc>', 'p', '<left>', '<enter>')
    client.session.closed()
    expect(hub.clock.pending).toBe(before)
    expect(hub.arena.waiting).toEqual([])
  })
})

const quick = {
  move: 15_000,
  illegal: 'forfeit',
  late: 'forfeit',
  away: 'forfeit',
} as const

it('limits the sessions of one account, and of guests from one address, until one ends', async () => {
  const crowded = await TestHub.open({ sessionsPerClient: 2 })
  onTestFinished(() => crowded.close())
  const from = (source: string) => crowded.connect(null, 80, 24, { source })
  const guests = [from('192.0.2.7'), from('192.0.2.7')]
  const third = from('192.0.2.7')
  expect(third.status).toBe(1)
  expect(third.notes).toContain('You have 2 hub sessions already')
  expect(from('192.0.2.8').status).toBeNull()
  const ann = crowded.account('ann')
  const hers = [crowded.connect(ann), crowded.connect(ann)]
  expect(crowded.connect(ann).status).toBe(1)
  guests[0]!.session.closed()
  hers[0]!.session.dismiss({ code: 'banned', detail: 'go' })
  expect([from('192.0.2.7').status, crowded.connect(ann).status]).toEqual([null, null])
})
