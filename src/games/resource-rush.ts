import type { Dice } from './dice.ts'
import {
  type CatalogueGame,
  type Illegal,
  illegal,
  isIllegal,
  type Json,
  type Moved,
  moved,
  type Seat,
  type View,
  type Viewer,
} from './game.ts'
import { put } from './grid.ts'
import { type Fields, got, isRecord } from './json.ts'
import { type Board, type Ground, line, type Piece, seatPart, toned } from './look.ts'
import { isPassable, land, mapOf, mapSize, stations, type Tile } from './rush-map.ts'
import {
  about,
  always,
  bySeat,
  either,
  grid,
  oneOf,
  orNull,
  record,
  text,
  upTo,
  whole,
} from './schema.ts'
import { placesOf, tally } from './scores.ts'
import { opened, owing, type Sealed } from './together.ts'
import { cut, printable } from './words.ts'

const directions = ['north', 'east', 'south', 'west'] as const
type Direction = (typeof directions)[number]

const strides: Readonly<Record<Direction, Tile>> = {
  north: { x: 0, y: -1 },
  east: { x: 1, y: 0 },
  south: { x: 0, y: 1 },
  west: { x: -1, y: 0 },
}

type Resource = 'wood' | 'stone' | 'gold' | 'food'

type Yield = { readonly resource: Resource; readonly units: number }

const yields: Readonly<Record<number, Yield>> = {
  [land.bush]: { resource: 'wood', units: 1 },
  [land.stone]: { resource: 'stone', units: 2 },
  [land.gold]: { resource: 'gold', units: 5 },
  [land.berry]: { resource: 'food', units: 3 },
}

const worth: Readonly<Record<Resource, number>> = { wood: 1, stone: 2, gold: 5, food: 3 }

type Deed =
  | { readonly action: 'move'; readonly direction: Direction }
  | { readonly action: 'harvest'; readonly tile: number }
  | { readonly action: 'wait' }

type Order = { readonly deed: Deed; readonly thought: string; readonly memory: Fields | null }

type Drone = Tile & {
  readonly resources: Readonly<Record<Resource, number>>
  readonly thought: string
  readonly memory: Fields
  readonly last: Deed | null
}

type RushEvent =
  /** Both drones harvested the same tile in the same tick. The loser has waited instead. */
  | ({
      readonly kind: 'fought'
      readonly tile: number
      readonly winner: Seat
      readonly loser: Seat
    } & Tile)
  | {
      readonly kind: 'round'
      /** How many ticks are resolved with this one. */
      readonly tick: number
      /** Where each drone is now and what it has done; null for one that the viewer does not see. */
      readonly drones: readonly Seen[]
      readonly scores: readonly number[]
    }

type Seen = (Tile & { readonly deed: Deed; readonly taken: Yield | null }) | null

type Rush = {
  /** Ticks resolved so far. */
  readonly tick: number
  /** 10,000 codes as digits: copied whole by a harvest, shared by all states between two harvests. */
  readonly map: string
  readonly drones: readonly Drone[]
  readonly sealed: Sealed<Order>
}

/** What a tile is worth, by its code. */
const points = Object.values(land).map(code => {
  const found = yields[code]
  return found ? found.units * worth[found.resource] : 0
})
const richest = Math.max(...points)

const maxTicks = 500
const vision = 35
const mostMemory = 10_240
const deepestMemory = 100
const longestThought = 100

const moveFields = { action: always('move'), direction: oneOf(directions) }
const notes = {
  thought: about('Shown in the replay of the match.', text(longestThought)),
  memory: about(
    `What you want to be given back in your next observations: at most ${mostMemory} bytes.`,
    { type: 'object' },
  ),
}

