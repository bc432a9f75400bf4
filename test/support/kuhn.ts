// Kuhn poker, a small card game for tests of secrets: each seat holds one of three cards and bets on the higher one.

import { Dice } from '../../src/games/dice.ts'
import { type Game, type Illegal, illegal, type Seat, type Viewer } from '../../src/games/game.ts'
import { line } from '../../src/games/look.ts'
import { readText } from '../../src/games/text-move.ts'

export type Kuhn = {
  /** By seat: 0 is the lowest. */
  readonly cards: readonly number[]
  readonly acts: readonly string[]
}

const names = ['J', 'Q', 'K']
const words = ['check', 'bet', 'call', 'fold']

export const kuhn: Game<Kuhn> = {
  id: 'kuhn',
  title: 'Kuhn poker',
  summary: 'Three cards, two seats, one bet.',
  seats: 2,
  facts: { turns: 'alternate', luck: true, secrets: true },
  seedBits: 128,

  start: seed => {
    const dice = Dice.fromSeed(seed)
    const first = dice.roll(3)
    return { cards: [first, otherThan(first, dice)], acts: [] }
  },

  status: ({ cards, acts }) => {
    const [last, before] = [acts.at(-1), acts.at(-2)]
    const higher = cards[0]! > cards[1]! ? 0 : 1
    if (last === 'fold') return won(acts.length % 2, 'a fold')
    if (last === 'call' || (last === 'check' && before === 'check')) return won(higher, 'higher')
    return { toMove: [acts.length % 2] }
  },

  moves: ({ acts }, seat) =>
    seat !== acts.length % 2 ? [] : acts.at(-1) === 'bet' ? ['call', 'fold'] : ['check', 'bet'],

  read: (_state, _seat, move) =>
    readText(move, text => words.find(word => word === text.toLowerCase())),

  play: (state, seat, move): Kuhn | Illegal => {
    const found = kuhn.moves!(state, seat).find(name => name === move)
    return found === undefined
      ? illegal('a move is check, bet, call or fold')
      : { ...state, acts: [...state.acts, found] }
  },

  view: ({ cards, acts }, viewer) => ({
    acts,
    cards: cards.map((card, seat) => (sees(viewer, seat) ? names[card]! : null)),
  }),

  look: ({ cards, acts }, viewer) => ({
    panels: [
      line(
        `${cards.map((card, seat) => (sees(viewer, seat) ? names[card] : '?')).join(' ')} ${acts.join(' ')}.`,
      ),
    ],
  }),

  imagine: (state, viewer, dice) => {
    if (viewer !== 'audience')
      return {
        ...state,
        cards: state.cards.with(1 - viewer, otherThan(state.cards[viewer]!, dice)),
      }
    const first = dice.roll(3)
    return { ...state, cards: [first, otherThan(first, dice)] }
  },

  guess: ({ cards }, seat) => cards[seat]! - 1,
}

const otherThan = (card: number, dice: Dice) => dice.pick([0, 1, 2].filter(other => other !== card))

const sees = (viewer: Viewer, seat: Seat) => viewer === 'replay' || viewer === seat

const won = (seat: Seat, because: string) => ({ places: seat === 0 ? [1, 2] : [2, 1], because })
