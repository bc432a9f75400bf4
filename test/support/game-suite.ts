// The contract of every game, checked on random games. The suite knows no game by name.

import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import stringWidth from 'string-width'
import { beforeAll, it } from 'vitest'
import { lookText } from '../../src/drawing/look-text.ts'
import { Dice, type DiceState } from '../../src/games/dice.ts'
import {
  eventsOf,
  type Final,
  type Game,
  isFinal,
  isIllegal,
  isVoting,
  type Json,
  listedMovesOf,
  listsMoves,
  noVotes,
  type Seat,
  type Status,
  seatRange,
  stateAfter,
  stateOf,
  type Viewer,
  type Voting,
} from '../../src/games/game.ts'
import type { Look, Track } from '../../src/games/look.ts'
import {
  checkEventSecrecy,
  checkEvents,
  checkSealedEvents,
  checkWhoIsTold,
  type Made,
} from './event-laws.ts'
import { checkListed, checkRefusal, misspelt } from './listed-laws.ts'
import { checkCanonical, checkRefusals } from './move-laws.ts'
import { fc } from './properties.ts'
import { playOn, type RandomGame, randomGames, throughJson } from './random-games.ts'
import { checkAudience, checkImagination, checkJudgement, checkSecrecy } from './secrecy-laws.ts'

const mostLookedAt = 400
/** Moves in all, where matches are played on to their end. */
const mostPlayedOn = 40_000