/** Two drones gather what lies on a land of which each sees only its surroundings. */
export const resourceRush: CatalogueGame<Rush, RushEvent> = {
  id: 'resource-rush',
  title: 'Resource Rush',
  summary: 'Two drones in the fog gather wood, stone, food and gold for 500 ticks.',
  seats: 2,
  facts: { turns: 'together', luck: true, secrets: true, moveBytes: mostMemory + 512 },

  start: seed => ({
    tick: 0,
    map: mapOf(seed),
    drones: stations.map(tile => ({
      ...tile,
      resources: { wood: 0, stone: 0, gold: 0, food: 0 },
      thought: '',
      memory: {},
      last: null,
    })),
    sealed: [null, null],
  }),

  status: ({ tick, drones, sealed }) => {
    if (tick < maxTicks) return { toMove: owing(sealed) }
    const scores = drones.map(scoreOf)
    return { places: placesOf(scores), scores, because: tally(scores, 'point') }
  },

  read: (state, seat, move) => {
    const order = orderOf(state, seat, move)
    if (isIllegal(order)) return move
    const { deed, thought, memory } = order
    return {
      action: deed.action,
      ...(deed.action === 'move' && { direction: deed.direction }),
      ...(thought !== '' && { thought }),
      ...(memory !== null && { memory }),
    }
  },

  play: (state, seat, move): Rush | Moved<Rush, RushEvent> | Illegal => {
    const order = orderOf(state, seat, move)
    if (isIllegal(order)) return order
    const sealed = state.sealed.with(seat, order)
    const orders = opened(sealed)
    return orders ? resolve(state, orders) : { ...state, sealed }
  },

  // Drones that fight stand on one tile, which both see.
  seen: (event, viewer) => {
    if (event.kind === 'fought') return event
    const sight = sightOf(event.drones as readonly Tile[], viewer)
    return {
      ...event,
      drones: event.drones.map(drone => (drone && isIn(sight, drone) ? drone : null)),
    }
  },

  // A seat may send 10 KB of memory with each of its 500 moves, and have 250 matches at a time.
  kept: move => {
    if (!isRecord(move)) return move
    const { memory: _, ...kept } = move
    return kept
  },

  view: ({ tick, map, drones }, viewer) => {
    const sight = sightOf(drones, viewer)
    return {
      round: Math.min(tick + 1, maxTicks),
      maxRounds: maxTicks,
      tick: Math.min(tick, maxTicks - 1),
      maxTicks,
      mapSize,
      grid: gridOf(map, sight),
      positions: drones.map(({ x, y }) => (isIn(sight, { x, y }) ? { x, y } : null)),
      resources: drones.map(({ resources }) => resources),
      scores: drones.map(scoreOf),
      lastActions: drones.map(drone => (isIn(sight, drone) ? drone.last : null)),
      thoughts: drones.map(({ thought }, seat) => (reads(viewer, seat) ? thought : null)),
      ...(typeof viewer === 'number' && {
        memory: drones[viewer]!.memory,
        possibleActions: tick < maxTicks ? possibleActions(map, drones[viewer]!) : [],
      }),
    }
  },

  schema: {
    move: either(
      about(
        'A step: north is y−1, east is x+1.',
        record({ ...moveFields, ...notes }, Object.keys(notes)),
      ),
      about(
        'Harvests the tile that you stand on, or waits.',
        record({ action: oneOf(['harvest', 'wait']), ...notes }, Object.keys(notes)),
      ),
    ),
    view: {
      round: about('The tick that is played now, from 1.', whole(1, maxTicks)),
      maxRounds: about('The number of ticks.', always(maxTicks)),
      tick: about('The tick that is played now, from 0.', whole(0, maxTicks - 1)),
      maxTicks: about('The number of ticks.', always(maxTicks)),
      mapSize: about('Rows and columns of the land.', always(mapSize)),
      grid: about(
        `grid[y][x], x to the east and y to the south. ${Object.entries(land)
          .map(([name, code]) => `${code} ${name}`)
          .join(', ')}; -1 where you cannot see.`,
        grid(mapSize, mapSize, whole(-1, 7)),
      ),
      positions: about(
        'Where each drone is; null where you cannot see it.',
        bySeat(orNull(record({ x: whole(0, mapSize - 1), y: whole(0, mapSize - 1) }))),
      ),
      resources: about(
        'Units that each player has gathered.',
        bySeat(record(Object.fromEntries(Object.keys(worth).map(name => [name, whole(0)])))),
      ),
      scores: about('The points of each player.', bySeat(whole(0))),
      lastActions: about(
        'What each drone did in the tick before, with the code of the tile that it harvested; null where you cannot see it.',
        bySeat(
          orNull(
            either(
              record(moveFields),
              record({ action: always('harvest'), tile: whole(1, 4) }),
              record({ action: always('wait') }),
            ),
          ),
        ),
      ),
      thoughts: about(
        'Your own last thought; null for the other player.',
        bySeat(orNull(text(longestThought))),
      ),
    },
    seat: {
      memory: about('What you last asked to keep.', { type: 'object' }),
      possibleActions: about(
        'Everything that you can do now; any other action is illegal.',
        upTo(6, either(record(moveFields), record({ action: oneOf(['harvest', 'wait']) }))),
      ),
    },
  },

  look: ({ tick, map, drones }, viewer) => {
    const sight = sightOf(drones, viewer)
    const tickWords = `Tick ${Math.min(tick + 1, maxTicks)} of ${maxTicks}`
    return {
      board: boardOf(map, drones, sight, viewer),
      panels: [
        line(tickWords),
        ...(viewer === 'audience'
          ? [
              {
                kind: 'line',
                text: 'Until the end spectators see only what both drones see.',
                tone: 'weak',
              } as const,
            ]
          : []),
        {
          kind: 'table',
          head: ['Drone', 'Points', 'Wood', 'Stone', 'Gold', 'Food'],
          rows: drones.map((drone, seat) => {
            const { wood, stone, gold, food } = drone.resources
            return [[seatPart(seat)], scoreOf(drone), wood, stone, gold, food]
          }),
        },
        ...drones.flatMap(({ thought }, seat) =>
          thought && reads(viewer, seat)
            ? [line(seatPart(seat), ' thinks: ', toned(thought, 'quote'))]
            : [],
        ),
      ],
      alt: `${tickWords}. ${drones.map((drone, seat) => droneWords(drone, seat, sight)).join(' ')}`,
    }
  },

  anyMove,

  imagine: (state, viewer, dice) => {
    const map = overFog(state.map, someLand(dice), sightOf(state.drones, viewer))
    const drones = placed(state.drones, viewer, map, dice).map((drone, seat) =>
      seat === viewer ? drone : { ...drone, thought: '', memory: {} },
    )
    const imagined = { ...state, map, drones }
    const sealed = state.sealed.map((order, seat) =>
      order === null || seat === viewer
        ? order
        : (orderOf(imagined, seat, anyMove(imagined, seat, dice)) as Order),
    )
    return { ...imagined, sealed }
  },

  fallback: () => ({ action: 'wait' }),

  guess: ({ map, drones, sealed }, seat) => {
    const drone = drones[seat]!
    // What is sealed is as good as done, and a tile that is harvested has nothing more to promise.
    const deed = sealed[seat]?.deed ?? { action: 'wait' }
    const next = afterDeed(drone, deed)
    const bare = deed.action === 'harvest' ? cellOf(drone) : null
    const lead = scoreOf(next) - scoreOf(drones[1 - seat]!)
    return Math.tanh((lead + promise(map, drone, next, bare)) / 1000)
  },
}

