import type { AccountId } from '../arena/account.ts'
import type { Format } from './plan.ts'
import { resultsOf } from './results.ts'
import type { BoardState, EventState, Round } from './state.ts'
import { type Row, table } from './table.ts'

/**
 * The tournament report of FIDE, TRF16, of a Swiss or a round robin of pairs that has begun; null for anything else. A board is one
 * result, however many matches it had, with the seats of its first one. Points other than 1, ½ and 0 are given in the
 * lines of bbpPairings, and another game than chess is named in the type of the tournament.
 */
export const trf = (state: EventState): string | null => {
  if (!hasTrf(state)) return null
  const { plan, entrants, rounds } = state
  const { kind } = plan.format
  const results = resultsOf(state)
  const countsIn = (account: AccountId, round: number) =>
    results.get(account)?.some(result => result.round === round) ?? false
  const rows = new Map(table(state).map(row => [row.account, row]))
  const numbers = new Map(entrants.map(({ account }, index) => [account, index + 1]))
  const lines = [
    line('012', plan.title),
    line('042', dateOf(state.startedAt)),
    line('052', dateOf(state.endedAt)),
    line('062', `${entrants.length}`),
    line('072', `${entrants.length}`),
    line('082', '0'),
    line('092', typeOf(plan.game, kind)),
    line('XXR', `${plan.format.kind === 'swiss' ? plan.format.rounds : rounds.length}`),
    ...pointLines(state),
    `132 ${' '.repeat(87)}${rounds.map(({ drawnAt }) => dateOf(drawnAt).slice(2).padEnd(10)).join('')}`,
    ...entrants.map(({ account, rating }) =>
      playerLine(
        numbers.get(account)!,
        rows.get(account)!,
        rating,
        rounds.map(round =>
          resultIn(round, account, numbers, kind, countsIn(account, round.round)),
        ),
      ),
    ),
  ]
  return `${lines.map(text => text.trimEnd()).join('\n')}\n`
}

export const hasTrf = ({ plan: { seats, format }, startedAt }: EventState): boolean =>
  startedAt !== null &&
  seats.most === 2 &&
  (format.kind === 'swiss' || format.kind === 'round-robin')

const line = (code: string, text: string) => `${code} ${text}`

const dateOf = (at: number | null) =>
  at === null ? '' : new Date(at).toISOString().slice(0, 10).replaceAll('-', '/')

const typeOf = (game: string, kind: Format['kind']) => {
  const type = kind === 'swiss' ? 'Individual: Swiss-System' : 'Individual: Round-Robin'
  return game === 'chess' ? type : `${type} (not chess: ${game})`
}

const pointLines = ({ plan: { points } }: EventState): readonly string[] => {
  if (points.by !== 'result') return []
  const { win, draw, loss } = points
  if (win === 1 && draw === 0.5 && loss === 0) return []
  const of = (code: string, worth: number) => line(code, worth.toFixed(1).padStart(4))
  return [of('BBW', win), of('BBD', draw), of('BBL', loss)]
}

/** The columns are fixed: the name from 15 on, the points from 81 on, each round 10 from 92 on. */
const playerLine = (number: number, row: Row, rating: number, results: readonly string[]) =>
  [
    `001 ${String(number).padStart(4)}`.padEnd(14),
    row.name.slice(0, 33).padEnd(34),
    String(Math.max(0, Math.round(rating))).padStart(4),
    ' '.repeat(28),
    row.points.toFixed(1).padStart(4),
    String(row.rank).padStart(5),
    ...results.map(result => `  ${result}`),
  ].join('')

/** The opponent, the colour and the result: so that the points of a player are the sum of its results. */
const resultIn = (
  { boards, byes }: Round,
  account: AccountId,
  numbers: ReadonlyMap<AccountId, number>,
  kind: Format['kind'],
  counts: boolean,
): string => {
  const board = boards.find(({ accounts }) => accounts.includes(account))
  if (board === undefined) return `0000 - ${byes.includes(account) && kind === 'swiss' ? 'U' : 'Z'}`
  if (!board.isOver) return ' '.repeat(8)
  if (board.places === null || !counts) return '0000 - Z'
  const seat = board.accounts.indexOf(account)
  const opponent = String(numbers.get(board.accounts[1 - seat]!) ?? 0).padStart(4)
  return `${opponent} ${seat === 0 ? 'w' : 'b'} ${codeOf(board, board.places, seat)}`
}

/** Without a match: won or lost by forfeit, or an unrated draw. */
const codeOf = ({ legs }: BoardState, places: readonly number[], seat: number) => {
  const own = places[seat]!
  const [won, drawn, lost] = legs.length > 0 ? ['1', '=', '0'] : ['+', 'D', '-']
  if (own > 1) return lost
  return places[1 - seat] === 1 ? drawn : won
}