export function gameSuite(game: Game): void {
  let played: readonly RandomGame[]
  beforeAll(() => {
    played = randomGames(game)
  })

  it('ends, with a place for every seat', () => {
    for (const { final, seats } of played) checkFinal(final, seats)
  })

  it('keeps its state in plain JSON', () => {
    const plain = (state: unknown) =>
      assert.ok(isDeepStrictEqual(state, throughJson(state)), 'the state changes on its way')
    for (const { seed, setup, seats, turns } of played) {
      plain(game.start(seed, seats, setup))
      for (const { state, seat, move } of turns) plain(stateAfter(game, state, seat, move))
    }
  })

  it('leaves the state it is given alone', () => {
    for (const { state, seat, move, seats } of lookedAt(turnsOf(played))) {
      const before = JSON.stringify(state)
      game.status(state)
      game.moves?.(state, seat)
      game.play(state, seat, move)
      for (const viewer of viewers(seats)) {
        game.view(state, viewer)
        game.look(state, viewer)
      }
      assert.equal(JSON.stringify(state), before)
    }
  })

  it('is played again by its seed, setup and moves alone', () => {
    for (const { seed, setup, seats, turns, end } of played) {
      const replay = (from: unknown) =>
        turns.reduce((state, { seat, move }) => stateAfter(game, state, seat, move), from)
      assert.deepEqual(replay(game.start(seed, seats, setup)), end)
      if (!game.facts.luck)
        assert.deepEqual(game.status(replay(game.start(0, seats, setup))), game.status(end))
    }
  })

  it('starts from seeds of both kinds, and without a setup', () => {
    for (const seed of [7, '0123456789abcdef0123456789abcdef'])
      for (const setup of new Set([game.setup ?? null, null])) {
        const start = game.start(seed, seatRange(game).max, setup)
        assert.ok(isDeepStrictEqual(start, throughJson(start)))
        playOn(game, start, Dice.fromSeed(1))
      }
  })

  it('says who is to move, in order and without doubles', () => {
    for (const { state, seats } of lookedAt(positionsOf(played))) {
      const status = game.status(state)
      if (isFinal(status)) continue
      if (isVoting(status)) {
        checkVote(game, state, status, seats)
        continue
      }
      const { toMove, mayAct = [] } = status
      assert.ok(toMove.length > 0, 'no seat is to move')
      assert.ok(
        toMove.every((seat, i) => isSeat(seat, seats) && (i === 0 || seat > toMove[i - 1]!)),
        `${toMove} are no seats in ascending order`,
      )
      assert.ok(
        mayAct.every(seat => isSeat(seat, seats) && !toMove.includes(seat)),
        `${mayAct} cannot act besides ${toMove}`,
      )
      if (game.facts.turns === 'alternate') assert.equal(toMove.length, 1)
    }
  })

  if (game.moves)
    it('lists moves for the seats to move and for no other seat', () => {
      for (const { state, seats } of runningOf(game, played)) {
        const { toMove, mayAct = [] } = running(game, state)
        for (let seat = 0; seat < seats; seat++) {
          const listed = game.moves!(state, seat)
          assert.equal(new Set(listed).size, listed.length, 'a move is listed twice')
          if (toMove.includes(seat)) assert.ok(listed.length > 0, `seat ${seat} cannot move`)
          else if (!mayAct.includes(seat)) assert.deepEqual(listed, [])
        }
      }
    })

  if (game.moves)
    it('takes the moves it lists and no others', () => {
      checkListed(game, lookedAt(runningOf(game, played)), rubbish)
    })

  it('meets rubbish with a reason', () => {
    for (const { state, seat, seats } of lookedAt(runningOf(game, played))) {
      const { mayAct = [] } = running(game, state)
      for (const move of rubbish)
        for (const actor of [seat, ...mayAct]) {
          const result = stateAfter(game, state, actor, move)
          if (isIllegal(result)) checkRefusal(result, move)
          else for (const viewer of viewers(seats)) game.view(result, viewer)
        }
    }
    assert.deepEqual(Object.keys(Object.prototype), [])
  })

  it('judges any JSON without an exception, and leaves its arguments alone', () => {
    const positions = runningOf(game, played)
    const good = played.flatMap(({ turns }) => turns.map(({ move }) => move))
    const moves = fc.oneof(anyJson, fc.constantFrom(...good).chain(bent))
    fc.assert(
      fc.property(fc.constantFrom(...positions), moves, ({ state, seat, seats }, move) => {
        const before = JSON.stringify([state, move])
        const asRead = game.read?.(state, seat, move) ?? move
        const result = stateAfter(game, state, seat, asRead)
        if (isIllegal(result)) checkRefusal(result, move)
        else {
          assert.ok(isDeepStrictEqual(result, throughJson(result)), 'the state changes on its way')
          for (const viewer of viewers(seats)) game.look(result, viewer)
        }
        assert.equal(JSON.stringify([state, move]), before)
      }),
      { numRuns: 300, seed: 1 },
    )
  })

  it('refuses where it means to and nowhere else, whatever names a move is full of', () => {
    checkRefusals(game, played)
  })

  if (!game.moves)
    it('has one canonical form for a move, and plays it the same', () => {
      checkCanonical(game, played)
    })

  if (game.moves)
    it('reads a listed move as itself, whatever its case and the spaces around it, and anything else calmly', () => {
      for (const { state, seat } of lookedAt(runningOf(game, played))) {
        const listed = game.moves!(state, seat)
        for (const move of listed) assert.equal(game.read!(state, seat, move), move)
        for (const move of listed.slice(0, 5))
          for (const sent of [
            ` ${move}`,
            `\t${move} \r\n`,
            ` ${move.toUpperCase()}`,
            move.toLowerCase(),
          ])
            assert.equal(game.read!(state, seat, sent), move)
        for (const move of [...listed.slice(0, 5).flatMap(misspelt), ...rubbish]) {
          const result = game.play(state, seat, game.read!(state, seat, move))
          if (isIllegal(result)) checkRefusal(result, move)
        }
      }
    })

  if (game.listed)
    it('lists moves in their canonical form, some for each seat that owes one and none for others', () => {
      for (const { state, seats } of lookedAt(runningOf(game, played))) {
        const { toMove, mayAct = [] } = running(game, state)
        for (let seat = 0; seat < seats; seat++) {
          const listed = game.listed!(state, seat)
          assert.equal(new Set(listed.map(move => JSON.stringify(move))).size, listed.length)
          if (toMove.includes(seat)) assert.ok(listed.length > 0, `seat ${seat} cannot move`)
          else if (!mayAct.includes(seat)) assert.deepEqual(listed, [])
          for (const move of listed) {
            assert.deepEqual(game.read!(state, seat, move), move)
            assert.ok(!isIllegal(game.play(state, seat, move)), `refuses ${JSON.stringify(move)}`)
          }
        }
      }
    })

  if (!game.moves)
    it('has a move for every seat that owes one', () => {
      for (const { state } of lookedAt(runningOf(game, played)))
        for (const seat of running(game, state).toMove) {
          const move = game.anyMove!(state, seat, Dice.fromSeed(seat))
          assert.ok(!isIllegal(game.play(state, seat, move)), `refuses ${JSON.stringify(move)}`)
        }
    })

  if (game.fallback)
    it('takes the move it makes for a late seat', () => {
      for (const { state } of lookedAt(runningOf(game, played)))
        for (const seat of running(game, state).toMove) {
          const move = game.fallback!(state, seat)
          assert.ok(!isIllegal(game.play(state, seat, move)), `refuses ${JSON.stringify(move)}`)
        }
    })

  if (game.guess)
    it('guesses from −1 to 1, and where all is seen as much for each seat as against the others', () => {
      for (const { state, seats } of lookedAt(runningOf(game, played))) {
        const guesses = Array.from({ length: seats }, (_, seat) => game.guess!(state, seat))
        for (const guess of guesses) assert.ok(Math.abs(guess) <= 1, `guesses ${guess}`)
        const sum = guesses.reduce((sum, guess) => sum + guess, 0)
        if (!game.facts.secrets) assert.ok(Math.abs(sum) < 1e-9, `guesses ${guesses.join(', ')}`)
      }
    })

  if (game.facts.luck && !game.facts.secrets)
    it('keeps all that is still to be thrown in its dice, and shows nothing of it', () => {
      for (const { state, seats } of runningOf(game, played)) {
        const { dice } = state as { dice: DiceState }
        assert.equal(typeof dice, game.seedBits === 128 ? 'string' : 'number')
        const thrown = { ...(state as object), dice: Dice.resume(dice).step() }
        assert.deepEqual(game.status(thrown), game.status(state))
        for (const viewer of viewers(seats))
          assert.deepEqual(game.view(thrown, viewer), game.view(state, viewer))
      }
    })

  if (game.drop)
    it('goes on without a seat that left, which ranks behind all that stay', () => {
      const turns = played.reduce((sum, one) => sum + one.turns.length, 0) / played.length
      const most = Math.min(mostLookedAt, mostPlayedOn / turns)
      for (const { state, seats, seat } of lookedAt(runningOf(game, played), most)) {
        const without = stateOf(game.drop!(state, seat))
        const { turns, final } = playOn(game, without, Dice.fromSeed(seat))
        checkFinal(final, seats)
        assert.ok(
          turns.every(turn => turn.seat !== seat),
          'the seat is still asked to move',
        )
        const status = game.status(without)
        if (isFinal(status)) continue
        for (const stays of status.toMove) assert.ok(final.places[seat]! > final.places[stays]!)
      }
    })

  it('shows JSON, and leaves to the arena what the arena adds', () => {
    for (const { state, seats } of lookedAt(positionsOf(played)))
      for (const viewer of viewers(seats)) {
        const view = game.view(state, viewer)
        assert.ok(isDeepStrictEqual(view, throughJson(view)), 'the view changes on its way')
        assert.ok(!('toMove' in view) && !('legal' in view))
      }
  })

  it('tells of its moves in short plain JSON, the same each time', () => {
    checkEvents(game, lookedAt(tellingOf(game, played)))
  })

  it('tells everybody the same, unless it says who is told what', () => {
    checkWhoIsTold(game, lookedAt(tellingOf(game, played)))
  })

  if (game.facts.secrets) {
    const sample = (turns: readonly Made[]) => {
      const size = JSON.stringify(played[0]!.end).length
      return lookedAt(turns, Math.max(40, Math.min(mostLookedAt, 400_000 / size)))
    }
    const secret = () => sample(turnsOf(played))

    it('gives no viewer anything that depends on what it does not see', () => {
      checkSecrecy(game, secret())
    })

    it('shows spectators of a live match no more than every seat sees', () => {
      checkAudience(game, secret())
    })

    it('refuses moves for reasons that their seat can see', () => {
      checkJudgement(game, secret(), [
        ...turnsOf(played)
          .slice(0, 20)
          .map(({ move }) => move),
        ...rubbish,
      ])
    })

    it('tells no viewer anything that depends on what it does not see', () => {
      checkEventSecrecy(game, sample(tellingOf(game, played)))
    })

    it('imagines other states of its own, for every viewer', () => {
      checkImagination(game, secret())
    })
  }

  if (!game.facts.secrets)
    it('shows everybody the same', () => {
      for (const { state, seats } of lookedAt(positionsOf(played)))
        for (const viewer of viewers(seats)) {
          assert.deepEqual(game.view(state, viewer), game.view(state, 'audience'))
          assert.deepEqual(game.look(state, viewer), game.look(state, 'audience'))
        }
    })

  if (game.facts.turns === 'together')
    it('shows no move before the round resolves', () => {
      for (const { state, seat, move, seats } of lookedAt(turnsOf(played))) {
        const next = stateAfter(game, state, seat, move)
        if (!isWaiting(game, state, next, seat)) continue
        for (const viewer of viewers(seats))
          if (viewer !== seat) {
            assert.deepEqual(game.view(next, viewer), game.view(state, viewer))
            assert.deepEqual(game.look(next, viewer), game.look(state, viewer))
          }
      }
    })

  if (game.facts.turns === 'together')
    it('tells of no move before the round resolves', () => {
      checkSealedEvents(game, turnsOf(played))
    })

  if (game.facts.turns === 'together')
    it('resolves a round in any order of moves', () => {
      for (const { turns, seats } of played)
        turns.forEach(({ state }, at) => {
          const { toMove, mayAct = [] } = running(game, state)
          const round = turns.slice(at, at + toMove.length)
          if (mayAct.length > 0 || new Set(round.map(turn => turn.seat)).size < toMove.length)
            return
          const [forth, back] = [round, round.toReversed()].map(order =>
            order.reduce((now, { seat, move }) => stateAfter(game, now, seat, move), state),
          )
          for (const viewer of viewers(seats))
            assert.deepEqual(game.view(forth, viewer), game.view(back, viewer))
        })
    })

  it('has a look that is JSON, with a board whose rows are equally long and marks that are on it', () => {
    for (const { state, seats } of lookedAt(positionsOf(played)))
      for (const viewer of viewers(seats)) checkLook(game.look(state, viewer), seats)
  })

  it('looks right on 80 columns of plain text', () => {
    for (const { state, seats } of lookedAt(positionsOf(played)))
      for (const viewer of viewers(seats)) {
        const lines = lookText(game.look(state, viewer)).split('\n')
        assert.notEqual(lines.at(-1), '')
        for (const line of lines) {
          assert.doesNotMatch(line, /\p{Cc}/u)
          assert.ok(stringWidth(line) <= 80, `too wide: ${line}`)
        }
      }
  })
}