function anyMove(state: Rush, seat: Seat, dice: Dice): Json {
  const drone = state.drones[seat]!
  const said = dice.roll(8) === 0 ? { thought: `at ${drone.x},${drone.y}` } : {}
  const kept = dice.roll(16) === 0 ? { memory: { tick: state.tick } } : {}
  if (yields[codeAt(state.map, drone)]) return { action: 'harvest', ...said, ...kept }
  const ways = waysFrom(state.map, drone)
  if (ways.length === 0 || dice.roll(16) === 0) return { action: 'wait', ...said, ...kept }
  // Mostly straight on, or it would never get far from where it set out.
  const ahead = ways.find(way => drone.last?.action === 'move' && way === drone.last.direction)
  const direction = ahead && dice.roll(8) > 0 ? ahead : dice.pick(ways)
  return { action: 'move', direction, ...said, ...kept }
}

const waysFrom = (map: string, tile: Tile) =>
  directions.filter(way => whyNoStep(map, tile, way) === null)

const possibleActions = (map: string, drone: Drone): View[] => [
  ...waysFrom(map, drone).map(direction => ({ action: 'move', direction })),
  ...(yields[codeAt(map, drone)] ? [{ action: 'harvest' }] : []),
  { action: 'wait' },
]

const scoreOf = ({ resources }: Drone) =>
  Object.entries(worth).reduce(
    (score, [resource, points]) => score + points * resources[resource as Resource],
    0,
  )

