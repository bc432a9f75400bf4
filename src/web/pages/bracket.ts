import type { AccountId } from '../../arena/account.ts'
import type { Bracket, Node } from '../../events/bracket.ts'
import type { BoardState, EventState } from '../../events/state.ts'
import { boardScores, knockoutRoundText, type NameOf } from '../../record/event-text.ts'
import { type Html, html } from '../html.ts'

/** A bracket as SVG. It has a fixed size, so that it can be read on a narrow screen, where it scrolls. */
export const bracketSvg = (
  { rounds, thirdPlace }: Bracket,
  event: EventState,
  { nameOf, liveMatch }: Names,
): Html => {
  const isTree = event.plan.seats.most === 2
  const boxes = rounds.map((nodes, column) => {
    let below = 0
    return nodes.map((node, row): Box => {
      const height = lineHeight * node.accounts.length
      const y = isTree ? middleOf(column, row) - height / 2 : below
      below += height + gap
      return { node, round: column + 1, x: column * (width + between), y: y + heading, height }
    })
  })
  const final = boxes.at(-1)?.[0]
  const third: readonly Box[] =
    thirdPlace === null || final === undefined
      ? []
      : [{ ...final, node: thirdPlace, y: final.y + final.height + heading + gap }]
  const all = [...boxes.flat(), ...third]
  const right = rounds.length * (width + between) - between
  const bottom = Math.max(0, ...all.map(({ y, height }) => y + height)) + 2
  const box = (given: Box) =>
    boxOf(given, event.rounds[given.round - 1]?.boards, { nameOf, liveMatch })
  return html`<svg class="bracket" width="${right + 2}" height="${bottom}" viewBox="-1 -1 ${right + 2} ${bottom}" role="group" aria-label="Bracket">
${isTree && boxes.slice(1).map((column, at) => column.map((to, row) => [0, 1].map(side => linkOf(boxes[at]![2 * row + side]!, to))))}
${rounds.map((_, column) => html`<text class="f-label" x="${column * (width + between)}" y="14">${knockoutRoundText(event, column + 1, rounds.length)}</text>`)}
${third.map(({ x, y }) => html`<text class="f-label" x="${x}" y="${y - 8}">Third place</text>`)}
${all.map(box)}</svg>`
}

interface Names {
  readonly nameOf: NameOf
  readonly liveMatch: (board: BoardState) => number | undefined
}

interface Box {
  readonly node: Node
  readonly round: number
  readonly x: number
  readonly y: number
  readonly height: number
}

// In pixels.
const width = 210
const between = 32
const lineHeight = 24
const gap = 16
const heading = 24

/** Halfway between the two nodes that lead to it. */
const middleOf = (column: number, row: number) =>
  (2 * lineHeight + gap) * ((row + 0.5) * 2 ** column) - gap / 2

const linkOf = (from: Box, to: Box) => {
  const [y, into] = [from.y + from.height / 2, to.y + to.height / 2]
  return html`<path class="l-rule" d="M${from.x + width} ${y}h${between / 2}V${into}h${between / 2}"/>`
}

const boxOf = (
  { node, x, y, height }: Box,
  boards: readonly BoardState[] | undefined,
  { nameOf, liveMatch }: Names,
) => {
  const board = node.board === null ? undefined : boards?.[node.board - 1]
  const live = board && liveMatch(board)
  const match = live ?? board?.legs.findLast(({ match }) => match !== null)?.match ?? null
  const lines = node.accounts.map((account, line) => {
    const [top, won] = [y + line * lineHeight, account !== null && node.winners.includes(account)]
    // A svg of its own cuts a name that is too long.
    return html`<svg x="${x}" y="${top}" width="${width - 40}" height="${lineHeight}"><text x="8" y="16" class="${won ? 'won' : ''}">${nameAt(node, account, nameOf)}${account !== null && html`<title>${nameOf(account)}</title>`}</text></svg>
<text class="end${won ? ' won' : ''}" x="${x + width - 8}" y="${top + 16}">${board && account !== null && scoreIn(board, account)}</text>`
  })
  const drawn = html`<rect class="${live === undefined ? '' : 'live'}" x="${x}" y="${y}" width="${width}" height="${height}"/>${node.accounts.slice(1).map((_, line) => html`<path class="l-faint" d="M${x} ${y + (line + 1) * lineHeight}h${width}"/>`)}${lines}`
  return match === null ? drawn : html`<a href="/match/${match}">${drawn}</a>`
}

const nameAt = ({ board, isOver }: Node, account: AccountId | null, nameOf: NameOf) =>
  account !== null ? nameOf(account) : board === null && isOver ? 'bye' : ''

const scoreIn = (board: BoardState, account: AccountId) =>
  boardScores(board)?.[board.accounts.indexOf(account)] ?? ''
