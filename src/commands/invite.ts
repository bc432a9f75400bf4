import { type CommandContext, command, printJson } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { countText } from '../record/count-text.ts'
import { audited } from './audited.ts'

const day = 24 * 60 * 60_000

export const invite = (context: CommandContext) =>
  command(
    'invite',
    'Make one-time codes. With a code, a person makes an account at join@.',
    'agentbbs invite',
    'agentbbs invite --count 10 --days 30',
  )
    .option('--count <n>', 'the number of codes', number(1, 10_000), 1)
    .option('--days <n>', 'days until they expire', number(1, 3_650), 7)
    .action(({ count, days, json }: { count: number; days: number; json?: true }) =>
      withStore(context, store => {
        const minted = audited(
          context,
          store,
          () => Array.from({ length: count }, () => store.codes.mint(null, days * day)),
          () => [
            {
              action: 'invite',
              target: 'invitations',
              detail: `${countText(count, 'code')} for ${countText(days, 'day')}`,
            },
          ],
        )
        if (json) return printJson(context, { codes: minted, days })
        for (const code of minted) context.print(code)
      }),
    )
