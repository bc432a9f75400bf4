// A match with guests counts as one among the others, wherever results are counted.

import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, strictTerms, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import type { Account } from '../arena/account.ts'
import { Arena } from '../arena/arena.ts'
import { guests } from '../arena/guests.ts'
import { agentsLadder } from '../arena/ladder.ts'
import type { Player, SeatHandle } from '../arena/player.ts'
import type { Unrated } from '../arena/unrated.ts'
import { verified, wrongRatings } from '../commands/verify.ts'
import { clawpoly } from '../games/clawpoly.ts'
import type { Game } from '../games/game.ts'
import { publicRecord } from '../record/match-record.ts'
import { theHost } from './audit.ts'
import { MatchBook, sendWithin } from './match-book.ts'
import { checkSeals } from './seal-check.ts'
import { visitStore } from './store.ts'
import { StrengthSource } from './strength-source.ts'
import { openWriter } from './writer.ts'

const ladder = agentsLadder('ttt')
const setup = {
  table: {
    ...{ id: 'table', code: 'REEF42', name: 'Reef', speed: 'fast' },
    guests: ['Nemo', null, null, 'Dory', null, '  '],
  },
}

const opened = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const visited = visitStore(folder, clock)
  onTestFinished(() => void visited.db.file.close())
  return { clock, store, visited }
}

/** Each seat has one of four accounts, or a guest; and a place. */
const match = fc
  .record({
    order: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 0, maxLength: 4 }),
    guests: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 1, maxLength: 3 }),
    places: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 6, maxLength: 6 }),
    quick: fc.integer({ min: 0, max: 6 }),
  })
  .map(({ order, guests, places, quick }) => {
    const size = Math.min(6, order.length + guests.length)
    const at = guests.filter(seat => seat < size).slice(0, size - order.length)
    const accounts = [...order]
    const seats = Array.from({ length: size }, (_, seat) =>
      at.includes(seat) ? null : (accounts.shift() ?? null),
    )
    return { seats, places: places.slice(0, size), quick }
  })
  .filter(({ seats }) => seats.length > 1)
const matches = fc.sample(match, { numRuns: 150, seed: 5 })

/** Plays all matches with the guests, or only among the others. */
const played = async (withGuests: boolean) => {
  const host = await opened()
  const { clock, store } = host
  const accounts = ['c0', 'c1', 'c2', 'c3'].map(name => newAccount(store.users, name))
  const ids = new Map<number, number>()
  for (const [i, { seats, places, quick }] of matches.entries()) {
    const counted = [...seats.keys()].filter(seat => seats[seat] !== null)
    const shown = withGuests ? [...seats.keys()] : counted
    if (!withGuests && counted.length < 2) continue
    const seated = shown.map((seat): Account => {
      const account = seats[seat] ?? null
      return account === null ? guests[seat]! : accounts[account]!
    })
    const unrated = counted.length < 2 ? 'fewer than two players with an account' : null
    const id = store.matchStore.begin({ ...tttMatch(...seated), setup, unrated })
    ids.set(i, id)
    const taken = shown.map(seat => places[seat]!)
    const best = shown.map((_, at) => 1 + taken.filter(place => place < taken[at]!).length)
    const faults = shown.map(seat => (seat === quick ? ('resigned' as const) : null))
    void store.matchStore.finish(id, { ...outcomes.draw, places: best, faults }, [])
    clock.pass(sendWithin)
  }
  return { ...host, ids }
}

const standings = ({ store }: Awaited<ReturnType<typeof opened>>) => ({
  ratings: store.ratings.all(),
  firsts: store.ratings.firsts(),
  strengths: [...new StrengthSource(store.db).since(0)].map(({ accounts, places }) => [
    accounts,
    places.map(place => 1 + places.filter(other => other < place).length),
  ]),
})

it('a match with guests counts as one among the others, and its void, too', async () => {
  const [one, other] = [await played(true), await played(false)]
  expect(standings(one)).toEqual(standings(other))
  expect(
    standings(one)
      .ratings.map(({ account }) => account)
      .every(id => id > 0),
  ).toBe(true)
  for (const host of [one, other]) {
    const gone = [...other.ids.keys()].slice(3, 20).map(i => host.ids.get(i)!)
    expect(host.visited.voids.void(gone, null)).toMatchObject({ ratings: 4 })
  }
  expect(standings(one)).toEqual(standings(other))
  for (const host of [one, other]) {
    const season = host.visited.closing.close(ladder, { title: 'first', rule: 'kept' }, theHost)
    expect(season).toMatchObject({ number: 1 })
    expect(
      host.visited.voids.unvoid([host.ids.get([...other.ids.keys()][3]!)!]),
    ).not.toHaveProperty('problem')
  }
  expect(standings(one)).toEqual(standings(other))
  expect(wrongRatings(one.visited)).toEqual([])
  expect(checkSeals(one.visited).differences).toEqual([])
})

