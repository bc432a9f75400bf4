import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { observationsOf } from '../src/arena/observation.ts'
import { moveSchema } from '../src/arena/observation-schema.ts'
import { type CatalogueGame, isFinal, isIllegal, type Json, votesOf } from '../src/games/game.ts'
import { games } from '../src/games/index.ts'
import { skillGomoku } from '../src/games/skill-gomoku.ts'
import { randomGame } from '../test/support/random-games.ts'
import { checkOf } from '../test/support/schema-check.ts'
import { randomMove } from './random-move.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))

interface Position {
  readonly game: CatalogueGame
  readonly state: unknown
  readonly seat: number
}

/** Positions of random matches, by the seat that moved there. */
const positionsOf = (game: CatalogueGame, most = 40): readonly Position[] =>
  [1, 2, 3].flatMap(n => {
    const turns = randomGame(game, n).turns.filter(({ state, seat }) => {
      const status = game.status(state)
      return !isFinal(status) && status.toMove.includes(seat)
    })
    const every = Math.ceil(turns.length / most)
    return turns
      .filter((_, at) => at % every === 0)
      .map(({ state, seat }) => ({ game, state, seat }))
  })

/** Without what an audience has voted, which no player plays. */
const movesOf = (game: CatalogueGame, n: number): readonly Json[] =>
  randomGame(game, n)
    .turns.map(({ move }) => move)
    .filter(move => votesOf(move) === null)

/** So many, evenly spread. */
function every<T>(all: readonly T[], most: number): readonly T[] {
  const step = Math.ceil(all.length / most)
  return all.filter((_, at) => at % step === 0)
}

const seenBy = ({ game, state, seat }: Position) =>
  observationsOf({ game, state, status: game.status(state) } as never, 'open')(seat)

/** Black has no free cell: the last one is beside a sealed stone of White. */
const closedOff = (energy: number): Position => {
  const board = `${'12'.repeat(112)}0`
  const seals = [{ cell: 223, owner: 1, expiresAtMove: 9 }]
  const start = skillGomoku.start(1, 2)
  const state = { ...start, moves: 6, past: [{ board, seals }], energy: [energy, 3] }
  return { game: skillGomoku as CatalogueGame, state, seat: 0 }
}

const positions = [...games.flatMap(game => positionsOf(game)), closedOff(3), closedOff(1)]

const run = (command: string, args: readonly string[], lines: readonly unknown[]) => {
  const input = lines.map(line => `${JSON.stringify(line)}\n`).join('')
  const options = { cwd: folder, input, encoding: 'utf8', maxBuffer: 1e8 } as const
  const { stdout, stderr, status } = spawnSync(command, args, options)
  expect([status, stderr]).toEqual([0, ''])
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
}

const python = (call: string, lines: readonly unknown[]) =>
  run(
    'python3',
    [
      '-c',
      `import json, sys
from moves import random_move, why_illegal
from agent_model import misfit
for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps(${call}))`,
    ],
    lines,
  )

const checkLegal = (moves: readonly Json[]) => {
  expect(moves).toHaveLength(positions.length)
  for (const [n, { game, state, seat }] of positions.entries()) {
    const result = game.play(state, seat, moves[n]!)
    expect([game.id, moves[n], isIllegal(result) && result.reason]).toEqual([
      game.id,
      moves[n],
      false,
    ])
  }
}

const asked = positions.map(position => ({ game: position.game.id, seen: seenBy(position) }))

describe('a random move is legal', () => {
  it('from random-move.ts', () => {
    checkLegal(asked.map(({ game, seen }) => randomMove(game, seen as never) as Json))
  })

  it('from moves.py', () => {
    checkLegal(python('random_move(asked["game"], asked["seen"])', asked))
  })

  it('from random-move.awk', () => {
    const moves = positions.map((): Json => null)
    for (const { id } of games) {
      const own = [...positions.entries()].filter(([, { game }]) => game.id === id)
      const states = own.map(([, position]) => ({ type: 'state', observation: seenBy(position) }))
      const made = run('awk', ['-v', `game=${id}`, '-v', 'seed=7', '-f', 'random-move.awk'], states)
      for (const [n, [at]] of own.entries()) moves[at] = made[n]
    }
    checkLegal(moves)
  })
})

it('a game without random moves is refused by its name', () => {
  expect(() => randomMove('nim', { toMove: 0 })).toThrow(
    'nim lists no moves: choose() has to make one',
  )
  const { stderr, status } = spawnSync(
    'python3',
    ['-c', 'from moves import random_move; random_move("nim", {})'],
    { cwd: folder, encoding: 'utf8' },
  )
  expect([status, stderr]).toEqual([1, 'nim lists no moves: choose() has to make one\n'])
})

/** Moves from all over other matches of the game, many of which are illegal here. */
const elsewhere = games.flatMap(game => {
  const moves = movesOf(game, 4)
  const some = [
    ...every(moves, 10),
    ...(game.id === 'blotto' ? [{ allocation: [1, 2, 3, 4, 5] }] : []),
  ]
  return every(positionsOf(game), 20).flatMap(position =>
    some.map(sent => {
      const move = game.read!(position.state, position.seat, sent)
      return { position, move, game: game.id, seen: seenBy(position) }
    }),
  )
})

it('moves.py finds the same moves illegal as the host', () => {
  const reasons = python('why_illegal(asked["game"], asked["seen"], asked["move"])', elsewhere)
  const illegal = new Set<string>()
  for (const [n, { position, move }] of elsewhere.entries()) {
    const { game, state, seat } = position
    const result = game.play(state, seat, move)
    if (isIllegal(result)) illegal.add(game.id)
    expect([game.id, move, reasons[n] !== null]).toEqual([game.id, move, isIllegal(result)])
  }
  expect([...illegal]).toEqual(
    expect.arrayContaining(['blotto', 'skill-gomoku', 'bazaar', 'chess']),
  )
})

it('agent_model.py checks moves by their schema', () => {
  const strays = [
    null,
    true,
    1,
    1.5,
    'x',
    [],
    {},
    { number: true },
    { number: 11 },
    { type: 'place', row: 0 },
  ]
  const plan = [0, 1].map(beatIndex => ({ beatIndex, kind: 'move', direction: 'up' }))
  const odd = [
    { commands: plan },
    {
      commands: [...plan, { beatIndex: 2, kind: 'action', action: 'rock', motto: 'x'.repeat(61) }],
    },
    { allocation: [1, 2, 3, 4] },
    { allocation: [1, 2, 3, 4, -1] },
    { action: 'message', content: ' ' },
    { action: 'message', content: 'x', more: 1 },
    { action: 'wait', memory: [] },
  ]
  const sent = games.flatMap(game => {
    const good = movesOf(game, 1).slice(0, 20)
    return [...strays, ...odd, ...good].map(move => ({ game, move, schema: moveSchema(game) }))
  })
  const wrong = python(
    'misfit(asked["move"], asked["schema"])',
    sent.map(({ move, schema }) => ({ move, schema })),
  )
  for (const [n, { game, move, schema }] of sent.entries())
    expect([game.id, move, wrong[n] === null]).toEqual([
      game.id,
      move,
      checkOf(schema)(move).length === 0,
    ])
})