const orderOf = ({ map, drones }: Rush, seat: Seat, move: Json): Order | Illegal => {
  if (!isRecord(move)) return illegal(`a move is {"action":…}, ${got(move)}`)
  const deed = deedOf(map, drones[seat]!, move)
  if (isIllegal(deed)) return deed
  const memory = move.memory === undefined ? null : memoryOf(move.memory)
  if (isIllegal(memory)) return memory
  const thought =
    typeof move.thought === 'string' ? cut(printable(move.thought), longestThought) : ''
  return { deed, thought, memory }
}

const deedOf = (map: string, drone: Drone, { action, direction }: Fields): Deed | Illegal => {
  if (action === 'wait') return { action }
  if (action === 'harvest') {
    const tile = codeAt(map, drone)
    return yields[tile] ? { action, tile } : illegal('there is nothing to harvest here')
  }
  if (action !== 'move') return illegal(`action must be move, harvest or wait, ${got(action)}`)
  const way = directions.find(name => name === direction)
  if (!way) return illegal(`direction must be one of ${directions.join(', ')}, ${got(direction)}`)
  const wrong = whyNoStep(map, drone, way)
  return wrong ? illegal(wrong) : { action, direction: way }
}

const codeAt = (map: string, { x, y }: Tile) => map.charCodeAt(y * mapSize + x) - 48

const whyNoStep = (map: string, from: Tile, way: Direction): string | null => {
  const to = stepped(from, way)
  if (to.x < 0 || to.y < 0 || to.x >= mapSize || to.y >= mapSize)
    return `a step ${way} leads off the map`
  if (isPassable(codeAt(map, to))) return null
  return `a step ${way} leads into ${codeAt(map, to) === land.water ? 'water' : 'a mountain'}`
}

const stepped = ({ x, y }: Tile, way: Direction): Tile => ({
  x: x + strides[way].x,
  y: y + strides[way].y,
})

const memoryOf = (memory: Json): Fields | Illegal => {
  if (!isRecord(memory)) return illegal(`memory must be a JSON object, ${got(memory)}`)
  // Before anything else walks through it: what is nested deep enough overflows the stack.
  if (!isWithin(memory, deepestMemory)) return illegal(`memory may be nested ${deepestMemory} deep`)
  const text = JSON.stringify(memory)
  const bytes = Buffer.byteLength(text)
  return bytes > mostMemory
    ? illegal(`memory may take ${mostMemory} bytes, got ${bytes}`)
    : JSON.parse(text)
}

const isWithin = (value: Json | undefined, depth: number): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (depth > 0 && Object.values(value).every(inner => isWithin(inner, depth - 1)))

/** Everything happens at once, to the map and the drones as they were when the tick began. */
const resolve = ({ tick, map, drones }: Rush, orders: readonly Order[]): Moved<Rush, RushEvent> => {
  const [a, b] = drones
  const both = orders.every(({ deed }) => deed.action === 'harvest') && isSame(a!, b!)
  const loser = both ? 1 - (tick % 2) : null
  const deeds = orders.map(({ deed }, seat): Deed => (seat === loser ? { action: 'wait' } : deed))
  const next: Rush = {
    tick: tick + 1,
    map: deeds.reduce(
      (now, { action }, seat) =>
        action === 'harvest' ? put(now, cellOf(drones[seat]!), `${land.grass}`) : now,
      map,
    ),
    drones: drones.map((drone, seat) => {
      const { thought, memory } = orders[seat]!
      const kept = { thought, memory: memory ?? drone.memory }
      return { ...afterDeed(drone, deeds[seat]!), ...kept, last: deeds[seat]! }
    }),
    sealed: [null, null],
  }
  const round: RushEvent = {
    kind: 'round',
    tick: next.tick,
    drones: next.drones.map(({ x, y }, seat) => {
      const deed = deeds[seat]!
      return { x, y, deed, taken: deed.action === 'harvest' ? yields[deed.tile]! : null }
    }),
    scores: next.drones.map(scoreOf),
  }
  if (loser === null) return moved(next, [round])
  const { x, y } = a!
  return moved(next, [
    { kind: 'fought', x, y, tile: codeAt(map, a!), winner: 1 - loser, loser },
    round,
  ])
}

