import { expect, it } from 'vitest'
import { type Game, isFinal, isIllegal } from '../../games/game.ts'
import { go9 } from '../../games/go.ts'
import { bestMove } from '../best-move.ts'

const game = go9 as Game<State>
type State = ReturnType<typeof go9.start>

// Black has the left, White the right. One white stone lies dead on the left, one black stone on the right.
const rows = [
  '...XO....',
  '.X.XO..O.',
  '.O.XO....',
  '...XO.O..',
  '.X.XO....',
  '...XO..X.',
  '.X.XO.O..',
  '...XO....',
  '...XO....',
]

const played = (state: State, seat: number, move: string): State => {
  const next = game.play(state, seat, move)
  if (isIllegal(next)) throw new Error(next.reason)
  return next
}

const bothPassed = (): State => {
  const start = game.start(1, 2, game.setupForPeople)
  return ['pass', 'pass'].reduce((state, move, seat) => played(state, seat, move), {
    ...start,
    board: rows.join(''),
  })
}

const answer = (state: State, seat: number) =>
  bestMove(go9 as Game, { game: 'go9', state, seat, nodes: 50, seed: 1 }) as string

it('the player marks dead stones, and agrees with its own marks', () => {
  let state = bothPassed()
  const moves: string[] = []
  for (let status = game.status(state); !isFinal(status); status = game.status(state)) {
    const [seat] = status.toMove as [number]
    moves.push(answer(state, seat))
    state = played(state, seat, moves.at(-1)!)
  }
  expect(moves).toEqual(['dead B7', 'dead H4', 'agree', 'agree'])
  expect(game.status(state)).toMatchObject({ scores: [36, 51.5] })
})

it('the player keeps playing where the marks are clearly wrong', () => {
  const wrong = ['dead D9', 'agree'].reduce((state, move) => played(state, 0, move), bothPassed())
  expect(answer(wrong, 1)).toBe('play on')
})

it('the player passes after a pass if it wins once dead stones are removed', () => {
  const start = game.start(1, 2, game.setupForPeople)
  const state = played({ ...start, board: rows.join('') }, 0, 'pass')
  expect(answer(state, 1)).toBe('pass')
})
