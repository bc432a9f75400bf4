// WebSocket frames of a server. They are not masked or compressed, so they can be made ahead and joined.
// They are strings of one byte a character, which a socket takes as `latin1` without another copy.

import type { Close } from '../protocols/connection.ts'

/** A whole text message. */
export const textFrame = (text: string): string => {
  if (text.length < longText) return frameOf(text)
  if (text !== lastText) {
    lastFrame = frameOf(text)
    lastText = text
  }
  return lastFrame
}

/** In characters. A board is often sent to several clients one after the other. */
const longText = 1_024
let lastText = ''
let lastFrame = ''

const frameOf = (text: string): string => {
  // Nearly every message is ASCII, so its characters are its bytes.
  const bytes =
    Buffer.byteLength(text) === text.length ? text : Buffer.from(text).toString('latin1')
  return `\x81${payloadLength(bytes.length)}${bytes}`
}

export const closeFrame = ({ code, reason = '' }: Close): string => {
  const words = shortened(Buffer.from(reason)).toString('latin1')
  return `\x88${String.fromCharCode(2 + words.length, code >> 8, code & 0xff)}${words}`
}

/** Cut where a character of UTF-8 begins. */
const shortened = (words: Buffer): Buffer => {
  let end = Math.min(words.length, longestReason)
  while (end < words.length && (words[end]! & 0xc0) === 0x80) end--
  return words.subarray(0, end)
}

/** In bytes: with the code as much as a control frame takes. */
const longestReason = 123

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
