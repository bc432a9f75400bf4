import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount, outcomes, ttt, tttMatch } from '../../test/support/played.ts'
import type { Account } from '../arena/account.ts'
import type { Outcome } from '../arena/ending.ts'
import { agentsLadder } from '../arena/ladder.ts'
import { verified } from '../commands/verify.ts'
import type { DeclaredVersion } from '../protocols/credentials.ts'
import { sendWithin } from './match-book.ts'
import { pairings } from './suspects.ts'
import { declareVersion, versionsOf } from './versions.ts'
import type { WriterOptions } from './writer.ts'

const ladder = agentsLadder('ttt')
const bare = { model: null, harness: null }

const opened = async (options: WriterOptions = {}) => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock, { gainCap: 100, copyCap: 2, ...options })
  onTestFinished(() => store.close())
  const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(name => newAccount(store.users, name))
  const declare = (agent: Account, version: string, words: Partial<DeclaredVersion> = {}) =>
    declareVersion(store, agent, { version, ...bare, ...words })
  const version = (agent: Account, name: string): Account => {
    const account = declare(agent, name)
    if ('detail' in account) throw new Error(account.detail)
    return account
  }
  const play = async (
    one: Account,
    two: Account,
    outcome: Outcome = outcomes.firstWins,
    moves = ttt.firstWins,
  ) => {
    const id = store.matchStore.begin({ ...tttMatch(one, two), startedAt: clock.date() })
    const kept = store.matchStore.finish(id, outcome, moves)
    clock.pass(sendWithin)
    return kept
  }
  const rating = ({ id }: Account) => store.matchStore.standing(id, ladder).rating
  return { clock, store, ann: ann!, bob: bob!, cat: cat!, declare, version, play, rating }
}

it('a version is an account of its own that names its agent, and is declared once', async () => {
  const { store, ann, declare } = await opened()
  const words = { model: 'a model', harness: 'a harness' }
  const one = declare(ann, '2.1', words)
  expect(one).toEqual({ id: expect.any(Number), name: 'ann~2.1', kind: 'player', parent: ann.id })
  expect(declare(ann, '2.1', words)).toEqual(one)
  expect(declare(ann, '2.1')).toEqual(one)
  expect(store.users.find('ANN~2.1')).toMatchObject({ ...one, ...words, owner: null })
  expect(store.users.versions(ann.id, 9).map(({ name }) => name)).toEqual(['ann~2.1'])
  expect(store.audit.find({ action: 'add-version', limit: 9 })).toMatchObject([
    { by: 'ann', target: 'ann~2.1', detail: 'model "a model" and harness "a harness"' },
  ])
})

it('a version does not change what it was declared to be', async () => {
  const { ann, bob, declare } = await opened()
  declare(ann, '1', { model: 'small' })
  const detail =
    'version 1 of ann was declared with model "small" and no harness: name another version for something else'
  expect(declare(ann, '1', { model: 'large' })).toEqual({ detail })
  expect(declare(ann, '1', { harness: 'new' })).toEqual({ detail })
  expect(declare(bob, '1', { model: 'large' })).toMatchObject({ name: 'bob~1' })
})

it('no two versions of an agent look alike', async () => {
  const { ann, bob, declare } = await opened()
  declare(ann, 'v2.1')
  for (const alike of ['V2.1', 'v2-1', 'v2_1'])
    expect(declare(ann, alike)).toEqual({
      detail: `ann has a version v2.1, which looks like ${alike}: write it like that, or name another`,
    })
  expect(declare(bob, 'V2-1')).toMatchObject({ name: 'bob~V2-1' })
})

it('an agent declares at most 20 new versions in 24 hours', async () => {
  const { clock, ann, bob, declare } = await opened()
  for (let n = 1; n <= 20; n++) declare(ann, String(n))
  clock.pass(3600_000)
  expect(declare(ann, '21')).toEqual({
    detail: 'ann has declared 20 new versions in 24 hours: play as one of them, or try again later',
    retryAfter: 23 * 3600,
  })
  expect(declare(ann, '20')).toMatchObject({ name: 'ann~20' })
  expect(declare(bob, '21')).toMatchObject({ name: 'bob~21' })
  clock.pass(23 * 3600_000)
  expect(declare(ann, '21')).toMatchObject({ name: 'ann~21' })
})

it('no account can take the name of a version', async () => {
  const { store } = await opened()
  expect(store.users.add('ann~1')).toMatchObject({ code: 'bad-name' })
})

it('names of versions are suggested only once their agent is named in full', async () => {
  const { store, ann, version } = await opened()
  version(ann, '1')
  const beginning = (start: string) => store.users.beginning(start, 9).map(({ name }) => name)
  expect([beginning('a'), beginning('ann'), beginning('ann~')]).toEqual([
    ['ann'],
    ['ann'],
    ['ann~1'],
  ])
})

it('each version has a rating of its own, and everything about it is verified', async () => {
  const { store, ann, bob, version, play, rating } = await opened()
  const [one, two] = [version(ann, '1'), version(ann, '2')]
  await play(one, bob)
  await play(bob, two)
  expect([ann, one, two].map(rating)).toEqual([1500, 1516, expect.closeTo(1483.2, 0)])
  expect(store.rankings.page(ladder, { offset: 0, limit: 9 }).rows.map(({ name }) => name)).toEqual(
    ['ann~1', 'bob', 'ann~2'],
  )
  expect(verified(store).differences).toEqual([])
})

