import { afterEach, beforeEach, expect, it } from 'vitest'
import { ttt as moves, outcomes, strictTerms, tttMatch } from '../../test/support/played.ts'
import { TestHub } from '../../test/support/test-hub.ts'
import type { Account } from '../arena/account.ts'
import { guests } from '../arena/guests.ts'
import type { Player, SeatHandle } from '../arena/player.ts'
import { clawpoly } from '../games/clawpoly.ts'
import type { Game } from '../games/game.ts'
import { ttt } from '../games/ttt.ts'

const setup = {
  table: {
    ...{ id: 't', code: 'REEF42', name: 'Reef', speed: 'instant' },
    guests: ['Nemo', null],
  },
}
const sitter = (account: Account): Player => ({ account, terms: strictTerms, tell: () => {} })

let hub: TestHub
beforeEach(async () => {
  hub = await TestHub.open()
})
afterEach(async () => {
  expect(hub.failures).toEqual([])
  await hub.close()
})

it('a guest is shown by its name among the live matches and at its board', async () => {
  const ann = hub.account('ann')
  await hub.arena.open({
    ...{ game: ttt as Game, players: [guests[0]!, ann].map(sitter), unrated: null, setup },
  })
  const client = hub.connect(hub.account('erna'))
  expect(await client.type('n')).toMatch(/Nemo \(guest\) +ann/)
  const board = await client.type('<enter>')
  expect(board).toContain('Nemo (guest)')
  expect(board).toContain('Unrated: fewer than two players with an account')
  expect(board).not.toContain('guest:0')
})

it('a guest is shown by its name among the past matches and in a replay, and found nowhere', async () => {
  const ann = hub.account('ann')
  const unrated = 'fewer than two players with an account'
  await hub.keep(
    { ...tttMatch(guests[0]!, ann), setup, unrated },
    outcomes.firstWins,
    moves.firstWins,
  )
  const client = hub.connect(hub.account('erna'))
  const past = await client.type('r')
  expect(past).toContain('Nemo (guest)')
  const replay = await client.type('<enter>')
  expect(replay).toContain('Nemo (guest)')
  expect([past, replay].join()).not.toContain('guest:0')
  const found = await client.type('<esc>', '<esc>', 'f', ...'gue')
  expect(found).not.toContain('guest:')
})

it('the end of a rated match has no change of rating for a guest', async () => {
  const [ann, bob] = [hub.account('ann'), hub.account('bob')]
  const handles: SeatHandle[] = []
  const players = [guests[0]!, ann, bob].map(
    (account, seat): Player => ({
      ...{ account, terms: strictTerms },
      tell: news => {
        if (news.kind === 'seated') handles[seat] = news.handle
      },
    }),
  )
  await hub.arena.open({ ...{ game: clawpoly as Game, players, unrated: null, setup } })
  const client = hub.connect(hub.account('erna'))
  await client.type('n', '<enter>')
  handles[2]!.resign()
  await hub.settle()
  handles[1]!.resign()
  await hub.settle(5_000)
  const end = await client.text()
  expect(end).toMatch(/Nemo \(guest\) won/)
  expect(end).toMatch(/· ann \+4, bob −16/)
  expect(end).not.toMatch(/\(guest\) [+−]\d/)
  expect(await client.type('<esc>', '<esc>')).toMatch(/Nemo \(guest\) beat ann, bob(?! \+)/)
})
