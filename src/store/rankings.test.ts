import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { ttt } from '../../test/support/played.ts'
import { putStrengths } from '../../test/support/strengths.ts'
import { agentsLadder } from '../arena/ladder.ts'
import type { NewMatch } from '../arena/match-store.ts'
import { provisionalBelow } from '../arena/rating.ts'

const folder = mkdtempSync(join(tmpdir(), 'agentbbs-rankings-'))
const clock = new FakeClock()
let store: Store
const ids = new Map<string, number>()

const play = (
  [a, b]: readonly [string, string],
  places: readonly number[],
  { unrated = null, late = false }: { unrated?: NewMatch['unrated']; late?: boolean } = {},
) => {
  const match = store.matchStore.begin({
    game: 'ttt',
    seed: 1,
    accounts: [ids.get(a)!, ids.get(b)!],
    unrated,
    startedAt: clock.date(),
  })
  const outcome = {
    ending: late ? ('late' as const) : ('rules' as const),
    places,
    faults: late ? places.map(place => (place === 2 ? ('late' as const) : null)) : [null, null],
    detail: 'so it was',
  }
  const kept = store.matchStore.finish(match, outcome, ttt.draw)
  clock.pass(10)
  return kept
}

beforeAll(async () => {
  store = await openStore(folder, clock)
  for (const name of ['ada', 'bob', 'cyd', 'dot', 'eve']) {
    const added = store.users.add(name)
    if (!('problem' in added)) ids.set(name, added.id)
  }
  ids.set('house-easy', store.users.house('house-easy').id)
  for (let n = 0; n < provisionalBelow; n++) await play(['ada', 'bob'], [1, 1])
  await play(['cyd', 'dot'], [1, 2], { late: true })
  await play(['eve', 'house-easy'], [1, 2], { unrated: 'practice against the house' })
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const page = (options: { provisional?: boolean; search?: string } = {}) =>
  store.rankings.page(agentsLadder('ttt'), { offset: 0, limit: 10, ...options })

describe('a ladder', () => {
  it('gives equal ratings equal ranks', () => {
    expect(page({ provisional: false })).toEqual({
      total: 2,
      ranked: 2,
      rows: [
        expect.objectContaining({ name: 'ada', rank: 1, games: provisionalBelow, draws: 20 }),
        expect.objectContaining({ name: 'bob', rank: 1 }),
      ],
    })
  })

  it('puts the provisional after the ranked, without a rank, and leaves out accounts without a rated match', () => {
    const { rows, total, ranked } = page()
    expect([total, ranked]).toEqual([4, 2])
    expect(rows.map(({ name, rank }) => [name, rank])).toEqual([
      ['ada', 1],
      ['bob', 1],
      ['cyd', null],
      ['dot', null],
    ])
    expect(rows[2]!.rating).toBeGreaterThan(rows[0]!.rating)
    expect(store.rankings.top(agentsLadder('ttt'), 3)).toEqual(rows.slice(0, 3))
  })

  it('is the same list, however it is cut into pages', () => {
    const { rows } = page()
    for (const limit of [1, 2, 3]) {
      const pages = [0, 1, 2, 3, 4].flatMap(
        n => store.rankings.page(agentsLadder('ttt'), { offset: n * limit, limit }).rows,
      )
      expect(pages).toEqual(rows)
    }
    for (const [n, row] of rows.entries())
      expect(store.rankings.before(agentsLadder('ttt'), row)).toBe(n)
  })

  it('finds by a part of the name, with the rank among all', () => {
    const { rows, total } = page({ provisional: true, search: 'OT' })
    expect([total, rows.map(({ name }) => name)]).toEqual([1, ['dot']])
    expect(page({ search: 'ob' }).rows).toMatchObject([{ name: 'bob', rank: 1 }])
  })

  it('gives the rank of an account', () => {
    expect(store.rankings.place(agentsLadder('ttt'), ids.get('dot')!)).toMatchObject({
      name: 'dot',
      rank: null,
    })
    expect(store.rankings.place(agentsLadder('ttt'), ids.get('bob')!)).toMatchObject({ rank: 1 })
    expect(store.rankings.place(agentsLadder('ttt'), ids.get('eve')!)).toBeUndefined()
  })

  it('leaves out the banned', () => {
    store.users.ban(ids.get('ada')!, 'cheating')
    expect(page({ provisional: false }).rows.map(({ name }) => name)).toEqual(['bob'])
    store.users.unban(ids.get('ada')!)
  })
})

describe('a ladder that has been fitted', () => {
  const names = (options = {}) => page(options).rows.map(({ name, rank }) => [name, rank])
  const keep = (strengths: Readonly<Record<string, number>>) =>
    putStrengths(
      store,
      'ttt',
      Object.fromEntries(
        Object.entries(strengths).map(([name, value]) => [name, { value, error: 50 }]),
      ),
    )
  afterAll(() => keep({}))

  it('is ordered by strength, the ranked first and the provisional apart', () => {
    keep({ ada: 1480, bob: 1520, cyd: 1400, dot: 1600 })
    expect(names()).toEqual([
      ['bob', 1],
      ['ada', 2],
      ['dot', null],
      ['cyd', null],
    ])
    expect(page().rows[0]).toMatchObject({ rating: 1500, strength: { value: 1520, error: 50 } })
    expect(store.rankings.place(agentsLadder('ttt'), ids.get('ada')!)).toMatchObject({
      ...{ rank: 2, strength: { value: 1480, error: 50 } },
    })
    expect(names({ search: 'ad' })).toEqual([['ada', 2]])
  })

  it('gives equal strengths equal ranks, the older account first', () => {
    keep({ ada: 1520, bob: 1520 })
    expect(names({ provisional: false })).toEqual([
      ['ada', 1],
      ['bob', 1],
    ])
  })

  it('has accounts that no fit has behind the others, by rating', () => {
    keep({ bob: 1300, dot: 1000 })
    expect(names()).toEqual([
      ['bob', 1],
      ['ada', 2],
      ['dot', null],
      ['cyd', null],
    ])
    expect(page().rows[1]!.strength).toBeNull()
    keep({})
    expect(names().map(([name]) => name)).toEqual(['ada', 'bob', 'cyd', 'dot'])
  })

  it('is the same list, however it is cut into pages', () => {
    for (const strengths of [{}, { bob: 1300 }, { bob: 1300, dot: 1000 }, { cyd: 1, dot: 2 }]) {
      keep(strengths)
      const { rows } = page()
      for (const limit of [1, 2, 3]) {
        const pages = [0, 1, 2, 3, 4].flatMap(
          n => store.rankings.page(agentsLadder('ttt'), { offset: n * limit, limit }).rows,
        )
        expect(pages).toEqual(rows)
        expect(store.rankings.top(agentsLadder('ttt'), limit)).toEqual(rows.slice(0, limit))
      }
      for (const [n, row] of rows.entries())
        expect(store.rankings.before(agentsLadder('ttt'), row)).toBe(n)
    }
  })
})

describe('a profile', () => {
  it('has the ratings and how they came about', () => {
    const cyd = ids.get('cyd')!
    expect(store.profiles.ratings(cyd)).toMatchObject([
      { ladder: agentsLadder('ttt'), rating: 1516, wins: 1 },
    ])
    expect(store.profiles.history(cyd, agentsLadder('ttt'))).toMatchObject([{ rating: 1516 }])
    expect(store.rankings.trend(agentsLadder('ttt'), cyd, 10)).toEqual([1516])
  })

  it('thins a long history out, and keeps its last point', () => {
    const history = store.profiles.history(ids.get('ada')!, agentsLadder('ttt'), 5)
    expect(history.length).toBeLessThanOrEqual(6)
    expect(history.at(-1)!.match).toBe(provisionalBelow)
  })

  it('counts faults, and results by opponent', () => {
    const recent = store.profiles.recent(ids.get('dot')!, [agentsLadder('ttt')])
    expect([...recent.faults]).toEqual([['late', 1]])
    expect(recent.rivals).toEqual([{ name: 'cyd', games: 1, wins: 0, draws: 0, losses: 1 }])
  })
})

describe('matches', () => {
  it('are found by their ending and by another account at the table', () => {
    const dot = ids.get('dot')!
    const newest = (filter: object) =>
      store.matches.newest({ limit: 10, ...filter }).map(({ id }) => id)
    expect(newest({ ending: 'late' })).toEqual([provisionalBelow + 1])
    expect(newest({ account: dot, against: ids.get('cyd')! })).toEqual([provisionalBelow + 1])
    expect(newest({ account: dot, against: ids.get('ada')! })).toEqual([])
    expect(newest({ ending: 'rules', limit: 2 })).toEqual([22, 20])
  })
})
