import { isRecord, object, type Received, rule } from './frames.ts'
import type { Report } from './report.ts'

export interface Answer {
  readonly status: number
  readonly body: Received
}

/** One REST call. The body of an answer that is no JSON is its text. */
export async function call(
  base: string,
  method: string,
  path: string,
  init: { bearer?: string | undefined; json?: unknown; raw?: string } = {},
): Promise<Answer> {
  const headers: Record<string, string> = {}
  if (init.bearer !== undefined) headers.authorization = `Bearer ${init.bearer}`
  const body = init.raw ?? (init.json === undefined ? undefined : JSON.stringify(init.json))
  if (body !== undefined) headers['content-type'] = 'application/json'
  const response = await fetch(base + path, { method, headers, body: body ?? null })
  const text = await response.text()
  try {
    return { status: response.status, body: JSON.parse(text) }
  } catch {
    return { status: response.status, body: text }
  }
}

const errorBody = object({
  error: object({ code: rule('a string', isText), message: rule('a string', isText) }),
})

/** Checks a REST error: status, code, and the shape of the body. */
export function refusedRest(
  report: Report,
  name: string,
  answer: Answer,
  status: number,
  code: string,
): void {
  const got =
    isRecord(answer.body) && isRecord(answer.body.error) ? answer.body.error.code : answer.body
  report.equal(name, [answer.status, got], [status, code])
  const fault = errorBody(answer.body, '')
  report.ok(
    '§1 REST error body is {"error":{"code","message"}}',
    fault === null,
    'that shape',
    fault,
  )
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
