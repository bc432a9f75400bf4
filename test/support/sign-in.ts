import type { Account } from '../../src/arena/account.ts'
import type { WebHost } from './web-host.ts'

/** Signs an account in to the pages, which is made where there is none of this name. Returns the cookie as a browser sends it. */
export const signIn = async (
  { store, signIns }: Pick<WebHost, 'store' | 'signIns'>,
  name: string,
): Promise<string> => {
  const found = store.users.find(name) ?? store.users.add(name)
  if ('problem' in found) throw new Error(found.problem)
  const account: Account = { id: found.id, name, kind: 'player' }
  const by = { kind: 'token', id: store.tokens.mint(account, 'test').id } as const
  const code = signIns.linkFor({ account, by }, '/').split('/').at(-1)!
  return (await signIns.use(code))!.cookie.split(';')[0]!
}
