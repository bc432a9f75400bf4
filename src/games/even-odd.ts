import { Dice, type DiceState } from './dice.ts'
import { type CatalogueGame, type Illegal, illegal, type Moved, moved } from './game.ts'
import { got } from './json.ts'
import { line, seatPart, toned } from './look.ts'
import { about, always, bySeat, oneOf, record, upTo, whole } from './schema.ts'
import { placesOf } from './scores.ts'
import { readText } from './text-move.ts'
import { opened, owing, type Sealed } from './together.ts'

const parities = ['even', 'odd'] as const
type Parity = (typeof parities)[number]

type Called = { readonly choices: readonly Parity[]; readonly drawn: number }
type EvenOdd = { readonly dice: DiceState; readonly sealed: Sealed<Parity> } | Called
type Drawn = { readonly kind: 'drawn'; readonly parity: Parity } & Called

/** Both call a parity before a number from 1 to 10 is drawn; being right alone wins. */
export const evenOdd: CatalogueGame<EvenOdd, Drawn> = {
  id: 'even-odd',
  title: 'Even/Odd',
  summary: 'Call even or odd, then a number from 1 to 10 is drawn; being right alone wins.',
  seats: 2,
  facts: { turns: 'together', luck: true, secrets: false },
  seedBits: 128,

  start: seed => ({ dice: Dice.fromSeed(seed).state, sealed: [null, null] }),

  status: state => {
    if ('sealed' in state) return { toMove: owing(state.sealed) }
    const scores = scoresOf(state)
    return { places: placesOf(scores), scores, because: becauseOf(state) }
  },

  moves: (state, seat) => ('sealed' in state && state.sealed[seat] === null ? parities : []),

  read: (_state, _seat, move) =>
    readText(move, text => parities.find(name => name === text.toLowerCase())),

  play: (state, seat, move): EvenOdd | Moved<EvenOdd, Drawn> | Illegal => {
    const parity = parities.find(name => name === move)
    if (!parity || !('sealed' in state)) return illegal(`a move is "even" or "odd", ${got(move)}`)
    const sealed = state.sealed.with(seat, parity)
    const choices = opened(sealed)
    if (choices === null) return { ...state, sealed }
    const called = { choices, drawn: 1 + Dice.resume(state.dice).roll(10) }
    return moved(called, [{ kind: 'drawn', ...called, parity: parityOf(called.drawn) }])
  },

  view: state => ({
    round: 1,
    maxRounds: 1,
    scores: 'sealed' in state ? [0, 0] : scoresOf(state),
    history: 'sealed' in state ? [] : [{ round: 1, ...state, parity: parityOf(state.drawn) }],
  }),

  schema: {
    move: about('Your call.', oneOf(parities)),
    view: {
      round: about('The round that is played now.', always(1)),
      maxRounds: about('The number of rounds.', always(1)),
      scores: about('1 for a player who was right.', bySeat(whole(0, 1))),
      history: about(
        'Once both have called: the call of each player, the number that was drawn, and its parity.',
        upTo(
          1,
          record({
            round: always(1),
            choices: bySeat(oneOf(parities)),
            drawn: whole(1, 10),
            parity: oneOf(parities),
          }),
        ),
      ),
    },
  },

  look: state =>
    'sealed' in state
      ? { panels: [line('Both call even or odd; the number is not drawn yet.')] }
      : {
          panels: [
            {
              kind: 'line',
              text: [toned(state.drawn, 'strong'), ` was drawn: ${parityOf(state.drawn)}.`],
              tone: 'strong',
            },
            {
              kind: 'table',
              head: ['Agent', 'Called'],
              rows: state.choices.map((choice, seat) => [[seatPart(seat)], choice]),
            },
          ],
        },
}

const scoresOf = ({ choices, drawn }: Called) =>
  choices.map(choice => (choice === parityOf(drawn) ? 1 : 0))

const parityOf = (drawn: number): Parity => (drawn % 2 === 0 ? 'even' : 'odd')

const becauseOf = (called: Called) => {
  const right = ['neither', 'one', 'both'][scoresOf(called).filter(score => score > 0).length]
  return `${called.drawn} is ${parityOf(called.drawn)}, which ${right} called`
}