const isSame = (a: Tile, b: Tile) => a.x === b.x && a.y === b.y

const cellOf = ({ x, y }: Tile) => y * mapSize + x

const afterDeed = (drone: Drone, deed: Deed): Drone => {
  if (deed.action === 'move') return { ...drone, ...stepped(drone, deed.direction) }
  const found = deed.action === 'harvest' ? yields[deed.tile] : undefined
  if (!found) return drone
  const { resource, units } = found
  const held = drone.resources[resource] + units
  return { ...drone, resources: { ...drone.resources, [resource]: held } }
}

/** The most that can be had for each tick spent on it, harvest included, as far as `eye` sees. */
const promise = (map: string, eye: Tile, from: Tile, bare: number | null): number => {
  const reached = new Uint8Array(mapSize * mapSize)
  reached[cellOf(from)] = 1
  const cells = [cellOf(from)]
  let best = 0
  let at = 0
  for (let ticks = 2; at < cells.length && richest / ticks > best; ticks++)
    for (const end = cells.length; at < end; at++) {
      const cell = cells[at]!
      const tile = { x: cell % mapSize, y: Math.floor(cell / mapSize) }
      if (cell !== bare) best = Math.max(best, points[codeAt(map, tile)]! / ticks)
      for (const way of directions) {
        const next = stepped(tile, way)
        if (reached[cellOf(next)] || !isWithinSight(eye, next) || whyNoStep(map, tile, way))
          continue
        reached[cellOf(next)] = 1
        cells.push(cellOf(next))
      }
    }
  return best
}

/** A part of the land, its edges included; empty where an edge lies beyond the opposite one. */
type Area = {
  readonly north: number
  readonly east: number
  readonly south: number
  readonly west: number
}

const nothing: Area = { north: mapSize, east: -1, south: -1, west: mapSize }

/**
 * The spectators see what both drones see, and that only while these see each other: where the areas that two distant
 * drones see overlap would tell each of them where the other is.
 */
const sightOf = (drones: readonly Tile[], viewer: Viewer): Area => {
  if (viewer === 'audience' && !isWithinSight(drones[0]!, drones[1]!)) return nothing
  const eyes = viewer === 'replay' ? [] : viewer === 'audience' ? drones : [drones[viewer]!]
  const [xs, ys] = [eyes.map(({ x }) => x), eyes.map(({ y }) => y)]
  return {
    north: Math.max(0, ...ys.map(y => y - vision)),
    east: Math.min(mapSize - 1, ...xs.map(x => x + vision)),
    south: Math.min(mapSize - 1, ...ys.map(y => y + vision)),
    west: Math.max(0, ...xs.map(x => x - vision)),
  }
}

const isIn = ({ north, east, south, west }: Area, { x, y }: Tile) =>
  x >= west && x <= east && y >= north && y <= south

const reads = (viewer: Viewer, seat: Seat) => viewer === 'replay' || viewer === seat

const isWithinSight = (eye: Tile, other: Tile) =>
  Math.abs(eye.x - other.x) <= vision && Math.abs(eye.y - other.y) <= vision

/** Drones that see each other stay; otherwise every one that the viewer is not goes where it is not seen. */
const placed = (drones: readonly Drone[], viewer: Viewer, map: string, dice: Dice) => {
  const [a, b] = drones as readonly [Drone, Drone]
  if (isWithinSight(a, b)) return drones
  const away = (drone: Drone, from: Tile | null): Drone => {
    for (;;) {
      const tile = { x: dice.roll(mapSize), y: dice.roll(mapSize) }
      if (!isPassable(codeAt(map, tile)) || (from && isWithinSight(from, tile))) continue
      return { ...drone, ...tile, last: null }
    }
  }
  if (viewer === 1) return [away(a, b), b]
  const first = viewer === 0 ? a : away(a, null)
  return [first, away(b, first)]
}

/** One of 64, each grown once: growing one takes longer than all the rest of a move. */
const someLand = (dice: Dice): string => {
  const n = dice.roll(64)
  lands[n] ??= mapOf(n)
  return lands[n]
}

const lands: string[] = []

