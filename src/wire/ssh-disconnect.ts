/**
 * A disconnect message with its reason in words, which OpenSSH and PuTTY show to their users. Before the key exchange a
 * packet is not encrypted: RFC 4253, sections 6 and 11.1.
 */
export const disconnect = (why: string): Buffer => {
  const words = Buffer.from(why)
  const payload = Buffer.alloc(13 + words.length)
  payload[0] = messageDisconnect
  payload.writeUInt32BE(tooManyConnections, 1)
  payload.writeUInt32BE(words.length, 5)
  words.copy(payload, 9)
  // The language tag, which is last, stays empty. The padding fills whole blocks of 8 bytes, with 4 bytes at least.
  const padding = 4 + ((8 - ((5 + payload.length + 4) % 8)) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(1 + payload.length + padding)
  head[4] = padding
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

/** Has to be sent before it when it has not been sent yet: RFC 4253, section 4.2. */
export const greeting = Buffer.from('SSH-2.0-AgentBBS\r\n')

const messageDisconnect = 1
const tooManyConnections = 12