/** The largest observation of the random games in bytes, with the seats to move and the legal moves. */
export function largestObservation(game: Game): number {
  let most = 0
  for (const { state, seats } of positionsOf(randomGames(game))) {
    const status = game.status(state)
    const toMove = isFinal(status) ? [] : status.toMove
    for (let seat = 0; seat < seats; seat++) {
      const legal = toMove.includes(seat) ? listedMovesOf(game, state, seat) : []
      const observation = {
        ...game.view(state, seat),
        toMove: game.facts.turns === 'together' ? toMove : (toMove[0] ?? -1),
        ...(listsMoves(game) && { legal }),
      }
      most = Math.max(most, Buffer.byteLength(JSON.stringify(observation)))
    }
  }
  return most
}

type Position = { readonly state: unknown; readonly seats: number }
type Running = Position & { readonly seat: Seat }

const turnsOf = (played: readonly RandomGame[]) =>
  played.flatMap(({ seats, turns }) => turns.map(turn => ({ ...turn, seats })))

/** The turns that cause events. */
const tellingOf = (game: Game, played: readonly RandomGame[]) =>
  turnsOf(played).filter(
    ({ state, seat, move }) => eventsOf(game.play(state, seat, move)).length > 0,
  )

const positionsOf = (played: readonly RandomGame[]): Position[] =>
  played.flatMap(({ seats, turns, end }) => [
    ...turns.map(({ state }) => ({ state, seats })),
    { state: end, seats },
  ])

