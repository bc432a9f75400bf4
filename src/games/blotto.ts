import type { Dice } from './dice.ts'
import {
  type CatalogueGame,
  type Illegal,
  illegal,
  isIllegal,
  type Json,
  type Moved,
  moved,
  type Seat,
} from './game.ts'
import { got, isRecord, isWhole } from './json.ts'
import { roundsTable, toned } from './look.ts'
import { about, always, bySeat, listOf, orNull, record, seatNumber, upTo, whole } from './schema.ts'
import { placesOf, tally } from './scores.ts'
import { opened, owing, type Sealed } from './together.ts'

type Allocation = readonly number[]

type Blotto = {
  /** The allocations of each resolved round, by seat. */
  readonly rounds: readonly (readonly Allocation[])[]
  readonly sealed: Sealed<Allocation>
}

type BlottoEvent = { readonly kind: 'round'; readonly scores: readonly number[] } & Round

const maxRounds = 5
const battlefields = 5
const soldiers = 10
const allocationSchema = listOf(battlefields, whole(0, soldiers))

/** More soldiers take a field, and three of the five fields take the round. */
export const blotto: CatalogueGame<Blotto, BlottoEvent> = {
  id: 'blotto',
  title: 'Colonel Blotto',
  summary: 'Ten soldiers on five battlefields, five times over; most fields take the round.',
  seats: 2,
  facts: { turns: 'together', luck: false, secrets: false, moveBytes: 64 },

  start: () => ({ rounds: [], sealed: [null, null] }),

  status: ({ rounds, sealed }) => {
    if (rounds.length < maxRounds) return { toMove: owing(sealed) }
    const scores = scoresOf(historyOf(rounds))
    return { places: placesOf(scores), scores, because: tally(scores, 'round') }
  },

  read: (_state, _seat, move) => {
    const allocation = allocationOf(move)
    return isIllegal(allocation) ? move : { allocation }
  },

  play: ({ rounds, sealed }, seat, move): Blotto | Moved<Blotto, BlottoEvent> | Illegal => {
    const allocation = allocationOf(move)
    if (isIllegal(allocation)) return allocation
    const allocations = opened(sealed.with(seat, allocation))
    if (allocations === null) return { rounds, sealed: sealed.with(seat, allocation) }
    const next: Blotto = { rounds: [...rounds, allocations], sealed: [null, null] }
    const history = historyOf(next.rounds)
    return moved(next, [{ kind: 'round', ...history.at(-1)!, scores: scoresOf(history) }])
  },

  view: ({ rounds }) => {
    const history = historyOf(rounds)
    const round = Math.min(rounds.length + 1, maxRounds)
    return { round, maxRounds, scores: scoresOf(history), soldiers, battlefields, history }
  },

  schema: {
    move: about(
      `Your soldiers on each battlefield, which add up to ${soldiers}.`,
      record({ allocation: allocationSchema }),
    ),
    view: {
      round: about('The round that is played now, from 1.', whole(1, maxRounds)),
      maxRounds: about('The number of rounds.', always(maxRounds)),
      scores: about('Rounds that each player has won.', bySeat(whole(0, maxRounds))),
      soldiers: about('What an allocation adds up to.', always(soldiers)),
      battlefields: about('The length of an allocation.', always(battlefields)),
      history: about(
        'The rounds played so far: the allocation of each player, the battlefields that each has won, and the winner, null if none.',
        upTo(
          maxRounds,
          record({
            round: whole(1, maxRounds),
            allocations: bySeat(allocationSchema),
            fieldsWon: bySeat(whole(0, battlefields)),
            winner: orNull(seatNumber),
          }),
        ),
      ),
    },
  },

  look: ({ rounds }) => {
    const history = historyOf(rounds)
    // What took its field stands out.
    const told = history.map(({ allocations, winner }) => ({
      deeds: allocations.map((allocation, seat) =>
        allocation.map((count, field) =>
          toned(count, count > allocations[1 - seat]![field]! ? 'strong' : 'weak'),
        ),
      ),
      winner,
    }))
    return { panels: [roundsTable(told, maxRounds, scoresOf(history))] }
  },

  anyMove: (_state, _seat, dice) => ({ allocation: scatter(dice) }),

  fallback: () => ({ allocation: [2, 2, 2, 2, 2] }),
}

const allocationOf = (move: Json): Allocation | Illegal => {
  const allocation = isRecord(move) ? move.allocation : move
  const asked = `allocation must be ${battlefields} whole numbers that add up to ${soldiers}`
  if (!isRecord(move)) return illegal(`a move is {"allocation":[…]}, ${got(move)}`)
  if (!Array.isArray(allocation) || allocation.length !== battlefields)
    return illegal(`${asked}, ${got(allocation)}`)
  const wrong = allocation.find(count => !isWhole(count, 0, soldiers))
  if (wrong !== undefined) return illegal(`${asked}, ${got(wrong)}`)
  const sum = allocation.reduce((total, count) => total + count, 0)
  if (sum !== soldiers) return illegal(`${asked}, got a sum of ${sum}`)
  return allocation.map(unsigned)
}

// JSON knows -0, and a state must survive being written and read.
const unsigned = (count: number) => count + 0

type Round = {
  readonly round: number
  readonly allocations: readonly Allocation[]
  readonly fieldsWon: readonly number[]
  readonly winner: Seat | null
}

const historyOf = (rounds: Blotto['rounds']): Round[] =>
  rounds.map((allocations, i) => {
    const fieldsWon = [0, 1].map(seat => fieldsOf(allocations, seat))
    const winner = fieldsWon.findIndex(fields => fields > battlefields / 2)
    return { round: i + 1, allocations, fieldsWon, winner: winner < 0 ? null : winner }
  })

const fieldsOf = ([a = [], b = []]: readonly Allocation[], seat: Seat) => {
  const [own, other] = seat === 0 ? [a, b] : [b, a]
  return own.filter((count, field) => count > other[field]!).length
}

const scoresOf = (history: readonly Round[]) =>
  [0, 1].map(seat => history.filter(({ winner }) => winner === seat).length)

const scatter = (dice: Dice): Allocation =>
  Array.from({ length: soldiers }, () => dice.roll(battlefields)).reduce<number[]>(
    (allocation, field) => allocation.with(field, allocation[field]! + 1),
    Array(battlefields).fill(0),
  )
