// WebSocket frames from a server are unmasked and, without compression, plain: they can be made ahead and joined.
// They are strings of one byte a character, which a socket takes as `latin1` without copying them to a buffer first.

/** A whole text message. */
export const textFrame = (text: string): string => {
  // Nearly every message is ASCII, and so is its own bytes already.
  const bytes =
    Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
  return `\x81${payloadLength(bytes.length)}${bytes}`
}

export const pingFrame = '\x89\x00'

const payloadLength = (length: number): string => {
  if (length < 126) return String.fromCharCode(length)
  if (length < 0x1_0000) return `\x7e${String.fromCharCode(length >> 8, length & 0xff)}`
  const bytes = [24, 16, 8, 0].map(shift => (length >> shift) & 0xff)
  return `\x7f\0\0\0\0${String.fromCharCode(...bytes)}`
}
