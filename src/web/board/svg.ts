import { type Html, html, raw } from '../html.ts'
import type { Scene, Shape, Tone } from './scene.ts'

/** A scene as SVG with colours from the stylesheet, and a label for screen readers. */
export const svgOf = ({ width, height, shapes }: Scene, label: string): Html =>
  html`<svg class="board" viewBox="0 0 ${rounded(width)} ${rounded(height)}" role="img" aria-label="${label}">${shapes.map(
    shape => raw(shapeSvg(shape)),
  )}</svg>`

// Labels are the only text from players in here, and `html` escapes them.
const shapeSvg = (shape: Shape): string => {
  switch (shape.kind) {
    case 'rect': {
      const [x, y] = shape.at
      const [width, height] = shape.size
      const round = shape.round === undefined ? '' : ` rx="${rounded(shape.round)}"`
      return `<rect x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"${round}${paint(shape)}/>`
    }
    case 'circle':
      return `<circle cx="${rounded(shape.at[0])}" cy="${rounded(shape.at[1])}" r="${rounded(shape.radius)}"${paint(shape)}/>`
    case 'polygon':
      return `<path d="M${shape.points.map(([x, y]) => `${rounded(x)} ${rounded(y)}`).join('L')}Z"${paint(shape)}/>`
    case 'line': {
      const [[x, y], [u, v]] = [shape.from, shape.to]
      return `<path d="M${rounded(x)} ${rounded(y)}L${rounded(u)} ${rounded(v)}"${paint(shape)}/>`
    }
    case 'cells':
      return `<path d="${shape.runs.map(([x, y, n]) => `M${x} ${y}h${n}v1h-${n}z`).join('')}"${paint(shape)}/>`
    case 'group': {
      const { key, title, shapes } = shape
      const moves = key && html` data-key="${key.name}" data-at="${key.at.map(rounded).join(' ')}"`
      return html`<g${moves}>${title && html`<title>${title}</title>`}${raw(shapes.map(shapeSvg).join(''))}</g>`
        .text
    }
    case 'text':
      return html`<text x="${rounded(shape.at[0])}" y="${rounded(shape.at[1] + shape.size * 0.35)}" font-size="${rounded(shape.size)}" class="f-${shape.fill}">${shape.text}</text>`
        .text
  }
}

const paint = ({ fill, line, width }: { fill?: Tone; line?: Tone; width?: number }) => {
  const classes = [fill && `f-${fill}`, line && `l-${line}`].filter(Boolean).join(' ')
  return ` class="${classes}"${width === undefined ? '' : ` stroke-width="${rounded(width)}"`}`
}

const rounded = (value: number) => Math.round(value * 100) / 100
