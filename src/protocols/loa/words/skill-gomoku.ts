import type { Observation } from '../../../arena/player.ts'
import type { GameEvent, Seat } from '../../../games/game.ts'
import { BoundedMap } from '../../../limits/bounded-map.ts'
import { turnUpdate } from './texts.ts'
import type { Agent, End, GameWords, StateWords, Told } from './words.ts'

interface Point {
  readonly row: number
  readonly col: number
}

interface Effect {
  readonly seat: Seat
  readonly skill: string
  readonly target: Point | null
  readonly affectedCells?: readonly (Point & { readonly before: number; readonly after: number })[]
}

interface Seen {
  /** The moves made, or one more while the rules go on. */
  readonly round: number
  /** 0 empty, 1 black, 2 white. */
  readonly board: readonly (readonly number[])[]
  readonly energy: readonly number[]
  readonly sealedStones: readonly (Point & { readonly owner: number })[]
  readonly quietZoneCells: readonly (Point & { readonly owner: number })[]
  readonly lastMove: Point | null
  readonly lastSkillEffect: Effect | null
  readonly passed: readonly Seat[]
}

const stones = ['·', '⚫', '⚪'] as const
const animationDurationMs = 3000

const skills: Readonly<Record<string, { readonly name: string; readonly chinese: string }>> = {
  uproot: { name: 'Uproot', chinese: '力拔山兮' },
  stillwater: { name: 'Stillwater', chinese: '静如止水' },
  sandstorm: { name: 'Sandstorm', chinese: '飞沙走石' },
  rewind: { name: 'Rewind', chinese: '时光倒流' },
}

export const skillGomoku: GameWords = {
  maxRounds: 300,
  spectators: 'audience',

  move: move => move,

  resolved: observation => movesOf(observation as unknown as Seen),

  state,

  updates: (gameId, told, observation, agents, end) => {
    const turns = told.flatMap(turnsOf)
    const before = movesOf(observation as unknown as Seen) - turns.length
    const isOver = end !== null && !told.some(({ isFall }) => isFall)
    return turns.flatMap(({ seat, action, effect }, i) => {
      const round = before + i + 1
      const ended = isOver && i === turns.length - 1 ? end : null
      const update = turnUpdate(gameId, agents, {
        round,
        actions: [[seat, action]],
        summary: summaryOf(round, ended),
        scores: scoresOf(agents, ended),
      })
      if (effect === null) return [update]
      return [skillEffect(gameId, effect, agents, state(observation, agents, end)), update]
    })
  },
}

function state(observation: Observation, agents: readonly Agent[], end: End | null): StateWords {
  const seen = observation as unknown as Seen
  const { board, energy, sealedStones, quietZoneCells, lastMove, lastSkillEffect } = seen
  const moves = movesOf(seen)
  const rows = board.map(rowTexts)
  const extra = JSON.stringify({
    energy,
    currentPlayer: agents[moves % 2]!.agentId,
    sealedStones,
    quietZoneCells,
    lastMove,
    lastSkillEffect: lastSkillEffect && {
      skill: lastSkillEffect.skill,
      casterId: agents[lastSkillEffect.seat]!.agentId,
      ...shownEffect(lastSkillEffect, agents),
    },
    animationDurationMs: lastSkillEffect === null ? 0 : animationDurationMs,
  })
  return {
    round: end?.totalRounds ?? moves + 1,
    scores: scoresOf(agents, end),
    grid:
      sealedStones.length + quietZoneCells.length === 0
        ? `[${rows.map(({ shown }) => shown)}]`
        : JSON.stringify(gridOf(seen)),
    extra: `{"board":[${rows.map(({ cells }) => cells)}],${extra.slice(1)}`,
  }
}

/**
 * How many moves are made, passes among them: `round` where the rules ended the match, one fewer otherwise. Black makes
 * the odd moves, so the colour of the last one tells which it is.
 */
const movesOf = ({ round, board, lastMove, lastSkillEffect, passed }: Seen): number => {
  const colour =
    lastMove === null ? (lastSkillEffect?.seat ?? -1) + 1 : board[lastMove.row]![lastMove.col]!
  return (round - colour - passed.length) % 2 === 0 ? round : round - 1
}

