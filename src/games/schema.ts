// JSON Schema (draft 2020-12) of moves and observations, as plain data.

/** JSON Schema. */
export type Schema = { readonly [keyword: string]: unknown }

/** The schemas of the fields of an object. */
export type FieldSchemas = { readonly [field: string]: Schema }

export interface GameSchema {
  /** A move in its canonical form. */
  readonly move: Schema
  /** The fields of `view` that every viewer is given. */
  readonly view: FieldSchemas
  /** Those of them that are left out of some matches. */
  readonly optional?: readonly string[]
  /** Fields that only a seat is given. */
  readonly seat?: FieldSchemas
  /** Fields that only readers of a match that is over are given. */
  readonly replay?: FieldSchemas
}

export const about = (description: string, schema: Schema): Schema => ({ description, ...schema })

export const whole = (minimum: number, maximum?: number): Schema => ({
  type: 'integer',
  minimum,
  ...(maximum !== undefined && { maximum }),
})

export const flag: Schema = { type: 'boolean' }

export const text = (maxLength: number): Schema => ({ type: 'string', maxLength })

/** A text that is written by this regular expression from its first to its last character. */
export const textLike = (pattern: string): Schema => ({ type: 'string', pattern: `^(${pattern})$` })

export const always = (value: unknown): Schema => ({ const: value })

export const oneOf = (values: readonly unknown[]): Schema => ({ enum: values })

export const either = (...schemas: readonly Schema[]): Schema => ({ anyOf: schemas })

export const orNull = (schema: Schema): Schema => either(schema, { type: 'null' })

/** A list of exactly so many. */
export const listOf = (length: number, items: Schema): Schema => ({
  type: 'array',
  items,
  minItems: length,
  maxItems: length,
})

/** A list of at most so many. */
export const upTo = (maxItems: number, items: Schema): Schema => ({
  type: 'array',
  items,
  maxItems,
})

/** An entry for each of the two seats. */
export const bySeat = (items: Schema): Schema => listOf(2, items)

/** `board[row][column]`. */
export const grid = (width: number, height: number, cell: Schema): Schema =>
  listOf(height, listOf(width, cell))

/** An object with these fields and no others. */
export const record = (fields: FieldSchemas, optional: readonly string[] = []): Schema => ({
  type: 'object',
  properties: fields,
  required: Object.keys(fields).filter(field => !optional.includes(field)),
  additionalProperties: false,
})

export const seatNumber = whole(0, 1)
export const stoneMark = oneOf(['X', 'O', '.'])
