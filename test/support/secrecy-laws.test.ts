// Each law of the shared suite is broken by a game that does one thing wrong: a law that none breaks guards nothing.

import { describe, expect, it } from 'vitest'
import { echo } from '../../src/games/echo.ts'
import {
  type Game,
  type GameEvent,
  illegal,
  isIllegal,
  moved,
  type Seat,
  stateAfter,
} from '../../src/games/game.ts'
import { checkEventSecrecy, checkEvents, checkSealedEvents, checkWhoIsTold } from './event-laws.ts'
import { gameSuite } from './game-suite.ts'
import { type Kuhn, kuhn } from './kuhn.ts'
import { checkListed } from './listed-laws.ts'
import { randomGame } from './random-games.ts'
import { checkAudience, checkImagination, checkJudgement, checkSecrecy } from './secrecy-laws.ts'

/** Out of sound games, so that a law is what meets the fault first. */
const running = Array.from({ length: 40 }, (_, n) => randomGame(kuhn as Game, n + 1)).flatMap(
  ({ turns }) => turns.map(({ state, seat }) => ({ state, seat, seats: 2 })),
)
const made = Array.from({ length: 40 }, (_, n) => randomGame(kuhn as Game, n + 1)).flatMap(
  ({ turns }) => turns.map(turn => ({ ...turn, seats: 2 })),
)

const laws = {
  secrecy: (game: Game) => checkSecrecy(game, running),
  audience: (game: Game) => checkAudience(game, running),
  imagination: (game: Game) => checkImagination(game, running),
  judgement: (game: Game) => checkJudgement(game, running, ['raise', 0, null]),
  listed: (game: Game) => checkListed(game, running, ['raise', '', 0, null]),
  events: (game: Game) => checkEvents(game, made),
  whoIsTold: (game: Game) => checkWhoIsTold(game, made),
  eventSecrecy: (game: Game) => checkEventSecrecy(game, made),
}

type Change = Partial<Game<Kuhn, GameEvent>>

const broken = (change: Change): Game => ({ ...kuhn, ...change }) as Game

/** The same game, in which each move causes this event. */
const telling = (eventOf: (state: Kuhn, seat: Seat) => unknown, change: Change = {}): Change => ({
  seen: event => event,
  ...change,
  play: (state, seat, move) => {
    const next = kuhn.play(state, seat, move)
    return isIllegal(next) ? next : moved(next, [eventOf(state, seat) as GameEvent])
  },
})

let count = 0

