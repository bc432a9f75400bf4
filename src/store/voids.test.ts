import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { wrongRatings } from '../commands/verify.ts'
import { sendWithin } from './match-book.ts'
import { visitStore } from './store.ts'

const opened = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const store = await openStore(folder, clock)
  onTestFinished(() => store.close())
  const visited = visitStore(folder, clock)
  onTestFinished(() => void visited.db.file.close())
  return { clock, store, voids: visited.voids, file: visited.db.file }
}

const match = fc.record({
  seats: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 2 }),
  places: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 5, maxLength: 5 }),
  game: fc.constantFrom('ttt', 'c4'),
  casual: fc.integer({ min: 0, max: 5 }).map(n => n === 0),
})
const matches = fc.sample(match, { numRuns: 200, seed: 11 })

/** Plays them all, those of these numbers as casual ones. */
const played = async (unrated: readonly number[]) => {
  const house = await opened()
  const { clock, store } = house
  const accounts = ['c0', 'c1', 'c2', 'c3', 'c4'].map(name => newAccount(store.users, name))
  for (const [i, { seats, places, game, casual }] of matches.entries()) {
    const seated = seats.map(index => accounts[index]!)
    const why = casual || unrated.includes(i + 1) ? 'a casual match' : null
    const id = store.matchStore.begin({ ...tttMatch(...seated), game, unrated: why })
    const best = Math.min(...places.slice(0, seats.length))
    const taken = seats.map((_, seat) => places[seat]! - best + 1)
    const faults = seats.map(() => null)
    void store.matchStore.finish(id, { ...outcomes.draw, places: taken, faults }, ttt.draw)
    clock.pass(sendWithin)
  }
  return house
}

/** All that depends on which matches count. */
const standings = ({ ratings, matches }: Store) => ({
  ratings: ratings.all(),
  firsts: ratings.firsts(),
  changes: [...matches.all()].map(({ id, players }) => [id, players.map(({ rating }) => rating)]),
})

describe('a voided match', () => {
  it('counts as if it had been unrated, in all later ratings, to the last bit', async () => {
    const gone = [1, 40, 41, 120]
    const [before, after] = [await played([]), await played(gone)]
    expect(standings(before.store)).not.toEqual(standings(after.store))
    expect(before.voids.void(gone, 'one person')).toMatchObject({ ratings: 5 })
    expect(standings(before.store)).toEqual(standings(after.store))
  })

  it('counts again as before when that is taken back', async () => {
    const { store, voids } = await played([])
    const before = standings(store)
    voids.void([1, 5], 'one person')
    expect(standings(store)).not.toEqual(before)
    voids.unvoid([1, 5])
    expect(standings(store)).toEqual(before)
    expect(store.matches.find(1)).toMatchObject({ voided: null })
  })

  it('stays in the records with its moves and its result, and says why it does not count', async () => {
    const { clock, store, voids } = await opened()
    const [ann, bob] = ['ann', 'bob'].map(name => newAccount(store.users, name))
    const id = store.matchStore.begin(tttMatch(ann!, bob!))
    void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    expect(voids.void([id], 'one person ran both')).toEqual({ matches: 1, ratings: 2 })
    expect(store.matches.find(id)).toMatchObject({
      unrated: 'voided',
      voided: { at: clock.date(), reason: 'one person ran both' },
      end: { ending: 'rules' },
      players: [
        { place: 1, rating: null },
        { place: 2, rating: null },
      ],
    })
    expect(store.matches.moves(id)).toEqual(ttt.firstWins)
    expect(store.rankings.top(agentsLadder('ttt'), 9)).toEqual([])
  })

  it('may have been unrated: then it is only marked', async () => {
    const { clock, store, voids } = await opened()
    const [ann, bob] = ['ann', 'bob'].map(name => newAccount(store.users, name))
    const id = store.matchStore.begin({ ...tttMatch(ann!, bob!), unrated: 'a casual match' })
    void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    expect(voids.void([id], null)).toEqual({ matches: 0, ratings: 0 })
    expect(store.matches.find(id)).toMatchObject({
      unrated: 'a casual match',
      voided: { reason: null },
    })
  })

  it('must exist, have a result and not be voided yet; of several, all are voided or none', async () => {
    const { clock, store, voids } = await opened()
    const [ann, bob] = ['ann', 'bob'].map(name => newAccount(store.users, name))
    const begin = () => store.matchStore.begin(tttMatch(ann!, bob!))
    const [done, aborted, live, good] = [begin(), begin(), begin(), begin()]
    void store.matchStore.finish(done, outcomes.firstWins, ttt.firstWins)
    void store.matchStore.finish(good, outcomes.firstWins, ttt.firstWins)
    void store.matchStore.abort(aborted, 'a fault', [])
    clock.pass(sendWithin)
    voids.void([done], null)
    const before = standings(store)
    for (const [id, why] of [
      [live, /still being played: void it when/],
      [aborted, /aborted/],
      [done, /voided already/],
      [99, /no match 99/],
    ] as const)
      expect(voids.void([good, id], null)).toEqual({ problem: expect.stringMatching(why) })
    expect(voids.unvoid([done, good])).toEqual({ problem: expect.stringMatching(/not voided/) })
    expect(standings(store)).toEqual(before)
  })
})

