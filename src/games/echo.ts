import { type CatalogueGame, type Illegal, illegal, type Moved, moved } from './game.ts'
import { got, isRecord, isWhole } from './json.ts'
import { roundsTable, toned } from './look.ts'
import { about, always, bySeat, flag, orNull, record, seatNumber, upTo, whole } from './schema.ts'
import { placesOf, tally } from './scores.ts'
import { opened, owing, type Sealed } from './together.ts'

type Echo = {
  /** The numbers of each resolved round, by seat. */
  readonly rounds: readonly (readonly number[])[]
  readonly sealed: Sealed<number>
}

type EchoEvent = { readonly kind: 'round'; readonly scores: readonly number[] } & Round

const maxRounds = 5

/** The higher number takes the round, and a number sent twice in a row counts as 0. */
export const echo: CatalogueGame<Echo, EchoEvent> = {
  id: 'echo',
  title: 'Echo',
  summary: 'Five rounds of the higher number, where repeating yourself counts as nothing.',
  seats: 2,
  facts: { turns: 'together', luck: false, secrets: false, moveBytes: 32 },

  start: () => ({ rounds: [], sealed: [null, null] }),

  status: ({ rounds, sealed }) => {
    if (rounds.length < maxRounds) return { toMove: owing(sealed) }
    const scores = scoresOf(historyOf(rounds))
    return { places: placesOf(scores), scores, because: tally(scores, 'round') }
  },

  read: (_state, _seat, move) => {
    const isText = typeof move === 'string' && /^[ \t\r\n]*\d{1,2}[ \t\r\n]*$/.test(move)
    const number = isRecord(move) ? move.number : isText ? Number(move) : move
    return isWhole(number, 1, 10) ? { number } : move
  },

  play: ({ rounds, sealed }, seat, move): Echo | Moved<Echo, EchoEvent> | Illegal => {
    const number = isRecord(move) ? move.number : move
    if (!isRecord(move) || !isWhole(number, 1, 10))
      return illegal(`a move is {"number":N} with a whole N from 1 to 10, ${got(number)}`)
    const numbers = opened(sealed.with(seat, number))
    if (numbers === null) return { rounds, sealed: sealed.with(seat, number) }
    const next: Echo = { rounds: [...rounds, numbers], sealed: [null, null] }
    const history = historyOf(next.rounds)
    return moved(next, [{ kind: 'round', ...history.at(-1)!, scores: scoresOf(history) }])
  },

  view: ({ rounds }) => {
    const history = historyOf(rounds)
    const round = Math.min(rounds.length + 1, maxRounds)
    return { round, maxRounds, scores: scoresOf(history), history }
  },

  schema: {
    move: about('Your number for this round.', record({ number: whole(1, 10) })),
    view: {
      round: about('The round that is played now, from 1.', whole(1, maxRounds)),
      maxRounds: about('The number of rounds.', always(maxRounds)),
      scores: about('Rounds that each player has won.', bySeat(whole(0, maxRounds))),
      history: about(
        'The rounds played so far: the number of each player, whether it repeated the one before and so counted as 0, and the winner, null if none.',
        upTo(
          maxRounds,
          record({
            round: whole(1, maxRounds),
            numbers: bySeat(whole(1, 10)),
            repeats: bySeat(flag),
            winner: orNull(seatNumber),
          }),
        ),
      ),
    },
  },

  look: ({ rounds }) => {
    const history = historyOf(rounds)
    const told = history.map(({ numbers, repeats, winner }) => ({
      deeds: numbers.map((number, seat) =>
        repeats[seat] ? [toned(number, 'struck'), ' again: 0'] : number,
      ),
      winner,
    }))
    return { panels: [roundsTable(told, maxRounds, scoresOf(history))] }
  },

  anyMove: (_state, _seat, dice) => ({ number: 1 + dice.roll(10) }),

  fallback: () => ({ number: 1 }),
}

type Round = {
  readonly round: number
  readonly numbers: readonly number[]
  readonly repeats: readonly boolean[]
  readonly winner: number | null
}

// The number sent is what the next one is compared with, so 7, 7, 7 counts 7, 0, 0.
const historyOf = (rounds: Echo['rounds']): Round[] =>
  rounds.map((numbers, i) => {
    const repeats = numbers.map((number, seat) => number === rounds[i - 1]?.[seat])
    const [a = 0, b = 0] = numbers.map((number, seat) => (repeats[seat] ? 0 : number))
    return { round: i + 1, numbers, repeats, winner: a === b ? null : a > b ? 0 : 1 }
  })

const scoresOf = (history: readonly Round[]) =>
  [0, 1].map(seat => history.filter(({ winner }) => winner === seat).length)
