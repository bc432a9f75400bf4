import type { HonoRequest } from 'hono'
import { z } from 'zod'
import { readJson, readQuery } from '../../http-input.ts'
import { type Answer, json } from '../answer.ts'
import type { Operation, Operations } from './operations.ts'

/** A request to an operation, with its parameters, its query and its body as its schemas have them. */
export interface OperationRequest<Name extends keyof Operations, Env> {
  readonly params: { readonly [Key in Parameters<Name>]: string }
  readonly query: Part<Name, 'query'>
  readonly body: Part<Name, 'body'>
  readonly env: Env
}

/** Answers an operation. */
export type Handler<Env, Reply, Name extends keyof Operations = never> = (
  request: OperationRequest<Name, Env>,
) => Reply | Promise<Reply>

/** Calls the handler of an operation with what the request brings, or answers why that is not valid. */
export const answerOf = <Env, Reply>(
  { query, body }: Operation,
  handler: Handler<Env, Reply>,
  { req, env, url }: { readonly req: HonoRequest; readonly env: Env; readonly url: string },
): Reply | Answer | Promise<Reply | Answer> => {
  const search = url.split('?', 2)[1]
  const read = search ? readQuery(search, query ?? noQuery) : { value: {} }
  if ('error' in read) return invalid(read)
  const request = { params: req.param(), query: read.value, env }
  // Every handler gets what its own schemas make: its type says so.
  const call = handler as (request: object) => Reply | Promise<Reply>
  if (body === undefined) return call(request)
  return readJson(req, body).then(read =>
    'error' in read ? invalid(read) : call({ ...request, body: read.value }),
  )
}

const noQuery = z.strictObject({})

const invalid = ({ status, error }: { status: number; error: string }): Answer =>
  json({ error }, { status })

export type QueryOf<Name extends keyof Operations> = Part<Name, 'query'>

type Part<Name extends keyof Operations, Key extends 'query' | 'body'> = Operations[Name] extends {
  readonly [K in Key]: infer Schema extends z.ZodType
}
  ? z.output<Schema>
  : undefined

type Parameters<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Parameters<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never