describe('a server beside it', () => {
  it('calculates pending results from the new ratings, and forgets the old ones', async () => {
    const { clock, store, voids } = await opened()
    const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
    void store.matchStore.hold([ann!.id, bob!.id, cat!.id], 'ttt')
    const first = store.matchStore.begin(tttMatch(ann!, bob!))
    const finished = store.matchStore.finish(first, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    await finished
    expect(store.matchStore.standing(ann!.id, agentsLadder('ttt'))).toEqual({
      rating: 1516,
      lead: 1,
      strength: null,
    })
    // Under way while the match before it is voided.
    const second = store.matchStore.begin(tttMatch(ann!, cat!))
    voids.void([first], null)
    void store.matchStore.refresh()
    expect(store.matchStore.standing(ann!.id, agentsLadder('ttt'))).toEqual({
      rating: 1500,
      lead: 2,
      strength: null,
    })
    expect(store.matchStore.standing(bob!.id, agentsLadder('ttt'))).toEqual({
      rating: 1500,
      lead: -1,
      strength: null,
    })
    const changes = store.matchStore.finish(second, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    expect((await changes).changes).toEqual([
      { rating: 1516, change: 16 },
      { rating: 1484, change: -16 },
    ])
    expect(store.matchStore.standing(ann!.id, agentsLadder('ttt')).rating).toBe(1516)
  })

  it('may commit between the recalculation and the lock, and nothing of either is lost', async () => {
    const { clock, store, voids, file } = await played([])
    const [c0, c1] = ['c0', 'c1'].map(name => store.users.find(name)!)
    const rated = matches.flatMap(({ game, casual }, i) =>
      game === 'ttt' && !casual ? [i + 1] : [],
    )
    const [first, second, third] = rated as [number, number, number]
    const between = [
      () => {
        const id = store.matchStore.begin(tttMatch(c0!, c1!))
        void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
        clock.pass(sendWithin)
      },
      // Another operator: first with another match, and then with the same.
      () => void store.voids.void([third], null),
      () => void store.voids.void([second], null),
    ]
    const transaction = file.transaction.bind(file)
    file.transaction = ((work: () => unknown) => {
      const begun = transaction(work)
      const immediate = () => {
        between.shift()?.()
        return begun.immediate()
      }
      return Object.assign(() => begun(), { immediate })
    }) as typeof file.transaction
    expect(voids.void([first], null)).toHaveProperty('matches')
    expect(store.matches.find(matches.length + 1)).toMatchObject({ end: { ending: 'rules' } })
    expect(wrongRatings(store)).toEqual([])
    expect(voids.void([second], null)).toEqual({
      problem: `match ${second}: it is voided already`,
    })
    const voided = rated.filter(id => store.matches.find(id)!.voided !== null)
    expect(voided).toEqual([first, second, third])
    expect(wrongRatings(store)).toEqual([])
  })

  it('does not look at all ratings again because of other changes', async () => {
    const { clock, store } = await opened()
    const ann = newAccount(store.users, 'ann')
    void store.matchStore.hold([ann.id], 'ttt')
    store.db.file.exec(
      `insert into ratings (account, ladder, rating, games, wins, losses, draws, lead) values (${ann.id}, 'ttt', 1700, 1, 1, 0, 0, 0)`,
    )
    void store.matchStore.refresh()
    clock.pass(sendWithin)
    expect(store.matchStore.standing(ann.id, agentsLadder('ttt')).rating).toBe(1500)
  })
})
