import { describe, expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import { fc } from '../../test/support/properties.ts'
import type { Account } from '../arena/account.ts'
import { elo } from '../arena/counting.ts'
import { agentsLadder, eventLadder, peopleLadder } from '../arena/ladder.ts'
import { verified } from '../commands/verify.ts'
import { theHost } from './audit.ts'
import { sendWithin } from './match-book.ts'
import { closeSeasonsInTime } from './season-closing.ts'

const ladder = agentsLadder('ttt')
const half = { title: 'Spring', rule: 'half' } as const
const kept = { title: 'Summer', rule: 'kept' } as const

const opened = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock, { gainCap: 100 })
  onTestFinished(() => store.close())
  const [ann, bob, eve] = ['ann', 'bob', 'eve'].map(name => newAccount(store.users, name)) as [
    Account,
    Account,
    Account,
  ]
  return { clock, store, ann, bob, eve }
}

type House = Awaited<ReturnType<typeof opened>>

const play = (
  { store, clock }: House,
  winner: Account,
  loser: Account,
  ladder = agentsLadder('ttt'),
) => {
  const id = store.matchStore.begin({ ...tttMatch(winner, loser), ladder, startedAt: clock.date() })
  void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
  clock.pass(sendWithin)
  return id
}

const close = ({ store }: House, named: typeof half | typeof kept = half) => {
  const season = store.closing.close(ladder, named, theHost)
  if ('problem' in season) throw new Error(season.problem)
  return season
}

const standing = ({ store }: House, account: Account) =>
  store.ratings.all().find(row => row.account === account.id && row.ladder === ladder.id)

const differences = ({ store }: House) => verified(store).differences

describe('a season that is closed', () => {
  it('keeps its table, and begins the next one half way back to 1500 with nothing played', async () => {
    const house = await opened()
    const { store, ann, bob, clock } = house
    play(house, ann, bob)
    const before = store.rankings.top(ladder, 9)
    const season = close(house)
    expect(season).toMatchObject({
      ...{ ladder: 'ttt', number: 1, matches: 1, lastOrder: 1, closedAt: clock.date() },
      ...half,
    })
    expect(store.seasons.table(season)).toEqual(before.map(row => ({ ...row, error: null })))
    expect(standing(house, ann)).toMatchObject({ rating: 1508, games: 0, wins: 0, lead: 1 })
    expect(standing(house, bob)).toMatchObject({ rating: 1492, games: 0, losses: 0, lead: -1 })
    expect(store.rankings.top(ladder, 9)).toEqual([])
    expect(store.seasons.start('ttt')).toBe(1)
    expect(differences(house)).toEqual([])
    play(house, bob, ann)
    expect(store.rankings.top(ladder, 9).map(({ name, games }) => [name, games])).toEqual([
      ['bob', 1],
      ['ann', 1],
    ])
    expect(store.seasons.table(season)).toMatchObject(before)
    expect(differences(house)).toEqual([])
  })

  it('keeps the ratings where the rule says so', async () => {
    const house = await opened()
    play(house, house.ann, house.bob)
    close(house, kept)
    expect(standing(house, house.ann)).toMatchObject({ rating: 1516, games: 0 })
    expect(differences(house)).toEqual([])
  })

  it('leaves other ladders alone', async () => {
    const house = await opened()
    const { store, ann, bob } = house
    play(house, ann, bob, peopleLadder('ttt'))
    play(house, ann, bob)
    close(house)
    expect(store.rankings.top(peopleLadder('ttt'), 9)).toHaveLength(2)
    expect(store.seasons.start('ttt+people')).toBe(0)
    expect(differences(house)).toEqual([])
  })

  it('is seen by pairing at once', async () => {
    const house = await opened()
    const { store, ann, bob } = house
    await store.matchStore.hold([ann.id, bob.id], 'ttt')
    play(house, ann, bob)
    // The store tells of the result in a microtask.
    await null
    expect(store.matchStore.standing(ann.id, ladder).rating).toBe(1516)
    close(house)
    await store.matchStore.refresh()
    expect(store.matchStore.standing(ann.id, ladder).rating).toBe(1508)
  })

  it('counts a match that began before it for the next season', async () => {
    const house = await opened()
    const { store, clock, ann, bob } = house
    play(house, ann, bob)
    const id = store.matchStore.begin({ ...tttMatch(ann, bob), startedAt: clock.date() })
    close(house)
    void store.matchStore.finish(id, outcomes.draw, ttt.draw)
    clock.pass(sendWithin)
    expect(store.matches.find(id)!.players[0]!.rating!.before).toBe(1508)
    expect(differences(house)).toEqual([])
  })

  it('lets nobody reach the limit of a day by its rule', async () => {
    const house = await opened()
    const { store, ann, bob, eve } = house
    for (let n = 0; n < 20; n++) play(house, n % 2 ? ann : eve, bob)
    const low = standing(house, bob)!.rating
    close(house)
    expect(standing(house, bob)!.rating - low).toBeGreaterThan(50)
    const id = play(house, bob, eve)
    expect(store.matches.find(id)!.unrated).toBe(null)
  })

  it('needs a rated match since the season before, and a ladder that does not end by itself', async () => {
    const house = await opened()
    const { store } = house
    const nothing = { problem: 'no rated match was played on ttt in this season' }
    expect(store.closing.close(ladder, half, theHost)).toEqual(nothing)
    play(house, house.ann, house.bob)
    close(house)
    expect(store.closing.close(ladder, half, theHost)).toEqual(nothing)
    expect(store.closing.close(eventLadder('ttt', 'cup', elo), half, theHost)).toEqual({
      problem: 'ttt+event:cup is the ladder of an event, which ends by itself: it has no seasons',
    })
  })

  it('can neither be changed, nor removed, nor replaced', async () => {
    const house = await opened()
    play(house, house.ann, house.bob)
    close(house)
    for (const change of [
      "update seasons set title = 'Mine'",
      'delete from seasons',
      'insert or replace into seasons select * from seasons',
      'update season_rows set rank = 1',
      'delete from season_rows',
      'insert or replace into season_rows select * from season_rows',
    ])
      expect(() => house.store.db.file.exec(change), change).toThrow(
        'what is written here stays as it is',
      )
  })
})

