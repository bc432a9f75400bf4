import { lookup } from 'node:dns/promises'
import type { CallFailure } from '../outgoing/call-failure.ts'
import type { CallAnswer, HttpRequest } from '../outgoing/http-request.ts'

/** Makes one request, of which all may differ but the URL. */
export type Ask = (
  url: string,
  more?: Omit<HttpRequest, 'url'>,
) => Promise<CallAnswer | CallFailure>

/** As programs on this machine find a name, by its file of hosts too. */
export const addressesOf = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true })).map(({ address }) => address)
