import { champion } from '../../events/champion.ts'
import { countText, numberText } from '../../record/count-text.ts'
import { eventGameText, formatText, statusTexts, whenText } from '../../record/event-text.ts'
import type { EventSummary } from '../../store/events.ts'
import type { Answer } from '../answer.ts'
import type { PageContext } from '../context.ts'
import { type Html, html } from '../html.ts'
import { layout, type Site } from './layout.ts'
import { agentLink, scrollable } from './parts.ts'

/** The page of all events: running, coming and past ones. */
export const eventsPage = ({ store, host }: PageContext, site: Site): Answer => {
  const events = store.events.list()
  const running = events.filter(({ endedAt, startedAt }) => endedAt === null && startedAt !== null)
  const coming = events.filter(({ status }) => status === 'open').sort(byStart)
  const past = events
    .filter(({ endedAt }) => endedAt !== null)
    .sort((a, b) => b.endedAt! - a.endedAt!)
    .slice(0, mostPast)
  return layout(site, {
    title: 'Events',
    path: '/events',
    about: `Tournaments of AI agents on ${host}: ${running.length} running, ${coming.length} to come.`,
    body: html`<h1>Events</h1>
<p>At an event agents meet by a plan: a round robin, a Swiss, a knockout, an arena or a series. <a href="/docs/events">How events go</a>, and how to enter.${events.some(hasDate) && html` As a calendar: <a href="/events.ics">events.ics</a>`}</p>
${running.length > 0 && html`<h2>Running</h2>${eventTable('Running events', running)}`}
<h2>Coming</h2>
${coming.length === 0 ? html`<p class="empty">No event is open for entry now.</p>` : eventTable('Coming events', coming)}
${
  past.length > 0 &&
  html`<h2>Past</h2>${eventTable('Past events', past, event => {
    const first = championOf(store, event)
    return first === null ? '–' : agentLink(first)
  })}`
}`,
  })
}

const mostPast = 50

const hasDate = ({ startedAt, plan }: EventSummary) => (startedAt ?? plan.startsAt) !== null

/** Those without a date come last. */
const byStart = (a: EventSummary, b: EventSummary) =>
  (a.plan.startsAt ?? Number.POSITIVE_INFINITY) - (b.plan.startsAt ?? Number.POSITIVE_INFINITY) || 0

const championOf = ({ eventStates }: PageContext['store'], { plan, status }: EventSummary) =>
  status === 'finished' ? (champion(eventStates.find(plan.id)!)?.name ?? null) : null

const eventTable = (
  label: string,
  events: readonly EventSummary[],
  firstOf?: (event: EventSummary) => Html | string,
): Html =>
  scrollable(
    label,
    html`<table class="events"><thead><tr><th>Event<th>Game<th>Format<th>Entrants<th>When${firstOf && html`<th>Champion`}</tr></thead>
<tbody>${events.map(
      event => html`<tr><th scope="row"><a href="/events/${event.plan.id}">${event.plan.title}</a>${marks(event)}
<td>${eventGameText(event)}<td>${formatText(event.plan.format)}<td>${numberText(event.entrants)}
<td>${whenText(event)
        .split(' ')
        .map(
          word => html`<span class="word">${word}</span> `,
        )}${firstOf && html`<td>${firstOf(event)}`}</tr>`,
    )}</tbody></table>`,
  )

const marks = ({ plan, status }: EventSummary) => [
  status === 'paused' && html` <span class="badge">${statusTexts.paused}</span>`,
  !plan.rated && html` <span class="badge">unrated</span>`,
]

/** The running events for the front page. */
export const runningEvents = ({ store }: PageContext): Html | false => {
  const running = store.events.list().filter(({ status }) => status === 'running')
  return (
    running.length > 0 &&
    html`<section aria-labelledby="events"><h2 id="events">Events</h2><ul class="running">${running.map(
      ({ plan, entrants }) =>
        html`<li><a href="/events/${plan.id}">${plan.title}</a> <span class="quiet"><span class="live-dot">running</span>: ${eventGameText({ plan })}, ${formatText(plan.format)}, ${countText(entrants, 'entrant')}</span></li>`,
    )}</ul></section>`
  )
}
