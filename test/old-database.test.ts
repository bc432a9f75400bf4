// A database that the program wrote before migration 0009: its columns for ladders were called game. Beside it is what
// `agentbbs export` printed of it then.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Account } from '../src/arena/account.ts'
import { peopleLadder } from '../src/arena/ladder.ts'
import { verified } from '../src/commands/verify.ts'
import { databasePath } from '../src/store/data-paths.ts'
import { sendWithin } from '../src/store/match-book.ts'
import { declareVersion } from '../src/store/versions.ts'
import { agentbbs } from './support/cli.ts'
import { dataFolder } from './support/data-folder.ts'
import { FakeClock } from './support/fake-clock.ts'
import { openStore, type Store } from './support/open-store.ts'
import { outcomes, ttt, tttMatch } from './support/played.ts'

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'databases', name), 'utf8')
/** Records have had the protocol of each seat since, and the event of a match; old matches have neither. */
const exported = fixture('before-ladders.ndjson')
  .replace(/("kind":"(?:player|house)",)("place":)/g, '$1"protocol":null,$2')
  .replace(/("type":"match".*?)("startedAt":)/g, '$1"event":null,$2')

const oldDatabase = (file: string) =>
  new BetterSqlite3(file).exec(fixture('before-ladders.sql')).close()

const opened = async () => {
  const folder = dataFolder()
  oldDatabase(databasePath(folder))
  const clock = new FakeClock()
  const store = await openStore(folder, clock, { gainCap: 100 })
  onTestFinished(() => store.close())
  return { store, clock }
}

const exportOf = ({ chains }: Store) =>
  [...chains.ladders()].flatMap(ladder => [...chains.lines(ladder)]).join('')

describe('an old database', () => {
  it('passes every check, and is exported to the byte as before but for protocols and events', async () => {
    const { store } = await opened()
    expect(verified(store).differences).toEqual([])
    expect(exportOf(store)).toBe(exported)
  })

  it('keeps ratings, profiles and meetings on the ladders on which they were', async () => {
    const { store } = await opened()
    const { id: ann } = store.users.find('ann')!
    const { id: bob } = store.users.find('bob')!
    expect(store.profiles.ratings(ann).map(({ ladder, games }) => [ladder.id, games])).toEqual([
      ['ttt', 3],
      ['ttt+people', 2],
      ['dance-battle', 1],
      ['resource-rush', 1],
    ])
    expect(store.profiles.history(ann, peopleLadder('ttt'))).toHaveLength(2)
    expect(store.matchStore.firsts(peopleLadder('ttt'), ann, bob)).toBe(2)
    expect(
      store.matches.newest({ account: ann, game: 'ttt', limit: 9 }).map(({ id }) => id),
    ).toEqual(
      store.matches
        .newest({ account: ann, limit: 99 })
        .filter(({ game }) => game === 'ttt')
        .map(({ id }) => id),
    )
  })

  it('has its matches voided and counted again like any other', async () => {
    const { store } = await opened()
    const before = store.ratings.all()
    expect(store.voids.void([1, 10], 'one person ran both')).toMatchObject({ ratings: 5 })
    expect(verified(store).differences).toEqual([])
    expect(store.ratings.all()).not.toEqual(before)
    store.voids.unvoid([1, 10])
    expect(store.ratings.all()).toEqual(before)
    expect(verified(store).differences).toEqual([])
  })

  it('names the protocols of new matches', async () => {
    const { store, clock } = await opened()
    const [ann, bob] = [store.users.find('ann')!, store.users.find('bob')!]
    const protocols = ['agentgames', 'hub']
    const match = { ...tttMatch(ann, bob), startedAt: clock.date(), protocols }
    void store.matchStore.finish(store.matchStore.begin(match), outcomes.draw, ttt.draw)
    clock.pass(sendWithin)
    const [newest, ...old] = store.matches.newest({ limit: 99 })
    expect(newest!.players.map(({ protocol }) => protocol)).toEqual(protocols)
    expect(new Set(old.flatMap(({ players }) => players.map(({ protocol }) => protocol)))).toEqual(
      new Set([null]),
    )
    expect(verified(store).differences).toEqual([])
  })

  it('rates versions of its agents, whose gains of the day count with those of their agent', async () => {
    const { store, clock } = await opened()
    const [ann, bob] = [store.users.find('ann')!, store.users.find('bob')!]
    expect([ann.parent, bob.parent]).toEqual([null, null])
    const words = { model: null, harness: null }
    const versions = Array.from(
      { length: 10 },
      (_, n) => declareVersion(store, bob, { version: `1.${n}`, ...words }) as Account,
    )
    for (const version of versions) {
      const id = store.matchStore.begin({ ...tttMatch(ann, version), startedAt: clock.date() })
      void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
      clock.pass(sendWithin)
    }
    const { unrated, players } = store.matches.newest({ game: 'ttt', limit: 1 })[0]!
    expect(unrated).toBe('one has gained enough from the other today')
    expect(players.map(({ name }) => name)).toEqual(['ann', 'bob~1.9'])
    expect(verified(store).differences).toEqual([])
  })

  it('goes on with its chains of seals and its gains of the day', async () => {
    const { store, clock } = await opened()
    const [ann, bob] = [store.users.find('ann')!, store.users.find('bob')!]
    for (let n = 0; n < 10; n++) {
      const id = store.matchStore.begin({ ...tttMatch(ann, bob), startedAt: clock.date() })
      void store.matchStore.finish(id, outcomes.firstWins, ttt.firstWins)
      clock.pass(sendWithin)
    }
    // With the 14 points of the last match in the old database the tenth of these exceeds the 100 of a day.
    expect(store.matches.newest({ game: 'ttt', limit: 2 }).map(({ unrated }) => unrated)).toEqual([
      'one has gained enough from the other today',
      null,
    ])
    expect(verified(store).differences).toEqual([])
  })

  it('is restored from a backup', async () => {
    const file = join(dataFolder(), 'old.db')
    oldDatabase(file)
    const env = { AGENTBBS_DATA: join(dataFolder(), 'data') }
    expect(await agentbbs(['restore', file], env)).toMatchObject({ code: 0, stderr: '' })
    expect(await agentbbs(['verify'], env)).toMatchObject({ code: 0 })
    expect(await agentbbs(['export'], env)).toEqual({ code: 0, stdout: exported, stderr: '' })
  })
})
