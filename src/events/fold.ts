import type { AccountId } from '../arena/account.ts'
import { resultOf } from './board.ts'
import type { Board, Entry, Numbered } from './entry.ts'
import type { EventPlan } from './plan.ts'
import type { BoardState, Entrant, EventState, Round } from './state.ts'

/** The state of an event, made of its whole log. Throws where the log is none. */
export const fold = (entries: readonly Numbered[]): EventState => {
  const [first, ...rest] = entries
  if (first?.kind !== 'created' || first.number !== 1)
    throw new Error('the log of an event begins with entry 1, which creates it')
  return rest.reduce(add, created(first.plan, first.at))
}

/** The state after one more entry. Throws where the entry cannot follow. */
export const add = (state: EventState, entry: Numbered): EventState => {
  if (entry.number !== state.entries + 1)
    throw new Error(`entry ${entry.number} does not follow entry ${state.entries}`)
  try {
    return { ...after(state, entry), entries: entry.number }
  } catch (error) {
    throw new Error(`entry ${entry.number} (${entry.kind}): ${(error as Error).message}`)
  }
}

const created = (plan: EventPlan, at: number): EventState => ({
  plan,
  status: 'open',
  entries: 1,
  createdAt: at,
  startedAt: null,
  endedAt: null,
  cancelled: null,
  pausedAt: null,
  pausedFor: 0,
  entered: 0,
  entrants: [],
  rounds: [],
})

const after = (state: EventState, entry: Numbered): EventState => {
  const { status } = state
  if (status === 'finished' || status === 'cancelled') throw new Error(`the event is ${status}`)
  switch (entry.kind) {
    case 'created':
      throw new Error('the event is there already')
    case 'entered':
      return entered(state, entry)
    case 'checked-in':
      return withEntrant(state, entry.account, { checkedIn: true })
    case 'withdrew':
      return status === 'open'
        ? { ...state, entrants: state.entrants.filter(({ account }) => account !== entry.account) }
        : withEntrant(state, entry.account, { withdrawn: true })
    case 'started':
      return started(state, entry)
    case 'drawn':
      return drawn(state, entry)
    case 'played':
    case 'settled':
      return withBoard(state, entry)
    case 'paused':
      must(status === 'running', `the event is ${status}`)
      return { ...state, status: 'paused', pausedAt: entry.at }
    case 'resumed':
      return resumed(state, entry.at)
    case 'cancelled':
      return { ...state, status: 'cancelled', endedAt: entry.at, cancelled: entry.reason }
    case 'finished':
      must(status !== 'open', 'the event has not started')
      return { ...state, status: 'finished', endedAt: entry.at }
  }
}

type Of<Kind extends Entry['kind']> = Extract<Numbered, { kind: Kind }>

/** Who has withdrawn after the start comes back by entering again. */
const entered = (
  state: EventState,
  { account, name, rating, granted }: Of<'entered'>,
): EventState => {
  const there = state.entrants.find(entrant => entrant.account === account)
  if (there !== undefined) {
    must(there.withdrawn, `account ${account} has entered already`)
    return withEntrant(state, account, { withdrawn: false, missed: 0 })
  }
  const number = state.entered + 1
  const entrant = {
    ...{ number, account, name, rating, granted: granted ?? null },
    ...{ checkedIn: false, missed: 0, withdrawn: false },
  }
  return { ...state, entered: number, entrants: [...state.entrants, entrant] }
}

const started = (state: EventState, { entrants, at }: Of<'started'>): EventState => {
  must(state.status === 'open', 'the event has started already')
  return {
    ...state,
    status: 'running',
    startedAt: at,
    entrants: entrants.map(({ account, name, rating }) => ({
      ...entrantOf(state, account),
      name,
      rating,
    })),
  }
}

