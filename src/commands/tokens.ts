import { type CommandContext, command, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { isoTime } from '../record/time-text.ts'
import { titleOf } from '../store/tokens.ts'
import { table } from '../text/table.ts'
import { when } from '../text/words.ts'

export const tokens = (context: CommandContext) =>
  command(
    'tokens',
    'List the tokens, API keys and session tokens of all accounts, or of one.',
    'agentbbs tokens my-bot',
  )
    .argument('[name]', 'the account')
    .action((name: string | undefined, { json }: { json?: true }) =>
      withStore(context, store => {
        const owner = name === undefined ? undefined : agentNamed(store, name)
        const tokens = store.tokens
          .all()
          .filter(token => owner === undefined || token.name === owner.name)
        if (json)
          return printJson(
            context,
            tokens.map(({ id, name, kind, protocol, label, ...token }) => ({
              id,
              name,
              kind,
              protocol,
              label,
              createdAt: isoTime(token.created_at),
              expiresAt: isoTime(token.expires_at),
              lastUsedAt: isoTime(token.last_used_at),
              revokedAt: isoTime(token.revoked_at),
            })),
          )
        if (tokens.length === 0) return context.print('No tokens.')
        context.print(
          table(
            [
              { title: 'ID', right: true },
              { title: 'ACCOUNT' },
              { title: 'KIND' },
              { title: 'LABEL', long: true },
              { title: 'CREATED' },
              { title: 'EXPIRES' },
              { title: 'LAST USED' },
              { title: 'REVOKED' },
            ],
            tokens.map(token => [
              String(token.id),
              token.name,
              titleOf(token),
              token.label,
              when(token.created_at),
              when(token.expires_at),
              when(token.last_used_at),
              when(token.revoked_at),
            ]),
            context.width,
          ),
        )
      }),
    )
