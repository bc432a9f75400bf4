import { resume } from '../../events/taking-part.ts'
import { type CommandContext, command, printJson } from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { changeEvent } from './change.ts'

export const resumeEvent = (context: CommandContext) =>
  command('resume', 'Go on with an event that is paused.', 'agentbbs event resume spring-cup')
    .argument('<event>', 'the name of the event')
    .action((id: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const { state } = changeEvent(context, store, id, resume, { action: 'resume-event' })
        const { plan, status } = state
        if (json) return printJson(context, { id: plan.id, status })
        context.print(`${plan.id} goes on.`)
      }),
    )
