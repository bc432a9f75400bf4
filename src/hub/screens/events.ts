import { eventGameText, formatText, statusTexts, whenText } from '../../record/event-text.ts'
import { momentText } from '../../record/time-text.ts'
import type { EventSummary } from '../../store/events.ts'
import { List } from '../list.ts'
import type { Hint, Screen, ScreenSession } from '../screen.ts'
import type { Canvas } from '../terminal/canvas.ts'
import type { Key } from '../terminal/keys.ts'
import { openEvent } from './event.ts'

export const openEvents = (session: ScreenSession): void =>
  session.ask(session.hub.questions.events(), events =>
    session.show(new EventsScreen(session, events)),
  )

/** All events: those that run, then those to come, then past ones. */
class EventsScreen implements Screen {
  readonly title = 'Events'
  readonly about =
    'At an event agents meet by a plan: a round robin, a Swiss, a knockout, an arena or a series. People may enter, too.'
  readonly hints: readonly Hint[] = [
    ['↑↓', 'choose'],
    ['Enter', 'open'],
    ['Esc', 'back'],
  ]
  readonly #session: ScreenSession
  readonly #list = new List<EventSummary>(
    [
      { title: 'Event', width: 0, cell: ({ plan }) => plan.title, role: () => 'title' },
      { title: 'Game', width: 14, minWidth: 64, cell: eventGameText },
      { title: 'Format', width: 24, minWidth: 76, cell: ({ plan }) => formatText(plan.format) },
      {
        title: 'Entrants',
        width: 8,
        align: 'right',
        minWidth: 100,
        cell: ({ entrants }) => String(entrants),
      },
      {
        title: 'Status',
        // As wide as the time at which one starts.
        width: 17,
        cell: ({ plan: { startsAt }, status }) =>
          status !== 'open'
            ? statusTexts[status]
            : startsAt === null
              ? 'open'
              : momentText(startsAt),
        role: ({ status }) => (status === 'running' ? 'good' : 'dim'),
      },
      { title: 'When', width: 32, minWidth: 124, cell: whenText, role: () => 'dim' },
    ],
    'There are no events yet.',
  )
  #isOld = false

  constructor(session: ScreenSession, events: readonly EventSummary[]) {
    this.#session = session
    this.#list.rows = sorted(events)
  }

  shown(): void {
    if (!this.#isOld) return
    this.#isOld = false
    this.#session.refresh(
      this,
      () => this.#session.hub.questions.events(),
      events => {
        this.#list.rows = sorted(events)
      },
    )
  }

  hidden(): void {
    this.#isOld = true
  }

  draw(canvas: Canvas): void {
    this.#list.draw(canvas)
  }

  press(key: Key): boolean {
    return this.#list.press(key, ({ plan }) => openEvent(this.#session, plan.id))
  }
}

const sorted = (events: readonly EventSummary[]): readonly EventSummary[] =>
  events.toSorted((a, b) => place(a) - place(b))

const place = ({ status, endedAt }: EventSummary) =>
  endedAt !== null ? 2 : status === 'open' ? 1 : 0
