// WebSocket frames of a server. They are not masked or compressed, so they can be made ahead and joined.
// They are strings of one byte a character, which a socket takes as `latin1` without another copy.

/** A whole text message. */
export const textFrame = (text: string): string => {
  // Nearly every message is ASCII, so its characters are its bytes.
  const bytes =
    Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
  return `\x81${payloadLength(bytes.length)}${bytes}`
}

export const closeFrame = (code: number): string =>
  `\x88\x02${String.fromCharCode(code >> 8, code & 0xff)}`

export const pingFrame = '\x89\0'

/** The answer to a ping has the same payload: at most 125 bytes. */
export const pongFrame = (payload: Buffer): string =>
  `\x8a${String.fromCharCode(payload.length)}${payload.toString('latin1')}`

const payloadLength = (length: number): string => {
  if (length < 126) return String.fromCharCode(length)
  if (length < 0x1_0000) return `\x7e${String.fromCharCode(length >> 8, length & 0xff)}`
  const bytes = [24, 16, 8, 0].map(shift => (length >> shift) & 0xff)
  return `\x7f\0\0\0\0${String.fromCharCode(...bytes)}`
}
