// Laws of every game that lists its moves. They are functions, so that tests can try them on games that break them.

import assert from 'node:assert/strict'
import { type Game, isIllegal, type Json, type Seat } from '../../src/games/game.ts'

/** Legal means listed, for every seat that owes a move. */
export const checkListed = (
  game: Game,
  running: readonly { readonly state: unknown; readonly seat: Seat }[],
  rubbish: readonly Json[],
): void => {
  const seen = new Set<string>()
  for (const { state, seat } of running) {
    const listed = game.moves!(state, seat)
    for (const move of listed) {
      seen.add(move)
      assert.ok(!isIllegal(game.play(state, seat, move)), `refuses ${move}, which it lists`)
    }
    // The likeliest mistake is a move that was legal one turn ago.
    const others = [...seen, ...listed.slice(0, 5).flatMap(misspelt)].filter(
      move => !listed.includes(move),
    )
    for (const move of [...others, ...rubbish]) checkRefusal(game.play(state, seat, move), move)
  }
}

const longestReason = 200

export function checkRefusal(result: unknown, move: Json): void {
  const what = JSON.stringify(move).slice(0, 80)
  assert.ok(isIllegal(result), `takes ${what}`)
  assert.ok(result.reason.length > 0, `refuses ${what} with no reason`)
  assert.ok(result.reason.length <= longestReason, `refuses ${what} at length`)
}

export const misspelt = (move: string): string[] => [
  ` ${move}`,
  `${move} `,
  `${move}\n`,
  `${move}\u0000`,
  `0${move}`,
  `${move}0`,
  `${move}${move}`,
  move.slice(0, -1),
  move.slice(1),
  swapCase(move),
]

const swapCase = (text: string) =>
  [...text].map(c => (c === c.toUpperCase() ? c.toLowerCase() : c.toUpperCase())).join('')
