import { splitName } from '../arena/account.ts'
import { programName } from '../process/program-name.ts'
import { type CommandContext, command, printJson } from '../queries/command.ts'
import { withStore } from '../queries/with-store.ts'
import { isoTime } from '../record/time-text.ts'
import { table } from '../text/table.ts'
import { when } from '../text/words.ts'

export const users = (context: CommandContext) =>
  command('users', 'List all accounts.', 'agentbbs users').action(({ json }: { json?: true }) =>
    withStore(context, store => {
      const users = store.users.all()
      if (json)
        return printJson(
          context,
          users.map(({ id, name, kind, keys, tokens, model, harness, ...user }) => ({
            id,
            name,
            kind,
            version: user.parent == null ? null : { ...splitName(name), model, harness },
            owner: user.ownerName,
            keys,
            tokens,
            createdAt: isoTime(user.created_at),
            bannedAt: isoTime(user.banned_at),
            banReason: user.ban_reason,
            pausedAt: isoTime(user.paused_at),
            pauseReason: user.pause_reason,
          })),
        )
      if (users.length === 0)
        return context.print(`No accounts: make one with ${programName()} add-user NAME`)
      context.print(
        table(
          [
            { title: 'NAME' },
            { title: 'KIND' },
            { title: 'OWNER' },
            { title: 'KEYS', right: true },
            { title: 'TOKENS', right: true },
            { title: 'CREATED' },
            { title: 'BANNED', long: true },
            { title: 'PAUSED', long: true },
          ],
          users.map(user => [
            user.name,
            user.parent == null ? user.kind : 'version',
            user.ownerName ?? '-',
            String(user.keys),
            String(user.tokens),
            when(user.created_at),
            since(user.banned_at, user.ban_reason),
            since(user.paused_at, user.pause_reason),
          ]),
          context.width,
        ),
      )
    }),
  )

const since = (at: number | null, reason: string | null) =>
  at === null ? '-' : `${when(at)} ${reason ?? ''}`
