import type { Look } from '../../games/look.ts'
import { type Html, html } from '../html.ts'
import { sceneOf } from './board.ts'
import { panelOf } from './panels.ts'
import { svgOf } from './svg.ts'

export interface DrawOptions {
  /** The name of the game. */
  readonly title: string
  /** By seat. */
  readonly names: readonly string[]
  readonly flipped?: boolean
}

/** A position as HTML: the board, if there is one, and the panels. */
export const draw = (options: DrawOptions, look: Look): Html =>
  html`${boardSvg(options, look)}${(look.panels ?? []).map(panel => panelOf(panel, options.names))}`

/** A small position: only the board, if there is one. */
export const drawSmall = (options: DrawOptions, look: Look): Html =>
  look.board === undefined ? draw(options, look) : html`${boardSvg(options, look)}`

/** A position as text for screen readers. */
export const altText = ({ title }: DrawOptions, look: Look): string =>
  `${title}. ${look.alt ?? `Cells by row: ${(look.board?.rows ?? []).join(' / ')}.`}`

const boardSvg = (options: DrawOptions, look: Look): Html | false =>
  look.board !== undefined && svgOf(sceneOf(look.board, options.flipped), altText(options, look))
