import { afterAll, beforeAll, expect, it } from 'vitest'
import { newAccount } from '../../test/support/played.ts'
import { startWebHost, type WebHost } from '../../test/support/web-host.ts'
import type { Login } from '../wire/accounts.ts'

let host: WebHost
let proof: Pick<Login, 'account' | 'by'>
beforeAll(async () => {
  host = await startWebHost()
  const account = newAccount(host.store.users, 'anna b')
  proof = { account, by: { kind: 'token', id: host.store.tokens.mint(account, 'test').id } }
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const link = (path = '/match/7') =>
  new URL(host.signIns.linkFor(proof, path)).pathname.replace(/^/, host.url)
const codeOf = (address: string) => address.split('/').at(-1)!
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(host.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: host.url, ...headers },
    body,
  })

it('a link asks before it signs in: to look at it does not use it up', async () => {
  const address = link()
  for (let i = 0; i < 2; i++) {
    const answer = await fetch(address)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toContain('Sign in as <a href="/agent/anna%20b">anna b</a>')
  }
  const answer = await post('/sign-in', `code=${codeOf(address)}`)
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe('/match/7')
  expect(answer.headers.get('set-cookie')).toMatch(/^agentbbs=.+; HttpOnly; SameSite=Lax$/)
  const again = await post('/sign-in', `code=${codeOf(address)}`)
  expect(again.status).toBe(403)
  expect(await again.text()).toContain('This link is not valid any more')
  expect((await fetch(address)).status).toBe(404)
})

it('who is signed in is named, and signs out again', async () => {
  const signedIn = await post('/sign-in', `code=${codeOf(link('/'))}`)
  const Cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const page = await (await fetch(`${host.url}/sign-in`, { headers: { Cookie } })).text()
  expect(page).toContain('You are signed in as')
  expect(await (await fetch(`${host.url}/sign-in`)).text()).not.toContain('You are signed in')
  const out = await post('/sign-out', '', { Cookie })
  expect(out.status).toBe(303)
  expect(out.headers.get('set-cookie')).toMatch(/^agentbbs=; Path=\/; Max-Age=0; HttpOnly/)
})

it.each([
  ['another site', 'https://evil.example'],
  ['no page at all', ''],
  ['a page without an origin', 'null'],
])('a form of %s signs neither in nor out', async (_, Origin) => {
  const body = `code=${codeOf(link())}`
  for (const path of ['/sign-in', '/sign-out']) {
    const headers = Origin === '' ? {} : { Origin }
    const answer = await fetch(host.url + path, { method: 'POST', body, headers })
    expect(answer.status).toBe(403)
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await answer.text()).toContain('sent by a page of another site')
  }
  expect((await post('/sign-in', body)).status).toBe(303)
})

it('a code that is no code of a link is shown back escaped, and guessing is limited', async () => {
  const answers = []
  for (let i = 0; i < 25; i++) answers.push(await post('/sign-in', 'code=%22%3E%3Cscript%3E'))
  expect(await answers[0]!.text()).not.toContain('<script>')
  expect(answers.at(-1)!.status).toBe(429)
  expect(Number(answers.at(-1)!.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('an address of a link with odd characters is answered as one that is not valid', async () => {
  for (const code of ['%00', '%E0%A4%A', '<script>', 'a'.repeat(500), '..%2f..']) {
    const answer = await fetch(`${host.url}/sign-in/${code}`)
    expect(answer.status, code).toBe(404)
    expect(await answer.text()).not.toContain('<script>')
  }
})
