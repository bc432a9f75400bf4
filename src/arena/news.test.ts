// What every seat is told, word for word and in order, in the courses that a match can take.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../test/support/fake-clock.ts'
import { MemoryMatchStore } from '../../test/support/memory-match-store.ts'
import { strict } from '../../test/support/referee-play.ts'
import { bazaar } from '../games/bazaar.ts'
import { chess } from '../games/chess.ts'
import { Dice } from '../games/dice.ts'
import { echo } from '../games/echo.ts'
import {
  type Game,
  type GameEvent,
  illegal,
  type Json,
  moved,
  type Seat,
  seatRange,
} from '../games/game.ts'
import { ttt } from '../games/ttt.ts'
import { unmetered } from '../meter.ts'
import { print } from '../protocols/agentgames/messages.ts'
import type { ArenaEvent } from './arena-event.ts'
import { lag } from './clocks.ts'
import { agentsLadder } from './ladder.ts'
import type { News, SeatHandle } from './player.ts'
import { Table } from './table.ts'
import type { Terms } from './terms.ts'

type Tag = { readonly out: readonly Seat[]; readonly mover: Seat }
type TagEvent = { readonly kind: 'tagged' | 'fled'; readonly seat: Seat }

/** Three seats in turn tag each other out; "wait" tags no seat. */
const tag: Game<Tag, TagEvent> = {
  id: 'tag',
  title: 'Tag',
  summary: 'The last one in wins.',
  seats: 3,
  facts: { turns: 'alternate', luck: false, secrets: false },
  start: () => ({ out: [], mover: 0 }),
  status: ({ out, mover }) =>
    out.length === 2
      ? { places: [0, 1, 2].map(seat => (out.includes(seat) ? 2 : 1)), because: 'last one in' }
      : { toMove: [mover], eliminated: out },
  play: (state, seat, move) => {
    if (move === 'wait') return { ...state, mover: after(seat, state.out) }
    if (typeof move !== 'number' || state.out.includes(move)) return illegal('no such seat')
    const out = [...state.out, move]
    return moved({ out, mover: after(seat, out) }, [{ kind: 'tagged', seat: move }])
  },
  view: ({ out, mover }) => ({ out, mover }),
  look: () => ({}),
  fallback: () => 'wait',
  drop: (state, seat) => {
    const out = [...state.out, seat]
    const mover = state.mover === seat ? after(seat, out) : state.mover
    return moved({ out, mover }, [{ kind: 'fled', seat }])
  },
}
const after = (seat: Seat, out: readonly Seat[]): Seat =>
  out.includes((seat + 1) % 3) ? (seat + 2) % 3 : (seat + 1) % 3

/** A table whose players follow its moves, except the seats in `deaf`. */
const tableOf = (game: Game, terms: Terms = strict, deaf: readonly Seat[] = []) => {
  const clock = new FakeClock()
  const handles: SeatHandle[] = []
  const told: News[][] = []
  const seen: ArenaEvent[] = []
  const players = Array.from({ length: seatRange(game).max }, (_, seat) => {
    told.push([])
    return {
      account: { id: seat + 1, name: `agent-${seat}`, kind: 'player' as const },
      terms,
      ...(!deaf.includes(seat) && { followsMoves: true as const }),
      tell: (message: News) => {
        if (message.kind === 'seated') handles[seat] = message.handle
        told[seat]!.push(message)
      },
    }
  })
  const deal = {
    game,
    seed: 12,
    setup: null,
    players,
    terms: players.map(({ terms }) => terms),
    unrated: null,
    ladder: agentsLadder(game.id),
    event: null,
  }
  const table = new Table(clock, new MemoryMatchStore(), deal, {
    closed: () => {},
    emit: event => seen.push(event),
    dice: () => Dice.fromSeed(1),
    failed: error => {
      throw error
    },
    meter: unmetered,
    blocks: () => false,
  })
  table.open()
  /** What each seat was told since the last call, in words. */
  const news = async () => {
    await new Promise(setImmediate)
    return told.map(to => to.splice(0).map(wordsOf))
  }
  return { clock, handles, table, told, seen, news }
}

