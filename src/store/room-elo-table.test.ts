import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import type { Account } from '../arena/account.ts'
import { peopleLadder } from '../arena/ladder.ts'
import type { NewMatch } from '../arena/match-store.ts'
import { RoomElo } from '../arena/room-elo.ts'
import { verified } from '../commands/verify.ts'
import { theHost } from './audit.ts'
import { sendWithin } from './match-book.ts'
import { questionsOf } from './questions.ts'
import { wrongRoomElo } from './room-elo-check.ts'
import { declareVersion } from './versions.ts'

const room = { id: 'chess', table: 't-a', title: 'Blitz', participants: [0, 1] } as const
const moves = {
  ...{ firstWins: ttt.firstWins, secondWins: ttt.secondWins, draw: ttt.draw },
  secondLate: [],
}
type How = keyof typeof moves

const opened = async (folder = dataFolder()) => {
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const { matchStore, users } = store
  const accounts = ['ann', 'bob', 'cid'].map(name => users.find(name) ?? newAccount(users, name))
  const [ann, bob, cid] = accounts as [Account, Account, Account]
  const begin = (players: readonly Account[] = [ann, bob], match: Partial<NewMatch> = {}) =>
    matchStore.begin({ ...tttMatch(...players), setup: { room }, ...match })
  const finish = async (id: number, how: How = 'firstWins') => {
    const finished = matchStore.finish(id, outcomes[how], moves[how])
    clock.pass(sendWithin)
    return await finished
  }
  const played = async (
    how: How = 'firstWins',
    players: readonly Account[] = [ann, bob],
    match: Partial<NewMatch> = {},
  ) => {
    const id = begin(players, match)
    return { id, ...(await finish(id, how)) }
  }
  const ratings = (of: readonly Account[] = [ann, bob, cid]) =>
    of.map(({ id }) => store.elo.rating(id, 'chess'))
  const differences = () => verified(store).differences
  return { store, users, ann, bob, cid, played, ratings, differences }
}

