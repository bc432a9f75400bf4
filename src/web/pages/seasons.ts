import type { Ladder } from '../../arena/ladder.ts'
import { countText, numberText } from '../../record/count-text.ts'
import { ladderTitle } from '../../record/ladder-title.ts'
import { ratingText } from '../../record/rating-text.ts'
import {
  type Champion,
  restartText,
  type Season,
  type SeasonRow,
} from '../../record/season-record.ts'
import { dayText, momentText } from '../../record/time-text.ts'
import { champions } from '../../store/champions.ts'
import type { Answer } from '../answer.ts'
import type { PageContext } from '../context.ts'
import { type Html, html } from '../html.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, scrollable } from './parts.ts'

/** The closed seasons of a ladder, the newest first. */
export const seasonsPage = ({ store }: PageContext, site: Site, ladder: Ladder): Answer => {
  const { id } = ladder
  const title = `Seasons of ${ladderTitle(ladder)}`
  const seasons = store.seasons.of(id).toReversed()
  const date = store.seasons.dates().find(date => date.ladder === id)
  return layout(site, {
    title,
    path: `/ladder/${id}/seasons`,
    body: html`<h1>${title}</h1>
<p>When a season is closed, its table is kept for ever and sealed with its matches, and the <a href="/ladder/${id}">ladder</a> starts again. <a href="/docs/seasons">How seasons go</a>, and <a href="/champions">all champions</a>.</p>
${date !== undefined && html`<p>The present season, “${date.title}”, will be closed at ${momentText(date.at)}.</p>`}
${
  seasons.length === 0
    ? html`<p class="empty">No season of this ladder is closed yet.</p>`
    : scrollable(
        'Seasons',
        html`<table><thead><tr><th>Season<th>Title<th>Closed<th>Matches<th>Champion</tr></thead><tbody>${seasons.map(
          season =>
            html`<tr><td>${season.number}<th scope="row"><a href="${pathOf(season)}">${season.title}</a><td><span class="word">${dayText(season.closedAt)}</span><td>${numberText(season.matches)}<td>${firstOf(store.seasons.table(season))}</tr>`,
        )}</tbody></table>`,
      )
}`,
  })
}

/** The table of a season, as it was when the season was closed. */
export const seasonPage = (
  { store }: PageContext,
  site: Site,
  ladder: Ladder,
  season: Season,
): Answer => {
  const rows = store.seasons.table(season)
  const ranked = rows.filter(({ rank }) => rank !== null)
  const provisional = rows.filter(({ rank }) => rank === null)
  const title = `${season.title}: season ${season.number} of ${ladderTitle(ladder)}`
  return layout(site, {
    title,
    path: pathOf(season),
    body: html`<h1>${title}</h1>
<p>Closed at ${momentText(season.closedAt)} after ${countText(season.matches, 'match')}. Champion: ${firstOf(rows)}. ${restartText(season.rule)} <a href="/ladder/${ladder.id}/seasons">All seasons</a> of this <a href="/ladder/${ladder.id}">ladder</a>.</p>
${ranked.length > 0 && seasonTable('Table', ranked)}
${provisional.length > 0 && html`<h2>Provisional</h2>${seasonTable('Provisional', provisional)}`}
<p class="quiet">Seal ${numberText(season.seal.number)} of ${ladder.id}: <code>${season.seal.hash}</code>. It covers this table and every match of the ladder before it: <a href="/docs/seals">how to check it</a>.</p>`,
  })
}

/** The champions of all seasons and events. */
export const championsPage = ({ store, host }: PageContext, site: Site): Answer => {
  const all = champions(store)
  return layout(site, {
    title: 'Champions',
    path: '/champions',
    about: `The champions of ${host}: of the seasons of its ladders, and of its events.`,
    body: html`<h1>Champions</h1>
<p>The first of each <a href="/docs/seasons">season</a> of a ladder, and of each <a href="/events">event</a>.</p>
${
  all.length === 0
    ? html`<p class="empty">No season is closed yet, and no event has ended.</p>`
    : scrollable(
        'Champions',
        html`<table><thead><tr><th>Champion<th>Title<th>Of<th>Day</tr></thead><tbody>${all.map(
          champion =>
            html`<tr><th scope="row">${links(champion.names)}<td>${champion.title}<td>${ofText(store, champion)}<td><span class="word">${dayText(champion.at)}</span></tr>`,
        )}</tbody></table>`,
      )
}`,
  })
}

const ofText = ({ ladders }: PageContext['store'], { of }: Champion): Html =>
  of.kind === 'event'
    ? html`<a href="/events/${of.id}">event ${of.id}</a>`
    : html`<a href="${pathOf(of)}">${ladderTitle(ladders.of(of.ladder))}, season ${of.number}</a>`

const pathOf = ({ ladder, number }: Pick<Season, 'ladder' | 'number'>) =>
  `/ladder/${ladder}/seasons/${number}`

const firstOf = (rows: readonly SeasonRow[]): Html => {
  const first = rows.filter(({ rank }) => rank === 1).map(({ name }) => name)
  return first.length === 0 ? html`<span class="quiet">none ranked</span>` : links(first)
}

const links = (names: readonly string[]): Html =>
  html`${names.map((name, at) => html`${at > 0 && ', '}${agentLink(name)}`)}`

const seasonTable = (label: string, rows: readonly SeasonRow[]): Html =>
  scrollable(
    label,
    html`<table class="ladder"><thead><tr><th>Rank<th>Agent<th>Strength<th><abbr title="half the width of the 95 % interval of the strength">±</abbr><th>Elo<th>Matches<th>Won<th>Drawn<th>Lost</tr></thead>
<tbody>${rows.map(
      ({ rank, name, strength, error, rating, games, wins, draws, losses }) =>
        html`<tr><td>${rank === null ? '–' : numberText(rank)}<th scope="row">${agentLink(name)}<td>${strength === null ? '–' : html`<b>${ratingText(strength)}</b>`}<td class="quiet">${error === null ? '–' : ratingText(error)}<td>${ratingText(rating)}${rank === null && '?'}${[games, wins, draws, losses].map(n => html`<td>${numberText(n)}`)}</tr>`,
    )}</tbody></table>`,
  )
