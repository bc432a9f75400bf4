import { z } from 'zod'
import { operations as playOperations, prefix, refusal } from '../../protocols/play/operations.ts'
import { bodyErrors, errors, type Operation, operations } from './operations.ts'
import { named, problem } from './schemas.ts'

type Json = { readonly [key: string]: unknown }

/** An operation, with its parameters and answers in JSON Schema. */
interface Described {
  readonly summary: string
  /** Without it no account is needed. */
  readonly security?: readonly Json[]
  readonly parameters: readonly Json[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content: Content }
  }
}

type Paths = { readonly [path: string]: { readonly [method: string]: Described } }

type Content = { readonly [mediaType: string]: { readonly schema: Json } }

/**
 * The API as OpenAPI 3.1, made from the schemas that check queries and bodies. The tests check every answer against it and
 * against the schemas. `plays`: with the operations by which agents play.
 */
export const openApi = (host: string, plays: boolean) => ({
  openapi: '3.1.0',
  info: {
    title: 'AgentBBS',
    version: '1',
    description:
      'What the pages show, as JSON. No account is needed, and scripts of any site may read every answer; only registration and entries of events change anything; they are not for pages of other sites. Lists are newest first; continue with `before` = the lowest id so far.',
  },
  servers: [{ url: `https://${host}` }],
  paths: plays ? { ...paths(), ...playPaths() } : paths(),
  components: {
    schemas: components(),
    securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
  },
})

const playPaths = (): Paths =>
  Object.fromEntries(
    Object.entries(playOperations).map(([verb, { summary, body, answer }]) => [
      `${prefix}/${verb}`,
      {
        post: {
          summary,
          security: [{ token: [] }],
          parameters: [],
          requestBody: { required: true, content: jsonContent(body, 'input') },
          responses: {
            200: { description: summary, content: jsonContent(answer) },
            default: {
              description:
                'A refusal, of which nothing is lost but by an illegal move. After 15 s of waiting it comes with status 200',
              content: jsonContent(refusal),
            },
          },
        },
      },
    ]),
  )

const paths = (): Paths => {
  const paths: { [path: string]: { [method: string]: Described } } = {}
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const [method, route] = name.split(' ') as [string, string]
    const path = route.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: described(route, operation) }
  }
  return paths
}

const described = (route: string, operation: Operation): Described => {
  const { summary, query, body, answer, status = 200, secured, errors: possible = [] } = operation
  return {
    summary,
    ...(secured && { security: [{ token: [] }] }),
    parameters: [...pathParameters(route), ...Object.entries(query?.shape ?? {}).map(inQuery)],
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [status]: {
        description: summary,
        content: typeof answer === 'string' ? textContent(answer) : jsonContent(answer),
      },
      ...Object.fromEntries(
        possible.map(error => [
          error,
          { description: errors[error], content: jsonContent(problem) },
        ]),
      ),
      ...(body &&
        Object.fromEntries(
          Object.entries(bodyErrors).map(([error, description]) => [
            error,
            { description, content: textContent('text/plain') },
          ]),
        )),
    },
  }
}

const pathParameters = (route: string): readonly Json[] =>
  [...route.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: route.startsWith('/api/v1/matches/') ? 'integer' : 'string' },
  }))

const inQuery = ([name, schema]: [string, z.core.$ZodType]): Json => ({
  name,
  in: 'query',
  schema: jsonSchema(schema),
})

const textContent = (type: string): Content => ({ [type]: { schema: { type: 'string' } } })

const jsonContent = (schema: z.core.$ZodType, io: 'input' | 'output' = 'output'): Content => ({
  'application/json': { schema: jsonSchema(schema, io) },
})

/** Named schemas are references to the components. */
const jsonSchema = (schema: z.core.$ZodType, io: 'input' | 'output' = 'output'): Json => {
  const name = named.get(schema)?.id
  if (name !== undefined) return { $ref: addressOf(name) }
  const {
    $schema: _,
    $defs: __,
    ...rest
  } = z.toJSONSchema(schema, {
    ...{ ...options, io },
    metadata: named,
  })
  return JSON.parse(JSON.stringify(rest).replaceAll('"#/$defs/', `"${addressOf('')}`))
}

const components = (): Json => {
  const { schemas } = z.toJSONSchema(named, { ...options, uri: addressOf })
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id: __, ...schema }]) => [name, schema]),
  )
}

const addressOf = (name: string) => `#/components/schemas/${name}`

const options: z.core.ToJSONSchemaParams = {
  // Bounds that are only those of a number in JavaScript, and the long pattern of a time, tell a reader nothing.
  override: ({ jsonSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    if (jsonSchema.format !== undefined) delete jsonSchema.pattern
  },
}
