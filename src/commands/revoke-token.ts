import { programName } from '../process/program-name.ts'
import { type CommandContext, command, Failure, printJson } from '../queries/command.ts'
import { number } from '../queries/numbers.ts'
import { withStore } from '../queries/with-store.ts'
import { capital } from '../record/result-text.ts'
import { tokenText } from '../store/audit.ts'
import { kindText } from '../store/secret-kinds.ts'
import { audited } from './audited.ts'

export const revokeToken = (context: CommandContext) =>
  command(
    'revoke-token',
    'Revoke a token, API key or session token, and close the connections that logged in with it or with a session token of it.',
    'agentbbs revoke-token 3',
  )
    .argument('<id>', `the number that ${programName()} tokens shows`, number(1))
    .action((id: number, { json }: { json?: true }) =>
      withStore(context, store => {
        const { kind } = audited(
          context,
          store,
          () => {
            if (!store.tokens.revoke(id)) throw new Failure(`no valid token has the number ${id}`)
            return store.tokens.find(id)!
          },
          token => [{ action: 'revoke-token', target: token.name, detail: tokenText(token) }],
        )
        if (json) return printJson(context, { id, revoked: true })
        context.print(`${capital(kindText[kind])} ${id} is revoked.`)
      }),
    )
