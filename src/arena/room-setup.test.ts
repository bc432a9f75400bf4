import { expect, it } from 'vitest'
import type { Setup } from '../games/game.ts'
import { roomOf } from './room-setup.ts'

const room = { id: 'go', table: 't-abcdefgh', title: 'Go 9x9', participants: [1, 0] } as const

it('the room of a match is in its setup, beside the options of the rules', () => {
  expect(roomOf({ dead: 'agreed', room })).toEqual(room)
})

it.each<Setup | null>([
  null,
  {},
  { room: null },
  { room: 'go' },
  { room: { ...room, id: 'poker' } },
  { room: { ...room, table: 7 } },
  { room: { ...room, title: null } },
  { room: { ...room, participants: [0] } },
  { room: { ...room, participants: [0, 0] } },
  { room: { ...room, participants: [1, 2] } },
  { room: { ...room, participants: 'ab' } },
])('the setup %j is of no room', setup => {
  expect(roomOf(setup)).toBeNull()
})