it('a guest is kept and sealed by its account, and shown by its name', async () => {
  const { store, clock } = await opened()
  const [ann, bob] = [newAccount(store.users, 'ann'), newAccount(store.users, 'bob')]
  const seated = [guests[0]!, ann, bob, guests[3]!, guests[4]!, guests[5]!]
  const id = store.matchStore.begin({ ...tttMatch(...seated), setup })
  const finished = store.matchStore.finish(
    id,
    { ...outcomes.draw, places: [1, 2, 3, 4, 5, 6], faults: seated.map(() => null) },
    ttt.draw,
  )
  clock.pass(sendWithin)
  expect((await finished).changes.map(({ change }) => change)).toEqual([0, 16, -16, 0, 0, 0])
  const record = store.matches.find(id)!
  expect(record.players.map(({ name }) => name)).toEqual([
    ...['Nemo (guest)', 'ann', 'bob', 'Dory (guest)'],
    ...['guest in seat 4', 'guest in seat 5'],
  ])
  expect(record.players.map(({ rating }) => rating?.after ?? null)).toEqual([
    ...[null, 1516, 1484, null, null, null],
  ])
  const { players } = publicRecord(record)
  expect(players[0]).toMatchObject({ name: 'guest:0', shown: 'Nemo (guest)', kind: 'guest' })
  expect(players[1]).not.toHaveProperty('shown')
  expect(store.profiles.recent(ann.id, [ladder]).rivals.map(({ name }) => name)).toEqual(['bob'])
})

it('a match with one account counts nothing for it, not even a failure', async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock, { pauseAfter: 1 })
  onTestFinished(() => store.close())
  const ann = newAccount(store.users, 'ann')
  const seated = [ann, guests[1]!, guests[2]!, guests[3]!]
  const id = store.matchStore.begin({
    ...tttMatch(...seated),
    unrated: 'fewer than two players with an account',
  })
  const late = ['late', null, null, null] as const
  void store.matchStore.finish(id, { ...outcomes.draw, places: [4, 1, 1, 1], faults: late }, [])
  clock.pass(sendWithin)
  expect(store.ratings.all()).toEqual([])
  expect(store.matchStore.standing(ann.id, ladder).lead).toBe(0)
  expect(store.users.find('ann')!.paused_at).toBeNull()
})

it('a match with guests that a crash has cut is aborted at the next start, and sealed', async () => {
  const [folder, clock] = [dataFolder(), new FakeClock()]
  const before = await openStore(folder, clock)
  const [ann, bob] = [newAccount(before.users, 'ann'), newAccount(before.users, 'bob')]
  const id = before.matchStore.begin({ ...tttMatch(guests[0]!, ann, bob), setup })
  clock.pass(sendWithin)
  await before.close()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const { end, players } = store.matches.find(id)!
  expect(end).toMatchObject({ ending: 'aborted' })
  expect(players.map(({ name }) => name)).toEqual(['Nemo (guest)', 'ann', 'bob'])
  expect(store.ratings.all()).toEqual([])
  expect(checkSeals(store)).toMatchObject({ seals: 1, differences: [] })
})

it('an arena on the book of a server rates the others, and counts the day for them alone', async () => {
  const clock = new FakeClock()
  const writer = await openWriter(dataFolder(), clock, { gainCap: 9, copyCap: 1 })
  const { tables, writing, numbers, eventLadders } = writer
  const matchStore = new MatchBook({ clock, writing, numbers, ladders: eventLadders })
  onTestFinished(() => writer.close(matchStore.close()))
  const failures: unknown[] = []
  const arena = new Arena({ clock, matchStore, failed: error => failures.push(error) })
  const [ann, bob] = [newAccount(tables.users, 'ann'), newAccount(tables.users, 'bob')]
  const told: (Unrated | null)[] = []
  arena.watch(event => {
    if (event.kind === 'ended') told.push(event.unrated)
  })
  for (let n = 0; n < 3; n++) {
    const handles: SeatHandle[] = []
    const players = [guests[0]!, ann, bob, guests[3]!].map(
      (account, seat): Player => ({
        ...{ account, terms: strictTerms },
        tell: news => {
          if (news.kind === 'seated') handles[seat] = news.handle
        },
      }),
    )
    const order = { game: clawpoly as Game, players, unrated: null, setup }
    expect(await arena.open(order)).toBe(n + 1)
    // Only the one whose turn it is moves.
    for (const handle of handles) handle.move({ action: 'roll_dice' })
    FakeClock.finishTick()
    for (const seat of [2, 0, 3]) {
      handles[seat]!.resign()
      FakeClock.finishTick()
    }
    clock.pass(sendWithin)
    await new Promise(setImmediate)
  }
  expect(failures).toEqual([])
  expect(told).toEqual([null, null, 'one has gained enough from the other today'])
  expect(tables.ratings.all().map(({ name, games }) => [name, games])).toEqual([
    ['ann', 2],
    ['bob', 2],
  ])
  expect(matchStore.standing(ann.id, agentsLadder('clawpoly')).lead).toBe(3)
  expect(verified(tables)).toMatchObject({ matches: 3, seals: 3, differences: [] })
  // A throw and two falls; the last fall has no move.
  expect(tables.matches.find(3)!.moveCount).toBe(3)
})

it('a guest logs in nowhere and is on no list', async () => {
  const { store } = await opened()
  newAccount(store.users, 'gus')
  expect(guests.map(({ id }) => store.users.byId(id))).toEqual(guests)
  expect(store.users.find('guest:0')).toBeUndefined()
  expect(store.users.all().map(({ name }) => name)).toEqual(['gus'])
  expect(store.users.beginning('gu', 9).map(({ name }) => name)).toEqual(['gus'])
  expect(store.users.opponent('guest:1')).toEqual({ why: 'no account is called "guest:1"' })
  for (const name of ['guest', 'guest:1', 'Guest-7', '_guest 7'])
    expect(store.users.add(name)).toMatchObject({ code: expect.stringMatching(/name/) })
})
