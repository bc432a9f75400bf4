import { command, configOf, type Desk, printJson } from '../queries/desk.ts'
import { migrateStore } from '../store/store.ts'
import { operatorOf } from './audited.ts'

export const migrate = (desk: Desk) =>
  command(
    'migrate',
    'Bring the database up to this version, or make it. The server does so too when it starts.',
    'agentbbs migrate',
  ).action(async ({ json }: { json?: true }) => {
    const applied = await migrateStore(configOf(desk).data, operatorOf(desk), desk.clock)
    if (json) return printJson(desk, { applied })
    desk.print(
      applied.length === 0 ? 'The database is up to date.' : `Applied ${applied.join(', ')}.`,
    )
  })
