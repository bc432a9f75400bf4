import type { IncomingHttpHeaders } from 'node:http'
import { isForeign } from '../http-input.ts'

/**
 * Whether a page of this host sends this form. A form that a cookie answers for must name its origin, as every browser
 * does: one without is refused.
 */
export const isOwnForm = (headers: IncomingHttpHeaders): boolean =>
  headers.origin !== undefined && !isForeign(headers)
