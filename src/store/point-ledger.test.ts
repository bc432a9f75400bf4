import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import type { Account } from '../arena/account.ts'
import type { NewMatch } from '../arena/match-store.ts'
import { verified } from '../commands/verify.ts'
import { databasePath } from './data-paths.ts'
import { sendWithin } from './match-book.ts'
import { declareVersion } from './versions.ts'

const room = { id: 'chess', table: 't-a', title: 'Blitz', participants: [0, 1] } as const
const moves = { firstWins: ttt.firstWins, secondWins: ttt.secondWins, draw: ttt.draw }

const opened = async (folder = dataFolder()) => {
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const { matchStore, users } = store
  const [ann, bob] = ['ann', 'bob'].map(name => users.find(name) ?? newAccount(users, name)) as [
    Account,
    Account,
  ]
  /** What a promise of the store comes to, once it has written. */
  const done = async <T>(promise: Promise<T>): Promise<T> => {
    clock.pass(sendWithin)
    return await promise
  }
  const begin = (match: Partial<NewMatch> = {}, players: readonly Account[] = [ann, bob]) =>
    matchStore.begin({ ...tttMatch(...players), setup: { room }, ...match })
  const finish = (id: number, how: keyof typeof moves = 'firstWins') =>
    done(matchStore.finish(id, outcomes[how], moves[how]))
  /** A match that has been played. */
  const played = async (how: keyof typeof moves = 'firstWins') => {
    const id = begin()
    await finish(id, how)
    return id
  }
  const escrow = (id: number, amount: number) => done(matchStore.escrow(id, amount))
  const abort = (id: number) => done(matchStore.abort(id, 'a fault', []))
  const balances = () => [ann, bob].map(({ id }) => store.points.balance(id))
  const differences = () => verified(store).differences
  return {
    ...{ folder, clock, store, users, ann, bob },
    ...{ begin, finish, played, escrow, abort, balances, differences, done },
  }
}

describe('points', () => {
  it('are earned by both seats of a match at a table, with its result', async () => {
    const { begin, finish, balances, differences } = await opened()
    expect((await finish(begin())).points).toEqual([
      { earned: 112, balance: 112, wager: null },
      { earned: 37, balance: 37, wager: null },
    ])
    expect((await finish(begin(), 'draw')).points).toEqual([
      { earned: 72, balance: 184, wager: null },
      { earned: 72, balance: 109, wager: null },
    ])
    expect(balances()).toEqual([184, 109])
    expect(differences()).toEqual([])
  })

  it('are earned at tables alone', async () => {
    const { begin, finish, balances } = await opened()
    expect((await finish(begin({ setup: null }))).points).toBeNull()
    expect((await finish(begin({ setup: { room: { ...room, id: 'dojo' } } }))).points).toBeNull()
    expect(balances()).toEqual([0, 0])
  })

  it('are earned by no match against the house, by none of one owner, and by none that is aborted', async () => {
    const { store, begin, finish, abort, users, ann, bob, balances, differences } = await opened()
    const house = users.house('house-easy')
    const practice = { practice: true, unrated: 'practice against the house' } as const
    expect((await finish(begin(practice, [ann, house]))).points).toBeNull()
    await abort(begin())
    users.setOwner(bob, users.find('ann')!)
    const id = begin({ unrated: 'a casual match' })
    expect(await finish(id)).toMatchObject({ points: null, unrated: 'agents of one owner' })
    expect(store.matches.find(id)!.unrated).toBe('agents of one owner')
    expect(balances()).toEqual([0, 0])
    users.setOwner(bob, null)
    expect(differences()).toEqual([])
  })

  it('of a version are those of its agent', async () => {
    const { store, begin, finish, ann, bob, balances, differences } = await opened()
    const words = { version: '2', model: null, harness: null }
    const version = declareVersion(store, ann, words) as Account
    expect((await finish(begin({}, [version, bob]))).points![0]).toMatchObject({ balance: 112 })
    expect(balances()).toEqual([112, 37])
    expect(store.points.balance(version.id)).toBe(112)
    expect(differences()).toEqual([])
  })

  it('are listed from the richest to the poorest, without the banned', async () => {
    const { store, users, begin, finish, ann, bob } = await opened()
    const [cid, dot] = ['cid', 'dot'].map(name => newAccount(users, name)) as [Account, Account]
    await finish(begin({}, [ann, bob]))
    await finish(begin({}, [cid, dot]))
    const rows = ({ offset, limit }: { offset: number; limit: number }) =>
      store.points
        .page({ offset, limit })
        .rows.map(({ rank, name, balance }) => [rank, name, balance])
    expect(rows({ offset: 0, limit: 9 })).toEqual([
      [1, 'ann', 112],
      [1, 'cid', 112],
      [3, 'bob', 37],
      [3, 'dot', 37],
    ])
    expect(rows({ offset: 1, limit: 2 })).toEqual([
      [1, 'cid', 112],
      [3, 'bob', 37],
    ])
    users.ban(cid.id, null)
    expect(store.points.page({ offset: 0, limit: 9 })).toMatchObject({
      total: 3,
      rows: [{ name: 'ann' }, { rank: 2, name: 'bob' }, { rank: 2, name: 'dot' }],
    })
  })
})

