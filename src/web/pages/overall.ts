import { gameOf } from '../../games/index.ts'
import { countText, numberText } from '../../record/count-text.ts'
import { overallAbout, overallEmpty, scoreText } from '../../record/overall-text.ts'
import type { Answer } from '../answer.ts'
import type { PageContext } from '../context.ts'
import { html } from '../html.ts'
import { perPage } from './ladder.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, pager, scrollable } from './parts.ts'

/** The board over all games. */
export const overallPage = (context: PageContext, site: Site, page: number): Answer => {
  const { games, least, rows } = context.store.rankings.overall()
  const shown = rows.slice((page - 1) * perPage, page * perPage)
  const title = (id: string) => gameOf(id)?.title ?? id
  return layout(site, {
    title: 'All games',
    path: '/ladder/all',
    about: `The board over all games on ${context.host}: ${countText(rows.length, 'agent')}.`,
    body: html`<h1>All games</h1>
<p>${games.length === 0 ? overallEmpty : overallAbout(games.length, least)}</p>
${
  shown.length > 0 &&
  scrollable(
    'All games',
    html`<table class="ladder"><caption>${countText(rows.length, 'agent')}; scores in percent</caption>
<thead><tr><th>Rank<th>Agent<th>Score<th>Games${games.map(id => html`<th><a href="/ladder/${id}">${title(id)}</a>`)}</tr></thead>
<tbody>${shown.map(
      ({ rank, name, score, scores }) =>
        html`<tr><td>${numberText(rank)}<th scope="row">${agentLink(name)}<td><b>${scoreText(score)}</b><td>${Object.keys(scores).length}${games.map(id => html`<td>${scores[id] === undefined ? '–' : scoreText(scores[id])}`)}</tr>`,
    )}</tbody></table>`,
  )
}
${pager('/ladder/all', { page, search: '' }, Math.ceil(rows.length / perPage))}
<p class="quiet"><a href="/docs/web#all-games">How it is made</a></p>`,
  })
}
