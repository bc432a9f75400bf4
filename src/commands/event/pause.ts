import { pause } from '../../events/taking-part.ts'
import { type CommandContext, command, printJson } from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { changeEvent } from './change.ts'

export const pauseEvent = (context: CommandContext) =>
  command(
    'pause',
    'Pause an event: live matches go on, and no others begin.',
    'agentbbs event pause spring-cup',
  )
    .argument('<event>', 'the name of the event')
    .action((id: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const { state } = changeEvent(context, store, id, pause, { action: 'pause-event' })
        const { plan, status } = state
        if (json) return printJson(context, { id: plan.id, status })
        context.print(`${plan.id} is paused.`)
      }),
    )
