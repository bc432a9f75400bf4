import type { Look } from '../../games/look.ts'
import { type Html, html } from '../html.ts'
import { sceneOf } from './board.ts'
import { panelOf } from './panels.ts'
import type { Scene } from './scene.ts'
import { svgOf } from './svg.ts'
import { sceneOfTrack } from './track.ts'

export interface DrawOptions {
  /** The name of the game. */
  readonly title: string
  /** By seat. */
  readonly names: readonly string[]
  readonly flipped?: boolean
}

/** A position as HTML: the board, if there is one, and the panels. A track has room for them in its middle. */
export const draw = (options: DrawOptions, look: Look): Html => {
  const panels = (look.panels ?? []).map(panel => panelOf(panel, options.names))
  return look.track === undefined
    ? html`${boardSvg(options, look)}${panels}`
    : html`<div class="track">${boardSvg(options, look)}<div class="middle">${panels}</div></div>`
}

/** A small position: only the board, if there is one. */
export const drawSmall = (options: DrawOptions, look: Look): Html =>
  boardScene(look) === null ? draw(options, look) : html`${boardSvg(options, look)}`

/** A position as text for screen readers. */
export const altText = ({ title }: DrawOptions, look: Look): string =>
  `${title}. ${look.alt ?? `Cells by row: ${(look.board?.rows ?? []).join(' / ')}.`}`

/** The board or track of a look as shapes; null if it has none. */
export const boardScene = (
  { board, track }: Look,
  { flipped, names }: Partial<DrawOptions> = {},
): Scene | null => (board ? sceneOf(board, flipped) : track ? sceneOfTrack(track, names) : null)

const boardSvg = (options: DrawOptions, look: Look): Html | false => {
  const scene = boardScene(look, options)
  return scene !== null && svgOf(scene, altText(options, look))
}
