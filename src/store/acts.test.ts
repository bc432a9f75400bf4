import { randomBytes } from 'node:crypto'
import { expect, it, onTestFinished } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { openStore } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import { inThisThread } from '../threads/calls.ts'
import { actsOf } from './acts.ts'
import { publicKeyOf } from './public-key.ts'

const opened = async () => {
  const clock = new FakeClock()
  const store = await openStore(dataFolder(), clock)
  onTestFinished(() => store.close())
  const acts = inThisThread(actsOf(store, store.write, 'open'))
  /** The answers of acts that are asked for at once. */
  const all = <T>(...asked: readonly Promise<T>[]): Promise<readonly T[]> => {
    clock.pass(10)
    return Promise.all(asked)
  }
  const [anna, bot, bert] = (['anna', 'anna-bot', 'bert'] as const).map(name =>
    newAccount(store.users, name),
  )
  store.users.setOwner(bot!, { ...anna!, owner: null })
  return { store, acts, all, anna: anna!, bot: bot!, bert: bert! }
}

/** A public key. Only its length matters here. */
const newKey = () => publicKeyOf(Buffer.concat([Buffer.from([0, 0, 0, 1, 0x78]), randomBytes(32)]))

const entriesOf = ({ audit }: Awaited<ReturnType<typeof opened>>['store']) =>
  audit
    .find({ limit: 100, by: 'anna' })
    .map(({ via, action, target, detail }) => [via, action, target, detail])

it('an account gets at most 20 keys, also when it asks for several at once or by a code', async () => {
  const { store, acts, all, anna } = await opened()
  for (let i = 0; i < 19; i++) store.keys.add(anna, newKey())
  const code = store.codes.mint(anna.id, 60_000)
  const problem = 'an account may have 20 keys: revoke one first'
  expect(await all(acts.addKey(anna, newKey()), acts.addKey(anna, newKey()))).toEqual([
    { id: 20 },
    { problem },
  ])
  const join = () => acts.registerKey({ name: '', code, key: newKey() })
  expect(await all(join())).toEqual([{ detail: problem }])
  expect(entriesOf(store)).toHaveLength(1)
  expect(await all<unknown>(acts.revokeKey(anna, 20), join())).toEqual([
    null,
    expect.objectContaining({ name: 'anna' }),
  ])
})

it('an account gets at most 50 tokens in the hub, also when it asks for several at once', async () => {
  const { store, acts, all, anna } = await opened()
  for (let i = 0; i < 49; i++) store.tokens.mint(anna, 'old')
  expect(await all(acts.mintToken(anna, 'new'), acts.mintToken(anna, 'more'))).toEqual([
    expect.objectContaining({ id: 50 }),
    { problem: 'an account may have 50 tokens: revoke one first' },
  ])
  expect(entriesOf(store)).toEqual([['hub', 'mint-token', 'anna', 'token 50 (new)']])
})

it('a credential is revoked once, by its account or by the owner of that', async () => {
  const { store, acts, all, anna, bot, bert } = await opened()
  const { id } = store.tokens.mint(bot, 'play')
  store.keys.add(bot, newKey())
  expect(await all(acts.revokeToken(bert, id), acts.revokeKey(bert, 1))).toEqual([
    { problem: 'anna-bot is no agent of bert' },
    { problem: 'anna-bot is no agent of bert' },
  ])
  expect([store.tokens.find(id), store.keys.find(1)]).toMatchObject([
    { revoked_at: null },
    { revoked_at: null },
  ])
  await all(acts.revokeToken(anna, id), acts.revokeToken(anna, id), acts.revokeKey(anna, 1))
  expect(entriesOf(store)).toEqual([
    ['hub', 'revoke-key', 'anna-bot', expect.stringMatching(/^key 1 SHA256:/)],
    ['hub', 'revoke-token', 'anna-bot', `token ${id} (play)`],
  ])
})

it('a session token that has been removed since it was shown counts as revoked', async () => {
  const { acts, all, anna } = await opened()
  expect(await all(acts.revokeToken(anna, 99))).toEqual([null])
})

it('a pause by the host ends by the account or its owner, and one by the operator by neither', async () => {
  const { store, acts, all, anna, bot, bert } = await opened()
  const pause = store.db.file.prepare(
    "update accounts set paused_at = 1, pause_reason = 'it stalls', paused_by = 'host' where id = ?",
  )
  pause.run(bot.id)
  expect(await all(acts.unpause(bert, bot.name))).toEqual([
    { problem: 'anna-bot is no agent of bert' },
  ])
  expect(await all(acts.unpause(anna, 'ANNA_BOT'), acts.unpause(bot, bot.name))).toEqual([
    { name: 'anna-bot', lifted: true },
    { name: 'anna-bot', lifted: false },
  ])
  expect(entriesOf(store)).toEqual([['hub', 'unpause', 'anna-bot', null]])
  store.users.pause(bot.id, 'it stalls')
  expect(await all(acts.unpause(anna, bot.name))).toEqual([
    { problem: 'anna-bot was paused by the operator, who alone can unpause it' },
  ])
})

it('the account of a house player is made once', async () => {
  const { store, acts, all } = await opened()
  const [first, second] = await all(acts.house('house-level-1'), acts.house('house-level-1'))
  expect(first).toMatchObject({ name: 'house-level-1', kind: 'house' })
  expect(second).toMatchObject({ id: first!.id })
  expect(store.users.all()).toHaveLength(4)
})
