import { describe, expect, it } from 'vitest'
import { pretty } from './pretty.ts'

const time = new Date(2026, 0, 2, 3, 4, 5).getTime()
const line = (fields: object, level = 30) =>
  JSON.stringify({ level, time, ...fields, msg: 'connection ended' })

describe('a log line on a terminal', () => {
  it('shows time, level, message and fields', () => {
    const fields = { wire: 'ssh', ms: 12, account: null, reason: 'the client left', seats: [1, 2] }
    expect(pretty(line(fields), false)).toBe(
      '03:04:05 INFO  connection ended wire=ssh ms=12 account=null reason="the client left" seats=[1,2]\n',
    )
  })

  it.each([
    [20, 'DEBUG', '2'],
    [40, 'WARN ', '33'],
    [50, 'ERROR', '31'],
    [60, 'FATAL', '41'],
  ])('of level %d has the colour of its level', (level, name, colour) => {
    expect(pretty(line({}, level), true)).toBe(
      `\x1b[2m03:04:05\x1b[0m \x1b[${colour}m${name}\x1b[0m connection ended\n`,
    )
  })

  it('is followed by the stack of its error', () => {
    expect(pretty(line({ err: { message: 'no', stack: 'Error: no\n  at here' } }), false)).toBe(
      '03:04:05 INFO  connection ended\n    Error: no\n      at here\n',
    )
  })

  it('contains no control characters and stays one line', () => {
    const bad = '\x1b[2J\x9b\r\b\u202e\nFATAL'
    const text = pretty(line({ reason: bad, err: { stack: bad } }), false)
    expect(text).toBe(
      '03:04:05 INFO  connection ended reason="\\u001b[2J?\\r\\b?\\nFATAL"\n    ?[2J????\n    FATAL\n',
    )
  })
})
