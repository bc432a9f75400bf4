import { splitName } from '../../arena/account.ts'
import { isProvisional } from '../../arena/counting.ts'
import { type Ladder, parseLadderId } from '../../arena/ladder.ts'
import type { Look } from '../../games/game.ts'
import { countText, numberText } from '../../record/count-text.ts'
import { ladderMark } from '../../record/ladder-title.ts'
import type { MatchRecord } from '../../record/match-record.ts'
import { changeText, placeText, ratingText, standingText } from '../../record/rating-text.ts'
import { endingText, ratedText, resultText } from '../../record/result-text.ts'
import { isoTime, momentText } from '../../record/time-text.ts'
import type { LadderRating } from '../../store/profiles.ts'
import { drawSmall } from '../board/drawing.ts'
import { type ShownMatch, titleOf } from '../context.ts'
import { type Html, html } from '../html.ts'

/** The path of the page of an account. */
export const agentPath = (name: string): string => `/agent/${encodeURIComponent(name)}`

/** The name of an account as a link; that of a version as two, to its agent and to itself. */
export const agentLink = (name: string): Html => {
  const { agent } = splitName(name)
  return html`<a href="${agentPath(agent)}">${agent}</a>${
    agent !== name && html`<a href="${agentPath(name)}">${name.slice(agent.length)}</a>`
  }`
}

/** The same with a badge if it is not an agent. A guest has no page. */
export const nameLink = ({ name, kind }: { name: string; kind: string }): Html =>
  kind === 'guest' ? html`${name}` : html`${agentLink(name)}${badge(kind)}`

export const badge = (kind: string): Html | false =>
  kind !== 'player' && html` <span class="badge">${kind === 'house' ? 'house player' : kind}</span>`

/** The badge of a match that is not of the standard ladder of its game. */
export const ladderBadge = ({ ladder }: MatchRecord): Html | false => {
  const named = parseLadderId(ladder)
  const mark = named === undefined ? null : ladderMark(named)
  return mark !== null && html` <span class="badge">${mark}</span>`
}

/** A small match for the front page, live or just ended. */
export const card = ({ match, ratings }: ShownMatch, look: Look): Html => {
  const names = match.players.map(({ name }) => name)
  const title = titleOf(match.game)
  return html`<article class="card" data-match="${match.id}"><a href="/match/${match.id}">
<h3>${names.map((name, seat) => html`<span><span class="chip s${seat}">${seat}</span> ${name} <small>${ratings[seat] == null ? '' : ratingText(ratings[seat])}</small></span> `)}</h3>
<div class="mini">${drawSmall({ title, names }, look)}</div>
<p class="foot">${match.end !== null && html`<b>${resultText(match)}</b> · `}${title} · ${countText(match.moveCount, 'move')}${ladderBadge(match)}</p></a></article>`
}

/** Matches as a table. */
export const matchTable = (matches: readonly MatchRecord[]): Html =>
  scrollable(
    'Matches',
    html`<table class="matches"><thead><tr><th>Match<th>Game<th>Agents<th>Result<th>Ending<th>Moves<th>When</tr></thead>
<tbody>${matches.map(matchRow)}</tbody></table>`,
  )

export const matchRow = (match: MatchRecord): Html => html`<tr>
<td><a href="/match/${match.id}">${match.id}</a>
<td>${titleOf(match.game)}
<td class="who">${match.players.map((player, seat) => html`${seat > 0 && ' – '}${nameLink(player)}`)}
<td class="result"><a href="/match/${match.id}">${resultText(match)}</a>${match.unrated !== null && html` <span class="badge" title="${ratedText(match)}">${match.voided ? 'voided' : 'unrated'}</span>`}${ladderBadge(match)}
<td class="how">${endingText(match)}
<td>${numberText(match.moveCount)}
<td><time datetime="${isoTime(match.startedAt)}">${momentText(match.end?.at ?? match.startedAt)}</time></tr>`

/** Links to the pages before and after this one. */
export const pager = (
  path: string,
  { page, search }: { readonly page: number; readonly search: string },
  pages: number,
): Html | false => {
  const to = (n: number) =>
    `${path}?${search === '' ? '' : `q=${encodeURIComponent(search)}&`}page=${n}`
  return (
    pages > 1 &&
    html`<nav class="pager" aria-label="Pages of the ladder">${page > 1 && html`<a rel="prev" href="${to(page - 1)}">← Previous</a>`}<span>Page ${page} of ${pages}</span>${page < pages && html`<a rel="next" href="${to(page + 1)}">Next →</a>`}</nav>`
  )
}

/** A table that scrolls sideways on a narrow screen. */
export const scrollable = (label: string, table: Html): Html =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">${table}</div>`

/** The headings above `ratingCells`. */
export const ratingHeads = (name: string): Html =>
  html`<th>Strength<th><abbr title="half the width of the 95 % interval of the strength">±</abbr><th>${name}<th>Matches<th>Won<th>Drawn<th>Lost`

/** The cells of a rating: strength, its 95 % interval, what the ladder counts, and the numbers of matches, wins, draws and losses. */
export const ratingCells = (row: Omit<LadderRating, 'ladder'>, ladder: Ladder): Html => {
  const { strength } = row
  return html`<td>${strength === null ? '–' : html`<b>${ratingText(strength.value)}</b>`}<td class="quiet">${strength === null ? '–' : ratingText(strength.error)}${countedCells(row, ladder)}`
}

/** The same on a ladder that counts no ratings. */
export const countedHeads = (name: string): Html =>
  html`<th>${name}<th>Matches<th>Won<th>Drawn<th>Lost`

export const countedCells = (row: Omit<LadderRating, 'ladder'>, ladder: Ladder): Html =>
  html`<td>${withNote(row, ladder, standingText(row, ladder))}${[row.games, row.wins, row.draws, row.losses].map(n => html`<td>${numberText(n)}`)}`

/** The last ratings as a chart without axes. */
export const sparkline = (ratings: readonly number[]): Html | string => {
  if (ratings.length < 2) return ''
  const low = Math.min(...ratings)
  const span = Math.max(...ratings) - low || 1
  const points = ratings
    .map((rating, i) => {
      const x = (i / (ratings.length - 1)) * 96 + 2
      return `${x.toFixed(1)},${(20 - ((rating - low) / span) * 16).toFixed(1)}`
    })
    .join(' ')
  return html`<svg class="spark" viewBox="0 0 100 24" role="img" aria-label="${changeText({ before: ratings[0]!, after: ratings.at(-1)! })} in the last ${ratings.length} matches"><polyline points="${points}"/></svg>`
}

/** The strength of an account, or what it has on a ladder without strengths. */
export const placeWithNote = (row: Omit<LadderRating, 'ladder'>, ladder: Ladder): Html | string =>
  withNote(row, ladder, placeText(row, ladder))

/** The title of a provisional rating explains its question mark. */
const withNote = ({ games }: { games: number }, ladder: Ladder, text: string): Html | string =>
  isProvisional(ladder, games)
    ? html`<abbr title="provisional, after ${countText(games, 'match')}">${text}</abbr>`
    : text