/** Every position before the end, once for each seat to move. */
const runningOf = (game: Game, played: readonly RandomGame[]): Running[] =>
  played.flatMap(({ seats, turns }) =>
    turns.flatMap(({ state }) => running(game, state).toMove.map(seat => ({ state, seats, seat }))),
  )

/** The audience alone is asked, and any votes are taken, but only for as many seats as there are. */
function checkVote(game: Game, state: unknown, { toMove, mayAct, vote }: Voting, seats: number) {
  assert.deepEqual([toMove, mayAct], [[], undefined])
  assert.ok(vote.between.length > 1 && vote.between.every(seat => isSeat(seat, seats)))
  for (const votes of [noVotes(seats).votes, [0, 3], [2, 2]])
    assert.ok(!isIllegal(stateAfter(game, state, 0, { votes })))
  for (const move of [...rubbish, { votes: [1] }, { votes: [1, -1] }, { votes: [1, 2, 3] }])
    assert.ok(isIllegal(stateAfter(game, state, 0, move)), 'takes what is no tally')
}

function running(game: Game, state: unknown): Exclude<Status, Final> {
  const status = game.status(state)
  assert.ok(!isFinal(status))
  return status
}

/** A sample, evenly spread. */
const lookedAt = <T>(all: readonly T[], most = mostLookedAt): T[] => {
  const step = Math.max(1, all.length / most)
  return Array.from(
    { length: Math.min(all.length, Math.floor(most)) },
    (_, i) => all[Math.floor(i * step)]!,
  )
}

