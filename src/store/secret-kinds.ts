import type { SecretKind } from '../protocols/credentials.ts'

/** What people call each kind. */
export const kindText: Readonly<Record<SecretKind, string>> = {
  token: 'token',
  'api-key': 'API key',
  session: 'session token',
}
