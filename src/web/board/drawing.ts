import type { Look } from '../../games/look.ts'
import { type Html, html } from '../html.ts'
import { sceneOf } from './board.ts'
import { panelOf } from './panels.ts'
import { svgOf } from './svg.ts'

export interface Viewed {
  /** The name of the game. */
  readonly title: string
  /** By seat. */
  readonly names: readonly string[]
  readonly flipped?: boolean
}

/** A position as HTML: the board, if there is one, and the panels. */
export const draw = (viewed: Viewed, look: Look): Html =>
  html`${boardSvg(viewed, look)}${(look.panels ?? []).map(panel => panelOf(panel, viewed.names))}`

/** A small position: only the board, if there is one. */
export const drawSmall = (viewed: Viewed, look: Look): Html =>
  look.board === undefined ? draw(viewed, look) : html`${boardSvg(viewed, look)}`

/** A position as text for screen readers. */
export const describe = ({ title }: Viewed, look: Look): string =>
  `${title}. ${look.alt ?? `Cells by row: ${(look.board?.rows ?? []).join(' / ')}.`}`

const boardSvg = (viewed: Viewed, look: Look): Html | false =>
  look.board !== undefined && svgOf(sceneOf(look.board, viewed.flipped), describe(viewed, look))
