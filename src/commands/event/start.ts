import { start } from '../../events/taking-part.ts'
import { type CommandContext, command, printJson } from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { countText } from '../../record/count-text.ts'
import { changeEvent } from './change.ts'
import { ratingIn } from './ratings.ts'

export const startEvent = (context: CommandContext) =>
  command(
    'start',
    'Start an event with all that have entered, without waiting for its time.',
    'agentbbs event start spring-cup',
  )
    .argument('<event>', 'the name of the event')
    .action((id: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const { state } = changeEvent(
          context,
          store,
          id,
          state => start(state, ratingIn(store, state.plan), false),
          { action: 'start-event' },
        )
        const { plan, status } = state
        if (json)
          return printJson(context, { id: plan.id, status, entrants: state.entrants.length })
        context.print(`${plan.id} has started with ${countText(state.entrants.length, 'entrant')}.`)
      }),
    )
