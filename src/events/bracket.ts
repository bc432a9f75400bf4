import type { AccountId } from '../arena/account.ts'
import { lot } from './lot.ts'
import type { BoardState, EventState, Round } from './state.ts'

/**
 * A knockout, as it is drawn on paper. In pairings, nodes 2k and 2k + 1 of a round lead to node k of the next one, and
 * rounds to come are there too. In groups there are only the rounds that have been drawn.
 */
export interface Bracket {
  readonly rounds: readonly (readonly Node[])[]
  /** The board of the two who lost the semifinals; null where there is none. */
  readonly thirdPlace: Node | null
}

export interface Node {
  /** Its board in that round; null before it is drawn, and where there is none, such as for a bye. */
  readonly board: number | null
  /** Null for a place that is not known yet, or that stays empty. */
  readonly accounts: readonly (AccountId | null)[]
  /** Those who go on, or have won the last round. */
  readonly winners: readonly AccountId[]
  /** Whether it is known which entrant goes on, if any. */
  readonly isOver: boolean
}

export const bracket = (state: EventState): Bracket =>
  state.plan.seats.most > 2 ? groups(state) : pairings(state)

const pairings = (state: EventState): Bracket => {
  const size = 2 ** Math.ceil(Math.log2(Math.max(1, state.entrants.length)))
  const rounds: Node[][] = []
  let slots: readonly Slot[] = seedOrder(size).map(seed => {
    const winner = state.entrants[seed - 1]?.account ?? null
    return { from: winner === null ? [] : [winner], winner }
  })
  for (let round = 1; slots.length > 1; round++) {
    const nodes = pairsOf(slots).map(pair => nodeOf(state, round, pair))
    rounds.push(nodes)
    slots = nodes.map(({ accounts, winners }) => ({
      from: accounts.filter(account => account !== null),
      winner: winners[0] ?? null,
    }))
  }
  return { rounds, thirdPlace: thirdPlace(state, rounds) }
}

/** A place in a round: who might come to it, and who does as it stands. */
interface Slot {
  readonly from: readonly AccountId[]
  readonly winner: AccountId | null
}

/** Who is seeded where: the better one of each pair first, and the two best in different halves. */
const seedOrder = (size: number): readonly number[] =>
  size === 1 ? [1] : seedOrder(size / 2).flatMap(seed => [seed, size + 1 - seed])

const pairsOf = <T>(list: readonly T[]) =>
  Array.from({ length: list.length / 2 }, (_, index) => list.slice(2 * index, 2 * index + 2))

/** What is drawn stays drawn, even where the operator settles a board of an earlier round afterwards. */
const nodeOf = (state: EventState, round: number, slots: readonly Slot[]): Node => {
  const drawn = state.rounds[round - 1]
  const winners = slots.map(({ winner }) => winner)
  if (drawn === undefined) return { board: null, accounts: winners, winners: [], isOver: false }
  const mightBeHere = (account: AccountId) => slots.some(({ from }) => from.includes(account))
  const resting = drawn.byes.filter(mightBeHere)
  // The final comes before the board for the third place.
  const board = drawn.boards.find(({ accounts }) => accounts.every(mightBeHere))
  return board === undefined || resting.length > 0
    ? { board: null, accounts: winners, winners: resting, isOver: true }
    : {
        board: board.board,
        accounts: slots.map(({ from }) => board.accounts.find(own => from.includes(own)) ?? null),
        winners: winnersOf(state, board, 1),
        isOver: board.isOver,
      }
}

const thirdPlace = (state: EventState, rounds: readonly (readonly Node[])[]): Node | null => {
  const { format } = state.plan
  const [semifinals, final] = [rounds.at(-2), rounds.at(-1)?.[0]]
  if (format.kind !== 'knockout' || !format.thirdPlace || !semifinals) return null
  const board = state.rounds[rounds.length - 1]?.boards.find(own => own.board !== final?.board)
  if (board !== undefined) {
    const { accounts, isOver } = board
    return { board: board.board, accounts, winners: winnersOf(state, board, 1), isOver }
  }
  const losers = semifinals.map(
    ({ board, accounts, winners: [winner] }) =>
      (board !== null && winner !== undefined && accounts.find(other => other !== winner)) || null,
  )
  return { board: null, accounts: losers, winners: [], isOver: final?.isOver ?? false }
}

/** Whether a round of groups is the last one. */
export const isFinal = ({ boards, byes }: Round): boolean =>
  boards.length === 1 && byes.length === 0

const groups = (state: EventState): Bracket => ({
  rounds: state.rounds.map((round, index) => {
    const next = state.rounds[index + 1]
    // More than the best half, where that is too few for a group.
    const goesOn = (account: AccountId) =>
      next === undefined ||
      next.byes.includes(account) ||
      next.boards.some(({ accounts }) => accounts.includes(account))
    return round.boards.map(board => {
      const { length } = board.accounts
      const most = next !== undefined ? length : isFinal(round) ? 1 : Math.ceil(length / 2)
      return {
        board: board.board,
        accounts: board.accounts,
        winners: winnersOf(state, board, most).filter(goesOn),
        isOver: board.isOver,
      }
    })
  }),
  thirdPlace: null,
})

/** The best of a board, the first one first. Equal ones go by lot, and without a first place all have lost. */
const winnersOf = ({ plan }: EventState, board: BoardState, most: number): readonly AccountId[] => {
  const { round, accounts, places } = board
  if (places === null || !places.includes(1)) return []
  const placeOf = (account: AccountId) => places[accounts.indexOf(account)]!
  const lotOf = (account: AccountId) => lot(plan.seed, `board ${round}.${board.board} ${account}`)
  return accounts
    .toSorted((a, b) => placeOf(a) - placeOf(b) || lotOf(a) - lotOf(b) || a - b)
    .slice(0, most)
}
