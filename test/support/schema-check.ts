type Schema = { readonly [key: string]: unknown }

/** The errors of a value by a schema of the OpenAPI description. */
export const misfits = (value: unknown, schema: Schema, root: Schema, at = '$'): string[] => {
  if (typeof schema.$ref === 'string') return misfits(value, resolve(root, schema.$ref), root, at)
  if (Array.isArray(schema.anyOf)) {
    const tried = schema.anyOf.map(one => misfits(value, one, root, at))
    return tried.some(wrong => wrong.length === 0) ? [] : tried.flat()
  }
  const wrong: string[] = []
  if ('const' in schema && value !== schema.const) wrong.push(`${at} is not ${schema.const}`)
  if (Array.isArray(schema.enum) && !schema.enum.includes(value))
    wrong.push(`${at} is ${JSON.stringify(value)}, none of ${schema.enum.join(', ')}`)
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length > 0 && !types.some(type => isOf(value, type as string)))
    return [...wrong, `${at} is ${JSON.stringify(value)?.slice(0, 60)}, not ${types.join(' or ')}`]
  if (schema.format === 'date-time' && value !== null && Number.isNaN(Date.parse(String(value))))
    wrong.push(`${at} is no time`)
  if (Array.isArray(value) && schema.items)
    for (const [i, item] of value.entries())
      wrong.push(...misfits(item, schema.items as Schema, root, `${at}[${i}]`))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const properties = (schema.properties ?? {}) as { [name: string]: Schema }
    for (const name of (schema.required ?? []) as string[])
      if (!Object.hasOwn(value, name)) wrong.push(`${at}.${name} is missing`)
    for (const [name, part] of Object.entries(value)) {
      const known = properties[name] ?? schema.additionalProperties
      if (known === false) wrong.push(`${at}.${name} is not described`)
      else if (typeof known === 'object')
        wrong.push(...misfits(part, known as Schema, root, `${at}.${name}`))
    }
  }
  return wrong
}

const resolve = (root: Schema, ref: string): Schema =>
  ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (part as Schema)[key], root) as Schema

const isOf = (value: unknown, type: string): boolean => {
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === type
}
