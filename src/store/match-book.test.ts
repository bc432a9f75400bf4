import { fork } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import type { Account } from '../arena/account.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { type Change, Unkept } from '../arena/match-store.ts'
import { databasePath } from './data-paths.ts'
import type { Alarm } from './database-error.ts'
import { type MatchBook, sendWithin } from './match-book.ts'
import { meetingKey, ratingKey, recalculate } from './rating-recalculation.ts'
import { checkSeals } from './seal-check.ts'

describe('the match store', () => {
  it('writes a match as live at its start, and its result with moves and ratings at its end', async () => {
    const { store, clock, ann, bob } = await opened()
    const id = store.matchStore.begin(tttMatch(ann, bob))
    expect(store.matches.find(id)).toBeUndefined()
    clock.pass(sendWithin)
    expect(store.matches.find(id)).toMatchObject({ game: 'ttt', end: null, moveCount: 0 })

    const changes = store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    expect(await changes).toEqual({
      changes: [
        { rating: 1516, change: 16 },
        { rating: 1484, change: -16 },
      ],
      unrated: null,
      points: null,
      elo: null,
    })
    expect(store.matches.find(id)).toMatchObject({
      end: { ending: 'rules', detail: 'three in a row', at: clock.date() - sendWithin },
      moveCount: 5,
      players: [
        { name: 'ann', place: 1, fault: null, rating: { before: 1500, after: 1516 } },
        { name: 'bob', place: 2, fault: null, rating: { before: 1500, after: 1484 } },
      ],
    })
    expect(store.matches.moves(id)).toEqual(ttt.firstWins)
    expect(store.matchStore.standing(ann.id, agentsLadder('ttt'))).toEqual({
      rating: 1516,
      strength: null,
      lead: 1,
    })
    expect(store.matchStore.standing(bob.id, agentsLadder('ttt'))).toEqual({
      rating: 1484,
      strength: null,
      lead: -1,
    })
    expect(store.matchStore.firsts(agentsLadder('ttt'), ann.id, bob.id)).toBe(1)
    expect(store.matchStore.firsts(agentsLadder('ttt'), bob.id, ann.id)).toBe(0)
  })

  it('announces nothing before it is on disk', async () => {
    const { store, clock, ann, bob } = await opened()
    let announced = false
    const id = store.matchStore.begin(tttMatch(ann, bob))
    const changes = store.matchStore.finish(id, outcomes.draw, ttt.draw).then(() => {
      announced = true
    })
    await Promise.resolve()
    expect([announced, store.matches.find(id)]).toEqual([false, undefined])
    clock.pass(0)
    await changes
    expect(store.matches.find(id)!.end).not.toBeNull()
  })

  it('counts both of two matches of one account that end in the same instant', async () => {
    const { store, clock, ann, bob } = await opened()
    const cat = newAccount(store.users, 'cat')
    const one = store.matchStore.begin(tttMatch(ann, bob))
    const two = store.matchStore.begin(tttMatch(cat, ann))
    const first = store.matchStore.finish(two, outcomes.secondWins, ttt.secondWins)
    const second = store.matchStore.finish(one, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    expect((await first).changes[1]).toEqual({ rating: 1516, change: 16 })
    const [again] = (await second).changes
    expect(again!.rating).toBeCloseTo(1531.26, 2)
    expect(store.rankings.top(agentsLadder('ttt'), 1)).toMatchObject([
      { name: 'ann', rating: again!.rating, games: 2, wins: 2 },
    ])
    expectRecomputed(store)
  })

  it('keeps ratings that equal a recalculation from the matches bit by bit', async () => {
    const { store, clock } = await opened()
    const accounts = ['c0', 'c1', 'c2', 'c3'].map(name => newAccount(store.users, name))
    accounts.push(store.users.house('house-easy'))
    const match = fc.record({
      seats: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 2 }),
      places: fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 5, maxLength: 5 }),
      game: fc.constantFrom('ttt', 'c4'),
      casual: fc.boolean(),
      end: fc.constantFrom('result', 'result', 'abort', 'live'),
      wait: fc.integer({ min: 0, max: 4 }),
    })
    const matches = fc.sample(match, { numRuns: 300, seed: 7 })
    for (const { seats, places, game, casual, end, wait } of matches) {
      const seated = seats.map(index => accounts[index]!)
      const practice = seated.some(({ kind }) => kind === 'house')
      const unrated = practice
        ? 'practice against the house'
        : casual
          ? 'a match by appointment'
          : null
      const id = store.matchStore.begin({ ...tttMatch(...seated), game, unrated, practice })
      clock.pass(wait)
      const best = Math.min(...places.slice(0, seats.length))
      const outcome = {
        ...outcomes.draw,
        places: seats.map((_, seat) => places[seat]! - best + 1),
        faults: seats.map(() => null),
      }
      if (end === 'result') void store.matchStore.finish(id, outcome, ttt.draw)
      if (end === 'abort') void store.matchStore.abort(id, 'a fault', ttt.draw)
      clock.pass(wait)
    }
    clock.pass(sendWithin)
    expect(store.rankings.top(agentsLadder('ttt'), 9).map(({ name }) => name)).not.toContain(
      'house-easy',
    )
    expectRecomputed(store)
  })

  it('an unrated match changes no rating, and practice does not count who had seat 0', async () => {
    const { store, clock, ann, bob } = await opened()
    const house = store.users.house('house-easy')
    const casual = store.matchStore.begin({
      ...tttMatch(ann, bob),
      unrated: 'a match by appointment',
    })
    const practice = store.matchStore.begin({
      ...tttMatch(ann, house),
      unrated: 'practice against the house',
      practice: true,
    })
    const ends = [casual, practice].map(id =>
      store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins),
    )
    clock.pass(sendWithin)
    const changes: readonly Change[] = [1500, 1500].map(rating => ({ rating, change: 0 }))
    expect(await Promise.all(ends)).toEqual([
      { changes, unrated: 'a match by appointment', points: null, elo: null },
      { changes, unrated: 'practice against the house', points: null, elo: null },
    ])
    expect(store.matches.find(casual)!.players[0]!.rating).toBeNull()
    expect(store.rankings.top(agentsLadder('ttt'), 9)).toEqual([])
    expect(store.matchStore.standing(ann.id, agentsLadder('ttt'))).toEqual({
      rating: 1500,
      strength: null,
      lead: 1,
    })
    expect(store.matchStore.firsts(agentsLadder('ttt'), ann.id, house.id)).toBe(0)
    expectRecomputed(store)
  })

  it('an aborted match does not count who had seat 0, and keeps its moves and the reason', async () => {
    const { store, clock, ann, bob } = await opened()
    const id = store.matchStore.begin(tttMatch(ann, bob))
    expect(store.matchStore.standing(ann.id, agentsLadder('ttt')).lead).toBe(1)
    const aborted = store.matchStore.abort(id, 'the host is stopping', ttt.draw.slice(0, 3))
    clock.pass(sendWithin)
    await aborted
    expect(store.matchStore.standing(ann.id, agentsLadder('ttt')).lead).toBe(0)
    expect(store.matchStore.firsts(agentsLadder('ttt'), ann.id, bob.id)).toBe(0)
    expect(store.matches.find(id)).toMatchObject({
      end: { ending: 'aborted', detail: 'the host is stopping' },
      moveCount: 3,
    })
  })

  it('aborts at its start the matches that were live when the last server died, with the moves on disk', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const id = store.matchStore.begin(tttMatch(ann, bob))
    store.matchStore.progress(id, ttt.draw.slice(0, 4))
    clock.pass(sendWithin)
    await store.close()
    const again = await reopened(folder, clock)
    expect(again.matches.find(id)).toMatchObject({
      end: { ending: 'aborted', detail: 'the host stopped in the middle of it' },
      moveCount: 4,
    })
    expect(again.matchStore.begin(tttMatch(ann, bob))).toBe(id + 1)
  })

  it('keeps notes with the moves, tells them once the match is over, and seals none of them', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const notes = { 1: 'the corner', 3: 'two "of" three' }
    const [over, aborted, live] = [1, 2, 3].map(() => store.matchStore.begin(tttMatch(ann, bob)))
    void store.matchStore.finish(over!, outcomes.draw, ttt.draw, null, notes)
    void store.matchStore.abort(aborted!, 'a fault', ttt.draw.slice(0, 4), notes)
    store.matchStore.progress(live!, ttt.draw.slice(0, 4), notes)
    clock.pass(sendWithin)
    expect([over!, aborted!, live!].map(id => store.matches.notes(id))).toEqual([notes, notes, {}])
    expect(store.matches.keptMoves(over!).size).toBe(
      JSON.stringify(ttt.draw).length + JSON.stringify(notes).length,
    )

    await store.close()
    const again = await reopened(folder, clock)
    expect(again.matches.notes(live!)).toEqual(notes)
    again.db.file.prepare('update matches set notes = null').run()
    expect(checkSeals(again).differences).toEqual([])
  })

  it.each([
    ['that ends', (book: MatchBook, id: number) => book.finish(id, outcomes.draw, ttt.draw)],
    ['that is aborted', (book: MatchBook, id: number) => book.abort(id, 'why', [])],
    ['that was live when the server died', () => Promise.resolve()],
  ])('keeps the protocol that each seat came by, of a match %s', async (_, end) => {
    const { store, clock, folder, ann, bob } = await opened()
    const protocols = ['agentgames', null]
    const id = store.matchStore.begin({ ...tttMatch(ann, bob), protocols })
    clock.pass(sendWithin)
    const kept = (of: Store) => of.matches.find(id)!.players.map(({ protocol }) => protocol)
    expect(kept(store)).toEqual(protocols)
    const ended = end(store.matchStore, id)
    clock.pass(sendWithin)
    await ended
    await store.close()
    const again = await reopened(folder, clock)
    expect(again.matches.find(id)).toMatchObject({ end: {} })
    expect(kept(again)).toEqual(protocols)
  })

  it('no match ends before it began, whatever the wall clock is set to', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const startedAt = clock.date()
    const begin = () => store.matchStore.begin({ ...tttMatch(ann, bob), startedAt })
    const [one, two] = [begin(), begin()]
    clock.jump(-3_600_000)
    const changes = store.matchStore.finish(one, outcomes.firstWins, ttt.firstWins)
    clock.pass(sendWithin)
    await changes
    await store.close()
    const again = await reopened(folder, clock)
    for (const id of [one, two]) expect(again.matches.find(id)!.end!.at).toBe(startedAt)
  })

  it('writes waiting results when it closes', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const id = store.matchStore.begin(tttMatch(ann, bob))
    const changes = store.matchStore.finish(id, outcomes.draw, ttt.draw)
    await store.close()
    expect((await changes).changes).toHaveLength(2)
    const again = await reopened(folder, clock)
    expect(again.matches.find(id)!.end).toMatchObject({ ending: 'rules' })
    expectRecomputed(again)
  })
})