describe('the ratings in a room', () => {
  it('begin at 1200, and change by whole numbers with each rated result', async () => {
    const { store, played, ratings, differences, ann, bob, cid } = await opened()
    const first = await played()
    expect(first.elo).toEqual([
      { rating: 1216, change: 16 },
      { rating: 1184, change: -16 },
    ])
    expect((await played('draw')).elo).toEqual([
      { rating: 1215, change: -1 },
      { rating: 1185, change: 1 },
    ])
    expect((await played('secondWins', [cid, ann])).elo).toEqual([
      { rating: 1185, change: -15 },
      { rating: 1230, change: 15 },
    ])
    expect(ratings()).toEqual([1230, 1185, 1185])
    expect(store.elo.rating(ann.id, 'go')).toBe(1200)
    const questions = questionsOf(store, '')
    expect(questions.roomElo(ann.id)).toEqual([{ room: 'chess', rating: 1230 }])
    expect(questions.roomElo(newAccount(store.users, 'dot').id)).toEqual([])
    expect(questions.kept(first.id)!.elo).toEqual(first.elo)
    // What pairing has in memory is the same.
    expect([ann, bob].map(({ id }) => store.matchStore.elo(id, 'chess'))).toEqual([1230, 1185])
    expect(differences()).toEqual([])
  })

  it('are by participant, not by seat', async () => {
    const { store, played, differences } = await opened()
    const setup = { room: { ...room, participants: [1, 0] } }
    const { id, elo } = await played('secondWins', undefined, { setup })
    expect(elo).toEqual([
      { rating: 1184, change: -16 },
      { rating: 1216, change: 16 },
    ])
    expect(questionsOf(store, '').kept(id)!.elo).toEqual(elo)
    expect(differences()).toEqual([])
  })

  it('count an early forfeit in full, of which the ladder counts a share', async () => {
    const { played, ratings, differences } = await opened()
    const { changes, elo } = await played('secondLate')
    expect(changes[0]!.change).toBeLessThan(16)
    expect(elo![0]).toEqual({ rating: 1216, change: 16 })
    expect(ratings()).toEqual([1216, 1184, 1200])
    expect(differences()).toEqual([])
  })

  it('count rated matches with people, and none that is unrated or at no table', async () => {
    const { played, ratings, users, ann, differences } = await opened()
    expect((await played('firstWins', undefined, { setup: null })).elo).toBeNull()
    const casual = { unrated: 'a casual match' } as const
    expect((await played('firstWins', undefined, casual)).elo).toBeNull()
    const practice = { practice: true, unrated: 'practice against the house' } as const
    expect((await played('firstWins', [ann, users.house('house-easy')], practice)).elo).toBeNull()
    expect(ratings()).toEqual([1200, 1200, 1200])
    await played('firstWins', undefined, { ladder: peopleLadder('ttt') })
    expect(ratings()).toEqual([1216, 1184, 1200])
    expect(differences()).toEqual([])
  })

  it('of a version are its own', async () => {
    const { store, played, ratings, ann, bob, differences } = await opened()
    const words = { version: '2', model: null, harness: null }
    const version = declareVersion(store, ann, words) as Account
    await played('firstWins', [version, bob])
    expect(ratings([ann, version, bob])).toEqual([1200, 1216, 1184])
    expect(differences()).toEqual([])
  })

  it('are the same after a restart', async () => {
    const folder = dataFolder()
    const before = await opened(folder)
    await before.played()
    await before.store.close()
    const after = await opened(folder)
    expect((await after.played()).elo).toEqual([
      { rating: 1231, change: 15 },
      { rating: 1169, change: -15 },
    ])
    expect(after.differences()).toEqual([])
  })

  it('are no matter of seasons', async () => {
    const { store, played, ratings, differences } = await opened()
    await played()
    const ladder = store.ladders.of('ttt')
    store.closing.close(ladder, { title: 'Spring', rule: 'half' }, theHost)
    expect(store.ratings.all().map(({ rating }) => rating)).toEqual([1508, 1492])
    expect(ratings()).toEqual([1216, 1184, 1200])
    expect(differences()).toEqual([])
  })
})

describe('a void', () => {
  it('changes the ratings in a room as if the match had been unrated, and back', async () => {
    const { store, played, ratings, ann, bob, cid, differences } = await opened()
    const { id } = await played()
    const second = await played('firstWins', [ann, cid])
    await played('draw', [cid, bob])
    const before = [ratings(), store.elo.all()]
    expect(before[0]).toEqual([1231, 1184, 1185])
    store.voids.void([id], 'a test')
    expect(ratings()).toEqual([1216, 1199, 1185])
    const { kept } = questionsOf(store, '')
    expect([kept(id)!.elo, kept(second.id)!.elo![0]]).toEqual([null, { rating: 1216, change: 16 }])
    expect(differences()).toEqual([])
    // Later results count on.
    await store.matchStore.refresh()
    expect((await played('draw', [ann, bob])).elo![0]).toEqual({ rating: 1215, change: -1 })
    expect(differences()).toEqual([])
    store.voids.unvoid([id])
    expect(store.elo.all().slice(0, 3)).toEqual(before[1])
    expect(differences()).toEqual([])
  })

  it('of an unrated match changes nothing there', async () => {
    const { store, played, differences } = await opened()
    const { id } = await played('firstWins', undefined, { unrated: 'a casual match' })
    await played()
    const before = store.elo.all()
    store.voids.void([id], 'a test')
    expect(store.elo.all()).toEqual(before)
    expect(differences()).toEqual([])
  })

  it('takes a result, too, that comes between the recalculation and the lock', async () => {
    const { store, played, ratings, differences } = await opened()
    const { id } = await played()
    await played()
    const { file } = store.db
    const transaction = file.transaction.bind(file)
    let between: Promise<unknown> | null = null
    file.transaction = ((work: () => unknown) => {
      const begun = transaction(work)
      const immediate = () => {
        file.transaction = transaction
        between = played('secondWins')
        return begun.immediate()
      }
      return Object.assign(() => begun(), { immediate })
    }) as typeof file.transaction
    store.voids.void([id], 'a test')
    expect(await between).toMatchObject({ elo: [{ rating: 1212 }, { rating: 1188 }] })
    expect(ratings()).toEqual([1199, 1201, 1200])
    expect(differences()).toEqual([])
  })

  it('is told to pairing, which has the ratings in memory', async () => {
    const { store, played, ann } = await opened()
    const { id } = await played()
    store.voids.void([id], 'a test')
    await store.matchStore.hold([ann.id], 'ttt')
    await store.matchStore.refresh()
    expect(store.matchStore.elo(ann.id, 'chess')).toBe(1200)
  })
})

