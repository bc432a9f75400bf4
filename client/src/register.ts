import { Host } from './host.ts'

/** Makes an account, and resolves with its token, which is shown this once. `code`: an invitation, where the host asks for one. */
export const register = async (url: string, name: string, code?: string): Promise<string> => {
  // Not repeated after a cut: the account may have been made.
  const body = { name, ...(code !== undefined && { code }) }
  return (await new Host(url).ask<{ token: string }>('POST', '/api/v1/accounts', { body })).token
}
