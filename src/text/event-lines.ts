// The bracket and the cross table of an event in characters.

import type { AccountId } from '../arena/account.ts'
import { bracket, type Node } from '../events/bracket.ts'
import { type CrossRow, crossTable } from '../events/cross-table.ts'
import type { EventState } from '../events/state.ts'
import { boardScores, knockoutRoundText, namesOf, pointsText } from '../record/event-text.ts'
import { printable } from './printable.ts'

/** The bracket of a knockout from round `first` on, in columns of `nameWidth` letters and a score. */
export const bracketLines = (
  event: EventState,
  { first = 1, nameWidth = 14 }: { readonly first?: number; readonly nameWidth?: number } = {},
): readonly string[] => {
  const { rounds, thirdPlace } = bracket(event)
  const nameOf = namesOf(event)
  const shown = rounds.slice(first - 1)
  const isTree = event.plan.seats.most === 2
  const textOf = (node: Node, round: number, account: AccountId | null) => {
    const board = event.rounds[round - 1]?.boards[(node.board ?? 0) - 1]
    const score =
      board === undefined || account === null
        ? ''
        : (boardScores(board)?.[board.accounts.indexOf(account)] ?? '')
    const mark = account !== null && node.winners.includes(account) ? '*' : ' '
    const name =
      account !== null ? nameOf(account) : node.board === null && node.isOver ? 'bye' : '·'
    return `${mark}${padded(name, nameWidth)} ${score.padStart(2)}`
  }
  const grid = new Grid(nameWidth + 4)
  for (const [column, nodes] of shown.entries()) {
    const round = first + column
    grid.put(0, column, ` ${knockoutRoundText(event, round, rounds.length)}`)
    let below = 2
    for (const [row, node] of nodes.entries()) {
      const top = isTree ? topOf(column, row) : below
      for (const [line, account] of node.accounts.entries())
        grid.put(top + line, column, textOf(node, round, account))
      below += node.accounts.length + 1
    }
    if (isTree && column > 0)
      for (const row of nodes.keys())
        grid.link(
          column - 1,
          topOf(column - 1, 2 * row),
          topOf(column, row),
          topOf(column - 1, 2 * row + 1),
        )
  }
  const third =
    thirdPlace === null
      ? []
      : ['', ' Third place', ...thirdPlace.accounts.map(a => textOf(thirdPlace, rounds.length, a))]
  return [...grid.lines, ...third]
}

/** A pairing takes two lines, and its middle is halfway between those of the two that lead to it. */
const topOf = (column: number, row: number) => 2 + Math.floor(4 * (row + 0.5) * 2 ** column - 1.5)

const padded = (name: string, width: number) => {
  const text = printable(name)
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width)
}

/** Columns of texts, with lines between them. */
class Grid {
  readonly #width: number
  readonly #texts = new Map<string, string>()
  readonly #links = new Map<string, string>()
  #height = 0
  #columns = 0

  constructor(width: number) {
    this.#width = width
  }

  put(row: number, column: number, text: string): void {
    this.#texts.set(`${row} ${column}`, text)
    this.#height = Math.max(this.#height, row + 1)
    this.#columns = Math.max(this.#columns, column + 1)
  }

  /** From two pairings to the one that they lead to, by their first lines. */
  link(column: number, upper: number, to: number, lower: number): void {
    for (let row = upper + 1; row <= lower; row++)
      this.#links.set(
        `${row} ${column}`,
        row === upper + 1 ? '─┐' : row === lower ? '─┘' : row === to ? ' ├' : ' │',
      )
  }

  get lines(): readonly string[] {
    const cell = (row: number, column: number) =>
      (this.#texts.get(`${row} ${column}`) ?? '').padEnd(this.#width) +
      (this.#links.get(`${row} ${column}`) ?? '  ')
    return times(this.#height, row =>
      times(this.#columns, column => cell(row, column))
        .join('')
        .trimEnd(),
    )
  }
}

const times = <T>(length: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length }, (_, n) => make(n))

/** Each entrant against each other one; in a Swiss each round with the rank of the opponent before the result. */
export const crossLines = (event: EventState, nameWidth = 16): readonly string[] => {
  const rows = crossTable(event)
  const isSwiss = event.plan.format.kind === 'swiss'
  const heads = isSwiss ? event.rounds.map(({ round }) => round) : rows.map((_, at) => at + 1)
  const cells = rows.map(row =>
    isSwiss
      ? event.rounds.map(({ round, byes }) =>
          byes.includes(row.account) ? 'bye' : meetingText(row, round),
        )
      : row.cells.map(
          meetings =>
            meetings?.map(({ share }) => pointsText(share)).join('') || (meetings ? '' : '×'),
        ),
  )
  const width = Math.max(
    2,
    ...heads.map(n => String(n).length),
    ...cells.flat().map(({ length }) => length),
  )
  const line = (rank: string, name: string, texts: readonly string[]) =>
    `${rank.padStart(3)} ${padded(name, nameWidth)} ${texts.map(text => text.padStart(width)).join(' ')}`
  return [
    line('', '', heads.map(String)),
    ...rows.map(({ name }, at) => line(String(at + 1), name, cells[at]!)),
  ]
}

/** The rank of the opponent and the result: "12:½". */
const meetingText = ({ cells }: CrossRow, round: number): string =>
  cells
    .flatMap((meetings, other) =>
      (meetings ?? [])
        .filter(meeting => meeting.round === round)
        .map(({ share }) => `${other + 1}:${pointsText(share)}`),
    )
    .join(',')
