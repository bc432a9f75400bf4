import { type CommandContext, command, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { isoTime } from '../record/time-text.ts'
import { table } from '../text/table.ts'
import { when } from '../text/words.ts'

export const keys = (context: CommandContext) =>
  command('keys', 'List the SSH keys of all accounts, or of one.', 'agentbbs keys my-bot')
    .argument('[name]', 'the account')
    .action((name: string | undefined, { json }: { json?: true }) =>
      withStore(context, store => {
        const owner = name === undefined ? undefined : agentNamed(store, name)
        const keys = store.keys.all().filter(key => owner === undefined || key.name === owner.name)
        if (json)
          return printJson(
            context,
            keys.map(({ id, name, type, fingerprint, comment, ...key }) => ({
              id,
              name,
              type,
              fingerprint,
              comment,
              createdAt: isoTime(key.created_at),
              lastUsedAt: isoTime(key.last_used_at),
              revokedAt: isoTime(key.revoked_at),
            })),
          )
        if (keys.length === 0) return context.print('No keys.')
        context.print(
          table(
            [
              { title: 'ID', right: true },
              { title: 'ACCOUNT' },
              { title: 'FINGERPRINT', long: true },
              { title: 'COMMENT', long: true },
              { title: 'LAST USED' },
              { title: 'REVOKED' },
            ],
            keys.map(key => [
              String(key.id),
              key.name,
              key.fingerprint,
              key.comment,
              when(key.last_used_at),
              when(key.revoked_at),
            ]),
            context.width,
          ),
        )
      }),
    )
