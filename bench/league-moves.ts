import { Dice } from '../src/games/dice.ts'
import { isFinal, isIllegal, type Seat, stateAfter } from '../src/games/game.ts'
import { isPassable, land } from '../src/games/rush-map.ts'
import { skillGomoku } from '../src/games/skill-gomoku.ts'

export const leagueGames = ['echo', 'skill-gomoku', 'resource-rush'] as const
export type LeagueGame = (typeof leagueGames)[number]

/** What an agent knows when it moves. */
interface Turn {
  readonly match: number
  readonly round: number
  readonly agentId: string
  /** The last game_state. */
  readonly state: string
}

/** The moves of one agent, as JSON. */
export const moverOf = (game: LeagueGame): ((turn: Turn) => string) => {
  if (game === 'echo') return anyNumber
  if (game === 'skill-gomoku') return stoneOf
  return wanderer()
}

const anyNumber = () => `{"number":${1 + Math.floor(10 * Math.random())}}`

const stoneOf = ({ match, round }: Turn): string => {
  scripts ??= makeScripts()
  const stones = scripts[(match - 1) % scripts.length]!
  return stones[(round - 1) % stones.length]!
}

/** Matches of skill-gomoku between 20 and 60 stones; the first is as long as they are on average. */
let scripts: (readonly string[])[] | undefined

const makeScripts = () => {
  const made: (readonly string[])[] = []
  for (let seed = 1; made.length < 64; seed++) {
    const stones = randomStones(seed)
    if (stones.length >= 20 && stones.length <= 60) made.push(stones)
  }
  const mean = made.reduce((sum, { length }) => sum + length, 0) / made.length
  return made.sort((a, b) => Math.abs(a.length - mean) - Math.abs(b.length - mean))
}

/** Stones at random on a part of the board, until five are in a row. */
const randomStones = (seed: number): readonly string[] => {
  const dice = Dice.fromSeed(seed)
  const [top, left] = [dice.roll(8), dice.roll(8)]
  const free = Array.from({ length: 64 }, (_, i) => ({ row: top + (i >> 3), col: left + (i & 7) }))
  const stones: string[] = []
  let state = skillGomoku.start(seed, 2)
  while (free.length > 0) {
    const [cell] = free.splice(dice.roll(free.length), 1)
    const move = { type: 'place', ...cell }
    const next = stateAfter(skillGomoku, state, (stones.length % 2) as Seat, move)
    if (isIllegal(next)) throw new Error(next.reason)
    stones.push(JSON.stringify(move))
    state = next
    if (isFinal(skillGomoku.status(state))) return stones
  }
  return []
}

const ways = [
  { direction: 'north', dx: 0, dy: -1 },
  { direction: 'east', dx: 1, dy: 0 },
  { direction: 'south', dx: 0, dy: 1 },
  { direction: 'west', dx: -1, dy: 0 },
] as const

/** Harvests what it stands on, and otherwise goes straight on for as long as it can, most of the time. */
const wanderer = () => {
  let way: (typeof ways)[number] = ways[0]
  return ({ agentId, state }: Turn): string => {
    const { grid, playerPositions } = JSON.parse(state).extra
    const { x, y } = playerPositions[agentId]
    const tile = grid[y][x]
    if (tile >= land.bush && tile <= land.berry) return '{"action":"harvest"}'
    const open = ways.filter(({ dx, dy }) => isPassable(grid[y + dy]?.[x + dx] ?? land.water))
    if (!open.includes(way) || Math.random() < 0.1)
      way = open[Math.floor(open.length * Math.random())]!
    return `{"action":"move","direction":"${way.direction}"}`
  }
}
