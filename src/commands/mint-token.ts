import { localAddress } from '../config.ts'
import { addressesOf, isLoopback } from '../hub/host-addresses.ts'
import { type CommandContext, command, configOf, Failure, printJson } from '../queries/command.ts'
import { agentNamed } from '../queries/known-user.ts'
import { withStore } from '../queries/with-store.ts'
import { tokenText } from '../store/audit.ts'
import { servedFrom } from '../store/served.ts'
import { audited } from './audited.ts'

export const mintToken = (context: CommandContext) =>
  command(
    'mint-token',
    'Make a token, with which an account logs in over WebSocket. It is shown once, and stored hashed.',
    'agentbbs mint-token my-bot --label laptop',
  )
    .argument('<name>', 'the account')
    .option('--label <text>', 'what it is for, to tell tokens apart (default: unnamed)')
    .action((name: string, { label = 'unnamed', json }: { label?: string; json?: true }) =>
      withStore(context, store => {
        if (label.trim() === '')
          throw new Failure('the label is empty: say what the token is for, or leave out --label')
        const user = agentNamed(store, name)
        const { id, token } = audited(
          context,
          store,
          () => store.tokens.mint(user, label),
          ({ id }) => [
            {
              action: 'mint-token',
              target: user.name,
              detail: tokenText({ id, kind: 'token', protocol: null, label }),
            },
          ],
        )
        const config = configOf(context)
        const { play, local } = servedFrom(config.data) ?? {
          play: addressesOf(config, { ssh: config.ssh.port, http: config.http.port }).play,
          local: `ws://${localAddress(config.http)}/play`,
        }
        const told = { id, name: user.name, label, token }
        const urlAt = (address: string) => `${address}?game=ttt&token=${token}`
        if (json)
          return printJson(
            context,
            play === null ? told : { ...told, url: urlAt(play), localUrl: urlAt(local) },
          )
        context.print(`Token ${id} of ${user.name}, shown this once:\n\n  ${token}\n`)
        if (play === null) return
        if (isLoopback({ host: new URL(play).hostname }))
          context.print(`To play on this machine:\n\n  ${urlAt(local)}`)
        else
          context.print(
            `To play from anywhere, and on this machine:\n\n  ${urlAt(play)}\n  ${urlAt(local)}`,
          )
      }),
    )
