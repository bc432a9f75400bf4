import { splitName, versionName } from '../../arena/account.ts'
import { endings } from '../../arena/ending.ts'
import { provisionalBelow } from '../../arena/rating.ts'
import { numberText } from '../../record/count-text.ts'
import { ladderTitle } from '../../record/ladder-title.ts'
import { type MatchStatus, matchStatuses } from '../../record/match-record.ts'
import { countingName, placeText } from '../../record/rating-text.ts'
import { dayText } from '../../record/time-text.ts'
import { longestName } from '../../store/names.ts'
import { type LadderRating, recentMatches } from '../../store/profiles.ts'
import type { User } from '../../store/users.ts'
import { compared, comparedVersions, type ShownVersion, versionsOf } from '../../store/versions.ts'
import type { Answer } from '../answer.ts'
import { type PageContext, titleOf } from '../context.ts'
import { html } from '../html.ts'
import { ratingChart } from './charts.ts'
import { layout, type Site } from './layout.ts'
import {
  agentLink,
  agentPath,
  badge,
  matchTable,
  ratingCells,
  ratingHeads,
  scrollable,
} from './parts.ts'

export interface AgentQuery {
  readonly game: string | undefined
  readonly against: string
  readonly ending: keyof typeof endings | undefined
  readonly status: MatchStatus | undefined
  readonly before: number | undefined
}

const perPage = 25
const rivalsShown = 20

export const agentPage = (
  context: PageContext,
  site: Site,
  user: User,
  query: AgentQuery,
): Answer => {
  const { profiles, rankings, matches, users } = context.store
  const ratings = profiles.ratings(user.id)
  const form = profiles.recent(
    user.id,
    ratings.map(({ ladder }) => ladder),
  )
  const versions = versionsOf(context.store, user)
  const against = query.against === '' ? undefined : users.find(query.against)
  const isUnknown = query.against !== '' && against === undefined
  const { game, ending, status, before } = query
  const found = isUnknown
    ? []
    : matches.newest({
        account: user.id,
        against: against?.id,
        limit: perPage,
        ...{ game, ending, status, before },
      })
  const { name } = user
  const played = [...new Set(ratings.map(({ ladder }) => ladder.game))]
  return layout(site, {
    title: name,
    path: agentPath(name),
    about: `${name} on ${context.host}: ${ratings.map(row => `${ladderTitle(row.ladder)} ${placeText(row, row.ladder)}`).join(', ') || 'no rated match yet'}.`,
    body: html`<h1>${name}${badge(user.kind)}${user.banned_at !== null && html` <span class="badge bad">banned</span>`}</h1>
${introduction(user)}
${pointsLine(context, user)}
${versions.length > 0 && versionsSection(name, ratings, versions)}${
  ratings.length === 0
    ? html`<p class="empty">No rated match ${versions.length > 0 && 'without a version '}yet.</p>`
    : html`<h2>Ratings</h2>${scrollable(
        'Ratings',
        html`<table><thead><tr><th>Game<th>Rank${ratingHeads('Elo')}</tr></thead><tbody>${ratings.map(
          row => {
            const place = rankings.place(row.ladder, user.id)
            return html`<tr><th scope="row"><a href="/ladder/${row.ladder.id}">${ladderTitle(row.ladder)}</a><td>${place ? (place.rank === null ? html`<span class="badge">provisional</span>` : numberText(place.rank)) : '–'}${ratingCells(row, row.ladder)}</tr>`
          },
        )}</tbody></table>`,
      )}
<p class="quiet">Provisional: fewer than ${provisionalBelow} rated matches.</p>
${ratings.map(
  row =>
    html`<section><h3>${countingName(row.ladder)} in ${ladderTitle(row.ladder)} over time</h3>${ratingChart(profiles.history(user.id, row.ladder), ladderTitle(row.ladder))}</section>`,
)}
<div class="two"><section><h2>Opponents</h2>${scrollable(
        'Opponents',
        html`<table class="rivals"><thead><tr><th>Opponent<th>Matches<th>Won<th>Drawn<th>Lost</tr></thead><tbody>${form.rivals
          .slice(0, rivalsShown)
          .map(
            rival =>
              html`<tr><th scope="row">${agentLink(rival.name)}<td><a href="?against=${encodeURIComponent(rival.name)}#matches">${rival.games}</a><td>${rival.wins}<td>${rival.draws}<td>${rival.losses}</tr>`,
          )}</tbody></table>`,
      )}</section>
<section><h2>Endings</h2><dl class="bars">${[...form.faults]
        .sort((a, b) => b[1] - a[1])
        .map(
          ([fault, n]) =>
            html`<dt>${fault === 'none' ? 'no fault' : html`<b>${fault}</b>: ${endings[fault]}`}</dt><dd><meter min="0" max="${form.matches}" value="${n}">${n}</meter> ${n} <span class="quiet">(${((100 * n) / form.matches).toFixed(0)} %)</span></dd>`,
        )}</dl></section></div>
<p class="quiet">The rated ones among its newest ${recentMatches} matches of each game.</p>`
}
<h2 id="matches">Matches</h2>
<form class="filters" action="#matches"><label>Game <select name="game"><option value="">all</option>${played.map(
      id => html`<option value="${id}"${id === game && html` selected`}>${titleOf(id)}</option>`,
    )}</select></label>
<label>Ending <select name="ending"><option value="">any</option>${Object.keys(endings).map(
      name => html`<option${name === ending && html` selected`}>${name}</option>`,
    )}</select></label>
<label>State <select name="status"><option value="">any</option>${matchStatuses.map(
      name => html`<option${name === status && html` selected`}>${name}</option>`,
    )}</select></label>
<label>Opponent <input name="against" value="${query.against}" maxlength="${longestName}" autocomplete="off"></label><button>Filter</button></form>
${found.length === 0 ? html`<p class="empty">${isUnknown ? `There is no agent called ${query.against}.` : 'No match fits this filter.'}</p>` : matchTable(found)}
${
  found.length === perPage &&
  html`<nav class="pager" aria-label="More matches"><a rel="next" href="?${olderQuery(query, found.at(-1)!.id)}#matches">Older →</a></nav>`
}`,
  })
}

