import { describe, expect, it } from 'vitest'
import { randomGame } from '../../test/support/random-games.ts'
import type { Played } from '../arena/match-store.ts'
import { plainBoard } from '../drawing/look-text.ts'
import { eventsOf, eventsSeen, type Look, type View } from '../games/game.ts'
import { games } from '../games/index.ts'
import { draw } from './board/drawing.ts'
import { applyDelta, type Delta } from './delta.ts'
import {
  hiddenMove,
  looksOf,
  type MatchReplay,
  positionsOf,
  shownMoves,
  summarizeReplay,
} from './replay.ts'

const summaryOf = (replay: MatchReplay, ply: number) => {
  const going = summarizeReplay(replay, ply)
  for (;;) {
    const step = going.next()
    if (step.done) return step.value
  }
}
const positionAt = (replay: MatchReplay, ply: number) => summaryOf(replay, ply).position
const lookAt = (replay: MatchReplay, ply: number) => summaryOf(replay, ply).look
const labelsOf = (replay: MatchReplay) => summaryOf(replay, 0).moves.map(({ label }) => label)

describe.each(games)('a match of $id', game => {
  const { seed, setup, seats, turns } = randomGame(game, 3)
  const moves = turns.map(({ seat, move }): Played => [seat, move, 10])
  const replay: MatchReplay = {
    game,
    seed,
    setup,
    seats,
    moves,
    notes: {},
    size: 0,
    open: true,
    viewer: 'replay',
  }
  const names = Array.from({ length: seats }, (_, seat) => `<agent-${seat}>`)

  it('has positions that equal the sum of their differences', () => {
    const parts = [...positionsOf(replay)]
    expect(parts).toHaveLength(moves.length + 1)
    let view = parts[0] as View
    for (const part of parts.slice(1)) view = applyDelta(view, part as Delta) as View
    const last = positionAt(replay, moves.length)
    expect(JSON.parse(JSON.stringify(view))).toEqual(JSON.parse(JSON.stringify(last.view)))
  })

  it('has looks that equal the sum of their differences', () => {
    const parts = [...looksOf(replay)]
    let look = parts[0] as Look
    for (const part of parts.slice(1)) look = applyDelta(look, part as Delta) as Look
    expect(look).toEqual(lookAt(replay, moves.length))
  })

  it('can be drawn from its first position to its last', () => {
    const steps = [0, 1, 2, Math.floor(moves.length / 2), moves.length]
    for (const flipped of [false, true])
      for (const ply of steps) {
        const look = lookAt(replay, ply)
        const { text } = draw({ title: game.title, names, flipped }, look)
        expect(text.length).toBeGreaterThan(20)
        expect(text).not.toMatch(/undefined|NaN|\[object|<agent/)
        // Screen readers get no JSON.
        expect(text).not.toMatch(/aria-label="[^"]*\{/)
        expect(plainBoard(look)).not.toMatch(/undefined|\[object/)
      }
  })

  it('does not change from the first move that the rules refuse, and lists all moves', () => {
    const [refused, seat] = [2, moves[1]![0]]
    const forged: MatchReplay = { ...replay, moves: moves.with(1, [seat, { forged: true }, 10]) }
    const { moves: shown, position, error } = summaryOf(forged, moves.length)
    expect(error).toMatchObject({ ply: refused })
    expect(shown).toHaveLength(moves.length)
    expect(position.view).toEqual(positionAt(replay, refused - 1).view)
    const [, ...parts] = [...positionsOf(forged)]
    expect(parts.slice(refused - 1)).toEqual(moves.slice(refused - 1).map(() => ({})))
  })

  it('tells what each move caused, as its viewer may know of it', () => {
    const caused = turns.map(({ state, seat, move }) => eventsOf(game.play(state, seat, move)))
    for (const viewer of ['audience', 'replay'] as const) {
      const shown = [...shownMoves({ ...replay, viewer })].map(([, { events }]) => events)
      expect(shown).toEqual(caused.map(events => eventsSeen(game, events, viewer)))
      expect(summaryOf({ ...replay, viewer }, 0).moves.map(({ events }) => events)).toEqual(shown)
    }
  })

  it('tells nothing from the first move that the rules refuse', () => {
    const forged = { ...replay, moves: moves.with(0, [moves[0]![0], { forged: true }, 10]) }
    for (const [, { events }] of shownMoves(forged)) expect(events).toEqual([])
    for (const { events } of summaryOf(forged, 0).moves) expect(events).toEqual([])
  })

  it('has a label for every move, and hides all labels while moves are hidden', () => {
    const labels = labelsOf(replay)
    expect(labels).toHaveLength(moves.length)
    for (const label of labels) expect(label).toMatch(/^.{1,40}$/su)
    expect(new Set(labelsOf({ ...replay, open: false }))).toEqual(new Set([hiddenMove]))
    expect(positionAt({ ...replay, open: false }, 1).last).toBeNull()
  })
})
