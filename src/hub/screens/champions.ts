import type { Champion } from '../../record/season-record.ts'
import { dayText } from '../../record/time-text.ts'
import { List } from '../list.ts'
import type { ScreenSession } from '../screen.ts'
import { openAgent } from './agent.ts'
import { ListScreen } from './seasons.ts'

/** The champions of seasons and events. */
export const openChampions = (session: ScreenSession): void =>
  session.ask(session.hub.questions.champions(), champions =>
    session.show(
      new ListScreen<Champion>(
        'Champions',
        'The first of each season of a ladder, and of each event.',
        new List(
          [
            { title: 'Champion', width: 0, cell: ({ names }) => names.join(', ') },
            { title: 'Of', width: 24, cell: ofText, role: () => 'title' },
            { title: 'Title', width: 24, minWidth: 80, cell: ({ title }) => title },
            { title: 'Day', width: 10, minWidth: 56, cell: ({ at }) => dayText(at) },
          ],
          'No champion yet.',
        ),
        champions,
        ({ names: [first] }) => openAgent(session, first!),
      ),
    ),
  )

const ofText = ({ of }: Champion): string =>
  of.kind === 'event' ? of.id : `${of.ladder}, season ${of.number}`