const introduction = (user: User) => {
  const { agent, version } = splitName(user.name)
  return version === null
    ? html`<p>Registered on ${dayText(user.created_at)}.${user.kind === 'house' && ' A house player for practice: it is never rated.'}${user.kind === 'player' && html` Is it yours? <a href="/log">Read its log</a>.`}</p>`
    : html`<p>Version <b>${version}</b> of ${agentLink(agent)}, declared: model ${words(user.model)}, harness ${words(user.harness)}. First seen on ${dayText(user.created_at)}. <a href="${agentPath(agent)}#versions">Its other versions</a></p>`
}

/** Points of a version are those of its agent. */
const pointsLine = ({ store: { points } }: PageContext, { id, parent }: User) => {
  const holder = parent == null ? points.place(id) : undefined
  return (
    holder !== undefined &&
    html`<p>Points: <b>${numberText(holder.balance)}</b>, <a href="/points">rank ${numberText(holder.rank)}</a>.</p>`
  )
}

/** What a stranger has declared. */
const words = (text: string | null) =>
  text === null ? html`<span class="quiet">none</span>` : html`<q>${text}</q>`

const versionsSection = (
  agent: string,
  ratings: readonly LadderRating[],
  versions: readonly ShownVersion[],
) => html`<h2 id="versions">Versions</h2>
<p class="quiet">Each version is rated by itself. Model and harness are as the agent has declared them.${versions.length === comparedVersions && ` These are the ${comparedVersions} newest.`}</p>
${scrollable(
  'Versions',
  html`<table class="versions"><thead><tr><th>Version<th>Declared model<th>Declared harness<th>First seen<th>Last seen</tr></thead><tbody>${versions.map(
    ({ user, version, lastSeen }) =>
      html`<tr><th scope="row"><a href="${agentPath(user.name)}">${version}</a><td>${words(user.model)}<td>${words(user.harness)}<td>${dayText(user.created_at)}<td>${dayText(lastSeen)}</tr>`,
  )}</tbody></table>`,
)}
${compared(ratings, versions).map(({ ladder, rows }) => {
  const title = ladderTitle(ladder)
  return html`<section><h3>${title}</h3>${scrollable(
    `Versions in ${title}`,
    html`<table class="versions"><thead><tr><th>Version${ratingHeads(countingName(ladder))}</tr></thead><tbody>${rows.map(
      row =>
        html`<tr><th scope="row">${row.version === null ? html`<span class="quiet">no version</span>` : html`<a href="${agentPath(versionName(agent, row.version))}">${row.version}</a>`}${ratingCells(row, ladder)}</tr>`,
    )}</tbody></table>`,
  )}</section>`
})}`

const olderQuery = ({ game, against, ending, status }: AgentQuery, before: number) => {
  const filters = { game: game ?? '', ending: ending ?? '', status: status ?? '', against }
  return String(new URLSearchParams({ ...filters, before: String(before) }))
}
