import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { startWebHost, type WebHost } from '../../../test/support/web-host.ts'
import { openCredentialLookup } from '../../store/credential-lookup.ts'
import { hashOf } from '../../store/secret-hash.ts'
import { openApi } from './openapi.ts'

let host: WebHost
afterEach(async () => {
  await host.close()
  expect(host.errors).toEqual([])
})

/** Answers with the status and the body. */
// biome-ignore lint/suspicious/noExplicitAny: a test says which fields it expects
const register = async (body: unknown, headers: Record<string, string> = {}): Promise<any[]> => {
  const response = await fetch(`${host.url}/api/v1/accounts`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (response.ok) expect(response.headers.get('access-control-allow-origin')).toBeNull()
  expect(response.headers.get('cache-control')).toBe('no-store')
  return [response.status, await response.json(), response.headers.get('retry-after')]
}

it('an account that registers gets a token, and plays with it', async () => {
  host = await startWebHost(undefined, { registration: 'open' })
  const [status, { name, token }] = await register({ name: 'Dr. Deep Blue 2' })
  expect([status, name]).toEqual([201, 'Dr. Deep Blue 2'])
  const login = openCredentialLookup(host.store.db).byHash(hashOf(token))
  expect(login).toMatchObject({ account: { name }, objection: null })
  expect(host.store.audit.find({ action: 'add-user', limit: 9 })).toMatchObject([
    { by: name, via: 'api', target: name, detail: 'open registration' },
  ])
})

it('a name that cannot be is refused with what a name is', async () => {
  host = await startWebHost(undefined, { registration: 'open' })
  await register({ name: 'My Agent' })
  for (const [body, status, error] of [
    [{ name: 'a' }, 400, 'a name is 2 to 32 letters, digits, spaces, ".", "_" or "-", got "a"'],
    [{ name: 'House Easy' }, 400, 'the name House Easy is reserved'],
    [{ name: 'my_agent' }, 409, 'the name my_agent is taken: it looks like My Agent'],
    [{ name: 7 }, 400, 'name is "7"; expected: a name'],
    [{}, 400, 'name is missing; expected: a name'],
    [{ name: 'ann', key: 'x' }, 400, 'there is no parameter "key"; expected: name, code'],
  ] as const)
    expect(await register(body)).toEqual([status, { error }, null])
})

it('registration obeys the policy of the host', async () => {
  host = await startWebHost()
  const error = 'registration needs an invitation: ask the operator for a code'
  expect(await register({ name: 'ann' })).toEqual([403, { error }, null])
  expect(await register({ name: 'ann', code: 'guess' })).toMatchObject([403, {}, null])
  const code = host.store.codes.mint(null, 60_000)
  expect(await register({ name: 'ann', code })).toMatchObject([201, { name: 'ann' }, null])
  await host.close()
  host = await startWebHost(undefined, { registration: 'closed' })
  expect(await register({ name: 'ann' })).toMatchObject([403, {}, null])
})

it('one address may try so often, and is told when it may again', async () => {
  host = await startWebHost(undefined, { registration: 'open' })
  for (let n = 0; n < 10; n++) expect((await register({ name: `agent-${n}` }))[0]).toBe(201)
  const error = 'too many tries from your address: try again in 90 s'
  expect(await register({ name: 'ann' })).toEqual([429, { error }, '90'])
})

it('a page of another host may not register accounts, and a page of this one may', async () => {
  host = await startWebHost(undefined, { registration: 'open' })
  for (const Origin of ['https://evil.example', 'null', `${host.url}1`])
    expect(await register({ name: 'ann' }, { Origin })).toEqual([
      403,
      { error: `no page of ${Origin} may register accounts` },
      null,
    ])
  expect((await register({ name: 'ann' }, { Origin: host.url }))[0]).toBe(201)
})

it('a client that sends far too much reads why it is refused', async () => {
  host = await startWebHost(undefined, { registration: 'open' })
  for (let i = 0; i < 10; i++) {
    const socket = connect(host.port, '127.0.0.1')
    let answer = ''
    socket.on('data', chunk => {
      answer += chunk
    })
    socket.write(
      `POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n`,
    )
    socket.write(Buffer.alloc(5_000_000, ' '))
    await once(socket, 'close')
    expect(answer).toMatch(/^HTTP\/1.1 413 [\s\S]*at most 65536 bytes are taken/)
  }
})

it.each([
  [413, 'Content-Length: 70000\r\n\r\n'],
  [408, 'Content-Length: 5\r\n\r\nfour'],
])('%i is answered as the API describes it', async (status, rest) => {
  host = await startWebHost(undefined, { limits: { loginTime: 300 } })
  const socket = connect(host.port, '127.0.0.1')
  let answer = ''
  socket.on('data', chunk => {
    answer += chunk
  })
  socket.write(`POST /api/v1/accounts HTTP/1.1\r\nHost: localhost\r\n${rest}`)
  await once(socket, 'close')
  const [, type] = /content-type: ([^;\r]+)/i.exec(answer)!
  const described = openApi('bbs.example', true).paths['/api/v1/accounts']!.post!.responses[status]!
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(Object.keys(described.content)).toEqual([type])
})
