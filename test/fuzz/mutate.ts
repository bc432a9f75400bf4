import type { Luck } from './luck.ts'

/** Valid bytes, changed in a few places or spliced with others. */
export const mutate = (luck: Luck, bytes: Buffer, others: readonly Buffer[] = []): Buffer => {
  let changed: Buffer = Buffer.from(bytes)
  for (let times = luck.from(1, 5); times > 0; times--)
    changed = luck.pick(changes)(luck, changed, others)
  return changed.subarray(0, longest)
}

const longest = 1 << 20

type Change = (luck: Luck, bytes: Buffer, others: readonly Buffer[]) => Buffer

const changes: readonly Change[] = [
  function flip(luck, bytes) {
    for (let times = luck.from(1, 4); times > 0 && bytes.length > 0; times--)
      bytes[luck.roll(bytes.length)]! ^= 1 << luck.roll(8)
    return bytes
  },
  function overwrite(luck, bytes) {
    if (bytes.length > 0) bytes[luck.roll(bytes.length)] = luck.pick([0, 10, 13, 32, 127, 128, 255])
    return bytes
  },
  function misnumber(luck, bytes) {
    if (bytes.length >= 4) bytes.writeUInt32BE(luck.oddNumber() >>> 0, luck.roll(bytes.length - 3))
    return bytes
  },
  function cut(luck, bytes) {
    const [from, to] = stretch(luck, bytes)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  function cutShort(luck, bytes) {
    return bytes.subarray(0, luck.roll(bytes.length + 1))
  },
  function repeat(luck, bytes) {
    const [from, to] = stretch(luck, bytes)
    const again = Array.from({ length: luck.from(1, 40) }, () => bytes.subarray(from, to))
    return Buffer.concat([bytes.subarray(0, to), ...again, bytes.subarray(to)]).subarray(0, longest)
  },
  function insert(luck, bytes) {
    const at = luck.roll(bytes.length + 1)
    const what = luck.once(2) ? luck.bytes(luck.from(1, 40)) : Buffer.from(luck.oddText())
    return Buffer.concat([bytes.subarray(0, at), what, bytes.subarray(at)])
  },
  function splice(luck, bytes, others) {
    if (others.length === 0) return bytes
    const other = luck.pick(others)
    return Buffer.concat([
      bytes.subarray(0, luck.roll(bytes.length + 1)),
      other.subarray(luck.roll(other.length + 1)),
    ])
  },
]

const stretch = (luck: Luck, bytes: Buffer): readonly [from: number, to: number] => {
  const from = luck.roll(bytes.length + 1)
  return [from, luck.from(from, Math.min(bytes.length, from + 200))]
}
