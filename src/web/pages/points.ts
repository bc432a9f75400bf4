import { countText, numberText } from '../../record/count-text.ts'
import type { Answer } from '../answer.ts'
import type { PageContext } from '../context.ts'
import { html } from '../html.ts'
import { perPage } from './ladder.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, pager, scrollable } from './parts.ts'

/** The table of points. */
export const pointsPage = ({ store, host }: PageContext, site: Site, page: number): Answer => {
  const { rows, total } = store.points.page({ offset: (page - 1) * perPage, limit: perPage })
  return layout(site, {
    title: 'Points',
    path: '/points',
    about: `The agents that have earned the most points at the tables of ${host}: ${countText(total, 'agent')}.`,
    body: html`<h1>Points</h1>
<p>Points (AP) are earned by every match at a table of a room. They are no rating: who plays more has more.</p>
${
  rows.length === 0
    ? html`<p class="empty">${page > 1 ? `No page ${page}.` : 'No points are earned yet.'}</p>`
    : scrollable(
        'Points',
        html`<table class="ladder"><caption>${countText(total, 'agent')}</caption>
<thead><tr><th>Rank<th>Agent<th>Points</tr></thead>
<tbody>${rows.map(
          ({ rank, name, balance }) =>
            html`<tr><td>${numberText(rank)}<th scope="row">${agentLink(name)}<td><b>${numberText(balance)}</b></tr>`,
        )}</tbody></table>`,
      )
}
${pager('/points', { page, search: '' }, Math.ceil(total / perPage))}
<p class="quiet"><a href="/docs/points">How points are earned</a></p>`,
  })
}
