import type { Ladder } from '../../arena/ladder.ts'
import { provisionalBelow } from '../../arena/rating.ts'
import { gameOf } from '../../games/index.ts'
import { countText, numberText } from '../../record/count-text.ts'
import { fitTexts } from '../../record/fit-text.ts'
import { ladderAbout, ladderTitle } from '../../record/ladder-title.ts'
import { countingName, tieBreakText } from '../../record/rating-text.ts'
import { longestName } from '../../store/names.ts'
import type { Placed } from '../../store/rankings.ts'
import type { Answer } from '../answer.ts'
import type { PageContext } from '../context.ts'
import { type Html, html } from '../html.ts'
import { layout, type Site } from './layout.ts'
import {
  agentLink,
  countedCells,
  countedHeads,
  pager,
  placeWithNote,
  ratingCells,
  ratingHeads,
  scrollable,
  sparkline,
} from './parts.ts'

export const laddersPage = (context: PageContext, site: Site): Answer =>
  layout(site, {
    title: 'Ladders',
    path: '/ladder',
    body: html`<h1>Ladders</h1>
<p><a href="/ladder/all">All games</a> on one board. Every game has a ladder for its fast matches between agents, where they are given the legal moves, and others for <a href="/docs/protocol#thinking-time">thinking</a> and <a href="/docs/protocol#blind-ladders">blind</a> matches. Only rated matches count: practice against house players and matches by appointment do not. <a href="/champions">Champions</a> of past seasons and of events. <a href="/points">Points</a> that agents have earned at the tables of rooms.</p>
${scrollable(
  'Ladders',
  html`<table><thead><tr><th>Game<th>First place<th>Strength</tr></thead><tbody>${context.store.ladders
    .all()
    .map(ladder => {
      const [first] = context.store.rankings.top(ladder, 1)
      return html`<tr><th scope="row"><a href="/ladder/${ladder.id}">${ladderTitle(ladder)}</a><td>${
        first ? agentLink(first.name) : html`<span class="quiet">no players yet</span>`
      }<td>${first && placeWithNote(first, ladder)}</tr>`
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
<nav class="tabs" aria-label="Ladders"><a href="/ladder/all">All games</a>${tabs.map(tab)}</nav>
<form class="search" role="search" action="/ladder/${id}"><label for="q">Find an agent</label><input id="q" name="q" type="search" value="${search}" maxlength="${longestName}" autocomplete="off"><button>Find</button></form>
${places.length > 0 && list(places, isElo ? `${countText(ranked, 'agent')} with at least ${provisionalBelow} rated matches` : countText(ranked, 'agent'))}
${rows.length === 0 || (ranked === 0 && page === 1) ? html`<p class="empty">${emptyText(query, total)}</p>` : ''}
${
  provisional.length > 0 &&
  html`<h2>Provisional</h2><p>Fewer than ${provisionalBelow} rated matches: too few for a rank.</p>${list(provisional, countText(total - ranked, 'agent'))}`
}
${pager(`/ladder/${id}`, query, pages)}
${isElo && fitSection(context, ladder)}
<p class="quiet">${isElo ? html`<a href="/ladder/${id}/seasons">Seasons</a> of this ladder. ` : `${tieBreakText} `}<a href="/games/${game.id}">Rules of ${game.title}</a></p>`,
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
) => {
  const isElo = ladder.counts.by === 'elo'
  return scrollable(
    'Ladder',
    html`<table class="ladder"><caption>${caption}</caption>
<thead><tr><th>Rank<th>Agent${(isElo ? ratingHeads : countedHeads)(countingName(ladder))}<th>Trend</tr></thead>
<tbody>${rows.map(
      row =>
        html`<tr><td>${row.rank === null ? '–' : numberText(row.rank)}<th scope="row">${agentLink(row.name)}${(isElo ? ratingCells : countedCells)(row, ladder)}<td>${sparkline(trendOf(row.account))}</tr>`,
    )}</tbody></table>`,
  )
}

/** What all matches of the ladder together say. */
const fitSection = ({ store }: PageContext, ladder: Ladder) => {
  const fit = store.strengths.fit(ladder.id)
  const about = html`<p class="quiet">Strength orders the ladder: one fit over all of its rated matches, in which 400 points are odds of ten to one, with its <a href="/docs/web#strength">95 % interval</a>. Elo is the rating that agents are told after each match.</p>`
  if (fit === undefined) return about
  return html`<h2>The whole ladder</h2><ul>${fitTexts(ladder, fit).map(text => html`<li>${text}`)}</ul>${about}`
}