const wordsOf = (news: News): string => {
  switch (news.kind) {
    case 'accepted': {
      const what = news.isTurn ? `in ${news.ms} ms` : 'beside the turn'
      return `accepted ${JSON.stringify(news.move)} at turn ${news.turn}, ${what}`
    }
    case 'played': {
      const what = news.label ?? (news.move === null ? 'hidden' : JSON.stringify(news.move))
      const how = `${news.isFallback ? ' as fallback' : ''}${news.isTurn ? '' : ' beside the turn'}`
      return `played by ${news.seat}: ${what}${how}${caused(news.events)}`
    }
    case 'fell': {
      const said = news.words === undefined ? '' : ` saying "${news.words}"`
      return `fell ${news.seat}: ${news.fault ?? 'by the rules'}, ${news.detail}${said}${caused(news.events)}`
    }
    case 'shown':
      return `shown ${news.turn}${news.yourTurn ? ', to move' : news.mayAct ? ', may act' : ''}`
    case 'refused':
      return `refused ${news.code}${news.retries === undefined ? '' : `, ${news.retries.made} made`}`
    case 'strike':
      return `strike ${news.strikes} of ${news.of}`
    case 'away':
      return `away ${news.seat} for ${news.grace} ms`
    case 'back':
      return `back ${news.seat}`
    case 'clocks':
      return `clocks: ${news.play}`
    case 'ended':
      return `ended: ${news.outcome.ending}, places ${news.outcome.places}, ${news.moves.length} moves`
    case 'aborted':
      return `aborted: ${news.detail}`
    default:
      return news.kind
  }
}

const caused = (events: readonly GameEvent[]) =>
  events.length === 0 ? '' : ` → ${events.map(event => JSON.stringify(event)).join(' ')}`

const begun = async (...of: Parameters<typeof tableOf>) => {
  const match = tableOf(...of)
  await match.news()
  return match
}