/** What is seen of one land, and another in the fog around it. */
const overFog = (map: string, other: string, sight: Area): string =>
  Array.from({ length: mapSize }, (_, y) => {
    const row = (of: string) => of.slice(y * mapSize, (y + 1) * mapSize)
    if (y < sight.north || y > sight.south) return row(other)
    const { west, east } = sight
    return row(other).slice(0, west) + row(map).slice(west, east + 1) + row(other).slice(east + 1)
  }).join('')

const gridOf = (map: string, { north, east, south, west }: Area): (readonly number[])[] =>
  Array.from({ length: mapSize }, (_, y) =>
    y < north || y > south ? unseen : rowOf(map, y, west, east),
  )

// Not `Array(mapSize).fill(-1)`, which JSON.stringify takes twice as long for.
const unseen: readonly number[] = Array.from({ length: mapSize }, () => -1)

/** Rows that look the same are one array, in the grids of all matches, so that their JSON can be written once. */
const rowOf = (map: string, y: number, west: number, east: number): readonly number[] => {
  // The point makes it a string of its own: a mere slice keeps its whole map in memory.
  const codes = `${seenOf(map.slice(y * mapSize, (y + 1) * mapSize), west, east)}.`
  const known = rowsByCodes.get(codes)
  if (known !== undefined) return known
  const row = unseen.slice()
  for (let x = west; x <= east; x++) row[x] = codes.charCodeAt(x) - 48
  if (rowsByCodes.size >= mostRows) rowsByCodes.clear()
  rowsByCodes.set(codes, row)
  return row
}

const rowsByCodes = new Map<string, readonly number[]>()
/** Some 5 MB with their JSON. */
const mostRows = 4096

/** What a seat sees is all there is of its board, with its drone in sight. */
const boardOf = (map: string, drones: readonly Drone[], sight: Area, viewer: Viewer): Board => {
  const own = typeof viewer === 'number' ? drones[viewer]! : null
  const { north, east, south, west } = own ? sight : everything
  const rows = own
    ? drawn(map)
        .slice(north, south + 1)
        .map(row => row.slice(west, east + 1))
    : inFog(map, sight)
  for (const [seat, { x, y }] of drones.entries())
    if (isIn(sight, { x, y })) rows[y - north] = put(rows[y - north]!, x - west, `${seat}`)
  return {
    surface: 'land',
    rows,
    pieces,
    ...(own && { focus: [own.x - west, own.y - north] }),
  }
}

/** The map with the character of each tile. Maps are shared by the states between two harvests, and so are their rows. */
const drawn = (map: string): string[] => {
  if (map !== lastDrawn.map) {
    const text = map.replace(/\d/g, code => marks[Number(code)]!)
    const rows = Array.from({ length: mapSize }, (_, y) =>
      text.slice(y * mapSize, (y + 1) * mapSize),
    )
    lastDrawn = { map, rows }
  }
  return [...lastDrawn.rows]
}

let lastDrawn: { readonly map: string; readonly rows: readonly string[] } = { map: '', rows: [] }

const inFog = (map: string, { north, east, south, west }: Area): string[] =>
  drawn(map).map((row, y) =>
    y < north || y > south || east < west ? fogRow : seenOf(row, west, east),
  )

/** The row with fog to both sides of what is seen. */
const seenOf = (row: string, west: number, east: number): string =>
  fogRow.slice(0, west) + row.slice(west, east + 1) + fogRow.slice(east + 1)

const fogRow = ' '.repeat(mapSize)

const everything: Area = { north: 0, east: mapSize - 1, south: mapSize - 1, west: 0 }

const droneWords = ({ x, y }: Tile, seat: Seat, sight: Area) =>
  isIn(sight, { x, y }) ? `Drone ${seat} at column ${x}, row ${y}.` : `Drone ${seat} is not seen.`

/** The character of each tile, by its code. */
const marks = ['.', '"', 'o', '$', '%', '~', '^', '#'] as const

const tile = (ground: Ground): Piece => ({ kind: 'tile', ground })

/** From the most remarkable down. */
const pieces: Readonly<Record<string, Piece>> = {
  '0': { kind: 'token', seat: 0 },
  '1': { kind: 'token', seat: 1 },
  '#': tile('base'),
  $: tile('gold'),
  '%': tile('berry'),
  o: tile('stone'),
  '~': tile('water'),
  '^': tile('rock'),
  '"': tile('bush'),
  '.': tile('grass'),
  ' ': tile('fog'),
}
