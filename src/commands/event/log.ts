import { readMessageLog } from '../../protocols/league/message-log.ts'
import { type CommandContext, command, configOf, Failure } from '../../queries/command.ts'

/** Beside a running host, and without one. It needs no database. */
export const eventLog = (context: CommandContext) =>
  command(
    'log',
    'Print the messages of a league of league.v2, the oldest first: a line of JSON for each.',
    'agentbbs event log winter-cup',
    'agentbbs event log winter-cup | jq \'select(.agent == "P01")\'',
  )
    .argument('<event>', 'the name of the event; queue for the ordinary queue')
    .action(async (id: string) => {
      // It becomes a part of a path.
      const lines = /^[a-z0-9-]+$/.test(id) ? readMessageLog(configOf(context).data, id) : []
      let count = 0
      for await (const line of lines) {
        context.print(line)
        count++
      }
      if (count === 0)
        throw new Failure(
          `${id} has no messages: leagues of league.v2 have, once a server registers`,
        )
    })
