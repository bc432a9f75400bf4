import { write, writeSync } from 'node:fs'

/** How many characters may be buffered for a reader that does not read. */
const maxBuffered = 8 * 1024 * 1024
/** So many characters are written at once. Fewer wait for more, for `writeDelay` milliseconds. */
const minWrite = 4096
const writeDelay = 100
const flushTries = 10

/**
 * Writes log lines to a file descriptor, off the event loop. Lines that cannot be written, because a disk is full or the
 * reader is gone, are dropped, so that a log problem ends no match. (Pino's own destination retries for ever.)
 */
export class LogSink {
  /** The number of dropped lines. */
  dropped = 0
  readonly #fd: number
  #lines: string[] = []
  #length = 0
  /** The block that is being written. */
  #block: Buffer | null = null
  /** The reader did not accept the block, and the write is retried. */
  #isRetrying = false
  /** The last write ended within a line. */
  #isMidLine = false
  #timer: NodeJS.Timeout | null = null

  constructor(fd: number) {
    this.#fd = fd
  }

  write(line: string): void {
    if (this.#length > maxBuffered) {
      this.dropped++
      return
    }
    this.#lines.push(line)
    this.#length += line.length
    if (this.#block !== null) return
    if (this.#length >= minWrite) this.#writeNext()
    else this.#timer ??= setTimeout(() => this.#writeNext(), writeDelay).unref()
  }

  /** Writes everything that is buffered, before the process exits. */
  flush(): void {
    // A write in progress ends on another thread. The rest must not overtake it.
    const retried = this.#isRetrying ? this.#block! : noBytes
    if (this.#block !== null && !this.#isRetrying) pause(20)
    this.#block = null
    let rest = Buffer.concat([retried, this.#takeLines()])
    for (let tries = 0; rest.length > 0 && tries < flushTries; )
      try {
        rest = rest.subarray(writeSync(this.#fd, rest))
      } catch (error) {
        if (!isFull(error)) return
        tries++
        pause(writeDelay)
      }
  }

  #writeNext(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#block === null && this.#length > 0) this.#writeBlock(this.#takeLines())
  }

  #writeBlock(block: Buffer): void {
    this.#block = block
    write(this.#fd, block, (error, written) => {
      // The process is exiting and has flushed.
      if (this.#block !== block) return
      this.#isRetrying = isFull(error)
      if (this.#isRetrying) {
        setTimeout(() => this.#writeBlock(block), writeDelay).unref()
        return
      }
      if (error !== null) this.dropped += linesIn(block)
      const rest = error === null ? block.subarray(written) : noBytes
      this.#isMidLine = error === null ? rest.length > 0 : this.#isMidLine
      if (rest.length > 0) {
        this.#writeBlock(rest)
        return
      }
      this.#block = null
      this.#writeNext()
    })
  }

  #takeLines(): Buffer {
    const text = this.#lines.join('')
    this.#lines = []
    this.#length = 0
    if (text === '') return noBytes
    const midLine = this.#isMidLine
    this.#isMidLine = false
    return Buffer.from(midLine ? `\n${text}` : text)
  }
}

const noBytes = Buffer.alloc(0)
const lineFeed = 0x0a

/** A pipe or terminal that accepts nothing at the moment. */
const isFull = (error: unknown) => (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN'

const linesIn = (block: Buffer) => block.reduce((n, byte) => (byte === lineFeed ? n + 1 : n), 0)

const pause = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
