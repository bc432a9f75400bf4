import type { Match } from '../match.ts'
import * as go from '../rules/go.ts'
import { Random } from '../rules/random.ts'
import type { Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'
import { forfeits, waitTimeout } from './chess.ts'

export const goScenarios: readonly Scenario[] = [
  { name: 'go-rules', agents: 2, run: rules },
  { name: 'go-territory', agents: 2, run: territory },
  { name: 'go-empty-board', agents: 2, run: emptyBoard },
  { name: 'go-243-moves', agents: 2, run: moves243 },
  { name: 'go-timeouts', agents: 2, run: timeouts },
]

/** Plays moves that are legal, checking board and captures after each. */
async function playMoves(
  match: Match,
  moves: readonly string[],
  from = go.start(),
  ends = false,
): Promise<go.GoState> {
  let state = from
  for (const [i, move] of moves.entries()) {
    const as = move.toLowerCase() === 'pass' ? 'pass' : move.toUpperCase()
    const next = go.play(state, as)
    if (typeof next === 'string') throw new Error(`checker: ${move} is illegal: ${next}`)
    state = next
    await match.say(move, {
      as,
      also: { board: state.board, captures: state.captures },
      ends: ends && i === moves.length - 1,
    })
  }
  return state
}

async function refusedMove(match: Match, move: string, reason: string): Promise<void> {
  await match.refused(
    match.toMove,
    `§6 go: illegal move, reason ${reason}`,
    'send_message',
    { content: move },
    'VALIDATION_FAILED',
    `Illegal move: ${move} (${reason})`,
  )
}

/** Format, occupied, capture, ko and its end, suicide of one stone and of two, lower case. */
async function rules(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  for (const text of ['I5', 'A0', 'K3', 'E10', '55', 'resign'])
    await refusedMove(match, text, 'format')
  let state = await playMoves(match, ['E5', 'a1'])
  await refusedMove(match, 'E5', 'occupied')
  await refusedMove(match, 'A1', 'occupied')
  // Black takes a stone in the corner; White may not play there again.
  state = await playMoves(match, ['b1', 'J9', 'A2'], state)
  await refusedMove(match, 'A1', 'suicide')
  // Black D7 takes C7; White may not take back at once, but may pass, and take back when Black has played elsewhere.
  state = await playMoves(match, ['D8', 'C8', 'E7', 'B7', 'D6', 'C6', 'C7', 'D7'], state)
  await refusedMove(match, 'C7', 'ko')
  state = await playMoves(match, ['pass', 'B3', 'C7'], state)
  // A second stone that takes the last liberty of both.
  state = await playMoves(match, ['J1', 'H1', 'A5', 'H2', 'A6', 'J3'], state)
  await refusedMove(match, 'J2', 'suicide')
  stage.report.equal('§6 go: captures.black counts the stones Black took', state.captures, {
    black: 2,
    white: 1,
  })
  const leaver = match.toMove
  await match.leave(leaver)
  await match.end({ winner: match.other(leaver), reason: 'leave' })
}

/** A wall each, E for Black and F for White: 45 points against 36 and komi. */
async function territory(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  const walls = Array.from({ length: 9 }, (_, i) => [`E${i + 1}`, `F${i + 1}`]).flat()
  await finish(match, await playMoves(match, [...walls, 'A9', 'PASS', 'pass'], go.start(), true))
}

/** Two passes at once; then one stone each, which leaves all empty points to neither. */
async function emptyBoard(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  await finish(match, await playMoves(match, ['Pass', 'pass'], go.start(), true))
  const again = await stage.pair('go', 'Go 9x9', [match.two.conn, match.one.conn])
  await finish(again, await playMoves(again, ['E5', 'C3', 'pass', 'pass'], go.start(), true))
}

/** 243 legal moves from the seed, without two passes in a row. */
async function moves243(stage: Stage): Promise<void> {
  const moves = longGame(new Random(stage.options.seed + 2))
  const match = await stage.pair('go', 'Go 9x9')
  let state = go.start()
  let tried = 0
  for (const [i, move] of moves.entries()) {
    tried += await tryIllegal(match, state, tried)
    state = await playMoves(match, [move], state, i === 242)
  }
  stage.report.ok('§6 go: ends at 243 moves', true, '', '')
  await finish(match, state)
}

/** Random games, until one has 243 moves. */
function longGame(random: Random): string[] {
  for (;;) {
    const moves: string[] = []
    let state = go.start()
    while (moves.length < 243 && state.passes < 2) {
      const { move, next } = randomMove(random, state)
      moves.push(move)
      state = next
    }
    if (moves.length === 243 && state.passes < 2) return moves
  }
}

/** A legal point at random, or a pass if there is none. */
function randomMove(random: Random, state: go.GoState): { move: string; next: go.GoState } {
  const names = go.points().map(([row, column]) => go.nameOf(row, column))
  while (names.length > 0) {
    const [name] = names.splice(random.below(names.length), 1) as [string]
    const next = go.play(state, name)
    if (typeof next !== 'string') return { move: name, next }
  }
  return { move: 'pass', next: go.play(state, 'pass') as go.GoState }
}

/** A few times in the match, a point that is suicide or ko is tried. */
async function tryIllegal(match: Match, state: go.GoState, done: number): Promise<number> {
  if (done >= 8 || match.count < 60) return 0
  for (const [row, column] of go.points()) {
    const name = go.nameOf(row, column)
    const reason = go.play(state, name)
    if (reason === 'ko' || (reason === 'suicide' && done < 4)) {
      await refusedMove(match, name, reason)
      return 1
    }
  }
  return 0
}

async function finish(match: Match, state: go.GoState): Promise<void> {
  const { black, white } = go.score(state.board)
  // The side to move at the start is Black: participant_1 if it went first.
  const blackSide = match.one.start.you_go_first ? match.one : match.two
  const scores = blackSide === match.one ? ([black, white] as const) : ([white, black] as const)
  await match.end({
    winner: black > white ? blackSide : match.other(blackSide),
    reason: 'go_score',
    scores,
  })
}

/** Three timeouts in a row lose: the first turn, and two plain limits. */
async function timeouts(stage: Stage): Promise<void> {
  const match = await stage.pair('go', 'Go 9x9')
  const { first, turn } = match.limits
  const black = match.toMove
  await waitTimeout(match, black, first)
  await waitTimeout(match, black, turn)
  await forfeits(match, black, turn)
}