describe('a void of a match of an earlier season', () => {
  it('changes the ratings of today, and not the table that was kept', async () => {
    const house = await opened()
    const { store, ann, bob, eve } = house
    const first = play(house, ann, bob)
    play(house, ann, eve)
    const season = close(house)
    const table = store.seasons.table(season)
    play(house, ann, bob)
    const before = store.ratings.all()
    expect(store.voids.void([first], null)).toMatchObject({ ratings: 3 })
    expect(store.seasons.table(season)).toEqual(table)
    expect(store.ratings.all()).not.toEqual(before)
    expect(standing(house, bob)).toMatchObject({ games: 1, losses: 1 })
    expect(differences(house)).toEqual([])
    store.voids.unvoid([first])
    expect(store.ratings.all()).toEqual(before)
    expect(differences(house)).toEqual([])
  })

  it('made before the season was closed, is part of its table', async () => {
    const house = await opened()
    const { store, ann, bob, eve } = house
    const first = play(house, ann, bob)
    play(house, ann, eve)
    store.voids.void([first], null)
    const season = close(house)
    expect(season.matches).toBe(1)
    expect(store.seasons.table(season).map(({ name }) => name)).toEqual(['ann', 'eve'])
    store.voids.unvoid([first])
    play(house, bob, eve)
    close(house)
    expect(differences(house)).toEqual([])
  })
})

const act = fc.oneof(
  { weight: 12, arbitrary: fc.shuffledSubarray([0, 1, 2, 3], { minLength: 2, maxLength: 2 }) },
  { weight: 1, arbitrary: fc.constantFrom('kept', 'half') },
  { weight: 3, arbitrary: fc.record({ void: fc.nat(30) }) },
  { weight: 2, arbitrary: fc.record({ unvoid: fc.nat(30) }) },
)

it('after any matches, voids and seasons all is as it is recalculated', async () => {
  for (const acts of fc.sample(fc.array(act, { minLength: 30, maxLength: 60 }), { numRuns: 25 })) {
    const house = await opened()
    const { store } = house
    const accounts = [house.ann, house.bob, house.eve, newAccount(store.users, 'dan')]
    for (const step of acts)
      if (Array.isArray(step)) play(house, accounts[step[0]!]!, accounts[step[1]!]!)
      else if (typeof step === 'string')
        store.closing.close(ladder, { title: 'x', rule: step }, theHost)
      else if ('void' in step) store.voids.void([step.void], null)
      else store.voids.unvoid([step.unvoid])
    expect(differences(house)).toEqual([])
  }
})

