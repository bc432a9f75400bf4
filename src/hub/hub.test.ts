import { generateKeyPairSync } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { HubHouse, type Sitter } from '../../test/support/hub-house.ts'
import { outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import type { Account } from '../arena/account.ts'
import type { Player, PlayerMessage, SeatHandle } from '../arena/player.ts'
import { gameOf, games } from '../games/index.ts'
import { widthOf } from './terminal/width.ts'

let house: HubHouse
beforeEach(async () => {
  house = await HubHouse.open()
})
afterEach(async () => {
  expect(house.failures).toEqual([])
  await house.close()
})

/** A live match of two agents that move when they are told to. */
const live = (game = 'ttt') => {
  const handles: SeatHandle[] = []
  for (const name of ['anna', 'bert']) {
    const player: Player = {
      account: house.account(name),
      terms: {
        firstMove: 15_000,
        move: 15_000,
        illegal: 'forfeit',
        late: { strikes: 1, otherwise: 'clock' },
        away: { grace: 0, clock: 'runs' },
      },
      tell: (message: PlayerMessage) => {
        if (message.kind === 'seated') handles[message.seat] = message.handle
      },
    }
    house.arena.seek(player, { game: gameOf(game)! }, () => {})
  }
  return handles
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
  ['what is on now', ['n'], 'anna'],
  ['a live match', ['n', '<enter>'], 'X'],
  ['the ladders', ['l'], 'othello'],
  ['a ladder', ['l', '<enter>'], 'carl'],
  ['a search', ['l', '<enter>', '<tab>', '/', 'd', 'o', '<enter>'], 'dora'],
  ['an agent', ['l', '<enter>', '<tab>', '<enter>'], 'carl'],
  ['who is looked for', ['f', 'D', 'o'], 'dora'],
  ['the replays', ['r'], 'carl'],
  ['two against each other', ['r', '/', ...'carl dora', '<enter>'], 'carl · dora'],
  ['a replay', ['r', '<down>', '<enter>', '<right>', '<right>'], 'X'],
  ['a replay at its end', ['r', '<down>', '<enter>', 'G'], 'carl won'],
  ['an export', ['r', '<down>', '<enter>', 'e'], '"id":1,"game"'],
  ['what to play', ['p'], 'level ▸1'],
  ['a seat', ['p', '<enter>'], 'erna'],
  ['a wait', ['p', '<left>', '<enter>'], 'Waiting'],
  ['who is here', ['w'], 'Nobody'],
  ['help', ['h'], 'An account'],
  ['the account', ['a'], 'erna'],
  ['a token', ['a', 't', 'b', 'o', 't', '<enter>'], 'abbs_'],
  ['a code', ['a', 'c'], 'join@bbs.example'],
  ['the themes', ['t'], 'amber'],
  ['the keys', ['?', '<down>', '<down>', '<down>', '<down>', '<down>', '<down>'], 'Ctrl-C'],
]

/** Whole at its size, and the same when it is drawn anew. */
const expectWhole = async (sitter: Sitter, columns: number) => {
  const shown = await sitter.text()
  expect(await sitter.type('<anew>')).toBe(shown)
  expect(sitter.screen.lines[0]).toContain('▟▙')
  expect(sitter.screen.lines.at(-1)).toMatch(/\? keys$|any key|Sure/)
  for (const line of sitter.screen.lines) expect(widthOf(line)).toBeLessThanOrEqual(columns)
}

describe.each([
  [80, 24],
  [132, 43],
  [40, 12],
])('at %i × %i', (columns, rows) => {
  it.each(walks)('%s is shown', async (_, keys, text) => {
    const carl = house.account('carl')
    const dora = house.account('dora')
    await house.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    const [x] = live()
    x!.move('4')
    const sitter = house.sit(house.account('erna'), columns, rows)
    await sitter.type(...keys)
    expect(sitter.screen.text).toContain(text)
    await expectWhole(sitter, columns)
    // Through other sizes and back it looks as before.
    const before = await sitter.text()
    for (const [w, h] of [
      [60, 16],
      [20, 6],
      [150, 50],
      [columns, rows],
    ] as const)
      await sitter.resize(w, h)
    expect(await sitter.text()).toBe(before)
    await sitter.type('\x03')
    expect(sitter.status).toBe(0)
  })
})

describe('on a screen that is too small for anything', () => {
  it.each(walks)('%s is drawn all the same', async (_, keys) => {
    await house.keep(
      tttMatch(house.account('carl'), house.account('dora')),
      outcomes.firstWins,
      ttt.firstWins,
    )
    live()
    const sitter = house.sit(house.account('erna'), 1, 1)
    await sitter.type(...keys, 'x', '<tab>')
    for (const [columns, rows] of [
      [11, 5],
      [10, 200],
      [240, 1],
    ] as const)
      await sitter.resize(columns, rows)
    expect(sitter.status).toBe(null)
  })
})

describe('the hub', () => {
  it('follows a live match to its end, a few bytes a move', async () => {
    const [x, o] = live('gomoku')
    const sitter = house.sit(null)
    await sitter.type('n', '<enter>')
    const moves = ['A1', 'A3', 'B1', 'B3', 'C1', 'C3', 'D1', 'D3', 'E1']
    const bytes: number[] = []
    for (const [i, move] of moves.entries()) {
      const before = sitter.screen.received
      ;(i % 2 === 0 ? x : o)!.move(move)
      await sitter.text()
      bytes.push(sitter.screen.received - before)
    }
    // The last one brings the result as well.
    expect(Math.max(...bytes.slice(0, -1))).toBeLessThan(300)
    expect(bytes.at(-1)).toBeLessThan(900)
    const text = await sitter.text()
    expect(text).toContain('anna won, five in a row.')
    expect(text).toContain('anna +16, bert −16')
    expect(text).toContain('[●]')
  })

  it('tells nobody a move that is still sealed', async () => {
    const [x, o] = live('echo')
    const watcher = house.sit(null)
    await watcher.type('n', '<enter>')
    const lines = house.sit(null, 80, 24, { screen: null, command: 'watch 1' })
    const json = house.sit(null, 80, 24, { screen: null, command: 'watch 1 --json' })
    const replay = house.sit(null, 80, 24, { screen: null, command: 'replay 1' })
    const matches = house.sit(null, 80, 24, { screen: null, command: 'matches --json' })
    x!.move({ number: 7 })
    await house.settle(3000)
    expect(await watcher.text()).not.toContain('7')
    expect(lines.sent).toContain('anna: has moved')
    expect(lines.sent).not.toContain('7')
    expect(json.sent).toContain('"move":null')
    expect(replay).toMatchObject({ status: 1, sent: '' })
    expect(JSON.parse(matches.sent)).toMatchObject([{ status: 'live', seed: null }])
    o!.move({ number: 3 })
    expect(await watcher.text()).toMatch(/1 +7 +3/)
  })

  it('shows spectators nothing of the fog of a live resource-rush, nor its thoughts', async () => {
    const [a, b] = live('resource-rush')
    const watcher = house.sit(null, 120, 45)
    await watcher.type('n', '<enter>')
    const lines = house.sit(null, 80, 24, { screen: null, command: 'watch 1' })
    const json = house.sit(null, 80, 24, { screen: null, command: 'watch 1 --json' })
    const replay = house.sit(null, 80, 24, { screen: null, command: 'replay 1 --json' })
    const thought = 'secret'
    a!.move({ action: 'wait', thought, memory: { at: thought } })
    b!.move({ action: 'wait', thought })
    await house.settle(3000)
    for (const text of [await watcher.text(), lines.sent, json.sent, replay.sent]) {
      expect(text).not.toContain('secret')
      expect(text).not.toMatch(/^\W*[.~^%"o$#]{20,}/m)
    }
    expect(replay.status).toBe(1)
    expect(await watcher.text()).toContain(
      'Until the end spectators see only what both drones see.',
    )
    a!.resign()
    await house.settle(3000)
    expect(await watcher.text()).toMatch(/[.~^%"o$#]{20,}/)
  })

  it('says nothing while nothing happens but the clocks', async () => {
    live()
    const sitter = house.sit(null)
    await sitter.type('n', '<enter>')
    const before = sitter.screen.received
    await house.settle(3000)
    expect(sitter.screen.received - before).toBeLessThan(200)
  })

  it('lets a guest look at everything and change nothing', async () => {
    const sitter = house.sit(null)
    expect(await sitter.text()).toContain('Join: ssh -p 2222 join@bbs.example')
    expect(await sitter.type('p')).toContain('That takes an account')
    expect(await sitter.type('a')).toContain('That takes an account')
    expect(await sitter.type('l')).toContain('Ladders')
  })

  it('says all of it where there is little room', async () => {
    const sitter = house.sit(null, 40, 12)
    expect(await sitter.text()).toContain('ssh -p 2222 join@bbs.example')
    expect((await sitter.type('n')).replace(/\s+/g, ' ')).toContain('appear here by themselves.')
  })

  it('has a person practise by pointing and typing, and explains a wrong move', async () => {
    const sitter = house.sit(house.account('erna'))
    await sitter.type('p', '<enter>')
    expect(await sitter.type('9', '<enter>')).toContain('a move is a cell from "0" to "8"')
    await sitter.type('<enter>')
    for (let i = 0; i < 12 && !sitter.screen.text.includes('Unrated'); i++)
      for (const cell of ['0', '1', '2', '3', '5', '6', '7', '8'])
        if (/legal: [\d ]+/.exec(sitter.screen.text)?.[0].includes(cell)) {
          await sitter.type(cell, '<enter>')
          break
        }
    expect(sitter.screen.text).toMatch(/You (won|lost), |Draw, /)
  })

  it('takes a pointed move where moves are more than a cell, and shows how others are written', async () => {
    const sitter = house.sit(house.account('erna'))
    const at = games.findIndex(({ id }) => id === 'skill-gomoku')
    await sitter.type('p', ...Array(at).fill('<down>'), '<enter>')
    expect(sitter.screen.text).toMatch(/It is JSON, such as/)
    await sitter.type('<up>', '<enter>')
    await sitter.type('<anew>')
    const [table] = house.arena.tables.values()
    const own = table!.deal.players.findIndex(({ account }) => account.name === 'erna')
    expect(table!.moves.find(([seat]) => seat === own)?.[1]).toMatchObject({ row: 6, col: 7 })
  })

  it('lets two people mark dead stones by pointing, and tells both the score', async () => {
    const sitters = [house.sit(house.account('erna')), house.sit(house.account('fritz'))]
    const at = games.findIndex(({ id }) => id === 'go9')
    for (const sitter of sitters)
      await sitter.type('p', ...Array(at).fill('<down>'), '<left>', '<enter>')
    const [table] = house.arena.tables.values()
    expect(table!.deal.setup).toEqual({ dead: 'agreed' })
    const first = table!.deal.players[0]!.account.name === 'erna' ? 0 : 1
    const [black, white] = [sitters[first]!, sitters[1 - first]!]
    await black.type(...'e5', '<enter>')
    await white.type(...'e4', '<enter>')
    await black.type(...'pass', '<enter>')
    await white.type(...'pass', '<enter>')
    expect(await black.text()).toContain('Mark dead stones')
    // The stone below the middle.
    await black.type('<down>', '<enter>')
    expect(await black.text()).toContain('If it ended now: Black 81, White 6.5')
    await black.type(...'agree', '<enter>')
    expect(await white.text()).toContain('×')
    await white.type(...'agree', '<enter>')
    expect(await white.text()).toContain('both agreed on 1 dead')
    expect(white.screen.text).toContain('Score: Black 81, White 6.5')
  })

  it('seats a person opposite whoever comes next, without a rating', async () => {
    const sitter = house.sit(house.account('erna'))
    await sitter.type('p', '<left>', '<enter>')
    let told: PlayerMessage | undefined
    const agent: Player = {
      account: house.account('agent'),
      terms: {
        firstMove: 15_000,
        move: 15_000,
        illegal: 'forfeit',
        late: { strikes: 1, otherwise: 'clock' },
        away: { grace: 0, clock: 'runs' },
      },
      tell: message => {
        if (message.kind === 'seated') told = message
      },
    }
    house.arena.seek(agent, { game: gameOf('ttt')! }, () => {})
    expect(told).toMatchObject({ unrated: 'a casual match' })
    expect(JSON.stringify(told)).not.toMatch(/person|human/)
    expect(await sitter.text()).toContain('agent')
  })

  it('tells the opponent of a person who is banned at the board that it was that', async () => {
    const sitter = house.sit(house.account('gerd'))
    await sitter.type('p', '<left>', '<enter>')
    const told: PlayerMessage[] = []
    const agent: Player = {
      account: house.account('fair-agent'),
      terms: quick,
      tell: message => told.push(message),
    }
    house.arena.seek(agent, { game: gameOf('ttt')! }, () => {})
    sitter.session.dismiss({ code: 'banned', detail: 'this account is banned: for gerd alone' })
    await house.settle(100)
    expect(told.at(-1)).toMatchObject({
      kind: 'ended',
      outcome: { ending: 'gone', detail: 'banned by the operator' },
    })
  })

  it('counts matches with people on their own ladder where the operator wants it', async () => {
    const rated = await HubHouse.open({ peopleRated: true })
    const erna = rated.account('erna')
    const sitter = rated.sit(erna)
    await sitter.type('p', '<left>', '<enter>')
    const agent = rated.account('agent')
    const player: Player = { account: agent, terms: quick, tell: () => {} }
    rated.arena.seek(player, { game: gameOf('ttt')! }, () => {})
    await sitter.type('<esc>', 'y')
    await rated.settle(100)
    expect(rated.store.profiles.ratings(erna.id)).toMatchObject([{ game: 'ttt+people', losses: 1 }])
    expect(rated.store.rankings.place('ttt', agent.id)).toBeUndefined()
    expect(rated.store.matches.newest({ account: agent.id, game: 'ttt', limit: 9 })).toHaveLength(1)
    expect(rated.store.matches.newest({ account: agent.id, limit: 9 })).toHaveLength(1)
    await rated.close()
  })

  it('shows who of one owner is paused and why, and lets them play again', async () => {
    const { users } = house.store
    const [erna, bot] = [house.account('erna'), house.account('erna-bot')]
    users.setOwner(bot, users.find('erna')!)
    // As the host does it.
    const fail = house.store.db.file.prepare(
      "update accounts set paused_at = 1, pause_reason = 'it stalls', paused_by = 'host' where id = ?",
    )
    for (const account of [erna, bot]) fail.run(account.id)
    const sitter = house.sit(erna)
    expect(await sitter.type('a')).toContain('erna is paused: it stalls')
    expect(await sitter.type('u')).toContain('Let erna play again?')
    expect(await sitter.type('n')).toContain('erna is paused')
    await sitter.type('u', 'y')
    expect(await sitter.text()).toContain('erna-bot is paused: it stalls')
    expect(users.find('erna')!.paused_at).toBeNull()
    await sitter.type('u', 'y')
    expect(await sitter.text()).not.toContain('is paused')
    expect(users.find('erna-bot')!.paused_at).toBeNull()
  })

  it('has no way round what the operator has paused', async () => {
    const { users } = house.store
    const erna = house.account('erna')
    users.pause(erna.id, 'it stalls')
    const sitter = house.sit(erna)
    const screen = await sitter.type('a')
    expect(screen).toContain('erna is paused: it stalls. The operator alone lets it play again')
    expect(screen).not.toContain('un-pause')
    await sitter.type('u', 'y')
    expect(users.find('erna')!.paused_at).not.toBeNull()
  })

  it('tells a paused person why there is no seat, and lets them spar with the house', async () => {
    const erna = house.account('erna')
    house.store.users.pause(erna.id, 'it stalls')
    const sitter = house.sit(erna)
    expect(await sitter.type('p', '<left>', '<enter>')).toContain('erna is paused')
    expect(await sitter.type('<esc>', '<tab>', '<enter>')).toContain('Your')
  })

  it('says of a voided match that it does not count, and why', async () => {
    const [carl, dora] = [house.account('carl'), house.account('dora')]
    await house.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    house.store.voids.void([1], 'one person ran both')
    const sitter = house.sit(null)
    expect(await sitter.type('r')).toContain('voided: one person ran both')
    expect(await sitter.type('<enter>', 'G')).toContain('Voided: one person ran both')
    expect((await sitter.type('e')).replace(/\s/g, '')).toContain('"reason":"onepersonranboth"')
  })

  it('asks before a match is left, which then is resigned', async () => {
    const sitter = house.sit(house.account('erna'))
    await sitter.type('p', '<enter>')
    expect(await sitter.type('<esc>')).toContain('That loses it.')
    expect(await sitter.type('n')).toContain('Your move')
    await sitter.type('<esc>', 'y')
    await house.settle(100)
    const [match] = house.store.matches.newest({ limit: 1 })
    expect(match).toMatchObject({ end: { ending: 'resigned' } })
  })

  it('takes a move of a rook for a move', async () => {
    const sitter = house.sit(house.account('erna'))
    const at = games.findIndex(({ id }) => id === 'chess')
    await sitter.type('p', ...Array(at).fill('<down>'), '<left>', '<enter>')
    house.arena.seek(
      { account: house.account('agent'), terms: quick, tell: () => {} },
      { game: gameOf('chess')! },
      () => {},
    )
    expect(await sitter.type('R', 'a', '3')).toContain('Ra3')
    expect(house.arena.tables.size).toBe(1)
  })

  it('begins no other match by a key that was meant for the one that just ended', async () => {
    const sitter = house.sit(house.account('erna'))
    await sitter.type('p', '<left>', '<enter>')
    const player: Player = {
      account: house.account('agent'),
      terms: quick,
      tell: message => {
        if (message.kind === 'seated') message.handle.resign()
      },
    }
    house.arena.seek(player, { game: gameOf('ttt')! }, () => {})
    await house.settle(0)
    expect(await sitter.type('4', '<enter>')).toContain('You won')
    await house.settle(1000)
    expect(await sitter.type('<enter>')).toContain('Waiting for somebody')
  })

  it('keeps to whoever is chosen while others come', async () => {
    const accounts = [house.account('carl'), house.account('erna')]
    const present = { accounts: accounts.slice(0, 1), accountCount: 1 }
    const full = await HubHouse.open({ present })
    full.account('carl')
    const sitter = full.sit(null)
    await sitter.type('w')
    expect(sitter.screen.text).toContain('▸ carl')
    present.accounts = [...accounts, house.account('anna')]
    await full.settle(1000)
    expect(await sitter.text()).toMatch(/ {2}anna.*▸ carl.* {2}erna/s)
    await full.close()
  })

  it('warns whoever does nothing, and then closes the line', async () => {
    const sitter = house.sit(null)
    await sitter.text()
    await house.settle(845_000)
    expect(await sitter.text()).toContain('Still there?')
    await sitter.type('<down>')
    await house.settle(845_000)
    expect(sitter.status).toBeNull()
    await house.settle(60_000)
    expect(sitter.status).toBe(0)
    expect(await sitter.text()).toContain('You were away')
    expect(sitter.screen.isAlternate).toBe(false)
  })

  it('makes no token without a name, and says so', async () => {
    const sitter = house.sit(house.account('nola'))
    const screen = await sitter.type('a', 't', ' ', '<enter>')
    expect(screen).toContain('No token was made: say what it is for.')
    expect(house.store.tokens.of(house.store.users.find('nola')!.id)).toEqual([])
  })

  it('ends one session by a fault of ours, with its terminal as it was, and no other', async () => {
    const other = house.sit(null)
    const sitter = house.sit(house.account('erna'))
    await sitter.type('a')
    Object.defineProperty(house.store.tokens, 'of', {
      value: () => {
        throw new Error('a fault')
      },
    })
    await sitter.type('t', 'x', '<enter>')
    expect(sitter.status).toBe(1)
    expect(await sitter.text()).toContain('A fault of ours')
    expect(sitter.screen.isAlternate).toBe(false)
    expect(await other.type('l')).toContain('Ladders')
    expect(house.failures.splice(0)).toHaveLength(1)
  })

  it('sends no colour where none is wanted, and no escape sequence where none is understood', async () => {
    const visit = (term: string, ...variables: [string, string][]) => ({
      screen: { columns: 80, rows: 24, term, variables: new Map(variables) },
    })
    const grey = house.sit(null, 80, 24, visit('xterm-256color', ['NO_COLOR', '1']))
    await grey.type('l', '<down>')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what must not be there
    expect(grey.sent).not.toMatch(/\x1b\[[\d;]+m/)
    expect(await grey.text()).toContain('▸ c4')
    const dumb = house.sit(null, 80, 24, visit('dumb'))
    await dumb.type(
      'l',
      'a',
      'd',
      'd',
      'e',
      'r',
      ' ',
      't',
      't',
      't',
      '<enter>',
      'q',
      'u',
      'i',
      't',
      '<enter>',
    )
    expect(dumb.sent).not.toContain('\x1b')
    expect(dumb.sent).toContain('No rated match yet.')
    expect(dumb.status).toBe(0)
  })

  it('gives what is typed ahead to the screen that it was meant for', async () => {
    const sitter = house.sit(house.account('erna'))
    expect(await sitter.type('atbot\rqq')).toContain('Ladders')
    expect(await sitter.type('a')).toContain('token  bot')
    expect(sitter.status).toBeNull()
  })

  it('keeps what is typed ahead of an answer, up to a good-bye', async () => {
    const screen = { columns: 80, rows: 24, term: 'dumb', variables: new Map<string, string>() }
    const dumb = house.sit(house.account('erna'), 80, 24, { screen })
    await dumb.type('whoami\rladder ttt\rquit\rwhoami\r')
    expect(dumb.sent.match(/^erna\r$/gm)).toHaveLength(1)
    expect(dumb.sent).toContain('No rated match yet.')
    expect(dumb.status).toBe(0)
  })

  it('takes nothing that is typed behind a good-bye', async () => {
    const before = house.clock.pending
    const sitter = house.sit(null)
    await sitter.type('qyx\r\x1b')
    expect(sitter.status).toBe(0)
    expect(house.failures).toEqual([])
    expect(house.clock.pending).toBe(before)
  })

  it('helps a first match by hand without a move that may lose at once', async () => {
    const shown = await house.sit(null).type('h')
    expect(shown).toContain('a move out of its "legal"')
    expect(shown).toMatch(/A move that\s+is not listed loses at once/)
  })

  it('asks before it ends a session from the menu', async () => {
    const sitter = house.sit(null)
    expect(await sitter.type('l', '<esc>', 'q')).toContain('Leave AgentBBS?')
    expect(await sitter.type('q')).toContain('Ladders')
    expect(sitter.status).toBeNull()
    await sitter.type('q', 'y')
    expect(sitter.status).toBe(0)
  })

  it('shows all of a list again by Esc, before Esc leaves it', async () => {
    const [carl, dora] = [house.account('carl'), house.account('dora')]
    await house.keep(tttMatch(carl, dora), outcomes.firstWins, ttt.firstWins)
    const sitter = house.sit(null)
    expect(await sitter.type('r', '/', ...'carl', '<enter>')).toContain('Replays · carl')
    expect(await sitter.type('<tab>')).toContain('Replays · Tic-tac-toe · carl')
    expect(await sitter.type('<esc>')).toMatch(/Replays +guest/)
    expect(await sitter.type('<esc>')).toContain('Menu')
    expect(await sitter.type('f', 'd')).not.toContain('carl')
    expect(await sitter.type('<esc>')).toContain('carl')
    expect(await sitter.type('<esc>')).toContain('Menu')
  })

  it('offers no other side of a board whose rows have no names', async () => {
    live('c4')[0]!.move('3')
    const sitter = house.sit(null)
    const shown = await sitter.type('n', '<enter>')
    expect(shown).not.toContain('f flip')
    expect(await sitter.type('f')).toBe(shown)
  })

  it('shows the other side of a board whose rows have names', async () => {
    live('chess')
    const sitter = house.sit(null)
    expect(await sitter.type('n', '<enter>')).toContain('f flip')
    expect(sitter.screen.text).toMatch(/a +b +c .*\n.*\n +8 │/)
    expect(await sitter.type('f')).toMatch(/h +g +f .*\n.*\n +1 │/)
  })

  it('says at the board only of keys that are no part of a move', async () => {
    const sitter = house.sit(house.account('erna'))
    const help = await sitter.type('p', '<enter>', '?')
    expect(help).toContain('resign')
    expect(help).toContain('Ctrl-C')
    expect(help).not.toMatch(/j k|g G|Esc q/)
  })

  it('shows the result after a match was resigned, and no refusal from before', async () => {
    const sitter = house.sit(house.account('erna'))
    expect(await sitter.type('p', '<enter>', '9', '<enter>')).toContain('a move is a cell')
    const text = await sitter.type('<esc>', 'y')
    expect(text).toContain('You lost, resigned: resignation.')
    expect(text).not.toContain('a move is a cell')
    await house.settle(2000)
    expect(await sitter.type('<esc>')).toContain('Play')
  })

  it('counts somebody who has joined once', async () => {
    const accounts: Account[] = []
    const present = {
      accounts,
      get accountCount() {
        return accounts.length
      },
    }
    const own = await HubHouse.open({
      present,
      joined: key => void accounts.push(own.store.logins.byKey(key)!.account),
    })
    const sitter = own.sit(null, 80, 24, { user: 'join', key: newKey() })
    expect(await sitter.text()).toContain('guest · 1 here')
    expect(await sitter.type(...'erna', '<enter>')).toContain('erna · 1 here')
    await own.close()
  })

  it('shows no more of a hostile label than can be read', async () => {
    const erna = house.account('erna')
    house.store.tokens.mint(erna, 'evil\x1b[2J\u202Egnp\u0007 囲碁 😀')
    const sitter = house.sit(erna)
    const text = await sitter.type('a')
    expect(text).toContain('evil[2Jgnp 囲碁 😀')
    await expectWhole(sitter, 80)
  })

  it('forgets whoever is gone, however they came and went', async () => {
    live()
    const host = house.sit(house.account('erna'))
    const guests = [
      house.sit(null),
      house.sit(null, 80, 24, {
        screen: { columns: 80, rows: 24, term: 'dumb', variables: new Map() },
      }),
      house.sit(null, 80, 24, { screen: null, command: 'watch 1' }),
    ]
    await guests[0]!.type('n', '<enter>')
    expect(await host.type('w')).toContain('and 3 guests')
    expect(house.hub.watchers).toBe(2)
    for (const guest of guests) guest.session.closed()
    expect(await host.type('<esc>', 'w')).not.toContain('guest')
    expect(house.hub.watchers).toBe(0)
  })

  it('leaves no timer and no watcher behind', async () => {
    live()
    await house.settle()
    const before = house.clock.pending
    const sitter = house.sit(house.account('erna'))
    await sitter.type('n', '<enter>', '<esc>', '<esc>', 'p', '<left>', '<enter>')
    sitter.session.closed()
    expect(house.clock.pending).toBe(before)
    expect(house.arena.waiting).toEqual([])
  })
})

const quick = {
  firstMove: 15_000,
  move: 15_000,
  illegal: 'forfeit',
  late: { strikes: 1, otherwise: 'clock' },
  away: { grace: 0, clock: 'runs' },
} as const

it('has so many sessions of one account, and of guests from one place, until one is gone', async () => {
  const crowded = await HubHouse.open({ visits: 2 })
  onTestFinished(() => crowded.close())
  const from = (source: string) => crowded.sit(null, 80, 24, { source })
  const guests = [from('192.0.2.7'), from('192.0.2.7')]
  const third = from('192.0.2.7')
  expect(third.status).toBe(1)
  expect(third.notes).toContain('You are here 2 times already')
  expect(from('192.0.2.8').status).toBeNull()
  const ann = crowded.account('ann')
  const hers = [crowded.sit(ann), crowded.sit(ann)]
  expect(crowded.sit(ann).status).toBe(1)
  guests[0]!.session.closed()
  hers[0]!.session.dismiss({ code: 'banned', detail: 'go' })
  expect([from('192.0.2.7').status, crowded.sit(ann).status]).toEqual([null, null])
})