describe('a wager', () => {
  it.each([
    ['firstWins', [112 + 112 + 30, 37 + 37 - 30], ['win', 'loss']],
    ['secondWins', [112 + 40 - 30, 37 + 115 + 30], ['loss', 'win']],
    ['draw', [112 + 72, 37 + 72], ['refund', 'refund']],
  ] as const)('is settled with the result: %s', async (how, after, [one, two]) => {
    const { store, ann, bob, begin, finish, played, escrow, balances, differences } = await opened()
    await played()
    const id = begin()
    expect(await escrow(id, 30)).toEqual({ ok: true })
    expect(balances()).toEqual([82, 7])
    expect(differences()).toEqual([])
    expect((await finish(id, how)).points).toMatchObject([
      { balance: after[0], wager: { amount: 30, outcome: one } },
      { balance: after[1], wager: { amount: 30, outcome: two } },
    ])
    expect(balances()).toEqual(after)
    const settledAt = store.matches.find(id)!.end!.at
    expect([ann, bob].map(({ id }) => store.points.wagers(id))).toEqual([
      [{ match: id, opponent: 'bob', amount: 30, outcome: one, settledAt }],
      [{ match: id, opponent: 'ann', amount: 30, outcome: two, settledAt }],
    ])
    expect(differences()).toEqual([])
  })

  it('is settled also where the two have come to one owner, and then nothing is earned', async () => {
    const { users, bob, begin, finish, played, escrow, differences } = await opened()
    await played()
    const id = begin()
    await escrow(id, 30)
    users.setOwner(bob, users.find('ann')!)
    expect((await finish(id)).points).toEqual([
      { earned: 0, balance: 142, wager: { amount: 30, outcome: 'win' } },
      { earned: 0, balance: 7, wager: { amount: 30, outcome: 'loss' } },
    ])
    expect(differences()).toEqual([])
  })

  it('is given back by an abort', async () => {
    const { store, ann, begin, played, escrow, abort, balances, differences } = await opened()
    await played()
    const id = begin()
    await escrow(id, 37)
    await abort(id)
    expect(balances()).toEqual([112, 37])
    expect(store.points.wagers(ann.id)).toMatchObject([{ match: id, outcome: 'refund' }])
    expect(differences()).toEqual([])
  })

  it('of a match that was live when the host died is given back at the next start', async () => {
    const { store, folder, begin, played, escrow } = await opened()
    await played()
    await escrow(begin(), 37)
    await store.close()
    const { balances, differences } = await opened(folder)
    expect(balances()).toEqual([112, 37])
    expect(differences()).toEqual([])
  })

  it('is given back at the next start where its match is over and has not settled it', async () => {
    const { store, folder, ann, bob, played } = await opened()
    const id = await played()
    for (const { id: account } of [ann, bob])
      store.db.file.exec(
        `insert into points (account, match, amount, kind, at) values (${account}, ${id}, -5, 'staked', 0)`,
      )
    expect(verified(store).differences).toContain(`match ${id}: its wager has lost 10 points`)
    await store.close()
    expect((await opened(folder)).balances()).toEqual([112, 37])
  })

  it('is refused to one that has too few points, and stakes nothing', async () => {
    const { bob, begin, played, escrow, balances } = await opened()
    await played()
    expect(await escrow(begin(), 38)).toEqual({ poor: bob.id })
    expect(balances()).toEqual([112, 37])
  })

  it('is refused twice in one match, after its end, and where nothing is earned', async () => {
    const { store, users, bob, begin, finish, played, escrow, abort, clock } = await opened()
    await played()
    const id = begin()
    await escrow(id, 10)
    expect(await escrow(id, 10)).toEqual({ refused: 'wagered' })
    const end = store.matchStore.finish(id, outcomes.draw, ttt.draw)
    expect(await store.matchStore.escrow(id, 10)).toEqual({ refused: 'over' })
    clock.pass(sendWithin)
    await end
    expect(await escrow(id, 10)).toEqual({ refused: 'over' })
    const aborted = begin()
    await abort(aborted)
    expect(await escrow(aborted, 10)).toEqual({ refused: 'over' })
    const elsewhere = begin({ setup: null })
    expect(await escrow(elsewhere, 10)).toEqual({ refused: 'no-points' })
    await finish(elsewhere)
    users.setOwner(bob, users.find('ann')!)
    expect(await escrow(begin(), 10)).toEqual({ refused: 'no-points' })
  })

  it('is refused while the database takes no writes, and then stakes nothing', async () => {
    const { store, clock, folder, begin, finish, played, balances, differences } = await opened()
    await played()
    const id = begin()
    const other = new BetterSqlite3(databasePath(folder))
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    const answer = store.matchStore.escrow(id, 10)
    clock.pass(12_500)
    expect(await answer).toEqual({ refused: 'unkept' })
    other.exec('rollback')
    clock.pass(1_000)
    expect((await finish(id)).points![0]!.wager).toBeNull()
    expect(balances()).toEqual([224, 74])
    expect(differences()).toEqual([])
  })

  it('is kept where the start of its match is not on disk yet, with the match', async () => {
    const { store, ann, bob, begin, played, clock, differences } = await opened()
    await played()
    const id = begin()
    const answer = store.matchStore.escrow(id, 10)
    // The writer has been asked, and no time has passed for the start to be sent.
    clock.pass(0)
    expect(await answer).toEqual({ ok: true })
    expect(store.matches.find(id)).toMatchObject({
      end: null,
      players: [ann, bob].map(({ id }) => ({ account: id })),
    })
    expect(differences()).toEqual([])
  })

  it.each([0, -5, 1.5, Number.NaN])('of %s points is an error', async amount => {
    const { begin, played, escrow } = await opened()
    await played()
    await expect(escrow(begin(), amount)).rejects.toThrow('no stake')
  })
})

