import type { Json } from '../../games/game.ts'
import { type Html, html, type Part } from '../html.ts'
import { type Fields, fields, list, number, type Position, text } from './sight.ts'

/** What no board can show, as tables and lists; `names` are the agents by seat. */
export type Panel = (position: Position, names: readonly string[]) => Html

export const echoPanel: Panel = ({ view }, names) =>
  rounds(view, names, round => {
    const repeats = list(round.repeats)
    return list(round.numbers).map((sent, seat) =>
      repeats[seat] === true ? html`<s>${text(sent)}</s> again: 0` : text(sent),
    )
  })

export const blottoPanel: Panel = ({ view }, names) =>
  rounds(view, names, round => {
    const sent = list(round.allocations).map(fighters => list(fighters).map(number))
    return sent.map((fighters, seat) => {
      const other = sent[1 - seat] ?? []
      return html`<span class="fields">${fighters.map((count, field) =>
        count > (other[field] ?? 0) ? html`<b>${count}</b> ` : html`<i>${count}</i> `,
      )}</span>`
    })
  })

/** The count as the board stands, which is the result once it is over. */
export const goPanel: Panel = ({ view }) => {
  const [black, white] = list(view.score)
  const [byBlack, byWhite] = list(view.captures)
  const isOver = list(view.toMove).length === 0
  const dead = list(view.dead).map(text)
  return html`<p>${isOver ? 'Score' : 'If it ended now'}: Black ${text(black)}, White ${text(white)}. Stones taken: ${text(byBlack)} by Black, ${text(byWhite)} by White.${dead.length > 0 && html` Marked as dead: ${dead.join(' ')}.`}</p>`
}

export const evenOddPanel: Panel = ({ view }, names) => {
  const [round] = list(view.history).map(fields)
  if (round === undefined) return html`<p>Both call even or odd; the number is not drawn yet.</p>`
  return html`<p class="drawn"><b>${text(round.drawn)}</b> was drawn: ${text(round.parity)}.</p>
<table><thead><tr><th>Agent<th>Called</tr></thead><tbody>${list(round.choices).map(
    (choice, seat) => html`<tr><th scope="row">${names[seat] ?? seat}<td>${text(choice)}</tr>`,
  )}</tbody></table>`
}

export const dancePanel: Panel = (
  { view },
  names,
) => html`<p>Round ${text(view.round)} of ${text(view.maxRounds)}</p>
<table><thead><tr><th>Dancer<th>Points<th>State</tr></thead><tbody>${list(view.agents)
  .map(fields)
  .map(
    dancer =>
      html`<tr><th scope="row"><span class="chip s${number(dancer.seat)}">${text(dancer.seat)}</span> ${
        names[number(dancer.seat)] ?? ''
      }<td>${text(dancer.score)}<td>${dancer.forfeited === true ? 'gone' : dancer.alive === true ? 'dancing' : 'out'}${
        text(dancer.motto) && html` <q>${text(dancer.motto)}</q>`
      }</tr>`,
  )}</tbody></table>`

export const skillPanel: Panel = ({ view }, names) => {
  const effect = fields(view.lastSkillEffect)
  return html`<table><thead><tr><th>Agent<th>Energy<th>Rewind</tr></thead><tbody>${list(
    view.energy,
  ).map(
    (energy, seat) =>
      html`<tr><th scope="row">${names[seat] ?? seat}<td>${text(energy)}<td>${
        list(view.rewindUsed)[seat] === true ? 'used' : 'left'
      }</tr>`,
  )}</tbody></table>${
    effect.skill !== undefined &&
    html`<p>Last skill: <b>${text(effect.skill)}</b> by ${names[number(effect.seat)] ?? ''}.</p>`
  }`
}

export const rushPanel: Panel = (
  { view },
  names,
) => html`<p>Tick ${text(view.round)} of ${text(view.maxTicks)}</p>
${
  list(view.grid).some(row => list(row).includes(-1)) &&
  html`<p class="quiet">Until the end spectators see only what both drones see.</p>`
}<table><thead><tr><th>Drone<th>Points<th>Wood<th>Stone<th>Gold<th>Food</tr></thead><tbody>${list(
  view.scores,
).map((score, seat) => {
  const { wood, stone, gold, food } = fields(list(view.resources)[seat])
  return html`<tr><th scope="row"><span class="chip s${seat}">${seat}</span> ${names[seat] ?? ''}<td>${text(score)}<td>${text(wood)}<td>${text(stone)}<td>${text(gold)}<td>${text(food)}</tr>`
})}</tbody></table>${list(view.thoughts).map(
  (thought, seat) =>
    text(thought) !== '' && html`<p><b>${names[seat] ?? seat}</b>: <q>${text(thought)}</q></p>`,
)}`

export const bazaarPanel: Panel = ({ view }, names) => {
  const pending = fields(view.pending)
  const goods = (value: Json | undefined) =>
    Object.entries(fields(value))
      .map(([good, count]) => `${text(count)} ${good}`)
      .join(', ') || 'nothing'
  return html`<p>Message ${text(view.round)} of ${text(view.maxRounds)}</p>
<ol class="talk">${list(view.messages)
    .map(fields)
    .map(
      message =>
        html`<li class="s${number(message.seat)}"><b>${names[number(message.seat)] ?? ''}</b> ${text(message.content)}</li>`,
    )}</ol>
${list(view.trades)
  .map(fields)
  .map(
    trade =>
      html`<p>Traded: ${names[number(trade.seat)] ?? ''} gave ${goods(trade.offer)} for ${goods(trade.request)}.</p>`,
  )}
${pending.offer !== undefined && html`<p>Open: ${names[number(pending.seat)] ?? ''} offers ${goods(pending.offer)} for ${goods(pending.request)}.</p>`}
${
  Array.isArray(view.result) &&
  html`<table><thead><tr><th>Agent<th>Wanted<th>Held<th>Goods<th>Points</tr></thead><tbody>${list(
    view.result,
  )
    .map(fields)
    .map((held, seat) => {
      const goal = fields(held.goal)
      return html`<tr><th scope="row">${names[seat] ?? seat}<td>${text(goal.amount)} ${text(goal.resource)}<td>${text(held.held)}<td>${goods(held.resources)}<td>${text(held.score)}</tr>`
    })}</tbody></table>`
}`
}

/** Any game at all, from nothing but what it shows. */
export const plainPanel: Panel = ({ view }) =>
  html`<dl class="view">${Object.entries(view)
    .filter(([name]) => name !== 'toMove')
    .map(([name, value]) => html`<dt>${name}</dt><dd>${text(value)}</dd>`)}</dl>`

/** Rounds that all play at once, one line each, with what each seat did and who took it. */
const rounds = (
  view: Position['view'],
  names: readonly string[],
  cells: (round: Fields) => readonly Part[],
): Html => {
  const history = list(view.history).map(fields)
  const scores = list(view.scores)
  return html`<table><thead><tr><th>Round${names.map(name => html`<th>${name}`)}<th>Taken by</tr></thead>
<tbody>${history.map(
    round =>
      html`<tr><th scope="row">${text(round.round)}${cells(round).map(cell => html`<td>${cell}`)}<td>${
        round.winner === null ? 'nobody' : (names[number(round.winner)] ?? '')
      }</tr>`,
  )}${
    history.length < number(view.maxRounds) &&
    html`<tr class="open"><th scope="row">${history.length + 1}${names.map(() => html`<td>·`)}<td>open</tr>`
  }</tbody>
<tfoot><tr><th scope="row">Score${scores.map(score => html`<td><b>${text(score)}</b>`)}<td></tr></tfoot></table>`
}