describe('Kuhn poker', () => {
  gameSuite(kuhn as Game)

  it.each<[string, keyof typeof laws, RegExp, Change]>([
    [
      "shows a seat the other's card",
      'secrecy',
      /what seat \d does not see changes its view/,
      { view: ({ cards, acts }) => ({ cards, acts }) },
    ],
    [
      "has a look in which a seat sees the other's card",
      'secrecy',
      /what seat \d does not see changes its look/,
      { look: ({ cards }) => ({ alt: cards.join(' ') }) },
    ],
    [
      'lets whose turn it is depend on a card',
      'secrecy',
      /changes whose turn it is/,
      {
        status: state => {
          const status = kuhn.status(state)
          return 'toMove' in status && state.cards[1] === 2
            ? { toMove: status.toMove, mayAct: [1] }
            : status
        },
      },
    ],
    [
      "lists moves by the other's card",
      'secrecy',
      /changes its moves or its guess/,
      {
        moves: (state, seat) => kuhn.moves!(state, seat).slice(state.cards[1 - seat] === 2 ? 1 : 0),
      },
    ],
    [
      "guesses by the other's card",
      'secrecy',
      /changes its moves or its guess/,
      { guess: ({ cards }, seat) => Math.sign(cards[seat]! - cards[1 - seat]!) },
    ],
    [
      'shows spectators the card of seat 0, which seat 1 does not see',
      'audience',
      /spectators see what seat 1 does not/,
      {
        view: (state, viewer) =>
          viewer === 'audience' ? kuhn.view(state, 0) : kuhn.view(state, viewer),
      },
    ],
    [
      'has a look in which spectators see the whole state',
      'audience',
      /spectators see what seat \d does not/,
      {
        look: (state, viewer) => kuhn.look(state, viewer === 'audience' ? 'replay' : viewer),
      },
    ],
    [
      'imagines nothing but the true state',
      'imagination',
      /nothing that \S+( \d)? does not see is ever another/,
      { imagine: state => state },
    ],
    [
      'imagines a state of which no text can be made',
      'imagination',
      /the state changes on its way/,
      {
        imagine: (state, viewer, dice) =>
          ({ ...kuhn.imagine!(state, viewer, dice), acts: new Set() }) as never,
      },
    ],
    [
      "tells the other's card in a refusal",
      'judgement',
      /what seat \d does not see decides on/,
      {
        play: (state, seat, move) => {
          const next = kuhn.play(state, seat, move)
          return isIllegal(next) ? illegal(`not against ${state.cards[1 - seat]}`) : next
        },
      },
    ],
    [
      'refuses a bet against a king, which tells whose it is',
      'judgement',
      /what seat \d does not see decides on "bet"/,
      {
        play: (state, seat, move) =>
          move === 'bet' && state.cards[1 - seat] === 2
            ? illegal('not now')
            : kuhn.play(state, seat, move),
      },
    ],
    [
      'refuses what it lists',
      'listed',
      /refuses bet, which it lists/,
      {
        play: (state, seat, move) =>
          move === 'bet' ? illegal('not now') : kuhn.play(state, seat, move),
      },
    ],
    [
      'takes what it does not list',
      'listed',
      /takes " check"/,
      {
        play: (state, seat, move) =>
          kuhn.play(state, seat, typeof move === 'string' ? move.trim() : move),
      },
    ],
    [
      'answers rubbish with the state as it was',
      'listed',
      /takes /,
      {
        play: (state, seat, move) => {
          const next = kuhn.play(state, seat, move)
          return isIllegal(next) ? state : next
        },
      },
    ],
    [
      'refuses without a word',
      'listed',
      /refuses ".+" with no reason/,
      {
        play: (state, seat, move) => {
          const next = kuhn.play(state, seat, move)
          return isIllegal(next) ? illegal('') : next
        },
      },
    ],
    [
      'tells of a move in what is no JSON',
      'events',
      /an event changes on its way/,
      telling(() => ({ kind: 'acted', at: illegal('no') })),
    ],
    [
      'tells of a move without a kind',
      'events',
      /an event has no kind/,
      telling(() => ({ kind: '' })),
    ],
    [
      'tells of a move at length',
      'events',
      /one move causes \d+ bytes of events/,
      telling(() => ({ kind: 'acted', words: 'x'.repeat(9000) })),
    ],
    [
      'tells another thing each time',
      'events',
      /deepEqual|deeply equal|deep-equal/,
      telling(() => ({ kind: 'acted', count: ++count })),
    ],
    [
      'tells of its moves without saying who is told what',
      'whoIsTold',
      /says with seen who is told what/,
      { play: telling(() => ({ kind: 'acted' })).play! },
    ],
    [
      "tells a seat the other's card",
      'eventSecrecy',
      /what seat \d does not see changes what seat \d is told/,
      telling(({ cards }, seat) => ({ kind: 'acted', card: cards[seat]! }), {
        seen: (event, viewer) => (viewer === 'audience' ? null : event),
      }),
    ],
    [
      'tells spectators what one seat does not see',
      'eventSecrecy',
      /what seat \d does not see changes what audience is told/,
      telling(({ cards }) => ({ kind: 'acted', card: cards[0]! }), {
        seen: (event, viewer) => (viewer === 'audience' ? event : null),
        view: (state, viewer) => kuhn.view(state, viewer === 'audience' ? 0 : viewer),
      }),
    ],
  ])('that %s breaks the law of %s', (_, law, words, change) => {
    expect(() => laws[law](broken(change))).toThrow(words)
  })

  it('breaks no law as it is', () => {
    for (const law of Object.values(laws)) law(kuhn as Game)
  })

  it('that is a game of rounds and tells of a sealed move breaks the law of sealed events', () => {
    const play: Game['play'] = (state, seat, move) => {
      const next = stateAfter<unknown>(echo, state, seat, move)
      return isIllegal(next) ? next : moved(next, [{ kind: 'acted' }])
    }
    const turns = randomGame(echo as Game, 1).turns.map(turn => ({ ...turn, seats: 2 }))
    checkSealedEvents(echo as Game, turns)
    expect(() => checkSealedEvents({ ...(echo as Game), play }, turns)).toThrow(
      'a sealed move is told',
    )
  })
})