describe('a commit that fails', () => {
  it('fails no other match, and leaves nothing of its own on disk', async () => {
    const { store, clock, ann, bob } = await opened()
    store.db.file.exec(`create trigger bad after insert on meetings when new.ladder = 'bad'
      begin select raise(abort, 'disk trouble'); end`)
    const play = (game: string) => {
      const id = store.matchStore.begin({ ...tttMatch(ann, bob), game })
      return store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    }
    const ends = [play('ttt'), play('bad'), play('ttt')]
    clock.pass(sendWithin)
    const [one, bad, two] = await Promise.allSettled(ends)
    expect([one!.status, bad!.status, two!.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(store.matches.find(2)).toBeUndefined()
    expect(store.matchStore.standing(ann.id, agentsLadder('bad')).rating).toBe(1500)

    // The arena then aborts it, and that can be kept.
    const aborted = store.matchStore.abort(2, 'the result could not be kept', ttt.firstWins)
    clock.pass(sendWithin)
    await aborted
    expect(store.matches.find(2)).toMatchObject({ end: { ending: 'aborted' }, moveCount: 5 })
    expect(store.matchStore.standing(ann.id, agentsLadder('bad'))).toEqual({
      rating: 1500,
      strength: null,
      lead: 0,
    })
    expectRecomputed(store)
  })

  it('waits for a locked database with the event loop running', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const other = new BetterSqlite3(databasePath(folder))
    onTestFinished(() => void other.close())
    const id = store.matchStore.begin(tttMatch(ann, bob))
    const changes = store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    other.exec('begin immediate')
    const before = performance.now()
    for (let i = 0; i < 20; i++) clock.pass(25)
    expect(performance.now() - before).toBeLessThan(2_000)
    expect(store.matches.find(id)).toBeUndefined()
    other.exec('rollback')
    clock.pass(25)
    expect((await changes).changes[0]).toEqual({ rating: 1516, change: 16 })
    expectRecomputed(store)
  })

  it('gives a result up after twelve seconds of a locked database, and writes nothing of it', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const other = new BetterSqlite3(databasePath(folder))
    onTestFinished(() => void other.close())
    const id = store.matchStore.begin(tttMatch(ann, bob))
    other.exec('begin immediate')
    let rejected = false
    store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins).catch(() => {
      rejected = true
    })
    clock.pass(11_900)
    await Promise.resolve()
    expect(rejected).toBe(false)
    clock.pass(200)
    await new Promise(setImmediate)
    expect(rejected).toBe(true)
    other.exec('rollback')
    clock.pass(1_000)
    expect(store.matches.find(id)).toBeUndefined()
    expect(store.ratings.all()).toEqual([])
    expect(clock.pending).toBe(0)
  })
})

