import type { EventState } from '../../events/state.ts'
import { hasTrf } from '../../events/trf.ts'
import { countText } from '../../record/count-text.ts'
import { eventGameText, formatText, pointsRuleText } from '../../record/event-text.ts'
import { notationOf } from '../../record/export.ts'
import { durationText, isoTime, momentText } from '../../record/time-text.ts'
import type { Answer } from '../answer.ts'
import { dateOf } from '../calendar.ts'
import { type PageContext, shownLive } from '../context.ts'
import { type Html, html } from '../html.ts'
import type { Live } from '../live-match.ts'
import { eventParts } from './event-parts.ts'
import { layout, type Site } from './layout.ts'
import { card } from './parts.ts'

/** The page of an event. `round`: one that is shown besides the newest. */
export const eventPage = (
  context: PageContext,
  site: Site,
  event: EventState,
  { live, round }: { readonly live: Live; readonly round: number | null },
): Answer => {
  const { plan } = event
  const parts = eventParts(event, live.boards, round)
  const part = (id: string) => html`<div id="${id}" data-part>${parts.get(id)}</div>`
  const rounds = [...parts.keys()].filter(id => id.startsWith('round-'))
  return layout(site, {
    title: plan.title,
    path: `/events/${plan.id}`,
    about: `${plan.title} on ${context.host}: ${eventGameText(event)}, ${formatText(plan.format)}, ${countText(event.entrants.length, 'entrant')}.`,
    ...(event.endedAt === null && { script: 'event.js' as const }),
    body: html`<div id="event" data-event="${plan.id}" data-entries="${event.entries}">
<h1>${plan.title}</h1>
<p>${eventGameText(event)}, ${formatText(plan.format)}</p>
${part('state')}
<section id="live"${live.shown.length === 0 && html` hidden`}><h2>Live</h2>
<div class="cards" id="cards">${live.shown.map(shown => card(shownLive(context, shown), shown.look))}</div></section>
${['next', 'bracket', 'standings', 'cross'].map(part)}
${event.rounds.length > 0 && plan.format.kind !== 'arena' && html`<h2>Rounds</h2>`}
<div id="rounds">${rounds.map(part)}</div>${otherRounds(event, rounds)}
${facts(event)}
${canEnter(event) && entry(context, event)}</div>`,
  })
}

/** Links to the rounds that are not shown. */
const otherRounds = ({ plan, rounds }: EventState, shown: readonly string[]): Html | false => {
  const others = rounds.filter(({ round }) => !shown.includes(`round-${round}`))
  return (
    plan.format.kind !== 'arena' &&
    others.length > 0 &&
    html`<nav class="tabs" aria-label="Rounds">${others.map(
      ({ round }) =>
        html`<a href="/events/${plan.id}?round=${round}#round-${round}">Round ${round}</a>`,
    )}</nav>`
  )
}

const facts = (event: EventState): Html => {
  const { plan, startedAt, endedAt } = event
  const { entrants, checkIn, time, invited } = plan
  const date = dateOf(event)
  return html`<h2>The event</h2><dl class="facts">
<dt>Game</dt><dd><a href="/games/${plan.game}">${eventGameText(event)}</a></dd>
<dt>Format</dt><dd>${formatText(plan.format)}</dd>
<dt>Points</dt><dd>${pointsRuleText(plan.points)}</dd>
<dt>Rated</dt><dd>${plan.rated ? 'yes' : 'no'}</dd>
${time !== null && html`<dt>Time</dt><dd>${durationText(time.move)} a move${time.bank > 0 && `, and ${durationText(time.bank)} for all moves`}</dd>`}
${date !== null && html`<dt>${startedAt === null ? 'Starts' : 'Started'}</dt><dd><time datetime="${isoTime(date)}">${momentText(date)}</time> <a href="/events/${plan.id}.ics">calendar</a></dd>`}
<dt>Entrants</dt><dd>${event.entrants.length}; ${entrants.least} to ${entrants.most}${invited !== null && ', by invitation'}</dd>
${checkIn > 0 && html`<dt>Check-in</dt><dd>in the last ${durationText(checkIn)} before the start</dd>`}
<dt>Show-up</dt><dd>within ${durationText(plan.showUp)} of each call</dd>
${plan.openings && html`<dt>Openings</dt><dd>two matches from each, with seats exchanged</dd>`}
${endedAt !== null && html`<dt>Seed</dt><dd>${plan.seed}</dd>`}
<dt>Download</dt><dd>${downloads(event)}</dd></dl>`
}

const downloads = (event: EventState): Html => {
  const { id, game } = event.plan
  const api = `/api/v1/events/${id}`
  return html`<a href="${api}" download="${id}.json">JSON</a>${hasTrf(event) && html` <a href="${api}/trf" download>TRF</a>`}${notationOf(game) === 'pgn' && html` <a href="${api}/pgn" download>PGN</a>`}`
}

const canEnter = ({ plan, startedAt, endedAt }: EventState): boolean =>
  endedAt === null && (startedAt === null || plan.lateEntry)

const entry = ({ place }: PageContext, { plan }: EventState): Html => {
  const port = place.sshPort === 22 ? '' : `-p ${place.sshPort} `
  return html`<h2>Enter</h2><ul>
${place.play !== null && html`<li>An agent of AgentGames enters and waits for its matches by <code>{"type":"join","event":"${plan.id}"}</code>, or <code>ssh -T ${port}game@${place.sshHost} ${plan.game} --event ${plan.id}</code></li>`}
<li>A person, in the hub: <code>ssh ${port}${place.sshHost}</code>, then Events</li></ul>
<p><a href="/docs/events#entering-and-playing">All ways to enter and to play</a></p>`
}
