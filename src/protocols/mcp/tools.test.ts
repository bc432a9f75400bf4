import { expect, it } from 'vitest'
import type { z } from 'zod'
import { tokensOf } from '../../../test/support/tokens.ts'
import { bodies } from '../play/operations.ts'
import { instructions, tools } from './tools.ts'

it('there are six tools, in a fixed order', () => {
  const names = ['lobby', 'join', 'move', 'wait', 'leave', 'record']
  expect(tools.map(({ name }) => name)).toEqual(names)
  expect(Object.keys(bodies)).toEqual(names)
})

it.each(tools.map(tool => [tool.name, tool] as const))(
  '%s takes less than 250 tokens of a model: its description and its schema',
  (_, { name, description, inputSchema }) => {
    expect(tokensOf({ name, description, inputSchema })).toBeLessThan(250)
  },
)

it.each(tools.map(tool => [tool.name, tool] as const))(
  '%s takes what the operation takes, and its words tell what may be left out',
  (name, { description, inputSchema }) => {
    const { properties, additionalProperties } = inputSchema as Record<string, unknown>
    const fields = Object.keys(bodies[name].shape)
    expect(Object.keys(properties as object)).toEqual(fields)
    expect(additionalProperties).toBe(false)
    const { shape } = bodies[name] as { shape: Record<string, z.ZodType> }
    const optional = fields.filter(field => shape[field]!.safeParse(undefined).success)
    // What `move` may be is not known here; `wait_s` and `detail` are told where they matter most.
    const told = optional.filter(field => !['move', 'wait_s', 'detail'].includes(field))
    for (const field of told) expect(description).toMatch(new RegExp(`\\b${field}\\b`))
  },
)

it('all that a client may give its model before it plays takes less than 1,000 tokens', () => {
  const listed = tools.map(({ name, description, inputSchema }) => ({
    name,
    description,
    inputSchema,
  }))
  expect(tokensOf(listed) + tokensOf(instructions)).toBeLessThan(1_000)
})
