import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { UnreadBytes } from './unread-bytes.ts'

const response = (writableLength: number) => Object.assign(new EventEmitter(), { writableLength })

it('unread bytes are counted by source and in all, until they are read or the connection is closed', () => {
  const unread = new UnreadBytes()
  const [one, other, elsewhere, unknown] = [10, 20, 40, 80].map(response)
  unread.add('a', one!)
  unread.add('a', other!)
  unread.add('b', elsewhere!)
  unread.add(undefined, unknown!)
  expect([unread.of('a'), unread.of('b'), unread.of(undefined), unread.all]).toEqual([
    30, 40, 0, 150,
  ])
  one!.writableLength = 1
  expect(unread.of('a')).toBe(21)
  other!.emit('close')
  elsewhere!.emit('close')
  expect([unread.of('a'), unread.of('b'), unread.all]).toEqual([1, 0, 81])
})