describe('the news of a match', () => {
  it('begins with the seat and the board', async () => {
    expect(await tableOf(ttt as Game).news()).toEqual([
      ['seated', 'shown 1, to move'],
      ['seated', 'shown 1'],
    ])
  })

  it('tells the mover first that its move was accepted, then both what was played, then shows the board', async () => {
    const { clock, handles, news } = await begun(ttt as Game)
    clock.pass(1234)
    handles[0]!.move(' 4')
    expect(await news()).toEqual([
      ['accepted "4" at turn 1, in 1234 ms', 'played by 0: "4"', 'shown 2'],
      ['played by 0: "4"', 'shown 2, to move'],
    ])
  })

  it('tells a move as people write it', async () => {
    const { handles, told } = await begun(chess as Game)
    handles[0]!.move('g1f3')
    await new Promise(setImmediate)
    expect(told[1]![0]).toMatchObject({ kind: 'played', match: 1, move: 'g1f3', label: 'Nf3' })
  })

  it('tells nobody but the mover of an illegal move that may be tried again', async () => {
    const { handles, news } = await begun(ttt as Game, { ...strict, illegal: 'retry' })
    handles[0]!.move('9')
    handles[1]!.move('1')
    expect(await news()).toEqual([['refused illegal-move, 1 made'], ['refused not-your-turn']])
  })

  it('tells a late seat of its strike, and all seats of the fallback move, which nobody had accepted', async () => {
    const late = { strikes: 3, counted: 'in a row', next: 'fallback' } as const
    const { clock, news } = await begun(tag as Game, { ...strict, late })
    clock.pass(15_000 + lag)
    const played = 'played by 0: "wait" as fallback'
    expect(await news()).toEqual([
      ['strike 1 of 3', played, 'shown 2'],
      [played, 'shown 2, to move'],
      [played, 'shown 2'],
    ])
  })

  it('tells the others of an absence and a return, and shows the board to who is back', async () => {
    const away = { stages: [{ time: 9_000, play: 'stands', told: true }], times: 2 } as const
    const { clock, handles, news, table } = await begun(ttt as Game, { ...strict, away })
    handles[1]!.lost()
    expect(await news()).toEqual([['away 1 for 9000 ms', 'clocks: stands'], []])
    clock.pass(1_000)
    handles[0]!.move('4')
    await news()
    table.attach(1, table.deal.players[1]!)
    expect(await news()).toEqual([
      ['back 1', 'clocks: runs'],
      ['seated', 'clocks: runs', 'shown 2, to move'],
    ])
    expect(handles[1]!.history()).toEqual([{ seat: 0, move: '4', fault: null, events: [] }])
  })

  it('hides a sealed move from the others, and tells what the rules reveal when the round resolves', async () => {
    const { handles, news } = await begun(echo as Game)
    handles[1]!.move({ number: 7 })
    expect(await news()).toEqual([
      ['played by 1: hidden'],
      ['accepted {"number":7} at turn 1, in 0 ms', 'played by 1: {"number":7}'],
    ])
    handles[0]!.move({ number: 5 })
    const round =
      ' → {"kind":"round","round":1,"numbers":[5,7],"repeats":[false,false],"winner":1,"scores":[0,1]}'
    expect(await news()).toEqual([
      [
        'accepted {"number":5} at turn 1, in 0 ms',
        `played by 0: {"number":5}${round}`,
        'shown 2, to move',
      ],
      [`played by 0: hidden${round}`, 'shown 2, to move'],
    ])
  })

  it('tells of an action out of turn as of a move, and that it was no turn', async () => {
    const { handles, news } = await begun(bazaar as Game)
    const propose = { action: 'propose_trade', offer: { wood: 1 }, request: {} }
    handles[0]!.move(propose)
    const event = ' → {"kind":"proposed","seat":0,"offer":{"wood":1},"request":{}}'
    const text = JSON.stringify(propose)
    expect(await news()).toEqual([
      [
        `accepted ${text} at turn 1, beside the turn`,
        `played by 0: ${text} beside the turn${event}`,
        'shown 2, to move',
      ],
      [`played by 0: hidden beside the turn${event}`, 'shown 2, may act'],
    ])
  })

  it('tells all seats who was eliminated, after the move that did it', async () => {
    const { handles, news } = await begun(tag as Game)
    handles[0]!.move(1)
    const both = [
      'played by 0: 1 → {"kind":"tagged","seat":1}',
      'fell 1: by the rules, eliminated',
      'shown 2',
    ]
    expect(await news()).toEqual([
      ['accepted 1 at turn 1, in 0 ms', ...both],
      both,
      [...both.slice(0, 2), 'shown 2, to move'],
    ])
  })

  it('tells all seats who left, why, what it said and what followed, while the others go on', async () => {
    const { handles, news } = await begun(tag as Game)
    handles[0]!.resign(`so long\u0007${'!'.repeat(300)}`)
    const fell = `fell 0: resigned, resignation saying "so long${'!'.repeat(273)}" → {"kind":"fled","seat":0}`
    expect(await news()).toEqual([
      [fell, 'shown 2'],
      [fell, 'shown 2, to move'],
      [fell, 'shown 2'],
    ])
    handles[1]!.move(2)
    const end = [
      'played by 1: 2 → {"kind":"tagged","seat":2}',
      'ended: rules, places 3,1,2, 2 moves',
    ]
    expect(await news()).toEqual([end, ['accepted 2 at turn 2, in 0 ms', ...end], end])
  })

  it('ends a match by a fault with the fall at once, and the result once it is kept', async () => {
    const { handles, news } = await begun(ttt as Game)
    handles[0]!.move('9')
    const end = [
      'fell 0: illegal, a move is a cell from "0" to "8", row by row, got "9"',
      'ended: illegal, places 2,1, 0 moves',
    ]
    expect(await news()).toEqual([end, end])
  })

  it('ends with all moves, sealed ones too, because nothing is hidden any more', async () => {
    const { handles, told } = await begun(echo as Game)
    handles[0]!.move({ number: 5 })
    handles[1]!.resign()
    await new Promise(setImmediate)
    for (const to of told)
      expect(to.at(-1)).toMatchObject({ kind: 'ended', moves: [[0, { number: 5 }, 0]] })
  })

  it('ends an aborted match in so many words', async () => {
    const { table, news } = await begun(ttt as Game)
    await table.abort('the host stops')
    expect(await news()).toEqual([['aborted: the host stops'], ['aborted: the host stops']])
  })

  it('tells nothing of moves to players that do not follow them', async () => {
    const { handles, news } = await begun(tag as Game, strict, [0, 1, 2])
    handles[0]!.move(1)
    handles[2]!.resign()
    expect(await news()).toEqual([
      ['shown 2', 'ended: resigned, places 1,3,2, 1 moves'],
      ['shown 2', 'ended: resigned, places 1,3,2, 1 moves'],
      ['shown 2, to move', 'ended: resigned, places 1,3,2, 1 moves'],
    ])
  })

  it('is the same object for seats that may see the same, and never one that tells more', async () => {
    const public_ = await begun(ttt as Game)
    public_.handles[0]!.move('4')
    FakeClock.finishTick()
    const [, played] = public_.told[0]!
    expect(public_.told[1]![0]).toBe(played)
    const sealed = await begun(echo as Game)
    sealed.handles[0]!.move({ number: 5 })
    FakeClock.finishTick()
    expect(JSON.stringify(sealed.told[1])).not.toContain('5')
  })

  it('has a board made once for all seats, and once as JSON', async () => {
    const made = { views: 0, texts: 0 }
    const board = { toJSON: () => `text ${++made.texts}` }
    const view = () => {
      made.views++
      return { board: board as unknown as Json }
    }
    const { handles, told } = await begun({ ...ttt, view } as Game)
    handles[0]!.move('4')
    FakeClock.finishTick()
    const boards = told.flatMap(to => to.filter(news => news.kind === 'shown'))
    const texts = boards.map(shown => print.state(shown, { turn: false, clocks: false }, null))
    expect(boards.length).toBe(2)
    expect(texts.every(text => text.includes('"board":"text 1"'))).toBe(true)
    // The first board, which was told before, and this one.
    expect(made).toEqual({ views: 2, texts: 1 })
  })

  it('tells a seat that comes back what it would have been told', async () => {
    const { handles, told } = await begun(bazaar as Game)
    const moves: [Seat, Json][] = [
      [0, { action: 'propose_trade', offer: { wood: 1 }, request: { food: 1 } }],
      [1, { action: 'accept_trade' }],
      [0, { action: 'message', content: 'hello' }],
    ]
    for (const [seat, move] of moves) handles[seat]!.move(move)
    await new Promise(setImmediate)
    for (const [seat, to] of told.entries()) {
      const played = to.filter(news => news.kind === 'played')
      expect(handles[seat]!.history()).toEqual(
        played.map(({ seat, move, events }) => ({ seat, move, fault: null, events })),
      )
    }
    expect(handles[0]!.history().map(({ move }) => move)).toEqual([
      moves[0]![1],
      null,
      moves[2]![1],
    ])
  })
})

it('spectators are told of events with the move, as far as they may know of them', async () => {
  const { handles, seen } = await begun(tag as Game)
  handles[0]!.move(1)
  handles[2]!.resign()
  FakeClock.finishTick()
  expect(seen.filter(({ kind }) => kind === 'moved')).toMatchObject([
    { ply: 1, move: [0, 1, 0], events: [{ kind: 'tagged', seat: 1 }] },
  ])
  const blind = await begun({
    ...(echo as Game),
    seen: (event, viewer) => (viewer === 'audience' ? null : event),
  })
  blind.handles[0]!.move({ number: 5 })
  blind.handles[1]!.move({ number: 7 })
  FakeClock.finishTick()
  expect(blind.seen.filter(({ kind }) => kind === 'moved')).toMatchObject([
    { ply: 1, events: [] },
    { ply: 2, events: [] },
  ])
})
