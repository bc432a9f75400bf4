import { didYouMean } from '../../nearest.ts'
import {
  type CommandContext,
  command,
  configOf,
  Failure,
  printJson,
} from '../../queries/command.ts'
import { withStore } from '../../queries/with-store.ts'
import { audited } from '../audited.ts'

export const stopRepeat = (context: CommandContext) =>
  command(
    'stop-repeat',
    'Stop a recurring event. What is announced of it already stays: event cancel cancels that.',
    'agentbbs event stop-repeat c4-arena',
  )
    .argument('<name>', 'the name that event repeats shows')
    .action((name: string, { json }: { json?: true }) =>
      withStore(context, store => {
        const known = store.recurring.names()
        if (!known.includes(name))
          throw new Failure(
            configOf(context).recurring.some(recurring => recurring.name === name)
              ? `${name} is a line of AGENTBBS_EVENTS: remove it there`
              : `no recurring event is called ${name}${didYouMean(name, known)}`,
          )
        audited(
          context,
          store,
          () => store.recurring.remove(name),
          () => [{ action: 'stop-repeat', target: name }],
        )
        if (json) return printJson(context, { name, stopped: true })
        context.print(`${name} comes no more.`)
      }),
    )
