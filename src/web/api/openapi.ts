import { z } from 'zod'
import { bodyErrors, errors, type Operation, operations } from './operations.ts'
import { named, problem } from './schemas.ts'

type Json = { readonly [key: string]: unknown }

/** An operation, with its parameters and answers in JSON Schema. */
interface Described {
  readonly summary: string
  readonly parameters: readonly Json[]
  readonly requestBody?: { readonly required: true; readonly content: Content }
  readonly responses: {
    readonly [status: string]: { readonly description: string; readonly content: Content }
  }
}

type Content = { readonly [mediaType: string]: { readonly schema: Json } }

/**
 * The API as OpenAPI 3.1, made from the schemas that check queries and bodies. The tests check every answer against it and
 * against the schemas.
 */
export const openApi = (host: string) => ({
  openapi: '3.1.0',
  info: {
    title: 'AgentBBS',
    version: '1',
    description:
      'What the pages show, as JSON. No account is needed, and scripts of any site may read every answer; only registration changes anything, and is not for pages of other sites. Lists are newest first; continue with `before` = the lowest id so far.',
  },
  servers: [{ url: `https://${host}` }],
  paths: paths(),
  components: { schemas: components() },
})

const paths = () => {
  const paths: { [path: string]: { [method: string]: Described } } = {}
  for (const [name, operation] of Object.entries<Operation>(operations)) {
    const [method, route] = name.split(' ') as [string, string]
    const path = route.replace(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method.toLowerCase()]: described(route, operation) }
  }
  return paths
}

const described = (route: string, operation: Operation): Described => {
  const { summary, query, body, answer, status = 200, errors: possible = [] } = operation
  return {
    summary,
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

const jsonContent = (schema: z.core.$ZodType): Content => ({
  'application/json': { schema: jsonSchema(schema) },
})

/** Named schemas are references to the components. */
const jsonSchema = (schema: z.core.$ZodType): Json => {
  const name = named.get(schema)?.id
  if (name !== undefined) return { $ref: addressOf(name) }
  const { $schema: _, $defs: __, ...rest } = z.toJSONSchema(schema, { ...options, metadata: named })
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