describe('a disk that takes no writes', () => {
  /** Full, as far as SQLite knows: no page can be added. */
  const filled = (store: Store) => {
    const pages = store.db.file.pragma('page_count', { simple: true })
    store.db.file.pragma(`max_page_count = ${pages}`)
    return () => void store.db.file.pragma('max_page_count = 1000000')
  }
  /** More than there is room for. */
  const long = Array.from({ length: 2_000 }, (_, i) => [i % 2, `${i}`, 1] as const)

  it('delays a result, and nothing is lost when there is room again', async () => {
    const { store, clock, ann, bob, alarms } = await opened()
    const id = store.matchStore.begin(tttMatch(ann, bob))
    clock.pass(sendWithin)
    const makeRoom = filled(store)
    const changes = store.matchStore.finish(id, outcomes.firstWins, long)
    clock.pass(9_000)
    expect(store.matches.find(id)!.end).toBeNull()
    expect(alarms).toEqual([expect.stringMatching(/^the disk is full: make room/)])
    makeRoom()
    clock.pass(500)
    expect((await changes).changes[0]).toEqual({ rating: 1516, change: 16 })
    expect(alarms).toEqual([expect.anything(), expect.any(Number)])
    expectRecomputed(store)
  })

  it('costs a result after twelve seconds, and its match is aborted when there is room again', async () => {
    const { store, clock, ann, bob, alarms } = await opened()
    const makeRoom = filled(store)
    const play = async () => {
      const id = store.matchStore.begin(tttMatch(ann, bob))
      const finished = store.matchStore.finish(id, outcomes.firstWins, long)
      clock.pass(12_500)
      await expect(finished).rejects.toThrow(Unkept)
      // Who played is told at once, not after another twelve.
      const aborted = store.matchStore.abort(id, 'the result could not be kept', long)
      clock.pass(500)
      await aborted
      expect(store.matches.find(id)).toBeUndefined()
      return id
    }
    const ids = [await play(), await play()]
    expect(alarms).toEqual([expect.stringMatching(/disk is full/)])
    makeRoom()
    clock.pass(500)
    for (const id of ids)
      expect(store.matches.find(id)).toMatchObject({ end: { ending: 'aborted' }, moveCount: 2_000 })
    expect(alarms).toHaveLength(2)
    expect(store.ratings.all()).toEqual([])
    expect(store.matchStore.standing(ann.id, agentsLadder('ttt'))).toEqual({
      rating: 1500,
      strength: null,
      lead: 0,
    })
    expectRecomputed(store)
    expect(clock.pending).toBe(0)
  })

  it('does not keep a server from stopping', async () => {
    const { store, clock, ann, bob } = await opened()
    filled(store)
    const id = store.matchStore.begin(tttMatch(ann, bob))
    void store.matchStore.abort(id, 'the host is stopping', long)
    const closed = store.close()
    clock.pass(13_000)
    await closed
  })
})

