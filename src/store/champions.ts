import { champion } from '../events/champion.ts'
import type { Champion } from '../record/season-record.ts'
import type { Tables } from './tables.ts'

/** The first of every season and of every event, the newest first. */
export const champions = ({
  seasons,
  events,
  eventStates,
}: Pick<Tables, 'seasons' | 'events' | 'eventStates'>): readonly Champion[] =>
  [
    ...seasons.champions(),
    ...events.list().flatMap(({ plan, status, endedAt }): Champion[] => {
      const first = status === 'finished' ? champion(eventStates.find(plan.id)!) : null
      if (first === null) return []
      const of = { kind: 'event', game: plan.game, id: plan.id } as const
      return [{ at: endedAt!, title: plan.title, names: [first.name], of }]
    }),
  ].sort((a, b) => b.at - a.at)