describe('verify finds', () => {
  const changes = (store: Store, change: string): string => {
    const { file } = store.db
    file.exec('savepoint change')
    for (const table of ['seasons', 'season_rows', 'seals'])
      for (const kind of ['update', 'delete']) file.exec(`drop trigger ${table}_no_${kind}`)
    file.exec(change)
    const found = verified(store).differences.join('\n')
    file.exec('rollback to change; release change')
    return found
  }

  it('each column of a season and of its table, and what is missing', async () => {
    const house = await opened()
    const { store, ann, bob } = house
    play(house, ann, bob)
    close(house)
    play(house, bob, ann)
    close(house)
    const columns = (table: string) =>
      store.db.file.prepare(`select name, type from pragma_table_info('${table}')`).all() as {
        name: string
        type: string
      }[]
    for (const table of ['seasons', 'season_rows'])
      for (const { name, type } of columns(table)) {
        const key = table === 'seasons' ? 'number' : 'season'
        const value =
          name === 'rule'
            ? "'kept'"
            : type === 'text'
              ? `"${name}" || 'x'`
              : name === 'account'
                ? '3'
                : `coalesce("${name}", 0) + 5`
        const change = `update ${table} set "${name}" = ${value} where ${key} = 1 ${table === 'seasons' ? '' : 'and row = 1'}`
        expect(changes(store, change), change).toMatch(/season/)
      }
    expect(changes(store, 'delete from season_rows where season = 1 and row = 2')).toMatch(/season/)
    expect(changes(store, 'delete from seasons where number = 1')).toMatch(/season/)
    expect(changes(store, "delete from seals where type = 'season' and number = 2")).toMatch(
      /season 1 of ttt: it is closed, and not sealed/,
    )
  })
})

describe('a date', () => {
  it('closes a season within a second, once', async () => {
    const house = await opened()
    const { store, clock, ann, bob } = house
    let told = 0
    onTestFinished(closeSeasonsInTime(store.closing, clock, () => told++))
    play(house, ann, bob)
    expect(store.closing.closeAt(ladder, half, clock.date() + 60_000, theHost)).toBe(null)
    expect(store.seasons.dates()).toHaveLength(1)
    clock.pass(59_000)
    expect(store.seasons.all()).toEqual([])
    clock.pass(2_000)
    expect(store.seasons.all()).toMatchObject([{ title: 'Spring', number: 1 }])
    expect([told, store.seasons.dates()]).toEqual([1, []])
    clock.pass(100_000)
    expect(store.seasons.all()).toHaveLength(1)
  })

  it('that went by while no host was running closes the season at its next start', async () => {
    const house = await opened()
    const { store, clock, ann, bob } = house
    play(house, ann, bob)
    store.closing.closeAt(ladder, half, clock.date() + 60_000, theHost)
    clock.pass(600_000)
    onTestFinished(closeSeasonsInTime(store.closing, clock, () => {}))
    expect(store.seasons.all()).toMatchObject([{ closedAt: clock.date() }])
  })

  it('without a rated match until then is forgotten, and the audit log says so', async () => {
    const { store, clock } = await opened()
    onTestFinished(closeSeasonsInTime(store.closing, clock, () => {}))
    store.closing.closeAt(ladder, half, clock.date() + 1_000, theHost)
    clock.pass(2_000)
    expect(store.seasons.dates()).toEqual([])
    expect(store.audit.find({ action: 'cancel-season', limit: 9 })).toMatchObject([
      { by: 'host', target: 'ttt', reason: 'no rated match was played on ttt in this season' },
    ])
  })

  it('is replaced by a later one, and can be cancelled', async () => {
    const { store, clock } = await opened()
    const at = clock.date() + 1_000
    expect(store.closing.closeAt(ladder, half, clock.date(), theHost)).toEqual({
      problem: 'the date is past: leave out --at',
    })
    store.closing.closeAt(ladder, half, at, theHost)
    store.closing.closeAt(ladder, kept, at + 1, theHost)
    expect(store.seasons.dates()).toEqual([{ ladder: 'ttt', ...kept, at: at + 1 }])
    expect(store.closing.cancel(ladder, theHost)).toBe(null)
    expect(store.closing.cancel(ladder, theHost)).toEqual({
      problem: 'no date is set for the season of ttt',
    })
  })
})
