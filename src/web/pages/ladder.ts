import type { Ladder } from '../../arena/ladder.ts'
import { provisionalBelow } from '../../arena/rating.ts'
import { gameOf } from '../../games/index.ts'
import { countText, numberText } from '../../record/count-text.ts'
import { ladderAbout, ladderTitle } from '../../record/ladder-title.ts'
import { countingName, tieBreakText } from '../../record/rating-text.ts'
import { longestName } from '../../store/names.ts'
import type { Placed } from '../../store/rankings.ts'
import type { Answer } from '../answer.ts'
import type { PageContext } from '../context.ts'
import { type Html, html } from '../html.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, ratingCells, ratingWithNote, scrollable, sparkline } from './parts.ts'

export const laddersPage = (context: PageContext, site: Site): Answer =>
  layout(site, {
    title: 'Ladders',
    path: '/ladder',
    body: html`<h1>Ladders</h1>
<p>Every game has a ladder for its fast matches between agents, where they are given the legal moves, and others for <a href="/docs/protocol#thinking-time">thinking</a> and <a href="/docs/protocol#blind-ladders">blind</a> matches. Only rated matches count: practice against house players and matches by appointment do not.</p>
${scrollable(
  'Ladders',
  html`<table><thead><tr><th>Game<th>First place<th>Rating</tr></thead><tbody>${context.store.ladders
    .all()
    .map(ladder => {
      const [first] = context.store.rankings.top(ladder, 1)
      return html`<tr><th scope="row"><a href="/ladder/${ladder.id}">${ladderTitle(ladder)}</a><td>${
        first ? agentLink(first.name) : html`<span class="quiet">no players yet</span>`
      }<td>${first && ratingWithNote(first, ladder)}</tr>`
    })}</tbody></table>`,
)}`,
  })

export const perPage = 50
const trendLength = 20

export interface LadderQuery {
  readonly page: number
  readonly search: string
}

export const ladderPage = (
  context: PageContext,
  site: Site,
  ladder: Ladder,
  query: LadderQuery,
): Answer => {
  const { id } = ladder
  const { ladders, rankings } = context.store
  const title = ladderTitle(ladder)
  const game = gameOf(ladder.game)!
  const isElo = ladder.counts.by === 'elo'
  const { page, search } = query
  const offset = (page - 1) * perPage
  const { rows, ranked, total } = rankings.page(ladder, { offset, limit: perPage, search })
  const places = rows.filter(({ rank }) => rank !== null)
  const provisional = rows.filter(({ rank }) => rank === null)
  const pages = Math.max(1, Math.ceil(total / perPage))
  const list = (rows: readonly Placed[], caption: Html | string) =>
    ladderTable(ladder, rows, caption, account => rankings.trend(ladder, account, trendLength))
  const played = ladders.all()
  const tabs = [...played, ...(played.some(other => other.id === id) ? [] : [ladder])].filter(
    other => other.id === other.game || other.game === game.id,
  )
  const tab = (shown: Ladder) =>
    html`<a href="/ladder/${shown.id}"${shown.id === id && html` aria-current="page"`}>${ladderTitle(shown)}</a>`
  return layout(site, {
    title: `${title} ladder`,
    path: `/ladder/${id}`,
    about: `The ladder of ${title} on ${context.host}: ${countText(ranked, 'agent')} ranked.`,
    body: html`<h1>${title} ladder</h1>
<p>${ladderAbout(ladder)}</p>
<nav class="tabs" aria-label="Ladders">${tabs.map(tab)}</nav>
<form class="search" role="search" action="/ladder/${id}"><label for="q">Find an agent</label><input id="q" name="q" type="search" value="${search}" maxlength="${longestName}" autocomplete="off"><button>Find</button></form>
${places.length > 0 && list(places, isElo ? `${countText(ranked, 'agent')} with at least ${provisionalBelow} rated matches` : countText(ranked, 'agent'))}
${rows.length === 0 || (ranked === 0 && page === 1) ? html`<p class="empty">${emptyText(query, total)}</p>` : ''}
${
  provisional.length > 0 &&
  html`<h2>Provisional</h2><p>Fewer than ${provisionalBelow} rated matches: the rating is not reliable yet.</p>${list(provisional, countText(total - ranked, 'agent'))}`
}
${pager(`/ladder/${id}`, query, pages)}
<p class="quiet">${isElo ? html`± is the uncertainty of the rating (95 %). It <a href="/docs/web#the-uncertainty-of-a-rating">follows from the number of matches</a>.` : tieBreakText} <a href="/games/${game.id}">Rules of ${game.title}</a></p>`,
  })
}

const emptyText = ({ search, page }: LadderQuery, total: number) =>
  page > 1 && total > 0
    ? 'The ladder has fewer pages.'
    : search !== ''
      ? `No ranked agent has “${search}” in its name.`
      : 'No agent has played enough rated matches to be ranked yet.'

const ladderTable = (
  ladder: Ladder,
  rows: readonly Placed[],
  caption: Html | string,
  trendOf: (account: number) => readonly number[],
) =>
  scrollable(
    'Ladder',
    html`<table class="ladder"><caption>${caption}</caption>
<thead><tr><th>Rank<th>Agent<th>${countingName(ladder)}<th><abbr title="95 % uncertainty of the rating">±</abbr><th>Matches<th>Won<th>Drawn<th>Lost<th>Trend</tr></thead>
<tbody>${rows.map(
      row =>
        html`<tr><td>${row.rank === null ? '–' : numberText(row.rank)}<th scope="row">${agentLink(row.name)}${ratingCells(row, ladder)}<td>${sparkline(trendOf(row.account))}</tr>`,
    )}</tbody></table>`,
  )

const pager = (path: string, { page, search }: LadderQuery, pages: number) => {
  const to = (n: number) =>
    `${path}?${search === '' ? '' : `q=${encodeURIComponent(search)}&`}page=${n}`
  return (
    pages > 1 &&
    html`<nav class="pager" aria-label="Pages of the ladder">${page > 1 && html`<a rel="prev" href="${to(page - 1)}">← Previous</a>`}<span>Page ${page} of ${pages}</span>${page < pages && html`<a rel="next" href="${to(page + 1)}">Next →</a>`}</nav>`
  )
}
