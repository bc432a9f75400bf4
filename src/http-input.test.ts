import { Hono } from 'hono'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { readJson, readQuery } from './http-input.ts'

const query = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]$/, 'a number from 1 to 9')
    .optional(),
  kind: z.enum(['a', 'b'], { error: 'a, b' }).optional(),
})

it.each([
  ['', { value: {} }],
  ['limit=5&kind=b', { value: { limit: '5', kind: 'b' } }],
  ['limit=&limit=6&limit=7', { value: { limit: '6' } }],
  ['limit=10', { status: 400, error: 'limit is "10"; expected: a number from 1 to 9' }],
  ['kind=%22%0a', { status: 400, error: 'kind is "\\"\\n"; expected: a, b' }],
  ['limt=5', { status: 400, error: 'there is no parameter "limt"; expected: limit, kind' }],
  [`kind=${'x'.repeat(50)}`, { status: 400, error: `kind is "${'x'.repeat(40)}"; expected: a, b` }],
])('the query %j is read or refused with what is expected', (search, expected) => {
  expect(readQuery(search, query)).toEqual(expected)
})

const body = z.strictObject(
  {
    name: z.string('a name'),
    seat: z.strictObject({ number: z.int('a whole number') }, 'a seat').optional(),
  },
  'an object',
)

it.each([
  ['application/json', '{"name":"ada"}', { value: { name: 'ada' } }],
  ['Application/JSON; charset=utf-8', '{"name":"ada"}', { value: { name: 'ada' } }],
  [
    'text/plain',
    '{"name":"ada"}',
    { status: 415, error: 'content-type is "text/plain"; expected: application/json' },
  ],
  ['application/json', '{name', { status: 400, error: 'the body is "{name"; expected: JSON' }],
  ['application/json', '', { status: 400, error: 'the body is ""; expected: JSON' }],
  ['application/json', '{}', { status: 400, error: 'name is missing; expected: a name' }],
  ['application/json', '{"name":7}', { status: 400, error: 'name is "7"; expected: a name' }],
  ['application/json', '[1]', { status: 400, error: 'the body is "[1]"; expected: an object' }],
  [
    'application/json',
    '{"name":"ada","seat":{"number":1.5}}',
    { status: 400, error: 'seat.number is "1.5"; expected: a whole number' },
  ],
  [
    'application/json',
    '{"name":"ada","nmae":1}',
    { status: 400, error: 'there is no parameter "nmae"; expected: name, seat' },
  ],
])('the body %s %j is read or refused with what is expected', async (type, text, expected) => {
  const app = new Hono().post('/', async c => c.json(await readJson(c.req, body)))
  const headers = { 'Content-Type': type }
  const response = await app.request('/', { method: 'POST', body: text, headers })
  expect(await response.json()).toEqual(expected)
})
