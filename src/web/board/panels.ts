import type { Panel, Part, Text } from '../../games/look.ts'
import { type Html, html } from '../html.ts'
import { chartOf } from './chart.ts'

/** A panel as a table, a list or a paragraph; `names` are the players by seat. */
export const panelOf = (panel: Panel, names: readonly string[]): Html => {
  const words = (text: Text) => wordsOf(text, names)
  const cellOf = (text: Text) => html`${chipOf(text)}${words(text)}`
  switch (panel.kind) {
    case 'line':
      return html`<p${panel.tone && html` class="${panel.tone}"`}>${words(panel.text)}</p>`
    case 'talk':
      return html`<ol class="talk">${panel.messages.map(
        ({ seat, text }) =>
          html`<li class="s${seat}"><b>${names[seat] ?? seat}</b> <span dir="auto">${text}</span></li>`,
      )}</ol>`
    case 'log':
      return toldOf(panel.lines, names)
    case 'chart':
      return chartOf(panel, names)
    case 'table': {
      const row = (cells: readonly Text[]) => {
        const [first = '', ...rest] = cells
        return html`<tr><th scope="row">${cellOf(first)}${rest.map(cell => html`<td>${cellOf(cell)}`)}</tr>`
      }
      return html`<table><thead><tr>${panel.head.map(cell => html`<th>${cellOf(cell)}`)}</tr></thead>
<tbody>${panel.rows.map(row)}</tbody>${panel.foot && html`<tfoot>${row(panel.foot)}</tfoot>`}</table>`
    }
  }
}

/** What has happened, as a list. */
export const toldOf = (lines: readonly Text[], names: readonly string[]): Html =>
  html`<ol class="told">${lines.map(text => html`<li>${wordsOf(text, names)}</li>`)}</ol>`

/** A table cell that begins with a seat has the colour of the seat. */
const chipOf = (text: Text): Html | false => {
  const [part] = Array.isArray(text) ? text : []
  return (
    typeof part === 'object' &&
    'seat' in part &&
    html`<span class="chip s${part.seat}">${part.seat}</span> `
  )
}

const wordsOf = (text: Text, names: readonly string[]): Html => {
  if (typeof text === 'string' || typeof text === 'number') return html`${text}`
  // A list of toned parts, such as the soldiers on five fields, needs blanks between them.
  const isList = text.length > 1 && text.every(part => typeof part === 'object' && 'tone' in part)
  return html`${text.map((part, i) => html`${isList && i > 0 && ' '}${partOf(part, names)}`)}`
}

const partOf = (part: Part, names: readonly string[]): Html => {
  if (typeof part === 'string') return html`${part}`
  if ('seat' in part) return html`${names[part.seat] ?? part.seat}`
  switch (part.tone) {
    case 'strong':
      return html`<b>${part.text}</b>`
    case 'weak':
      return html`<i class="weak">${part.text}</i>`
    case 'struck':
      return html`<s>${part.text}</s>`
    case 'quote':
      return html`<q>${part.text}</q>`
  }
}
