import { CallFailure, quoted } from './call-failure.ts'
import type { CallAnswer } from './http-request.ts'

/** Reads the body as JSON, whatever the status: many servers send an error as JSON. */
export const readJson = ({ status, body }: CallAnswer): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    const says = `it answered ${status} with ${body === '' ? 'no body' : quoted(body.slice(0, 80))}`
    return status >= 200 && status < 300
      ? new CallFailure('not-json', `${says}, which is not JSON`, { status })
      : new CallFailure('status', says, { status })
  }
}