/** A point for the winner, and none during play. */
const scoresOf = (agents: readonly Agent[], end: End | null): number[] =>
  agents.map(({ agentId }) => {
    const isDecided = end !== null && !end.draw && end.reason !== 'error'
    return isDecided && end.rankings[0]?.agentId === agentId ? 1 : 0
  })

/** The reference leaves it open. */
const summaryOf = (round: number, ended: End | null) => {
  if (ended === null) return `Move ${round}`
  const winner = ended.draw ? undefined : ended.rankings[0]
  return winner === undefined ? `Move ${round}: Tie!` : `Move ${round}: ${winner.agentName} wins!`
}

interface Turn {
  readonly seat: Seat
  readonly action: string
  readonly effect: Effect | null
}

/** The turn of a move, and those of the seats that were then passed over. */
const turnsOf = ({ seat, move, isFall, events }: Told): Turn[] => {
  if (isFall) return []
  const effect = (events.find(({ kind }) => kind === 'skill') ?? null) as Effect | null
  const action = effect
    ? `Used ${skills[effect.skill]!.name}${placeOf(effect)}`
    : `Placed ${stones[seat + 1]} at ${labelOf(move as unknown as Point)}`
  const passes = events.filter(({ kind }) => kind === 'passed') as unknown as Passed[]
  return [
    { seat, action, effect },
    ...passes.map(({ seat }) => ({ seat, action: 'Passed', effect: null })),
  ]
}

type Passed = GameEvent & { readonly seat: Seat }

const skillEffect = (
  gameId: string,
  effect: Effect,
  agents: readonly Agent[],
  { grid, extra }: StateWords,
): string => {
  const { agentId, agentName } = agents[effect.seat]!
  const { target, description, ...changed } = shownEffect(effect, agents)
  const head = JSON.stringify({
    type: 'skill_effect',
    gameId,
    skill: effect.skill,
    agentId,
    agentName,
    target,
    description,
    animationDurationMs,
    ...changed,
  })
  return `${head.slice(0, -1)},"grid":${grid},"extra":${extra}}`
}

const shownEffect = (effect: Effect, agents: readonly Agent[]) => {
  const { seat, skill, target, affectedCells } = effect
  const { name, chinese } = skills[skill]!
  return {
    target,
    description: `${agents[seat]!.agentName} used ${name} (${chinese})${placeOf(effect)}!`,
    ...(affectedCells && {
      affectedCells: affectedCells.map(({ row, col, before, after }) => ({
        row,
        col,
        before: stones[before],
        after: stones[after],
      })),
    }),
  }
}

/** A rewind is of the whole board, whatever its target. */
const placeOf = ({ skill, target }: Effect) =>
  skill === 'rewind' || target === null ? '' : ` at ${labelOf(target)}`

const labelOf = ({ row, col }: Point) => `${String.fromCharCode(65 + col)}${row + 1}`

interface RowTexts {
  /** As in `board`. */
  readonly cells: string
  /** As in the grid, where no skill has marked a cell. */
  readonly shown: string
}

/** Most rows are as they were before the move: found again, a board takes 2 µs in place of 9. */
const rowTexts = (row: readonly number[]): RowTexts => {
  const key = row.reduce((key, value) => 3 * key + value, 0)
  let texts = knownRows.get(key)
  if (texts === undefined) {
    texts = { cells: JSON.stringify(row), shown: JSON.stringify(row.map(value => stones[value]!)) }
    knownRows.set(key, texts)
  }
  return texts
}

const knownRows = new BoundedMap<number, RowTexts>(4096)

const gridOf = ({ board, sealedStones, quietZoneCells }: Seen): string[][] => {
  const grid = board.map(row => row.map(value => stones[value]! as string))
  for (const { row, col } of quietZoneCells) if (board[row]![col] === 0) grid[row]![col] = '🚫'
  for (const { row, col, owner } of sealedStones) grid[row]![col] = owner === 1 ? '🔒' : '🔐'
  return grid
}
