import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { playOn, type RandomGame, randomGames } from '../../test/support/random-games.ts'
import { checkOf } from '../../test/support/schema-check.ts'
import { Dice } from '../games/dice.ts'
import { type Game, type Json, listsMoves, votesOf } from '../games/game.ts'
import { games } from '../games/index.ts'
import { observationsOf } from './observation.ts'
import { moveSchema, observationSchema } from './observation-schema.ts'
import type { Observation } from './player.ts'

const kinds = ['seat', 'audience', 'replay'] as const

describe.each(games.map(game => [game.id, game] as const))('%s', (id, game) => {
  // The first of them is the one recorded in src/games/playthroughs.
  const played = [...randomGames(game), ...withPeople(game)]
  const checkMove = checkOf(moveSchema(game))
  const checks = Object.fromEntries(
    kinds.map(kind => [kind, checkOf(observationSchema(game, kind))] as const),
  )

  it('has a schema that fits every move', () => {
    for (const { turns } of played)
      for (const { state, seat, move } of turns) {
        // What an audience has voted no player plays.
        if (votesOf(move) !== null) continue
        fits(checkMove, move)
        fits(checkMove, game.read!(state, seat, move))
      }
  })

  it('has a schema that fits what every viewer sees', () => {
    for (const { seats, turns, end } of played)
      for (const state of [...sample(turns.map(turn => turn.state)), end]) {
        const seen = observations(game, state)
        for (let seat = 0; seat < seats; seat++) {
          fits(checks.seat!, seen(seat))
          // On a blind ladder.
          fits(checks.seat!, withoutLegal(seen(seat)))
        }
        fits(checks.audience!, seen('audience'))
        fits(checks.replay!, seen('replay'))
      }
  })

  it('has a schema that fits no observation with a changed part', () => {
    const { turns, end } = played[0]!
    for (const state of [turns[0]!.state, turns.at(-1)!.state, end]) {
      const seen = observations(game, state)(0)
      const blind = listsMoves(game) && withoutLegal(seen)
      for (const changed of mutants(seen as Json)) {
        if (isDeepStrictEqual(changed, blind)) continue
        assert.notDeepEqual(
          checks.seat!(changed),
          [],
          `takes ${JSON.stringify(changed).slice(0, 400)}`,
        )
      }
    }
  })

  it('has a schema that fits no move of another shape', () => {
    const strays = [null, true, 0, -1, 1.5, '', 'x', '99', [], {}, { move: '4' }, [['e2e4']]]
    for (const move of strays)
      assert.notDeepEqual(checkMove(move), [], `takes ${JSON.stringify(move)}`)
    for (const { move } of sample(played[0]!.turns, 20))
      for (const changed of mutants(move))
        assert.notDeepEqual(
          checkMove(changed),
          [],
          `takes ${JSON.stringify(changed).slice(0, 400)}`,
        )
  })

  it('describes its moves and every field of its observations', () => {
    const { properties } = observationSchema(game) as { properties: Record<string, object> }
    for (const [field, schema] of Object.entries(properties))
      expect([id, field, schema]).toEqual([
        id,
        field,
        expect.objectContaining({ description: expect.stringMatching(/^[A-Za-z1].+[.]$/) }),
      ])
    const { description, anyOf = [{ description }] } = moveSchema(game) as Choice
    for (const one of anyOf) expect(one.description).toMatch(/\.$/)
  })
})

interface Choice {
  readonly description?: string
  readonly anyOf?: readonly { readonly description?: string }[]
}

const fits = (check: (value: unknown) => readonly string[], value: unknown) => {
  const wrong = check(value)
  assert.deepEqual(wrong, [], JSON.stringify(value)?.slice(0, 400))
}

const withoutLegal = ({ legal: _, ...seen }: Observation) => seen

const observations = (game: Game, state: unknown) =>
  observationsOf({ game, opening: null, state, status: game.status(state) } as never, 'open')

/** Matches by the rules that hold where people play. */
function withPeople(game: Game): readonly Pick<RandomGame, 'turns' | 'end' | 'seats'>[] {
  const { setupForPeople: setup } = game
  if (setup === undefined) return []
  return [1, 2].map(n => ({ seats: 2, ...playOn(game, game.start(n, 2, setup), Dice.fromSeed(n)) }))
}

/** Evenly spread, so that long matches are looked at from start to end. */
const sample = <T>(all: readonly T[], most = 40): readonly T[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, n) => all[Math.floor((n * all.length) / most)]!)

/** Parts that may be missing, whose text may be any, or which may hold anything. */
const optional =
  /\.(offer|request|giving|requesting)\.\w+$|\.(motto|thought|memory|target|affectedCells|marking|dead)$/
const freeText = /\.(content|motto|thought|thoughts\.\d|topic|words)$/
const anything = /\.memory$/

/** The value with one part of another type, one field too few or too many, or one number or text that cannot be. */
function* mutants(value: Json, path = ''): Generator<Json> {
  if (anything.test(path)) return
  yield typeof value === 'boolean' ? 'true' : !value
  if (typeof value === 'number') yield* [value + 0.3, -1000, `${value}`]
  if (typeof value === 'string') yield* freeText.test(path) ? [0] : [0, `${value}?`]
  if (Array.isArray(value)) {
    yield [...value, { stray: true }]
    for (const [at, item] of sample([...value.entries()], 4))
      for (const changed of mutants(item, `${path}.${at}`)) yield value.with(at, changed)
  } else if (typeof value === 'object' && value !== null) {
    yield { ...value, stray: 0 }
    for (const [field, part] of Object.entries(value)) {
      const { [field]: _, ...rest } = value as { readonly [key: string]: Json }
      if (!optional.test(`${path}.${field}`)) yield rest
      for (const changed of mutants(part!, `${path}.${field}`)) yield { ...value, [field]: changed }
    }
  }
}