describe('a voided match', () => {
  it('loses the points that it has earned, and gets exactly these back', async () => {
    const { store, played, balances, differences } = await opened()
    const id = await played()
    await played('draw')
    store.voids.void([id], 'one person')
    expect(balances()).toEqual([72, 72])
    expect(differences()).toEqual([])
    store.voids.unvoid([id])
    expect(balances()).toEqual([184, 109])
    store.voids.void([id], 'after all')
    expect(balances()).toEqual([72, 72])
    expect(differences()).toEqual([])
  })

  it('takes no more than is there, and its wager stays settled', async () => {
    const { store, begin, finish, played, escrow, balances, differences } = await opened()
    const id = await played()
    const wager = begin()
    await escrow(wager, 37)
    await finish(wager)
    expect(balances()).toEqual([112 + 112 + 37, 37])
    store.voids.void([wager, id], 'one person')
    expect(balances()).toEqual([37, 0])
    expect(differences()).toEqual([])
    store.voids.unvoid([id])
    expect(balances()).toEqual([149, 0])
    store.voids.unvoid([wager])
    expect(balances()).toEqual([261, 37])
    expect(differences()).toEqual([])
  })
})

describe('the ledger', () => {
  it.each([
    'delete from points',
    'update points set amount = 999 where seq = 1',
    `insert or replace into points (seq, account, match, amount, kind, at) values (1, 1, 1, 999, 'earned', 0)`,
    `insert or replace into points (account, match, amount, kind, at) values (1, 1, 999, 'earned', 0)`,
  ])('is refused to %s', async change => {
    const { store, played } = await opened()
    await played()
    expect(() => store.db.file.exec(change)).toThrow('what is written here stays as it is')
  })

  it.each([
    ["1, 1, -113, 'staked', 0", 'a balance below zero'],
    ["1, 1, 5, 'staked', 0", 'a stake that gives points'],
    ["1, 1, 0, 'paid', 0", 'a wager that pays nothing'],
    ["1, 1, 1.5, 'restored', 0", 'half a point'],
    ["1, 1, 5, 'found', 0", 'an entry of another kind'],
    ["1, 99, 5, 'paid', 0", 'an entry of no match'],
  ])('is refused an entry of %s: %s', async values => {
    const { store, played } = await opened()
    await played()
    expect(() =>
      store.db.file.exec(
        `insert into points (account, match, amount, kind, at) values (${values})`,
      ),
    ).toThrow(/constraint failed/i)
  })

  it.each([
    [
      "insert into points (account, match, amount, kind, at) values (1, 2, 500, 'paid', 0)",
      [
        'match 2: its wager has made 500 points',
        'match 2: the wager of ann: paid 500, recalculated nothing',
      ],
    ],
    [
      "insert into points (account, match, amount, kind, at) values (1, 1, 3, 'restored', 0)",
      ['match 1: restored to ann 3 points, recalculated 0'],
    ],
    ['update balances set balance = 5 where account = 1', ['ann: 5 points, recalculated 184']],
    [
      "update matches set moves = '[]' where id = 1",
      [
        'match 1: ann earned 112 points, recalculated 100',
        'match 1: bob earned 37 points, recalculated 25',
      ],
    ],
    [
      'update matches set voided_at = 1 where id = 1',
      [
        'match 1: it is voided, but the points of ann are not',
        'match 1: it is voided, but the points of bob are not',
      ],
    ],
    [
      'update matches set setup = null where id = 1',
      ['match 1: ann earned 112 points, recalculated 0'],
    ],
  ])('is checked by verify: %s', async (change, differences) => {
    const { store, played } = await opened()
    await played()
    await played('draw')
    store.db.file.exec(change)
    expect(verified(store).differences).toEqual(expect.arrayContaining(differences))
  })
})

