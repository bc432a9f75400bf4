import { bracket } from '../../events/bracket.ts'
import { champion } from '../../events/champion.ts'
import { type CrossRow, crossTable } from '../../events/cross-table.ts'
import type { BoardState, EventState, Round } from '../../events/state.ts'
import { table } from '../../events/table.ts'
import { tieBreaks } from '../../events/tie-breaks.ts'
import { numberText } from '../../record/count-text.ts'
import {
  boardNote,
  boardScore,
  type NameOf,
  namesOf,
  openBoards,
  pointsText,
  statusTexts,
  tieBreakTitles,
  whenText,
} from '../../record/event-text.ts'
import { capital } from '../../record/result-text.ts'
import { type Html, html } from '../html.ts'
import type { LiveBoard } from '../live-match.ts'
import { bracketSvg } from './bracket.ts'
import { agentLink, scrollable } from './parts.ts'

/**
 * What of the page of an event changes while it is played, by the ids of its elements. Event streams send the parts that
 * have changed. `asked`: a round that is shown besides the newest.
 */
export const eventParts = (
  event: EventState,
  live: readonly LiveBoard[],
  asked: number | null = null,
): ReadonlyMap<string, Html> => {
  const shown: Shown = { event, nameOf: namesOf(event), live }
  const rounds =
    event.plan.format.kind === 'arena'
      ? [['round-all', newestBoards(shown)] as const]
      : shownRounds(event, asked).map(
          round => [`round-${round.round}`, roundOf(shown, round)] as const,
        )
  return new Map([
    ['state', stateOf(event)],
    ['next', nextBoards(shown)],
    ['bracket', bracketOf(shown)],
    ['standings', standings(event)],
    ['cross', crossOf(event)],
    ...rounds,
  ])
}

interface Shown {
  readonly event: EventState
  readonly nameOf: NameOf
  readonly live: readonly LiveBoard[]
}

/** Status, round and champion in one line. */
const stateOf = (event: EventState): Html => {
  const { status, rounds, plan, cancelled } = event
  const { format } = plan
  if (cancelled !== null)
    return html`<p class="verdict" role="status"><b>${capital(whenText(event))}</b>: ${cancelled}</p>`
  const first = status === 'finished' ? champion(event) : null
  const text = capital(statusTexts[status])
  const round =
    rounds.length === 0 || format.kind === 'arena'
      ? ''
      : `, round ${rounds.length}${format.kind === 'swiss' ? ` of ${format.rounds}` : ''}`
  return html`<p class="verdict" role="status">${
    status === 'running' ? html`<b class="live-dot">${text}</b>` : html`<b>${text}</b>`
  }, ${whenText(event)}${round}.${first !== null && html` Champion: <b>${agentLink(first.name)}</b>`}</p>`
}

const mostNext = 16

/** The boards that are called but not played yet. */
const nextBoards = (shown: Shown): Html => {
  const open = openBoards(shown.event).filter(board => liveMatch(shown, board) === undefined)
  if (open.length === 0 || shown.event.endedAt !== null) return html``
  return html`<h2>Next</h2><ul class="next">${open
    .slice(0, mostNext)
    .map(board => html`<li>${players(shown, board)}</li>`)}${
    open.length > mostNext &&
    html`<li class="quiet">and ${numberText(open.length - mostNext)} more</li>`
  }</ul>`
}

const liveMatch = ({ live }: Shown, { round, board }: BoardState) =>
  live.find(({ board: text }) => text.startsWith(`${round}.${board}.`))?.match

const standings = (event: EventState): Html => {
  const { entrants, startedAt } = event
  if (entrants.length === 0) return html`<h2>Entrants</h2><p class="empty">No entrants yet.</p>`
  if (startedAt === null)
    return html`<h2>Entrants <span class="quiet">${numberText(entrants.length)}</span></h2>
<ul class="entrants">${entrants.map(
      ({ name, checkedIn }) =>
        html`<li>${agentLink(name)}${checkedIn && html` <span class="badge">checked in</span>`}</li>`,
    )}</ul>`
  const rows = table(event)
  // The number of boards won is a column of its own.
  const shown = rows[0]!.tieBreaks.filter(({ name }) => name !== 'wins')
  return html`<h2>Table</h2>${scrollable(
    'Table',
    html`<table class="ladder"><thead><tr><th>Rank<th>Name<th>Points<th>Played<th>Won<th>Drawn<th>Lost${shown.map(
      ({ name }) => html`<th><abbr title="${tieBreaks[name]}">${tieBreakTitles[name]}</abbr>`,
    )}</tr></thead>
<tbody>${rows.map(
      row =>
        html`<tr><td>${row.rank}<th scope="row">${agentLink(row.name)}${row.withdrawn && html` <span class="badge">withdrawn</span>`}<td><b>${pointsText(row.points)}</b>${[
          row.played,
          row.wins,
          row.draws,
          row.losses,
        ].map(n => html`<td>${n}`)}${row.tieBreaks
          .filter(({ name }) => name !== 'wins')
          .map(
            ({ value }) => html`<td class="quiet">${value === null ? '–' : pointsText(value)}`,
          )}</tr>`,
    )}</tbody></table>`,
  )}`
}

const bracketOf = (shown: Shown): Html => {
  const { event, nameOf } = shown
  if (event.plan.format.kind !== 'knockout' || event.startedAt === null) return html``
  const options = { nameOf, liveMatch: (board: BoardState) => liveMatch(shown, board) }
  return html`<h2>Bracket</h2>${scrollable('Bracket', bracketSvg(bracket(event), event, options))}`
}