const drawn = (state: EventState, { round, boards, byes, at }: Of<'drawn'>): EventState => {
  must(state.status === 'running', `the event is ${state.status}`)
  must(round === state.rounds.length + 1, `round ${state.rounds.length} was drawn last`)
  const next: Round = {
    round,
    drawnAt: at,
    boards: boards.map((board, index) => {
      must(board.board === index + 1, `board ${board.board} stands in place ${index + 1}`)
      return opened(state, round, board)
    }),
    byes,
  }
  return { ...state, rounds: [...state.rounds, next] }
}

const opened = (state: EventState, round: number, { board, accounts }: Board): BoardState => {
  const there = accounts.map(account => !entrantOf(state, account).withdrawn)
  const isWalkover = there.filter(Boolean).length < 2
  return {
    round,
    board,
    accounts,
    legs: [],
    settled: null,
    places: isWalkover ? there.map(isThere => (isThere ? 1 : 2)) : null,
    isOver: isWalkover,
  }
}

const withBoard = (state: EventState, entry: Of<'played'> | Of<'settled'>): EventState => {
  const round = state.rounds[entry.round - 1]
  const board = round?.boards[entry.board - 1]
  if (round === undefined || board === undefined)
    throw new Error(`there is no board ${entry.board} in round ${entry.round}`)
  const isFinal = round.boards.length === 1 && round.byes.length === 0
  const changed =
    entry.kind === 'played' ? played(state.plan, board, entry, isFinal) : settled(board, entry)
  const next = { ...round, boards: round.boards.with(entry.board - 1, changed) }
  const rounds = state.rounds.with(entry.round - 1, next)
  return { ...state, rounds, entrants: state.entrants.map(missing(board, changed)) }
}

/** A repeat counts for nothing, nor does a match change what was settled. */
const played = (
  plan: EventPlan,
  board: BoardState,
  entry: Of<'played'>,
  isFinal: boolean,
): BoardState => {
  must(
    entry.places.length === entry.accounts.length &&
      entry.accounts.every(account => board.accounts.includes(account)),
    `it is not of the board of ${board.accounts.join(', ')}`,
  )
  if (board.legs.some(({ leg }) => leg === entry.leg)) return board
  const legs = [...board.legs, entry]
  return board.isOver
    ? { ...board, legs }
    : { ...board, legs, ...resultOf(plan, { ...board, legs }, isFinal) }
}

const settled = (board: BoardState, entry: Of<'settled'>): BoardState => {
  must(
    entry.places === null || entry.places.length === board.accounts.length,
    `the board has ${board.accounts.length} places`,
  )
  return { ...board, settled: entry, places: entry.places, isOver: true }
}

/** Counts the boards that an entrant has missed. Two, and it gets no more. */
const missing = (before: BoardState, now: BoardState) => {
  const absent = ({ settled }: BoardState, account: AccountId) =>
    settled?.absent.includes(account) ? 1 : 0
  return (entrant: Entrant): Entrant => {
    const change = absent(now, entrant.account) - absent(before, entrant.account)
    if (change === 0) return entrant
    const missed = Math.max(0, entrant.missed + change)
    return { ...entrant, missed, withdrawn: entrant.withdrawn || missed >= mostMissed }
  }
}

const mostMissed = 2

const resumed = (state: EventState, at: number): EventState => {
  if (state.pausedAt === null) throw new Error('the event is not paused')
  const pausedFor = state.pausedFor + at - state.pausedAt
  return { ...state, status: 'running', pausedAt: null, pausedFor }
}

const entrantOf = (state: EventState, account: AccountId): Entrant => {
  const entrant = state.entrants.find(known => known.account === account)
  if (entrant === undefined) throw new Error(`account ${account} has not entered`)
  return entrant
}

const withEntrant = (
  state: EventState,
  account: AccountId,
  change: Partial<Entrant>,
): EventState => {
  entrantOf(state, account)
  return {
    ...state,
    entrants: state.entrants.map(entrant =>
      entrant.account === account ? { ...entrant, ...change } : entrant,
    ),
  }
}

function must(holds: boolean, reason: string): asserts holds {
  if (!holds) throw new Error(reason)
}
