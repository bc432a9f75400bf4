// Each law of the shared suite is broken by a game that does one thing wrong: a law that none breaks guards nothing.

import { describe, expect, it } from 'vitest'
import { type Game, illegal, isIllegal } from '../../src/games/game.ts'
import { gameSuite } from './game-suite.ts'
import { type Kuhn, kuhn } from './kuhn.ts'
import { checkListed } from './listed-laws.ts'
import { randomGame } from './random-games.ts'
import { checkAudience, checkImagination, checkJudgement, checkSecrecy } from './secrecy-laws.ts'

/** Out of sound games, so that a law is what meets the fault first. */
const running = Array.from({ length: 40 }, (_, n) => randomGame(kuhn as Game, n + 1)).flatMap(
  ({ turns }) => turns.map(({ state, seat }) => ({ state, seat, seats: 2 })),
)

const laws = {
  secrecy: (game: Game) => checkSecrecy(game, running),
  audience: (game: Game) => checkAudience(game, running),
  imagination: (game: Game) => checkImagination(game, running),
  judgement: (game: Game) => checkJudgement(game, running, ['raise', 0, null]),
  listed: (game: Game) => checkListed(game, running, ['raise', '', 0, null]),
}

const broken = (change: Partial<Game<Kuhn>>): Game => ({ ...kuhn, ...change }) as Game

describe('Kuhn poker', () => {
  gameSuite(kuhn as Game)

  it.each<[string, keyof typeof laws, RegExp, Partial<Game<Kuhn>>]>([
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
          return 'toMove' in status && state.cards[1] === 2 ? { ...status, mayAct: [1] } : status
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
  ])('that %s breaks the law of %s', (_, law, words, change) => {
    expect(() => laws[law](broken(change))).toThrow(words)
  })

  it('breaks no law as it is', () => {
    for (const law of Object.values(laws)) law(kuhn as Game)
  })
})
