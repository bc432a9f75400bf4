import type { Json } from '../../games/game.ts'
import { type Scene, type Shape, seatTone, type Tone } from './scene.ts'
import { fields, list, number, type Position, text } from './sight.ts'

/** Two drones on their land, a tile a unit. */
export const rushLand = ({ view }: Position): Scene => {
  const grid = list(view.grid).map(row => list(row).map(number))
  const runs = new Map<number, [number, number, number][]>()
  for (const [y, row] of grid.entries())
    for (let x = 0; x < row.length; ) {
      let n = 1
      while (row[x + n] === row[x]) n++
      const kind = row[x]!
      runs.set(kind, [...(runs.get(kind) ?? []), [x, y, n]])
      x += n
    }
  const shapes: Shape[] = [...runs].map(([kind, cells]) => ({
    kind: 'cells',
    fill: tiles[kind] ?? 'ground',
    runs: cells,
  }))
  for (const [seat, place] of list(view.positions).entries()) {
    if (place === null) continue
    const { x, y } = fields(place)
    // At the edge of the land a drone is still seen whole.
    const inside = (value: number, size: number) => Math.min(Math.max(value + 0.5, 2.5), size - 2.5)
    const at = [inside(number(x), grid[0]?.length ?? 1), inside(number(y), grid.length)] as const
    shapes.push(
      { kind: 'circle', at, radius: 2.2, fill: seatTone(seat), line: 'ground', width: 0.5 },
      { kind: 'text', at, size: 2.8, text: String(seat), fill: 'ground' },
    )
  }
  return { width: grid[0]?.length ?? 1, height: grid.length || 1, shapes }
}

const tiles: Readonly<Record<number, Tone>> = {
  // What is hidden from spectators of a live match.
  [-1]: 'faint',
  0: 'grass',
  1: 'bush',
  2: 'stone',
  3: 'gold',
  4: 'berry',
  5: 'water',
  6: 'rock',
  7: 'board',
}

const tile = 20

/** The floor of Dance Battle with whoever still dances. */
export const danceFloor = ({ view }: Position): Scene => {
  const { width, height, walls } = fields(view.map)
  const [across, down] = [number(width) || 17, number(height) || 17]
  const shapes: Shape[] = []
  for (let y = 0; y < down; y++)
    for (let x = 0; x < across; x++)
      shapes.push({
        kind: 'rect',
        at: [x * tile, y * tile],
        size: [tile, tile],
        fill: (x + y) % 2 === 0 ? 'light' : 'dark',
      })
  for (const wall of list(walls).map(fields))
    shapes.push({
      kind: 'rect',
      at: [number(wall.x) * tile, number(wall.y) * tile],
      size: [tile, tile],
      fill: 'rock',
    })
  for (const dancer of list(view.agents).map(fields)) {
    if (dancer.alive !== true) continue
    const at = [(number(dancer.x) + 0.5) * tile, (number(dancer.y) + 0.5) * tile] as const
    shapes.push(
      {
        kind: 'circle',
        at,
        radius: 9,
        fill: seatTone(number(dancer.seat)),
        line: 'ground',
        width: 1.5,
      },
      { kind: 'text', at, size: 12, text: text(dancer.seat as Json), fill: 'ground' },
    )
  }
  return { width: across * tile, height: down * tile, shapes }
}