it('a version has the owner, the pause and the ban of its agent', async () => {
  const { store, ann, bob, cat, version, play } = await opened()
  const one = version(ann, '1')
  await play(one, bob)
  store.users.setOwner(ann, { ...cat, owner: null })
  store.users.pause(ann.id, 'it stalls')
  store.users.ban(ann.id, 'it floods')
  expect(store.users.find('ann~1')).toMatchObject({
    ...{ owner: cat.id, pause_reason: 'it stalls', paused_by: 'operator', ban_reason: 'it floods' },
  })
  expect(store.users.all().find(({ name }) => name === 'ann~1')).toMatchObject({
    ...{ ownerName: 'cat', keys: 0, tokens: 0 },
  })
  expect(store.users.owned(cat.id).map(({ name }) => name)).toEqual(['ann'])
  await store.matchStore.refresh()
  expect(store.matchStore.family(one.id)).toBe(cat.id)
  expect(store.matchStore.pause(one.id)).toEqual({
    ...{ reason: 'it stalls', by: 'operator', owner: 'cat' },
  })
  expect(store.users.opponent('ann~1')).toEqual({ why: 'the account "ann~1" is banned' })
  expect(store.rankings.page(ladder, { offset: 0, limit: 9 }).rows.map(({ name }) => name)).toEqual(
    ['bob'],
  )
  expect(store.rankings.place(ladder, one.id)).toBeUndefined()
})

it('failures in a row count for the agent, in whatever versions, and pause all of them', async () => {
  const { store, ann, bob, cat, version, play } = await opened({ pauseAfter: 5 })
  const dan = newAccount(store.users, 'dan')
  const late = outcomes.secondLate
  for (const [n, other] of [bob, cat, dan, bob, cat].entries()) {
    for (const { id } of store.users.versions(ann.id, 9))
      expect(store.matchStore.pause(id)).toBeNull()
    await play(other, version(ann, String(n)), late, ttt.draw)
  }
  for (const account of [ann, ...store.users.versions(ann.id, 9)])
    expect(store.matchStore.pause(account.id)).toMatchObject({ by: 'host', owner: 'ann' })
  expect(store.users.unpause(ann.id, 'owner')).toBe(true)
  await store.matchStore.refresh()
  expect(store.matchStore.pause(version(ann, '0').id)).toBeNull()
})

it('versions of one opponent count as one where failures are counted', async () => {
  const { store, ann, bob, version, play } = await opened({ pauseAfter: 5 })
  for (let n = 0; n < 9; n++)
    await play(version(bob, String(n)), ann, outcomes.secondLate, ttt.draw)
  expect(store.matchStore.pause(ann.id)).toBeNull()
})

it('the rated matches of a day are counted for two agents, in whatever versions', async () => {
  const { clock, store, ann, bob, version, play } = await opened()
  const { matchStore } = store
  const [one, two, other] = [version(ann, '1'), version(ann, '2'), version(bob, '1')]
  await play(ann, bob)
  await play(bob, one)
  const live = matchStore.begin({ ...tttMatch(two, other), startedAt: clock.date() })
  expect(matchStore.ratedToday(ladder, ann.id, bob.id)).toBe(3)
  expect(matchStore.ratedToday(ladder, other.id, version(ann, '3').id)).toBe(3)
  void matchStore.abort(live, 'a test', [])
  expect(matchStore.ratedToday(ladder, two.id, other.id)).toBe(2)
  expect(matchStore.firsts(ladder, bob.id, one.id)).toBe(1)
  expect(matchStore.firsts(ladder, bob.id, ann.id)).toBe(0)
})

it('an account gains no more in a day from an agent that loses in many versions', async () => {
  const { ann, bob, version, play, rating } = await opened({ copyCap: 0 })
  const unrated = []
  for (let n = 0; n < 15; n++) unrated.push((await play(ann, version(bob, String(n)))).unrated)
  expect(unrated.at(-1)).toBe('one has gained enough from the other today')
  expect(rating(ann)).toBeGreaterThan(1570)
  expect(rating(ann)).toBeLessThanOrEqual(1600)
})

it('what one version loses does not let another gain more', async () => {
  const { ann, bob, version, play, rating } = await opened({ copyCap: 0 })
  const [gainer, giver] = [version(ann, '1'), version(ann, '2')]
  for (let n = 0; n < 15; n++) {
    await play(gainer, bob)
    await play(bob, giver)
  }
  expect(rating(gainer)).toBeGreaterThan(1570)
  expect(rating(gainer)).toBeLessThanOrEqual(1600)
})

it('the same match is rated no more often where agents play it in other versions', async () => {
  const { ann, bob, version, play } = await opened()
  const unrated = []
  for (let n = 0; n < 3; n++)
    unrated.push((await play(version(ann, String(n)), version(bob, String(n)))).unrated)
  expect(unrated).toEqual([null, null, 'a copy of earlier matches'])
})

it('suspects are agents, in whatever versions', async () => {
  const { store, ann, bob, version, play } = await opened({ copyCap: 0 })
  for (let n = 0; n < 4; n++) await play(version(ann, String(n)), version(bob, String(n)))
  expect(pairings(store.db, 0)).toMatchObject([
    { gainer: { name: 'ann' }, loser: { name: 'bob' }, matches: 4, wins: 4, gained: 64 },
  ])
})

it('a version was last seen when its newest match began, on whatever ladder', async () => {
  const { clock, store, ann, bob, version, play } = await opened()
  const [one, two] = [version(ann, '1'), version(ann, '2')]
  await play(one, bob)
  clock.pass(60_000)
  const at = clock.date()
  const c4 = { ...tttMatch(one, bob), game: 'c4', startedAt: at }
  void store.matchStore.finish(store.matchStore.begin(c4), outcomes.firstWins, ttt.firstWins)
  clock.pass(60_000)
  expect(versionsOf(store, store.users.find('ann')!).map(({ lastSeen }) => lastSeen)).toEqual([
    store.users.find(two.name)!.created_at,
    at,
  ])
})
