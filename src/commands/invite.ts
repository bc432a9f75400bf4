import { command, type Desk, printJson, withStore } from '../queries/desk.ts'
import { number } from '../queries/numbers.ts'
import { countText } from '../record/count-text.ts'
import { audited } from './audited.ts'

const day = 24 * 60 * 60_000

export const invite = (desk: Desk) =>
  command(
    'invite',
    'Mint a one-time code with which somebody can make an account at join@.',
    'agentbbs invite',
    'agentbbs invite --count 10 --days 30',
  )
    .option('--count <n>', 'how many codes', number(1, 10_000), 1)
    .option('--days <n>', 'for how long they are good', number(1, 3_650), 7)
    .action(({ count, days, json }: { count: number; days: number; json?: true }) =>
      withStore(desk, store => {
        const minted = audited(
          desk,
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
        if (json) return printJson(desk, { codes: minted, days })
        for (const code of minted) desk.print(code)
      }),
    )