const viewers = (seats: number): Viewer[] => ['audience', 'replay', ...Array(seats).keys()]

const isSeat = (seat: Seat, seats: number) => Number.isInteger(seat) && seat >= 0 && seat < seats

/** Whether a move is only recorded because other seats still owe theirs. */
function isWaiting(game: Game, before: unknown, after: unknown, seat: Seat): boolean {
  const status = game.status(after)
  const owed = running(game, before).toMove.filter(other => other !== seat)
  return !isFinal(status) && owed.length > 0 && isDeepStrictEqual([...status.toMove], owed)
}

function checkLook(look: Look, seats: number): void {
  assert.ok(isDeepStrictEqual(look, throughJson(look)), 'the look changes on its way')
  for (const panel of look.panels ?? []) {
    if (panel.kind === 'table')
      for (const row of [...panel.rows, ...(panel.foot ? [panel.foot] : [])])
        assert.equal(row.length, panel.head.length, 'a row of a table has another length')
    if (panel.kind === 'chart') {
      assert.equal(panel.lines.length, seats)
      const [first] = panel.lines
      for (const line of panel.lines) assert.equal(line.length, first!.length)
    }
  }
  if (look.track !== undefined) checkTrack(look.track, seats)
  const { board } = look
  if (board === undefined) return
  const [across, down] = [board.rows[0]!.length, board.rows.length]
  for (const row of board.rows) assert.equal(row.length, across, 'a row has another length')
  if (board.columns) assert.equal(board.columns.length, across)
  if (board.rowNames) assert.equal(board.rowNames.length, down)
  const named = [...(board.last ?? []), ...(board.marks ?? []).flatMap(({ cells }) => cells)]
  for (const [x, y] of board.focus ? [...named, board.focus] : named)
    assert.ok(x >= 0 && y >= 0 && x < across && y < down, `${x},${y} is not on the board`)
  for (const piece of Object.values(board.pieces ?? {}))
    if ('seat' in piece) assert.ok(isSeat(piece.seat, seats))
}

function checkTrack({ squares, tokens }: Track, seats: number): void {
  assert.equal(squares.length % 4, 0)
  for (const { short, owner = null, level = 0 } of squares) {
    assert.ok(short.length <= 6, `${short} is longer than 6 characters`)
    assert.ok(owner === null || isSeat(owner, seats))
    assert.ok(level >= 0 && level <= 5)
  }
  for (const { seat, square } of tokens)
    assert.ok(isSeat(seat, seats) && squares[square] !== undefined)
}

function checkFinal({ places, scores, because }: Final, seats: number): void {
  assert.equal(places.length, seats)
  assert.ok(places.every(place => Number.isInteger(place) && place >= 1 && place <= seats))
  assert.ok(places.includes(1), 'no seat came first')
  if (scores) assert.ok(scores.length === seats && scores.every(Number.isFinite))
  assert.ok(because.length > 0)
}

/** The value through JSON text, as it arrives. */
const anyJson = fc
  .oneof(
    fc.jsonValue(),
    fc.json({ noUnicodeString: false }).map(text => JSON.parse(text)),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: 'binary' }),
  )
  .map(value => JSON.parse(JSON.stringify(value)) as Json)

/** A move that is legal in some position, with a part or all of it replaced. */
const bent = (move: Json): fc.Arbitrary<Json> => {
  if (typeof move !== 'object' || move === null) return anyJson
  const parts = Object.entries(move as { readonly [name: string]: Json })
  if (parts.length === 0) return anyJson
  return fc.constantFrom(...parts).chain(([name, part]) =>
    fc.oneof(bent(part), anyJson).map(other => {
      const changed = parts.map(([own, value]) => [own, own === name ? other : value] as const)
      return Array.isArray(move) ? changed.map(([, value]) => value) : Object.fromEntries(changed)
    }),
  )
}

const nested = (depth: number): Json => (depth === 0 ? [] : [nested(depth - 1)])

const rubbish: readonly Json[] = [
  '',
  ' ',
  '-1',
  '00',
  '1e0',
  '0x1',
  'null',
  '__proto__',
  'constructor',
  'toString',
  'length',
  '٣',
  '💥',
  '\u0000',
  'x'.repeat(60_000),
  0,
  1,
  -1,
  0.5,
  1e308,
  true,
  false,
  null,
  [],
  ['0'],
  [null],
  Array(1000).fill(0),
  nested(500),
  {},
  { move: '0' },
  { length: 1, 0: '0' },
  { toString: 'x', valueOf: null, toJSON: 0 },
  JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
]
