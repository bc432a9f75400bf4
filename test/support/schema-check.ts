import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

type Schema = { readonly [key: string]: unknown }

const ajv = new Ajv2020({
  allErrors: true,
  // `minimum` may stand beside several types.
  strictTypes: false,
  keywords: ['components'],
  formats: { 'date-time': (text: string) => !Number.isNaN(Date.parse(text)) },
})

/** A check of values by a JSON Schema: it answers what is wrong. Throws if the schema is none. */
export const checkOf = (schema: Schema): ((value: unknown) => readonly string[]) => {
  const check = ajv.compile(schema)
  return value => (check(value) ? [] : errorsOf(check))
}

const errorsOf = ({ errors }: ValidateFunction) =>
  (errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`)
