// Laws of every game with moves as JSON. They are functions, so that tests can try them on games that break them.

import assert from 'node:assert/strict'
import {
  type Game,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  type Status,
  stateAfter,
  type Viewer,
} from '../../src/games/game.ts'
import { fc } from './properties.ts'
import { type RandomGame, throughJson } from './random-games.ts'

/** Names of fields of the arena and of Object.prototype, which a game must treat like all others. */
const ourNames = [
  ...['illegal', 'reason', 'places', 'scores', 'because', 'toMove', 'mayAct', 'legal'],
  ...[
    'seat',
    'turn',
    'move',
    'type',
    '__proto__',
    'constructor',
    'prototype',
    'toJSON',
    'toString',
    'then',
  ],
]

const nested = (depth: number): Json => (depth === 0 ? true : { illegal: [nested(depth - 1)] })

const values: readonly Json[] = [
  ...['', 'no', '\u001b[2J', 'x'.repeat(60_000), true, false, null, 0, -1],
  ...[{}, [], [1, 2], [2, 1], nested(3), nested(60)],
  ...[
    { illegal: {} },
    { illegal: true, reason: 'no' },
    { places: [1, 2], because: 'no', toMove: [1] },
  ],
]

const record = (entries: readonly (readonly [string, Json])[]): Json =>
  // Through text, because JSON.parse makes `__proto__` an ordinary field.
  JSON.parse(
    `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)}}`,
  )

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A refusal is an `Illegal` with a reason of one short line; every other result is a state that can be played. */
export function checkRefusals(game: Game, played: readonly RandomGame[]): void {
  const turns = played.flatMap(({ seats, turns }) => turns.map(turn => ({ ...turn, seats })))
  const spiked = fc.constantFrom(...turns).chain(turn =>
    spikedMove(turn.move, fieldsOf(turns.map(({ move }) => move))).map(move => ({
      ...turn,
      move,
    })),
  )
  fc.assert(
    fc.property(spiked, ({ state, seat, seats, move }) => {
      const result = stateAfter(game, state, seat, game.read?.(state, seat, move) ?? move)
      if (isIllegal(result)) {
        assert.ok(result.reason.length > 0 && [...result.reason].length <= 200)
        assert.doesNotMatch(result.reason, /\p{Cc}/u)
        return
      }
      assert.deepEqual(throughJson(result), result)
      checkStatus(game.status(result), seats)
      for (const viewer of ['audience', ...Array(seats).keys()] as Viewer[]) {
        JSON.stringify(game.view(result, viewer))
        JSON.stringify(game.look(result, viewer))
      }
    }),
    { numRuns: 300, seed: 1 },
  )
  assert.deepEqual(Object.keys(Object.prototype), [])
}

/** A move has one canonical form of bounded size, which plays the same; extra fields change nothing. */
export function checkCanonical(game: Game, played: readonly RandomGame[]): void {
  const { moveBytes } = game.facts
  assert.ok(game.read && moveBytes, 'moves that are not listed have a canonical form and a size')
  for (const { turns } of played)
    for (const { state, seat, move } of turns.slice(0, 20)) {
      const plain = game.read(state, seat, move)
      assert.deepEqual(throughJson(plain), plain)
      assert.deepEqual(game.read(state, seat, plain), plain)
      const next = game.play(state, seat, move)
      assert.deepEqual(game.play(state, seat, plain), next)
      assert.ok(Buffer.byteLength(JSON.stringify(plain)) <= moveBytes, 'a move is too long')
      if (!isObject(move)) continue
      const loaded = withBallast(move)
      assert.equal(JSON.stringify(game.read(state, seat, loaded)), JSON.stringify(plain))
      assert.deepEqual(game.play(state, seat, loaded), next)
    }
}

/** The same move with 60 KB of extra fields. */
export const withBallast = (move: Json): Json =>
  isObject(move) ? { ...(ballast as object), ...move } : move

const ballast = record([
  ...ourNames.map(name => [name, { illegal: [1, 2] }] as const),
  ['ballast', 'x'.repeat(60_000)],
])

function checkStatus(status: Status, seats: number): void {
  if (isFinal(status)) {
    assert.equal(status.places.length, seats)
    assert.ok(status.places.every(place => Number.isInteger(place)))
    assert.equal(typeof status.because, 'string')
    return
  }
  assert.ok(
    Array.isArray(status.toMove) && (status.toMove.length > 0 || isVoting(status)),
    'no seat is to move',
  )
  for (const seat of [...status.toMove, ...(status.mayAct ?? [])])
    assert.ok(Number.isInteger(seat) && seat >= 0 && seat < seats)
}

export const fieldsOf = (moves: readonly Json[]): string[] => [
  ...new Set(moves.flatMap(move => (isObject(move) ? Object.keys(move) : []))),
]

/** A legal move with fields added or replaced, or another value in its place. */
export const spikedMove = (move: Json, fields: readonly string[]): fc.Arbitrary<Json> => {
  const spike = fc
    .array(fc.tuple(fc.constantFrom(...ourNames), fc.constantFrom(...values)), { maxLength: 3 })
    .map(record)
  const value = fc.oneof(fc.constantFrom(...values), spike)
  if (!isObject(move)) return value
  const own = fc.constantFrom(...(fields.length > 0 ? fields : ourNames))
  const added = fc.tuple(fc.oneof(fc.constantFrom(...ourNames), own), value)
  const more = fc
    .array(added, { minLength: 1, maxLength: 3 })
    .map(more => record([...Object.entries(move), ...more]))
  return fc.oneof({ weight: 3, arbitrary: more }, { weight: 1, arbitrary: value })
}