/** Each entrant against each other one, or in a Swiss by rounds. */
const crossOf = (event: EventState): Html => {
  const { plan, startedAt, entrants } = event
  const { kind } = plan.format
  if (startedAt === null || entrants.length === 0) return html``
  if (kind === 'swiss') return html`<h2>Round by round</h2>${byRounds(event)}`
  if (kind !== 'round-robin' || entrants.length > mostCrossed) return html``
  const rows = crossTable(event)
  return html`<h2>Cross table</h2>${scrollable(
    'Cross table',
    html`<table class="cross"><thead><tr><th><th>Name${rows.map((_, at) => html`<th>${at + 1}`)}</tr></thead>
<tbody>${rows.map(
      ({ name, cells }, at) =>
        html`<tr><td>${at + 1}<th scope="row">${agentLink(name)}${cells.map(meetings =>
          meetings === null
            ? html`<td class="self">`
            : html`<td>${meetings.map(({ share }) => pointsText(share)).join(' ')}`,
        )}</tr>`,
    )}</tbody></table>`,
  )}`
}

/** A cross table of more entrants is too wide to read. */
const mostCrossed = 40

/** Each cell has the rank of the opponent and the result: "12 ½". */
const byRounds = (event: EventState): Html => {
  const rows = crossTable(event)
  const rounds = event.rounds.map(({ round }) => round)
  return html`${scrollable(
    'Round by round',
    html`<table class="cross"><thead><tr><th><th>Name${rounds.map(round => html`<th>${round}`)}</tr></thead>
<tbody>${rows.map(
      (row, at) =>
        html`<tr><td>${at + 1}<th scope="row">${agentLink(row.name)}${event.rounds.map(
          ({ round, byes }) =>
            html`<td>${byes.includes(row.account) ? 'bye' : meetingText(row, round)}`,
        )}</tr>`,
    )}</tbody></table>`,
  )}<p class="quiet">The rank of each opponent, and the points against it.</p>`
}

const meetingText = ({ cells }: CrossRow, round: number): string =>
  cells
    .flatMap((meetings, other) =>
      (meetings ?? [])
        .filter(meeting => meeting.round === round)
        .map(({ share }) => `${other + 1} ${pointsText(share)}`),
    )
    .join(', ')

/** About as many boards as are shown without being asked for. */
const mostBoards = 64

/** The newest rounds, and the one that is asked for; the newest first. */
const shownRounds = ({ rounds }: EventState, asked: number | null): readonly Round[] => {
  let boards = 0
  return rounds.toReversed().filter(({ boards: { length }, round }) => {
    const isShown = boards < mostBoards || round === asked
    boards += length
    return isShown
  })
}

const roundOf = (shown: Shown, { round, boards, byes }: Round): Html => {
  const over = boards.filter(({ isOver }) => isOver).length
  return html`<details${(round === shown.event.rounds.length || over < boards.length) && html` open`}><summary><h3>Round ${round}</h3> <span class="quiet">${over === boards.length ? 'over' : `${over} of ${boards.length} over`}</span></summary>
${boardTable(shown, boards, `Round ${round}`, ({ board }) => `${board}`)}
${byes.length > 0 && html`<p class="quiet">No pairing in this round: ${byes.map((account, i) => html`${i > 0 && ', '}${agentLink(shown.nameOf(account))}`)}</p>`}</details>`
}

/** Of an arena, in which every drawing is a round of its own. */
const newestBoards = (shown: Shown): Html => {
  const boards = shown.event.rounds.flatMap(({ boards }) => boards).slice(-mostBoards)
  return html`${boards.length > 0 && html`<h2>Newest matches</h2>${boardTable(shown, boards.reverse(), 'Newest matches', ({ round, board }) => `${round}.${board}`)}`}`
}

const boardTable = (
  shown: Shown,
  boards: readonly BoardState[],
  label: string,
  numberOf: (board: BoardState) => string,
): Html =>
  scrollable(
    label,
    html`<table class="boards"><tbody>${boards.map(board => {
      const note = boardNote(board, shown.nameOf)
      return html`<tr><td class="quiet">${numberOf(board)}<td>${players(shown, board)}<td>${scoreOf(shown, board)}<td>${matchLinks(board)}${note !== null && html` <span class="quiet">${note}</span>`}</tr>`
    })}</tbody></table>`,
  )

/** The winner of a board stands out. */
const players = ({ nameOf }: Shown, { accounts, places }: BoardState) =>
  accounts.map((account, seat) => {
    const link = agentLink(nameOf(account))
    return html`${seat > 0 && ' – '}${places?.[seat] === 1 ? html`<b>${link}</b>` : link}`
  })

const scoreOf = (shown: Shown, board: BoardState): Html => {
  const live = liveMatch(shown, board)
  const score = boardScore(board)
  return html`${score !== null && board.accounts.length > 2 && html`<span class="quiet">places</span> `}${score !== null && html`<b>${score}</b> `}${live !== undefined && html`<a class="live-dot" href="/match/${live}">live</a>`}${score === null && live === undefined && html`<span class="quiet">–</span>`}`
}

/** The matches that were played here; those of other referees have no page. */
const matchLinks = ({ legs }: BoardState) =>
  legs.flatMap(({ match, leg }) =>
    match === null
      ? []
      : [html`<a href="/match/${match}">${legs.length === 1 ? 'match' : `match ${leg}`}</a> `],
  )
