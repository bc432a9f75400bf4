import { type Html, html, raw } from '../html.ts'
import type { Scene, Shape, Tone } from './scene.ts'

/** A scene as SVG that takes its colours from the stylesheet. The label is what a screen reader says. */
export const svgOf = ({ width, height, shapes }: Scene, label: string): Html =>
  html`<svg class="board" viewBox="0 0 ${tidy(width)} ${tidy(height)}" role="img" aria-label="${label}">${shapes.map(
    shape => raw(written(shape)),
  )}</svg>`

// Nothing that a player wrote gets in here but the text of labels, which is escaped.
const written = (shape: Shape): string => {
  switch (shape.kind) {
    case 'rect': {
      const [x, y] = shape.at
      const [width, height] = shape.size
      const round = shape.round === undefined ? '' : ` rx="${tidy(shape.round)}"`
      return `<rect x="${tidy(x)}" y="${tidy(y)}" width="${tidy(width)}" height="${tidy(height)}"${round}${paint(shape)}/>`
    }
    case 'circle':
      return `<circle cx="${tidy(shape.at[0])}" cy="${tidy(shape.at[1])}" r="${tidy(shape.radius)}"${paint(shape)}/>`
    case 'polygon':
      return `<path d="M${shape.points.map(([x, y]) => `${tidy(x)} ${tidy(y)}`).join('L')}Z"${paint(shape)}/>`
    case 'line': {
      const [[x, y], [u, v]] = [shape.from, shape.to]
      return `<path d="M${tidy(x)} ${tidy(y)}L${tidy(u)} ${tidy(v)}"${paint(shape)}/>`
    }
    case 'cells':
      return `<path d="${shape.runs.map(([x, y, n]) => `M${x} ${y}h${n}v1h-${n}z`).join('')}"${paint(shape)}/>`
    case 'text':
      return html`<text x="${tidy(shape.at[0])}" y="${tidy(shape.at[1] + shape.size * 0.35)}" font-size="${tidy(shape.size)}" class="f-${shape.fill}">${shape.text}</text>`
        .text
  }
}

const paint = ({ fill, line, width }: { fill?: Tone; line?: Tone; width?: number }) => {
  const classes = [fill && `f-${fill}`, line && `l-${line}`].filter(Boolean).join(' ')
  return ` class="${classes}"${width === undefined ? '' : ` stroke-width="${tidy(width)}"`}`
}

const tidy = (value: number) => Math.round(value * 100) / 100
