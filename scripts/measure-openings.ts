// Looks for balanced openings of a game: `npx tsx scripts/measure-openings.ts GAME [CANDIDATES] [MATCHES]`. House players of one level
// play each candidate against themselves, and it prints those in which the first seat scores from 40 to 60 %. `--kept` measures the openings that src/games/openings.ts has.

import { bestMove } from '../src/bots/best-move.ts'
import { Dice } from '../src/games/dice.ts'
import { type Game, isFinal, stateAfter } from '../src/games/game.ts'
import { gameOf } from '../src/games/index.ts'
import { openingsOf } from '../src/games/openings.ts'

const [id = '', ...rest] = process.argv.slice(2).filter(word => word !== '--kept')
const [candidates = 60, matches = 60] = rest.map(Number)
const game = gameOf(id)
if (game === undefined) throw new Error(`no game is called ${id}`)

/** How many moves a candidate has, what they are chosen from, and how many nodes a move of the measurement takes. */
const plans: Readonly<Record<string, { plies: number; moves?: RegExp; nodes: number }>> = {
  ttt: { plies: 2, nodes: 500 },
  c4: { plies: 6, nodes: 200 },
  othello: { plies: 6, nodes: 200 },
  gomoku: { plies: 4, moves: /^[F-J]([6-9]|10)$/, nodes: 150 },
  go9: { plies: 4, moves: /^[C-G][3-7]$/, nodes: 150 },
  go13: { plies: 4, moves: /^[CDKL]([34]|1[01])$/, nodes: 80 },
  chess: { plies: 8, nodes: 200 },
}
const plan = plans[id]
if (plan === undefined)
  throw new Error(`no plan for ${id}: there are ${Object.keys(plans).join(', ')}`)

const stateAt = (game: Game, moves: readonly string[]): unknown =>
  moves.reduce<unknown>(
    (state, move, at) => stateAfter(game, state, at % 2, move),
    game.start(1, 2, game.setup),
  )

const candidate = (dice: Dice): string[] => {
  const moves: string[] = []
  while (moves.length < plan.plies) {
    const legal = game.moves!(stateAt(game, moves), moves.length % 2)
    const allowed = legal.filter(move => plan.moves?.test(move) ?? true)
    moves.push(allowed[dice.roll(allowed.length)]!)
  }
  return moves
}

/** The share of the points that the first seat makes. */
const measure = (moves: readonly string[], from: number, to: number): number => {
  let points = 0
  for (let n = from; n < to; n++) {
    let state = stateAt(game, moves)
    for (let ply = 0; ; ply++) {
      const status = game.status(state)
      if (isFinal(status)) {
        const [first, second] = status.places as [number, number]
        points += first === second ? 0.5 : first < second ? 1 : 0
        break
      }
      const seat = status.toMove[0]!
      const question = { game: id, state, seat, nodes: plan.nodes, seed: n * 1000 + ply }
      state = stateAfter(game, state, seat, bestMove(game, question))
    }
  }
  return points / (to - from)
}

const isOver = (moves: readonly string[]) => isFinal(game.status(stateAt(game, moves)))
const asked = process.argv.includes('--kept')
  ? openingsOf(id)
  : Array.from({ length: candidates }, (_, n) => candidate(Dice.fromSeed(n)))
const few = Math.ceil(matches / 3)
const seen = new Set<string>()
for (const moves of asked) {
  const key = JSON.stringify(stateAt(game, moves))
  if (isOver(moves) || seen.has(key)) continue
  seen.add(key)
  const early = measure(moves, 0, few)
  if (!process.argv.includes('--kept') && Math.abs(early - 0.5) > 0.2) continue
  const score = (early * few + measure(moves, few, matches) * (matches - few)) / matches
  if (process.argv.includes('--kept') || Math.abs(score - 0.5) <= 0.1)
    console.log(moves.join(' '), (100 * score).toFixed(0))
}
console.error(`${seen.size} positions, ${matches} matches each, ${plan.nodes} nodes a move`)
