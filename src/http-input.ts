// What a request brings, checked by schemas. In a schema the `error` of each part says what is expected.

import type { IncomingHttpHeaders } from 'node:http'
import type { HonoRequest } from 'hono'
import { z } from 'zod'

/** What was read, or why it was not: for a 4xx answer. */
export type Input<T> =
  | { readonly value: T }
  | { readonly status: 400 | 415; readonly error: string }

/** The parameters of a query string. Empty ones count as not given; of several with one name the first counts. */
export const readQuery = <Schema extends z.ZodObject>(
  search: string,
  schema: Schema,
): Input<z.output<Schema>> => {
  const given = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(search))
    if (value !== '' && !given.has(name)) given.set(name, value)
  return checked(schema, Object.fromEntries(given), Object.keys(schema.shape))
}

/** A body in JSON. */
export const readJson = async <Schema extends z.ZodType>(
  request: HonoRequest,
  schema: Schema,
): Promise<Input<z.output<Schema>>> => {
  const type = request.header('content-type') ?? ''
  if (!/^application\/json *(;|$)/i.test(type))
    return { status: 415, error: `content-type is ${quoted(type)}; expected: application/json` }
  const text = await request.text()
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return { status: 400, error: `the body is ${quoted(text)}; expected: JSON` }
  }
  return readValue(schema, given)
}

/** A value that was read already. */
export const readValue = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): Input<z.output<Schema>> =>
  checked(schema, given, schema instanceof z.ZodObject ? Object.keys(schema.shape) : [])

/** The token in a header `Authorization: Bearer TOKEN`; undefined where it has none. */
export const bearer = (authorization: string | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1]

/** Whether a page of another site sends this. Browsers name the origin of a page with every POST; other programs name none. */
export const isForeign = ({ origin, host }: IncomingHttpHeaders): boolean =>
  origin !== undefined && (!URL.canParse(origin) || new URL(origin).host !== host)

const checked = <Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  known: readonly string[],
): Input<z.output<Schema>> => {
  const { data, error } = schema.safeParse(given)
  return error === undefined
    ? { value: data as z.output<Schema> }
    : { status: 400, error: problemOf(error, given, known) }
}

/** What is wrong: quotes what came, and says what is expected. */
const problemOf = (error: z.ZodError, given: unknown, known: readonly string[]): string => {
  const { code, path, message } = error.issues[0]!
  const name = path.join('.') || 'the body'
  if (code === 'unrecognized_keys') {
    const { keys } = error.issues[0] as z.core.$ZodIssueUnrecognizedKeys
    return path.length === 0
      ? `there is no parameter ${quoted(keys[0])}; expected: ${known.join(', ') || 'none'}`
      : `${name} has no ${quoted(keys[0])}; expected: ${message}`
  }
  const value = path.reduce(
    (part, key) => (part as Record<PropertyKey, unknown> | undefined)?.[key],
    given,
  )
  return value === undefined
    ? `${name} is missing; expected: ${message}`
    : `${name} is ${quoted(value)}; expected: ${message}`
}

const quoted = (value: unknown): string =>
  JSON.stringify((typeof value === 'string' ? value : textOf(value)).slice(0, 40))

const textOf = (value: unknown): string => {
  try {
    return JSON.stringify(value)!
  } catch {
    // It overflows the stack.
    return 'nested too deep'
  }
}
