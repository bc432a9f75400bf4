// SHA-256 (FIPS 180-4). Written out because rules import nothing, so that a browser can play them, too.

export const sha256 = (message: Uint8Array): Uint8Array => {
  const hash = initial.slice()
  const padded = padOf(message)
  for (let block = 0; block < padded.byteLength; block += 64)
    compress(hash, new DataView(padded.buffer, block, 64))
  const digest = new DataView(new ArrayBuffer(32))
  for (const [i, word] of hash.entries()) digest.setUint32(4 * i, word)
  return new Uint8Array(digest.buffer)
}

/** A bit of 1, zeros, and the length in bits, to whole blocks of 64 bytes. */
const padOf = (message: Uint8Array) => {
  const padded = new Uint8Array(64 * Math.ceil((message.length + 9) / 64))
  padded.set(message)
  padded[message.length] = 0x80
  new DataView(padded.buffer).setUint32(padded.length - 4, 8 * message.length)
  return padded
}

const compress = (hash: Uint32Array, block: DataView): void => {
  const schedule = new Uint32Array(64)
  for (let i = 0; i < 16; i++) schedule[i] = block.getUint32(4 * i)
  const w = (i: number) => schedule[i] as number
  for (let i = 16; i < 64; i++) {
    const s0 = turned(w(i - 15), 7) ^ turned(w(i - 15), 18) ^ (w(i - 15) >>> 3)
    const s1 = turned(w(i - 2), 17) ^ turned(w(i - 2), 19) ^ (w(i - 2) >>> 10)
    schedule[i] = w(i - 16) + s0 + w(i - 7) + s1
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as Eight
  for (let i = 0; i < 64; i++) {
    const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
    const t1 = h + s1 + ((e & f) ^ (~e & g)) + (constants[i] as number) + w(i)
    const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
    const t2 = s0 + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + t1) | 0
    d = c
    c = b
    b = a
    a = (t1 + t2) | 0
  }
  for (const [i, word] of [a, b, c, d, e, f, g, h].entries()) hash[i]! += word
}

type Eight = [number, number, number, number, number, number, number, number]

const turned = (word: number, by: number) => (word >>> by) | (word << (32 - by))

const primes = [2]
for (let n = 3; primes.length < 64; n += 2) if (primes.every(prime => n % prime)) primes.push(n)

/** The first 32 bits of the fraction of each root. */
const fractions = (numbers: readonly number[], root: (n: number) => number) =>
  Uint32Array.from(numbers, n => (root(n) % 1) * 2 ** 32)

const initial = fractions(primes.slice(0, 8), Math.sqrt)
const constants = fractions(primes, Math.cbrt)
