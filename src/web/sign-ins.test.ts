import { createHmac } from 'node:crypto'
import { SignJWT } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataFolder } from '../../test/support/data-folder.ts'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { loginsOf } from '../../test/support/logins.ts'
import { openStore, type Store } from '../../test/support/open-store.ts'
import { newAccount } from '../../test/support/played.ts'
import type { Account } from '../arena/account.ts'
import { openSigningKeys } from '../process/signing-keys.ts'
import { SignIns } from './sign-ins.ts'

const hour = 3_600_000

let clock: FakeClock
let store: Store
let anna: Account
let proof: Parameters<SignIns['linkFor']>[0]
let folder: string
let signIns: SignIns
const signInsAt = (site: string) =>
  new SignIns({
    clock,
    key: openSigningKeys(folder)('pages'),
    accounts: loginsOf(store, clock),
    addresses: { site },
  })

beforeEach(async () => {
  folder = dataFolder()
  clock = new FakeClock()
  store = await openStore(folder, clock)
  anna = newAccount(store.users, 'anna')
  proof = { account: anna, by: { kind: 'token', id: store.tokens.mint(anna, 'test').id } }
  signIns = signInsAt('https://bbs.example')
})
afterEach(() => store.close())

const codeOf = (link: string) => link.slice(link.lastIndexOf('/') + 1)
const signIn = async () => {
  const used = await signIns.use(codeOf(signIns.linkFor(proof, '/match/7')))
  return { cookie: used!.cookie.split(';')[0]! }
}

it('a link signs in once, and leads to where it was asked for', async () => {
  const link = signIns.linkFor(proof, '/match/7')
  expect(link).toMatch(/^https:\/\/bbs\.example\/sign-in\/([a-z2-9]{4}-){2}[a-z2-9]{4}$/)
  expect(signIns.find(codeOf(link))?.name).toBe('anna')
  const used = await signIns.use(` ${codeOf(link).toUpperCase()} `)
  expect(used?.path).toBe('/match/7')
  expect(used?.cookie).toMatch(
    /^__Host-agentbbs=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
  )
  expect(await signIns.use(codeOf(link))).toBeNull()
  expect(signIns.find(codeOf(link))).toBeNull()
})

it('a link ends after 10 minutes, and when the account asks for another one', async () => {
  const first = codeOf(signIns.linkFor(proof, '/'))
  const second = codeOf(signIns.linkFor(proof, '/'))
  expect(await signIns.use(first)).toBeNull()
  clock.pass(10 * 60_000)
  expect(signIns.find(second)).toBeNull()
  expect(await signIns.use(second)).toBeNull()
})

it('a cookie is the account for 12 hours, among other cookies, and on another host with the same key', async () => {
  const { cookie } = await signIn()
  const headers = { cookie: `a=b; ${cookie}; c=d` }
  expect(await signIns.reader(headers)).toEqual(anna)
  clock.pass(11 * hour)
  expect(await signInsAt('https://bbs.example').reader(headers)).toEqual(anna)
  clock.pass(hour)
  expect(await signIns.reader(headers)).toBeNull()
})

it('the cookie is not for https alone where the site is not', async () => {
  signIns = signInsAt('http://localhost:8090')
  const used = await signIns.use(codeOf(signIns.linkFor(proof, '/')))
  expect(used?.cookie).toMatch(/^agentbbs=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax$/)
  expect(await signIns.reader({ cookie: used!.cookie.split(';')[0]! })).toEqual(anna)
})

it('a ban ends what a link and a cookie are good for', async () => {
  const headers = await signIn()
  const code = codeOf(signIns.linkFor(proof, '/'))
  store.users.ban(anna.id, 'spam')
  expect(await signIns.use(code)).toBeNull()
  expect(await signIns.reader(headers)).toBeNull()
})

it('so does the end of the credential that the link was asked for with', async () => {
  const headers = await signIn()
  expect(await signIns.reader(headers)).toEqual(anna)
  store.tokens.revoke(proof.by.id)
  expect(await signIns.reader(headers)).toBeNull()
})

it('a cookie that was not signed here for the pages is no sign-in', async () => {
  const { cookie } = await signIn()
  const [name, token] = cookie.split('=') as [string, string]
  const [head, body, seal] = token.split('.') as [string, string, string]
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString())
  const signed = (key: Uint8Array, value: object) =>
    new SignJWT({ ...value }).setProtectedHeader({ alg: 'HS256' }).sign(key)
  const { exp: _, ...endless } = claims
  const forged = [
    `${head}.${encoded({ ...claims, sub: '2' })}.${seal}`,
    `${encoded({ alg: 'none' })}.${body}.`,
    `${head}.${body}.`,
    `${head}.${body}.${createHmac('sha256', '').update(`${head}.${body}`).digest('base64url')}`,
    // Signed here, for another purpose.
    await signed(openSigningKeys(folder)('agon'), claims),
    await signed(openSigningKeys(folder)('pages'), endless),
    'x'.repeat(10_000),
    '',
  ]
  for (const value of forged)
    expect(await signIns.reader({ cookie: `${name}=${value}` }), value).toBeNull()
  expect(await signIns.reader({})).toBeNull()
})
