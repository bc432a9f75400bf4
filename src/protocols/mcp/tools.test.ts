import { expect, it } from 'vitest'
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
  '%s takes what the operation takes, and its words name each of that',
  (name, { description, inputSchema }) => {
    const { properties, additionalProperties } = inputSchema as Record<string, unknown>
    const fields = Object.keys(bodies[name].shape)
    expect(Object.keys(properties as object)).toEqual(fields)
    expect(additionalProperties).toBe(false)
    expect(description).toMatch(/\.$/)
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
