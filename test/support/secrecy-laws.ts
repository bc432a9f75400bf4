// Laws of every game with secrets. They are functions, so that tests can try them on games that break them.

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { Dice } from '../../src/games/dice.ts'
import {
  type Game,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  type Viewer,
} from '../../src/games/game.ts'
import { playOn, throughJson } from './random-games.ts'

export type Position = { readonly state: unknown; readonly seats: number }

type Law = (game: Game, running: readonly Position[]) => void

/** Views of seats and spectators do not depend on secrets that are hidden from them. */
export const checkSecrecy: Law = (game, running) => {
  const dice = Dice.fromSeed(1)
  for (const { state, seats } of running)
    for (const viewer of watchers(seats)) {
      const other = imagined(game, state, viewer, dice)
      const what = `what ${nameOf(viewer)} does not see changes`
      assert.deepEqual(game.view(other, viewer), game.view(state, viewer), `${what} its view`)
      assert.deepEqual(game.look(other, viewer), game.look(state, viewer), `${what} its look`)
      assert.deepEqual(game.status(other), game.status(state), `${what} whose turn it is`)
      if (viewer === 'audience') continue
      const given = (of: unknown) => [game.moves?.(of, viewer), game.guess?.(of, viewer)]
      assert.deepEqual(given(other), given(state), `${what} its moves or its guess`)
    }
}

/** Spectators of a live match see no more than each single seat does, because they may tell it. */
export const checkAudience: Law = (game, running) => {
  const dice = Dice.fromSeed(2)
  for (const { state, seats } of running)
    for (let seat = 0; seat < seats; seat++) {
      const other = imagined(game, state, seat, dice)
      const what = `spectators see what seat ${seat} does not`
      assert.deepEqual(game.view(other, 'audience'), game.view(state, 'audience'), what)
      assert.deepEqual(game.look(other, 'audience'), game.look(state, 'audience'), what)
    }
}

/** `imagine` gives states of the game, and in many draws it varies everything that is hidden from a viewer. */
export const checkImagination: Law = (game, running) => {
  const dice = Dice.fromSeed(3)
  const varied = new Set<Viewer>()
  for (const { state, seats } of running)
    for (const viewer of watchers(seats)) {
      const other = imagined(game, state, viewer, dice)
      assert.ok(isDeepStrictEqual(other, throughJson(other)), 'the state changes on its way')
      const seen = (of: unknown) => watchers(seats).map(who => game.view(of, who))
      if (!isDeepStrictEqual(seen(other), seen(state))) varied.add(viewer)
    }
  const { state, seats } = running[0]!
  for (const viewer of watchers(seats)) {
    assert.ok(varied.has(viewer), `nothing that ${nameOf(viewer)} does not see is ever another`)
    playOn(game, imagined(game, state, viewer, dice), dice)
  }
}

/** The refusal of a move reveals no secret to its seat. */
export const checkJudgement = (
  game: Game,
  running: readonly Position[],
  moves: readonly Json[],
): void => {
  const dice = Dice.fromSeed(4)
  for (const { state } of running)
    for (const seat of actors(game, state)) {
      const other = imagined(game, state, seat, dice)
      const verdict = (of: unknown, move: Json) => {
        const next = game.play(of, seat, move)
        return [game.read?.(of, seat, move), isIllegal(next) ? next.reason : null]
      }
      for (const move of [...(game.moves?.(state, seat) ?? []), ...moves])
        assert.deepEqual(
          verdict(other, move),
          verdict(state, move),
          `what seat ${seat} does not see decides on ${JSON.stringify(move).slice(0, 80)}`,
        )
    }
}

const imagined = (game: Game, state: unknown, viewer: Seat | 'audience', dice: Dice): unknown => {
  assert.ok(game.imagine, 'a game with secrets has imagine')
  return game.imagine(state, viewer, dice)
}

const watchers = (seats: number) => ['audience' as const, ...Array(seats).keys()]

const nameOf = (viewer: Viewer) => (typeof viewer === 'number' ? `seat ${viewer}` : viewer)

const actors = (game: Game, state: unknown): readonly Seat[] => {
  const status = game.status(state)
  return isFinal(status) ? [] : [...status.toMove, ...(status.mayAct ?? [])]
}
