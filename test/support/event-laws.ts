// Laws of the events that moves cause. They are functions, so that tests can try them on games that break them.

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import { Dice } from '../../src/games/dice.ts'
import {
  eventsOf,
  eventsSeen,
  type Game,
  type GameEvent,
  isFinal,
  isIllegal,
  type Json,
  type Seat,
  stateAfter,
  type Viewer,
} from '../../src/games/game.ts'
import { throughJson } from './random-games.ts'

export type Made = {
  readonly state: unknown
  readonly seat: Seat
  readonly move: Json
  readonly seats: number
}

// A message of the Bazaar, and a round of dance with all who fell in it, are well below.
const mostBytes = 8192

/** Events are short plain JSON with a kind, and the same each time the move is made. */
export const checkEvents = (game: Game, made: readonly Made[]): void => {
  for (const { state, seat, move, seats } of made) {
    const events = eventsOf(game.play(state, seat, move))
    checkPlain(events)
    assert.deepEqual(eventsOf(game.play(throughJson(state), seat, move)), events)
    for (const viewer of ['replay' as const, ...watchers(seats)])
      checkPlain(eventsSeen(game, events, viewer))
    if (!isFinal(game.status(state)) && game.drop !== undefined)
      checkPlain(eventsOf(game.drop(state, seat)))
  }
}

const checkPlain = (events: readonly GameEvent[]): void => {
  assert.ok(isDeepStrictEqual(events, throughJson(events)), 'an event changes on its way')
  for (const { kind } of events) assert.match(kind, /^[a-z][a-z_-]*$/, 'an event has no kind')
  const bytes = Buffer.byteLength(JSON.stringify(events))
  assert.ok(bytes <= mostBytes, `one move causes ${bytes} bytes of events`)
}

/** While a simultaneous round waits for other seats, there are no events. */
export const checkSealedEvents = (game: Game, made: readonly Made[]): void => {
  for (const { state, seat, move } of made) {
    const status = game.status(state)
    const waits = !isFinal(status) && status.toMove.some(other => other !== seat)
    if (waits) assert.deepEqual(eventsOf(game.play(state, seat, move)), [], 'a sealed move is told')
  }
}

/** Where everybody sees the same, everybody is told the same; where not, `seen` says who is told what. */
export const checkWhoIsTold = (game: Game, made: readonly Made[]): void => {
  if (!game.facts.secrets)
    assert.equal(game.seen, undefined, 'without secrets all are told the same')
  else if (game.seen === undefined)
    for (const { state, seat, move } of made)
      assert.deepEqual(
        eventsOf(game.play(state, seat, move)),
        [],
        'a game with secrets and events says with seen who is told what',
      )
}

/**
 * What a viewer is told depends on nothing that it does not see: where it cannot tell the new states apart, the events are
 * the same to it. Nor are spectators then told anything else, because they may tell it.
 */
export const checkEventSecrecy = (game: Game, made: readonly Made[]): void => {
  const dice = Dice.fromSeed(5)
  for (const { state, seat, move, seats } of made)
    for (const viewer of watchers(seats)) {
      const other = game.imagine!(state, viewer, dice)
      const [after, otherAfter] = [state, other].map(of => stateAfter(game, of, seat, move))
      if (isIllegal(otherAfter)) continue
      if (!isDeepStrictEqual(game.view(otherAfter, viewer), game.view(after, viewer))) continue
      const told = (of: unknown, to: Viewer) =>
        eventsSeen(game, eventsOf(game.play(of, seat, move)), to)
      for (const to of new Set([viewer, 'audience' as const]))
        assert.deepEqual(
          told(other, to),
          told(state, to),
          `what ${nameOf(viewer)} does not see changes what ${nameOf(to)} is told`,
        )
    }
}

const watchers = (seats: number) => ['audience' as const, ...Array(seats).keys()]

const nameOf = (viewer: Viewer) => (typeof viewer === 'number' ? `seat ${viewer}` : viewer)
