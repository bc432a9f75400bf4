// The land of resource-rush, grown from the seed. The order of every draw is given by the protocol that
// the game comes from, so that one seed makes the same land everywhere.

import { Dice, type Seed } from './dice.ts'

export const mapSize = 100

export type Tile = { readonly x: number; readonly y: number }

/** Where the two drones set out, by seat. */
export const stations: readonly Tile[] = [
  { x: 10, y: 10 },
  { x: 89, y: 89 },
]

/** The codes of the tiles. */
export const land = {
  grass: 0,
  bush: 1,
  stone: 2,
  gold: 3,
  berry: 4,
  water: 5,
  mountain: 6,
  station: 7,
} as const

export const isPassable = (code: number) => code !== land.water && code !== land.mountain

/** 10,000 codes as digits, row by row from the north. */
export const mapOf = (seed: Seed): string => {
  const dice = Dice.fromSeed(seed)
  let map = grow(dice)
  for (let failures = 1; !isConnected(map); failures++)
    map = failures < 20 ? grow(dice) : map.map(code => (isPassable(code) ? code : land.grass))
  return map.join('')
}

const grow = (dice: Dice): Uint8Array => {
  const map = new Uint8Array(mapSize * mapSize)
  for (let i = 0; i < 4; i++) pour(map, dice, land.water, 40)
  for (let i = 0; i < 4; i++) pour(map, dice, land.mountain, 30)
  for (let y = 8; y <= 12; y++) for (let x = 8; x <= 12; x++) put(map, { x, y }, land.grass)
  const { x, y } = veinCentre(dice)
  lode(map, 15, () => ({ x: x - 3 + dice.roll(7), y: y - 3 + dice.roll(7) }))
  if (dice.next() < 0.5) lode(map, 8, () => ({ x: 46 + dice.roll(8), y: 46 + dice.roll(8) }))
  strew(map, dice)
  for (const station of stations) put(map, station, land.station)
  return map
}

/** One blob, spreading from a random tile over the grass around it. */
const pour = (map: Uint8Array, dice: Dice, code: number, size: number) => {
  const blob: Tile[] = [{ x: dice.roll(mapSize), y: dice.roll(mapSize) }]
  put(map, blob[0]!, code)
  for (let tries = 0; tries < 8 * size && blob.length < size; tries++) {
    const from = dice.pick(blob)
    const stride = dice.pick(strides)
    const next = { x: from.x + stride.x, y: from.y + stride.y }
    if (!isOnMap(next) || codeAt(map, next) !== land.grass) continue
    put(map, next, code)
    blob.push(next)
  }
}

/** North, east, south, west. */
const strides: readonly Tile[] = [
  { x: 0, y: -1 },
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
]

const isOnMap = ({ x, y }: Tile) => x >= 0 && y >= 0 && x < mapSize && y < mapSize

const codeAt = (map: Uint8Array, { x, y }: Tile) => map[y * mapSize + x]!

/** On this tile and on the one across the middle of the map, so that neither side has the better half. */
const put = (map: Uint8Array, { x, y }: Tile, code: number) => {
  const cell = y * mapSize + x
  map[cell] = code
  map[map.length - 1 - cell] = code
}

/** Neither close to a station nor in the middle, where the central vein may lie. */
const veinCentre = (dice: Dice): Tile => {
  for (;;) {
    const centre = { x: 3 + dice.roll(94), y: 3 + dice.roll(94) }
    const fromMiddle = Math.max(Math.abs(centre.x - 49.5), Math.abs(centre.y - 49.5))
    if (fromMiddle >= 12 && stations.every(station => strideCount(centre, station) >= 25))
      return centre
  }
}

const strideCount = (a: Tile, b: Tile) => Math.abs(a.x - b.x) + Math.abs(a.y - b.y)

const lode = (map: Uint8Array, size: number, draw: () => Tile) => {
  for (let tries = 0, placed = 0; tries < 200 && placed < size; tries++) {
    const tile = draw()
    if (!isVacant(map, tile)) continue
    put(map, tile, land.gold)
    placed++
  }
}

const isVacant = (map: Uint8Array, tile: Tile) =>
  codeAt(map, tile) === land.grass && stations.every(station => range(tile, station) > 2)

const range = (a: Tile, b: Tile) => Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y))

const strew = (map: Uint8Array, dice: Dice) => {
  for (let y = 0; y < mapSize / 2; y++)
    for (let x = 0; x < mapSize; x++) {
      if (!isVacant(map, { x, y })) continue
      const chance = dice.next()
      if (chance < 0.05) put(map, { x, y }, land.bush)
      else if (chance < 0.08) put(map, { x, y }, land.stone)
      else if (chance < 0.1) put(map, { x, y }, land.berry)
    }
}

/** Whether a drone can walk from one station to the other and to all of the gold. */
const isConnected = (map: Uint8Array): boolean => {
  const [from, to] = stations
  const reached = new Uint8Array(map.length)
  const queue = [from!]
  for (const tile of queue)
    for (const stride of strides) {
      const next = { x: tile.x + stride.x, y: tile.y + stride.y }
      const cell = next.y * mapSize + next.x
      if (!isOnMap(next) || reached[cell] || !isPassable(map[cell]!)) continue
      reached[cell] = 1
      queue.push(next)
    }
  return (
    codeAt(reached, to!) === 1 && map.every((code, cell) => code !== land.gold || reached[cell])
  )
}