describe('whatever happens', () => {
  const act = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('begin' as const),
        pair: fc.integer({ min: 0, max: 5 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('stake' as const),
        which: fc.nat(),
        amount: fc.integer({ min: 1, max: 200 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('finish' as const),
        which: fc.nat(),
        how: fc.constantFrom('firstWins', 'secondWins', 'draw'),
      }),
    },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('abort' as const), which: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('void' as const), which: fc.nat() }) },
    { weight: 2, arbitrary: fc.record({ act: fc.constant('unvoid' as const), which: fc.nat() }) },
    fc.record({ act: fc.constant('restart' as const) }),
  )

  it('no balance is below zero, wagers make and lose no point, and verify finds nothing', async () => {
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 60, maxLength: 90 }), async acts => {
        const folder = dataFolder()
        let house = await opened(folder)
        const { ann, bob } = house
        const cid = newAccount(house.users, 'cid')
        const pairs = [
          [ann, bob],
          [bob, ann],
          [ann, cid],
          [cid, ann],
          [bob, cid],
          [cid, bob],
        ]
        let live: number[] = []
        const over: number[] = []
        for (const step of acts) {
          const pick = (from: readonly number[]) =>
            from['which' in step ? step.which % from.length : 0]
          const [playing, done] = [pick(live), pick(over)]
          if (step.act === 'begin') live.push(house.begin({}, pairs[step.pair]!))
          else if (step.act === 'restart') {
            // The start repairs what an abort has left undone.
            expect(house.differences()).toEqual([])
            await house.store.close()
            house = await opened(folder)
            live = []
          } else if (step.act === 'void' || step.act === 'unvoid') {
            if (done === undefined) continue
            const recount =
              step.act === 'void'
                ? house.store.voids.void([done], null)
                : house.store.voids.unvoid([done])
            if (!('problem' in recount)) seen.add(step.act)
          } else if (playing === undefined) continue
          else if (step.act === 'stake')
            seen.add(Object.keys(await house.escrow(playing, step.amount))[0]!)
          else {
            if (step.act === 'abort') await house.abort(playing)
            else {
              const { points } = await house.finish(playing, step.how)
              for (const { wager } of points!) seen.add(wager?.outcome ?? 'earned')
              over.push(playing)
            }
            live = live.filter(id => id !== playing)
          }
        }
        expect(house.differences()).toEqual([])
        expectConserved(house.store)
        await house.store.close()
      }),
      { numRuns: 8 },
    )
    // Or the acts are too few to say anything.
    const all = ['ok', 'poor', 'refused', 'earned', 'win', 'loss', 'refund', 'void', 'unvoid']
    expect([...seen].sort()).toEqual(all.sort())
  })
})

/** Without the code that verify has for it: what is earned and not voided is what is there, or at stake. */
const expectConserved = ({ points }: Store) => {
  const balances = new Map<number, number>()
  let [made, staked] = [0, 0]
  for (const { account, amount, kind } of points.all()) {
    balances.set(account, (balances.get(account) ?? 0) + amount)
    expect(balances.get(account)).toBeGreaterThanOrEqual(0)
    if (kind === 'earned' || kind === 'voided' || kind === 'restored') made += amount
    else staked -= amount
  }
  expect(points.balances()).toEqual(balances)
  const held = [...balances.values()].reduce((sum, balance) => sum + balance, 0)
  expect(held + staked).toBe(made)
}
