import { sshCommand } from '../host-addresses.ts'
import type { ScreenSession } from '../screen.ts'
import { TextScreen } from './text.ts'

/** Shows a link that signs the person in to the pages, and leads to a path of them. */
export const openSignIn = (session: ScreenSession, path: string): void => {
  const { hub, account, request } = session
  if (account === null) {
    session.showMessage(`You need an account for that: ${sshCommand(hub.addresses, 'join')}`)
    return
  }
  const login = async () =>
    request.login ?? (request.key === null ? undefined : await hub.loginOf(request.key))
  session.ask(login(), found => {
    // The key was revoked since: the session is about to end.
    if (found === undefined) return
    session.show(
      new TextScreen(
        'Sign in to the pages',
        [
          'Open this in a browser. It works once, and for 10 minutes:',
          '',
          `  ${hub.signIns.linkFor(found, path)}`,
          '',
          `It signs the browser in as ${account.name} for 12 hours, to vote on debates. Give it to no one else.`,
        ].join('\n'),
      ),
    )
  })
}
