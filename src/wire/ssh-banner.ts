import type { Connection } from 'ssh2'

/**
 * Sends a banner during the login: SSH_MSG_USERAUTH_BANNER of RFC 4252, 5.4. Clients print it on stderr. ssh2 sends one
 * only as a greeting to all clients, so the packet is made here, as ssh2 makes that one.
 */
export const sendBanner = (client: Connection, words: string): void => {
  const { _packetRW, _kexinit, _cipher } = (client as unknown as { _protocol: Protocol })._protocol
  // During a key exchange nothing else may be sent.
  if (_kexinit !== undefined) return
  const text = Buffer.from(`${words}\r\n`)
  const packet = _packetRW.write.alloc(1 + 4 + text.length + 4)
  let at = _packetRW.write.allocStart
  at = packet.writeUInt8(userAuthBanner, at)
  at = packet.writeUInt32BE(text.length, at)
  at += text.copy(packet, at)
  // No language tag.
  packet.writeUInt32BE(0, at)
  _cipher.encrypt(_packetRW.write.finalize(packet))
}

const userAuthBanner = 53

/** The internals of ssh2 that are used here. */
interface Protocol {
  readonly _packetRW: {
    readonly write: {
      readonly allocStart: number
      alloc(size: number): Buffer
      finalize(packet: Buffer): Buffer
    }
  }
  /** Set during a key exchange. */
  readonly _kexinit: unknown
  readonly _cipher: { encrypt(packet: Buffer): void }
}