describe('kill -9 in the middle of many matches', () => {
  it('leaves whole results, aborted matches, and every result that was announced', async () => {
    const folder = dataFolder()
    const child = fork(
      fileURLToPath(new URL('../../test/support/busy-match-store.ts', import.meta.url)),
      [folder],
      { execArgv: ['--import', 'tsx'], stdio: 'inherit' },
    )
    const announced = new Map<number, number>()
    child.on('message', ([id, rating]: [number, number]) => {
      announced.set(id, rating)
      if (announced.size === 1_000) child.kill('SIGKILL')
    })
    await once(child, 'exit')

    const store = await reopened(folder, new FakeClock())
    expect(store.db.file.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(store.db.file.pragma('foreign_key_check')).toEqual([])
    const matches = [...store.matches.all()]
    expect(matches.filter(({ end }) => end === null)).toEqual([])
    expect(matches.some(({ end }) => end!.ending === 'aborted')).toBe(true)
    for (const [id, rating] of announced)
      expect(store.matches.find(id)!.players[0]!.rating!.after).toBe(rating)
    for (const { end, players, moveCount } of matches)
      if (end!.ending === 'rules')
        expect([players.every(({ rating }) => rating !== null), moveCount]).toEqual([true, 5])
    expectRecomputed(store)
  })
})

describe('kill -9 between any two statements of a result', () => {
  it('leaves the match aborted, and all ratings and counts unchanged', async () => {
    const { store, clock, folder, ann, bob } = await opened()
    const play = (id: number) => store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
    const [one, two] = [ann, bob].map(first =>
      store.matchStore.begin(tttMatch(first, first === ann ? bob : ann)),
    )
    void play(one!)
    clock.pass(sendWithin)
    const before = [store.ratings.all(), store.ratings.firsts()]
    // What a process leaves that dies now is what is in its files now.
    const left: string[] = []
    store.db.file.function('dies', () => {
      const copy = dataFolder()
      for (const path of [databasePath(folder), `${databasePath(folder)}-wal`])
        copyFileSync(path, join(copy, basename(path)))
      left.push(copy)
      return null
    })
    for (const table of ['matches', 'match_seats', 'ratings', 'meetings'])
      for (const change of ['insert', 'update'])
        store.db.file.exec(
          `create temp trigger ${table}_${change} after ${change} on main.${table} begin select dies(); end`,
        )
    const told = play(two!)
    clock.pass(sendWithin)
    expect((await told).changes).toHaveLength(2)
    // Two ratings, a meeting and what it brought, the match, two seats.
    expect(left).toHaveLength(7)
    for (const copy of left) {
      const again = await reopened(copy, clock)
      expect([again.ratings.all(), again.ratings.firsts()]).toEqual(before)
      expect(again.matches.find(two!)).toMatchObject({ end: { ending: 'aborted' } })
      expectRecomputed(again)
    }
  })
})

const opened = async () => {
  const folder = dataFolder()
  const clock = new FakeClock()
  const alarms: unknown[] = []
  const note = (alarm: unknown) => void alarms.push(alarm)
  const store = await reopened(folder, clock, { raised: note, over: note })
  const [ann, bob]: Account[] = ['ann', 'bob'].map(name => newAccount(store.users, name))
  return { folder, clock, store, alarms, ann: ann!, bob: bob! }
}

const reopened = async (folder: string, clock: FakeClock, alarm?: Alarm): Promise<Store> => {
  const store = await openStore(folder, clock, { gainCap: 1000, ...(alarm && { alarm }) })
  onTestFinished(() => store.close())
  return store
}

const expectRecomputed = (store: Store) => {
  const { ratings, firsts } = recalculate(store.matches.results())
  const kept = store.ratings
    .all()
    .map(({ account, ladder, name: _, ...rating }) => [ratingKey(account, ladder), rating] as const)
  expect(new Map(kept)).toEqual(ratings)
  const met = store.ratings
    .firsts()
    .map(({ account, ladder, against, firsts }) => [meetingKey(account, ladder, against), firsts])
  expect(new Map(met as [string, number][])).toEqual(firsts)
}
