/** What a client's frames turn out to be. After the last three nothing more is read. */
export interface FrameListener {
  text(message: Buffer): void
  binary(): void
  pinged(payload: Buffer): void
  ponged(): void
  closed(): void
  /** A message is longer than is taken. This is said before it is received. */
  tooLong(): void
  /** These bytes are not WebSocket. */
  broken(why: string): void
}

/**
 * Reads the frames of one client (RFC 6455, section 5), without extensions. It is here because the streams that ws
 * puts between a socket and its messages, and their taking down, cost more than the rules of a short match.
 */
export class FrameReader {
  readonly #longest: number
  readonly #listener: FrameListener
  /** The beginning of a frame, kept until so many bytes of it are there. */
  #kept: Buffer[] = []
  #keptBytes = 0
  #wanted = 0
  /** A message that comes in pieces, all in one buffer: thousands of tiny pieces must not be thousands of objects. */
  #pieces: Buffer | null = null
  #filled = 0
  #kind = 0
  #done = false

  constructor(longest: number, listener: FrameListener) {
    this.#longest = longest
    this.#listener = listener
  }

  read(chunk: Buffer): void {
    let bytes = chunk
    if (this.#keptBytes > 0) {
      this.#keep(chunk)
      if (this.#keptBytes < this.#wanted) return
      bytes = Buffer.concat(this.#kept, this.#keptBytes)
      this.#kept = []
      this.#keptBytes = 0
    }
    let at = 0
    while (at < bytes.length && !this.#done) {
      const size = this.#frame(bytes, at)
      if (size > bytes.length - at) {
        this.#wanted = size
        this.#keep(bytes.subarray(at))
        return
      }
      at += size
    }
  }

  #keep(bytes: Buffer): void {
    this.#kept.push(bytes)
    this.#keptBytes += bytes.length
  }

  /** Takes the frame that begins here, if all of it is there. Answers with its size, as far as that can be seen. */
  #frame(bytes: Buffer, at: number): number {
    const there = bytes.length - at
    if (there < 2) return 2
    const first = bytes[at]!
    const second = bytes[at + 1]!
    const wrong = this.#wrong(first, second)
    if (wrong !== undefined) {
      this.#done = true
      this.#listener.broken(wrong)
      return 0
    }
    const short = second & 0x7f
    const head = short < 126 ? 6 : short === 126 ? 8 : 14
    if (there < head) return head
    const length = short < 126 ? short : lengthAt(bytes, at + 2, short)
    const opcode = first & 0x0f
    if (opcode < close && length > this.#longest - this.#filled) {
      this.#done = true
      this.#listener.tooLong()
      return 0
    }
    if (there < head + length) return head + length
    const payload = bytes.subarray(at + head, at + head + length)
    unmask(payload, bytes, at + head - 4)
    this.#take(opcode, (first & 0x80) !== 0, payload)
    return head + length
  }

  #wrong(first: number, second: number): string | undefined {
    const opcode = first & 0x0f
    if ((first & 0x70) !== 0) return 'a reserved bit is set'
    if ((second & 0x80) === 0) return 'a frame is not masked'
    if (opcode > pong || (opcode > binary && opcode < close)) return 'an unknown opcode'
    if (opcode >= close)
      return (first & 0x80) === 0 || (second & 0x7f) > 125 ? 'a long control frame' : undefined
    return (opcode === 0) === (this.#kind === 0) ? 'a piece out of place' : undefined
  }

  #take(opcode: number, final: boolean, payload: Buffer): void {
    switch (opcode) {
      case close:
        this.#done = true
        this.#listener.closed()
        break
      case ping:
        this.#listener.pinged(payload)
        break
      case pong:
        this.#listener.ponged()
        break
      default:
        if (final && opcode !== 0) this.#message(opcode, payload)
        else this.#piece(opcode, final, payload)
    }
  }

  #piece(opcode: number, final: boolean, payload: Buffer): void {
    if (opcode !== 0) this.#kind = opcode
    this.#pieces ??= Buffer.allocUnsafeSlow(this.#longest)
    this.#filled += payload.copy(this.#pieces, this.#filled)
    if (!final) return
    const message = this.#pieces.subarray(0, this.#filled)
    const kind = this.#kind
    this.#pieces = null
    this.#filled = 0
    this.#kind = 0
    this.#message(kind, message)
  }

  #message(kind: number, message: Buffer): void {
    if (kind === binary) this.#listener.binary()
    else this.#listener.text(message)
  }
}

const binary = 2
const close = 8
const ping = 9
const pong = 10

const lengthAt = (bytes: Buffer, at: number, short: number): number =>
  short === 126
    ? bytes.readUInt16BE(at)
    : bytes.readUInt32BE(at) * 2 ** 32 + bytes.readUInt32BE(at + 4)

const unmask = (payload: Buffer, bytes: Buffer, mask: number): void => {
  for (let i = 0; i < payload.length; i++) payload[i]! ^= bytes[mask + (i & 3)]!
}
