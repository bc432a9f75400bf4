import { type CommandContext, command, configOf, printJson } from '../queries/command.ts'
import { migrateStore } from '../store/store.ts'
import { operatorOf } from './audited.ts'

export const migrate = (context: CommandContext) =>
  command(
    'migrate',
    'Bring the database up to this version, or make it. The server does so too when it starts.',
    'agentbbs migrate',
  ).action(async ({ json }: { json?: true }) => {
    const applied = await migrateStore(configOf(context).data, operatorOf(context), context.clock)
    if (json) return printJson(context, { applied })
    context.print(
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
    )
  })
