import { Command } from 'commander'
import type { CommandContext } from '../../queries/command.ts'
import { event as showEvent } from '../../queries/event.ts'
import { events as listEvents } from '../../queries/events.ts'
import { cancelEvent } from './cancel.ts'
import { createEvent } from './create.ts'
import { enterEvent } from './enter.ts'
import { exportEvent } from './export.ts'
import { eventLog } from './log.ts'
import { pauseEvent } from './pause.ts'
import { repeatEvent } from './repeat.ts'
import { repeats } from './repeats.ts'
import { resultEvent } from './result.ts'
import { resumeEvent } from './resume.ts'
import { startEvent } from './start.ts'
import { stopRepeat } from './stop-repeat.ts'
import { withdrawEvent } from './withdraw.ts'

/** The commands of events, each a file of this folder. */
export const event = (context: CommandContext): Command => {
  const all = new Command('event')
    .summary('Make and run events: tournaments and other gatherings')
    .description(
      'Make and run events: tournaments and other gatherings. docs/events.md explains them.',
    )
  for (const made of [
    createEvent(context),
    listEvents(context, 'list', 'agentbbs event list'),
    showEvent(context, 'show', 'agentbbs event show spring-cup'),
    ...[startEvent, pauseEvent, resumeEvent, cancelEvent].map(make => make(context)),
    ...[enterEvent, withdrawEvent, resultEvent, exportEvent].map(make => make(context)),
    ...[repeatEvent, repeats, stopRepeat, eventLog].map(make => make(context)),
  ])
    all.addCommand(made)
  return all
}
