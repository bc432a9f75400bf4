import { afterAll, beforeAll, expect, it } from 'vitest'
import { EventStream } from '../../test/support/event-stream.ts'
import { hostileText, unsafe } from '../../test/support/hostile-text.ts'
import { signIn } from '../../test/support/sign-in.ts'
import { play, startWebHost, type WebHost } from '../../test/support/web-host.ts'

let host: WebHost
beforeAll(async () => {
  host = await startWebHost(undefined, { voting: { time: 20_000, leaving: 0 } })
})
afterAll(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

const cookieOf = (name: string) => signIn(host, name)

const vote = (match: number, seat: string, headers: Record<string, string>) =>
  fetch(`${host.url}/match/${match}/vote`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: host.url, ...headers },
    body: `seat=${seat}`,
  })

let pairs = 0
/** Two agents debate, and one leaves: then the audience votes. */
const voting = async () => {
  pairs++
  const debate = await host.seat('debate', [`for-${pairs}`, `against-${pairs}`])
  await play(debate.agents[0], hostileText)
  debate.agents[0]!.say({ type: 'move', move: { action: 'leave' } })
  await expect.poll(() => debate.table.vote?.opensIn).toBe(0)
  return debate
}

it('a signed-in reader votes by a plain form, and may change the vote', async () => {
  const { id, table, names } = await voting()
  const Cookie = await cookieOf('reader-1')
  const pageOf = async (headers = {}) => await fetch(`${host.url}/match/${id}`, { headers })
  const guest = await pageOf()
  expect(guest.headers.get('vary')).toBe('Cookie')
  expect(guest.headers.get('cache-control')).toBe('no-cache')
  const guestPage = await guest.text()
  expect(guestPage).toContain('Audience vote: 20 s left, 0 votes.')
  expect(guestPage).toContain(`ssh -p 2222 NAME@bbs.example sign-in ${id}`)
  expect(guestPage).not.toContain('<button name="seat"')
  const own = await pageOf({ Cookie })
  expect(own.headers.get('cache-control')).toBe('private, no-cache')
  expect(await own.text()).toContain(
    `<button name="seat" value="1" class="s1">${names[1]} (Against)</button>`,
  )
  const answer = await vote(id, '1', { Cookie })
  expect(answer.status).toBe(303)
  expect(answer.headers.get('location')).toBe(`/match/${id}#vote`)
  expect(table.vote!.count).toBe(1)
  expect(await (await pageOf({ Cookie })).text()).toContain(`You vote for <b>${names[1]} (Against)`)
  expect((await vote(id, '0', { Cookie })).status).toBe(303)
  expect(table.vote!.count).toBe(1)
  expect(await (await pageOf({ Cookie })).text()).toContain(`You vote for <b>${names[0]} (For)`)
})

it('says plainly why a vote does not count', async () => {
  const { id, table } = await voting()
  const Cookie = await cookieOf('reader-2')
  const said = async (answer: Promise<Response>) => {
    const { status } = await answer
    return [status, /role="alert">([^<]*)</.exec(await (await answer).text())?.[1]]
  }
  expect(await said(vote(id, '0', {}))).toEqual([401, 'You are not signed in, or not any more.'])
  expect(await said(vote(id, '0', { Cookie: `${Cookie}x` }))).toMatchObject([401, /not signed in/])
  expect(await said(vote(id, '0', { Cookie, Origin: 'https://evil.example' }))).toEqual([
    403,
    'This form was sent by a page of another site.',
  ])
  expect(await said(vote(id, '7', { Cookie }))).toMatchObject([409, /no player of this match/])
  expect(await said(vote(id, '', { Cookie }))).toMatchObject([409, /no player of this match/])
  expect(await said(vote(id + 1000, '0', { Cookie }))).toMatchObject([409, /No vote is open/])
  const player = await cookieOf(table.deal.players[1]!.account.name)
  expect(await said(vote(id, '1', { Cookie: player }))).toMatchObject([409, /plays in a match/])
  expect(table.vote!.count).toBe(0)
})

it('an account that votes too often is told to wait', async () => {
  const { id } = await voting()
  const Cookie = await cookieOf('reader-3')
  const statuses = []
  for (let i = 0; i < 12; i++) statuses.push((await vote(id, String(i % 2), { Cookie })).status)
  expect(statuses.slice(0, 10)).toEqual(Array(10).fill(303))
  expect(statuses.at(-1)).toBe(429)
})

it('the event stream tells how the vote stands, and what spectators react', async () => {
  const { id } = await voting()
  const stream = new EventStream(`${host.url}/api/v1/matches/${id}/events?from=2`)
  const next = async (name: string) => {
    for (;;) {
      const event = await stream.next()
      if (event!.event === name) return event!.data
    }
  }
  expect(await next('vote')).toMatchObject({ between: [0, 1], opensIn: 0, count: 0 })
  await vote(id, '0', { Cookie: await cookieOf('reader-4') })
  expect(await next('vote')).toMatchObject({ count: 1 })
  for (const reaction of ['🔥', '👏'] as const) host.arena.react(id, reaction)
  expect(await next('reactions')).toEqual({ reactions: ['🔥', '👏'] })
  stream.cut()
})

it('what players write is text on pages and in feeds, and no markup', async () => {
  const { id } = await voting()
  const body = async (path: string) => await (await fetch(host.url + path)).text()
  for (const path of [`/match/${id}`, `/match/${id}?ply=1`, `/match/${id}/embed`, '/']) {
    const page = await body(path)
    if (path !== '/') expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
    expect(page, path).not.toMatch(/<script>|<img/)
    expect(page, path).not.toMatch(unsafe)
  }
  for (const path of ['', '/looks', '/positions'])
    expect(await body(`/api/v1/matches/${id}${path}`)).not.toMatch(unsafe)
  const stream = new EventStream(`${host.url}/api/v1/matches/${id}/events?from=0`)
  await stream.next()
  const { event, data } = (await stream.next())!
  expect(event).toBe('move')
  expect(JSON.stringify(data)).toContain('<script>alert(1)</script>')
  expect(JSON.stringify(data)).not.toMatch(unsafe)
  stream.cut()
})
