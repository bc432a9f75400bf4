// Events as a calendar that other programs subscribe to: iCalendar, RFC 5545.

import type { EventPlan } from '../events/plan.ts'
import type { EventState } from '../events/state.ts'
import { eventGameText, formatText } from '../record/event-text.ts'
import type { Answer } from './answer.ts'

/** The events that have a date; undefined where none of them has, since no calendar is empty. */
export const calendarOf = (
  host: string,
  title: string,
  events: readonly EventState[],
): Answer | undefined => {
  const entries = events.flatMap(event => entryOf(host, event))
  if (entries.length === 0) return undefined
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//AgentBBS//${text(host)}//EN`,
    `NAME:${text(title)}`,
    `X-WR-CALNAME:${text(title)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    ...entries,
    'END:VCALENDAR',
  ]
  return {
    type: 'text/calendar; charset=utf-8',
    body: `${lines.map(folded).join('\r\n')}\r\n`,
    headers: { 'Access-Control-Allow-Origin': '*' },
  }
}

/** When it begins or has begun; null where neither is known. */
export const dateOf = ({ startedAt, plan }: EventState): number | null => startedAt ?? plan.startsAt

const entryOf = (host: string, event: EventState): readonly string[] => {
  const { plan, status, entries, createdAt, startedAt, endedAt } = event
  const from = dateOf(event)
  if (from === null) return []
  const to = endedAt ?? endOf(plan, from)
  const url = `https://${host}/events/${plan.id}`
  const about = `${eventGameText(event)}, ${formatText(plan.format)}, ${plan.rated ? 'rated' : 'unrated'}.`
  return [
    'BEGIN:VEVENT',
    `UID:${plan.id}@${text(host)}`,
    `DTSTAMP:${time(endedAt ?? startedAt ?? createdAt)}`,
    // What changed an event appended to its log.
    `SEQUENCE:${entries}`,
    `DTSTART:${time(from)}`,
    // Times have whole seconds here, and an end has to be later than its start.
    ...(to !== null && to >= from + 1000 ? [`DTEND:${time(to)}`] : []),
    `SUMMARY:${text(plan.title)}`,
    `DESCRIPTION:${text(`${about}\n${url}`)}`,
    `URL:${url}`,
    `STATUS:${status === 'cancelled' ? 'CANCELLED' : 'CONFIRMED'}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** Only of an arena it is known before. */
const endOf = ({ format }: EventPlan, from: number) =>
  format.kind === 'arena' ? from + format.lasts : null

/** "20261121T180000Z". */
const time = (at: number) => new Date(at).toISOString().replace(/\.\d+/, '').replace(/[-:]/g, '')

/** A value of the type TEXT. It has no control characters but line breaks. */
const text = (value: string) =>
  value
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r?\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')

/** A line goes on after a blank on the next one, at most 75 bytes each, and never within a character. */
const folded = (line: string): string => {
  let folded = ''
  let bytes = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (bytes + size > 75) {
      folded += '\r\n '
      bytes = 1
    }
    folded += character
    bytes += size
  }
  return folded
}
