import { describe, expect, it } from 'vitest'
import { fc } from '../../test/support/properties.ts'
import { handshake } from './handshake.ts'

// The example of RFC 6455.
const good = { 'sec-websocket-version': '13', 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==' }

describe('the handshake', () => {
  it('answers a key as in the example of the RFC', () => {
    expect(handshake(good)).toContain('\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n')
  })

  it('is answered for sixteen bytes in base64 and for nothing else', () => {
    const keys = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.base64String(),
      fc
        .uint8Array({ minLength: 14, maxLength: 18 })
        .map(key => Buffer.from(key).toString('base64')),
      fc.constant(`${good['sec-websocket-key']}\r\nSet-Cookie: x`),
    )
    fc.assert(
      fc.property(keys, fc.constantFrom('13', '13', '8', '13, 8', ''), (key, version) => {
        const answer = handshake({ 'sec-websocket-version': version, 'sec-websocket-key': key })
        const isKey = /^[+/\w]{22}==$/.test(key) && Buffer.from(key, 'base64').length === 16
        expect(answer !== undefined).toBe(version === '13' && isKey && !key.includes('_'))
        // Four headers and the empty line, whatever was in the key.
        if (answer !== undefined) expect(answer.split('\r\n')).toHaveLength(6)
      }),
    )
  })
})
