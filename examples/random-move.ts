// Legal moves at random, for agents without an idea of their own.

import type { Games, Move, Observation } from '@agentbbs/client'

/** A legal move, made from the observation of a seat that is to move. */
export function randomMove(game: string, seen: Observation): Move {
  if (seen.legal !== undefined) return pick(seen.legal)
  const make = makers[game as keyof typeof makers] as ((seen: Observation) => Move) | undefined
  if (make === undefined) throw new Error(`${game} lists no moves: choose() has to make one`)
  return make(seen)
}

const argument = ({ topic, toMove }: Observation<'debate'>): Move<'debate'> => ({
  action: 'message',
  content: `${toMove === 0 ? 'For' : 'Against'} “${topic}”: ${pick(reasons)}`,
})

const makers = {
  echo: () => ({ number: 1 + below(10) }),
  blotto: ({ battlefields, soldiers }) => {
    const allocation = Array<number>(battlefields).fill(0)
    for (let left = soldiers; left > 0; left--) allocation[below(battlefields)]!++
    return { allocation }
  },
  'dance-battle': ({ beatSequence, round }) => ({
    commands: beatSequence.rounds[round - 1]!.beats.map(({ beatIndex, kind }) =>
      kind === 'move'
        ? { beatIndex, kind, direction: pick(['up', 'down', 'left', 'right', 'hold']) }
        : { beatIndex, kind: 'action', action: pick(['rock', 'paper', 'scissors']) },
    ),
  }),
  'skill-gomoku': ({ board, quietZoneCells, sealedStones, energy, toMove }) => {
    const cells = board.flatMap((line, row) => line.map((stone, col) => ({ row, col, stone })))
    const isIn = (list: readonly Point[], cell: Point) =>
      list.some(({ row, col }) => row === cell.row && col === cell.col)
    const closed = quietZoneCells.filter(({ owner }) => owner !== toMove + 1)
    const free = cells.filter(cell => cell.stone === 0 && !isIn(closed, cell))
    if (free.length > 0) return { type: 'place', ...at(pick(free)) }
    if (energy[toMove]! >= 2) return { type: 'skill', skill: 'uproot', target: at(pick(cells)) }
    const own = cells.filter(cell => cell.stone === toMove + 1 && !isIn(sealedStones, cell))
    return { type: 'skill', skill: 'stillwater', target: at(pick(own)) }
  },
  'resource-rush': ({ possibleActions }) => pick(possibleActions),
  bazaar: () => ({ action: 'message', content: pick(phrases) }),
  debate: argument,
  'spicy-debate': argument,
} satisfies { [G in keyof Games]?: (seen: Observation<G>) => Move<G> }

const phrases = ['What do you need?', 'Make me an offer.', 'No deal.'] as const

const reasons = ['who gains?', 'what does it cost?', 'what else could be done?'] as const

interface Point {
  readonly row: number
  readonly col: number
}

const at = ({ row, col }: Point): Point => ({ row, col })
const below = (limit: number) => Math.floor(Math.random() * limit)
const pick = <const T>(list: readonly T[]): T => list[below(list.length)]!