it('they equal the fold over the results that stand, whatever was played and voided', async () => {
  const { store, played, ratings, ann, bob, cid, differences } = await opened()
  const players = [ann, bob, cid]
  const match = fc.record({
    one: fc.nat(2),
    step: fc.constantFrom(1, 2),
    how: fc.constantFrom<How>('firstWins', 'secondWins', 'draw', 'secondLate'),
    swapped: fc.boolean(),
    voids: fc.option(fc.nat(5), { freq: 3 }),
  })
  const results: { id: number; players: Account[]; how: How; swapped: boolean; voided: boolean }[] =
    []
  await fc.assert(
    fc.asyncProperty(match, async ({ one, step, how, swapped, voids }) => {
      const pair = [players[one]!, players[(one + step) % 3]!]
      const setup = { room: { ...room, participants: swapped ? [1, 0] : [0, 1] } }
      const before = ratings(pair)
      const { id, elo } = await played(how, pair, { setup })
      results.push({ id, players: pair, how, swapped, voided: false })
      for (const [seat, { rating, change }] of elo!.entries())
        expect(rating).toBe(before[seat]! + change)
      expect(elo![0]!.change + elo![1]!.change).toBe(0)
      const back = voids === null ? undefined : results.at(-1 - voids)
      if (back !== undefined) {
        const done = back.voided ? store.voids.unvoid([back.id]) : store.voids.void([back.id], 'x')
        expect(done).not.toHaveProperty('problem')
        back.voided = !back.voided
      }
      const fold = new RoomElo()
      for (const { players, how, swapped } of results.filter(({ voided }) => !voided)) {
        const [first, second] = [0, 1].map(i => (swapped ? 1 - i : i))
        fold.take({
          accounts: [players[first!]!.id, players[second!]!.id],
          places: [outcomes[how].places[first!]!, outcomes[how].places[second!]!],
        })
      }
      expect(ratings()).toEqual(players.map(({ id }) => fold.rating(id)))
      expect(wrongRoomElo(store)).toEqual([])
    }),
    { numRuns: 60 },
  )
  expect(results.some(({ voided }) => voided)).toBe(true)
  expect(differences()).toEqual([])
})

it.each([
  [
    'update room_elo set delta = 20 where match = 1',
    ['match 1: in the room chess it changed 1200 and 1200 by 20, recalculated 1200 and 1200 by 16'],
  ],
  [
    'update room_elo set account_2 = 3 where match = 1',
    ['match 1: its ratings in a room are not those of its room and its players'],
  ],
  [
    'delete from room_elo where match = 2',
    ['match 2: in the room chess it changed nothing, recalculated 1216 and 1184 by 15'],
  ],
  [
    "insert into room_elo (match, room, seq, account_1, account_2) values (3, 'chess', 9, 1, 2)",
    ['match 3: it has ratings in a room, and does not count there'],
  ],
  [
    'update room_ratings set rating = rating + 1 where account = 2',
    ['bob, room chess: 1170, recalculated 1169'],
  ],
  ['delete from room_ratings where account = 1', ['ann, room chess: 1200, recalculated 1231']],
])('verify finds: %s', async (change, found) => {
  const { store, played, differences } = await opened()
  await played()
  await played()
  await played('firstWins', undefined, { unrated: 'a casual match' })
  expect(differences()).toEqual([])
  store.db.file.exec(change)
  expect(differences()).toEqual(found)
})
