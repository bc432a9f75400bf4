// Every single change to a finished match is found and named.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendWithin } from '../../src/store/match-book.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { sampleData } from '../../test/support/sample-data.ts'
import { peopleLadder } from '../arena/ladder.ts'
import type { NewMatch } from '../arena/match-store.ts'
import { gameOf } from '../games/index.ts'
import { verified } from './verify.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentbbs-'))
let store: Store

// Eight matches of the sample, and then one of a game with secrets and scores, and one with people in it.
beforeAll(async () => {
  await sampleData(folder)
  const clock = new FakeClock()
  store = await openStore(folder, clock)
  const [eve, fay] = [newAccount(store.users, 'eve'), newAccount(store.users, 'fay')]
  const play = (match: Partial<NewMatch>, ...result: [Outcome, Moves]) => {
    const id = store.matchStore.begin({ ...tttMatch(eve, fay), ...match })
    void store.matchStore.finish(id, ...result)
    clock.pass(sendWithin)
    return id
  }
  play(
    {
      game: 'resource-rush',
      seed: '00112233445566778899aabbccddeeff',
      setup: gameOf('resource-rush')!.setup ?? null,
    },
    {
      ending: 'resigned',
      places: [1, 2],
      scores: [7.5, 3],
      faults: [null, 'resigned'],
      detail: 'resignation',
    },
    [[1, null, 0, 'resigned']],
  )
  play({ ladder: peopleLadder('ttt') }, outcomes.draw, ttt.draw)
  store.voids.void([2], 'one person ran both')
  store.voids.void([4], null)
  store.voids.unvoid([4])
  store.db.file.pragma('foreign_keys = OFF')
  for (const { name } of triggers()) store.db.file.exec(`drop trigger ${name}`)
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

type Outcome = Parameters<Store['matchStore']['finish']>[1]
type Moves = Parameters<Store['matchStore']['finish']>[2]

const triggers = () =>
  store.db.file.prepare("select name from sqlite_master where type = 'trigger'").all() as {
    name: string
  }[]

/** What verify finds after a change, which is then undone. */
const foundAfter = (change: string): string => {
  const { file } = store.db
  file.exec('savepoint change')
  try {
    expect(file.prepare(change).run().changes, change).toBeGreaterThan(0)
    return verified(store).differences.join('\n')
  } finally {
    file.exec('rollback to change; release change')
  }
}

const columnsOf = (table: string) =>
  store.db.file.pragma(`table_info(${table})`) as { name: string; type: string }[]

const rowsOf = (table: string, where: string) =>
  store.db.file.prepare(`select * from ${table} where ${where}`).all() as Record<string, unknown>[]

/** Another value than the one that is there, and than those of other rows. */
const other = (column: string, type: string) =>
  type.toLowerCase() === 'text'
    ? `coalesce(${column} || 'x', 'x')`
    : `case when typeof(${column}) = 'text' then ${column} || '0' else coalesce(${column}, 0) + 1000 end`

// Plain, voided, counting again, practice, four seats, aborted, and one of a game with secrets, a setup and scores.
const over = [1, 2, 4, 5, 6, 7, 9]

it('accepts the matches as they are', () => {
  expect(verified(store)).toEqual({ matches: 10, seals: 14, events: 3, points: 2, differences: [] })
})

describe.each(over)('of match %i', id => {
  const named = new RegExp(`^match ${id}: `, 'm')

  it('each column', () => {
    for (const column of columnsOf('matches')) {
      // A match has both or neither: without them it would be live.
      if (column.name === 'ending') continue
      const change = `update matches set "${column.name}" = ${other(`"${column.name}"`, column.type)} where id = ${id}`
      // No seal covers the notes: the operator may remove one.
      if (column.name === 'notes') expect(foundAfter(change)).toBe('')
      else expect(foundAfter(change), change).toMatch(named)
    }
    const [row] = rowsOf('matches', `id = ${id}`)
    const ending = row!.ending === 'gone' ? 'late' : 'gone'
    expect(foundAfter(`update matches set ending = '${ending}' where id = ${id}`)).toMatch(named)
    expect(
      foundAfter(`update matches set ending = null, ended_at = null where id = ${id}`),
    ).toMatch(named)
  })

  it('each column of each seat', () => {
    for (const { seat } of rowsOf('match_seats', `match = ${id}`))
      for (const column of columnsOf('match_seats')) {
        const change = `update match_seats set "${column.name}" = ${other(`"${column.name}"`, column.type)} where match = ${id} and seat = ${seat}`
        // No seal covers by what a seat came.
        if (column.name === 'protocol') expect(foundAfter(change)).toBe('')
        else expect(foundAfter(change), change).toMatch(named)
      }
  })

  it('a missing row, seat or seal', () => {
    expect(foundAfter(`delete from matches where id = ${id}`)).toMatch(named)
    expect(foundAfter(`delete from match_seats where match = ${id} and seat = 0`)).toMatch(named)
    expect(foundAfter(`delete from match_seats where match = ${id}`)).toMatch(named)
    expect(foundAfter(`delete from seals where match = ${id} and type = 'match'`)).toMatch(named)
  })

  it('each column of its seal', () => {
    for (const column of columnsOf('seals')) {
      const value = column.name === 'type' ? "'void'" : other(`"${column.name}"`, column.type)
      const change = `update seals set "${column.name}" = ${value} where match = ${id} and type = 'match'`
      expect(foundAfter(change), change).toMatch(/^match \d+: /m)
    }
  })
})

describe('verify finds', () => {
  it.each([
    [
      'a legal move in place of another',
      1,
      `update matches set moves = replace(moves, '[1,"4"', '[1,"8"') where id = 1`,
    ],
    [
      'a time that a move took',
      1,
      `update matches set moves = replace(moves, ',13]', ',14]') where id = 1`,
    ],
    ['another seed', 1, 'update matches set seed = 2 where id = 1'],
    ['a score', 9, 'update match_seats set score = score + 1 where match = 9 and seat = 1'],
    ['a reason', 4, `update matches set detail = 'no move within 16 s' where id = 4`],
    [
      'accounts that have changed places',
      1,
      'update match_seats set account = 3 - account where match = 1',
    ],
    [
      'names that were exchanged',
      1,
      `update accounts set name = case id when 1 then 'bob' when 2 then 'ann' end where id in (1, 2)`,
    ],
    ['a house player that is none', 5, `update accounts set kind = 'player' where kind = 'house'`],
    ['a void that no operator made', 1, 'update matches set voided_at = 5 where id = 1'],
    [
      'a void that was taken back by hand',
      2,
      'update matches set voided_at = null, void_reason = null where id = 2',
    ],
    ['another reason for a void', 2, `update matches set void_reason = 'none' where id = 2`],
  ])('%s', (_, id, change) => {
    // Names are unique: the exchange goes by way of a third.
    const { file } = store.db
    file.exec('savepoint names')
    if (change.includes('set name')) file.exec('drop index accounts_by_name')
    expect(foundAfter(change)).toMatch(new RegExp(`^match ${id}: `, 'm'))
    file.exec('rollback to names; release names')
  })

  it('two whole matches that were exchanged', () => {
    const swap = (table: string, column: string) =>
      `update ${table} set ${column} = case ${column} when 1 then -2 when 3 then -1 end where ${column} in (1, 3)`
    const back = (table: string, column: string) =>
      `update ${table} set ${column} = case ${column} when -2 then 3 else 1 end where ${column} < 0`
    const { file } = store.db
    file.exec('savepoint swap')
    for (const [table, column] of [
      ['matches', 'id'],
      ['match_seats', 'match'],
    ] as const)
      for (const change of [swap, back]) file.exec(change(table, column))
    const found = verified(store).differences.join('\n')
    file.exec('rollback to swap; release swap')
    for (const id of [1, 3]) expect(found).toMatch(new RegExp(`^match ${id}: `, 'm'))
  })

  it('a match that is missing with its seats and its seal', () => {
    const { file } = store.db
    file.exec('savepoint gone')
    for (const [table, column] of [
      ['matches', 'id'],
      ['match_seats', 'match'],
      ['seals', 'match'],
    ])
      file.exec(`delete from ${table} where ${column} = 3`)
    const found = verified(store).differences.join('\n')
    file.exec('rollback to gone; release gone')
    expect(found).toMatch(/^match 4: seal 3 is missing before that of this match$/m)
  })

  it('each column of a rating', () => {
    // The noted gain of a day is not a rating, and a void may lower it.
    const notes = ['day', 'began']
    for (const column of columnsOf('ratings').filter(({ name }) => !notes.includes(name))) {
      const change = `update ratings set "${column.name}" = ${other(`"${column.name}"`, column.type)} where account = 6 and ladder = 'ttt+people' or account = 3 and ladder = 'ttt'`
      expect(foundAfter(change), change).not.toBe('')
    }
  })

  it('a missing or changed seal of a void', () => {
    const { number } = rowsOf('seals', `match = 2 and type = 'void'`)[0]!
    expect(foundAfter(`delete from seals where ladder = 'ttt' and number = ${number}`)).toMatch(
      /^match 2: /m,
    )
    for (const column of columnsOf('seals')) {
      const value = column.name === 'type' ? "'unvoid'" : other(`"${column.name}"`, column.type)
      expect(
        foundAfter(
          `update seals set "${column.name}" = ${value} where ladder = 'ttt' and number = ${number}`,
        ),
        column.name,
      ).toMatch(/^match 2: /m)
    }
  })
})
