import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Html } from './html.ts'

/** What a page or a piece of the API comes to. */
export interface Answer {
  readonly status?: number
  readonly type: string
  readonly body: string | Uint8Array
  readonly headers?: { readonly [name: string]: string }
  /** Milliseconds for which nobody has to ask again. */
  readonly fresh?: number
}

export const page = (body: Html, options: Omit<Answer, 'type' | 'body'> = {}): Answer => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html>\n${body}`,
  ...options,
})

export const json = (value: unknown, options: Partial<Answer> = {}): Answer => ({
  type: 'application/json; charset=utf-8',
  body: `${JSON.stringify(value)}\n`,
  ...options,
  headers: { 'Access-Control-Allow-Origin': '*', ...options.headers },
})

/** Sends an answer, or only word that the one which the client has is still right. */
export const send = (request: IncomingMessage, response: ServerResponse, answer: Answer): void => {
  const { status = 200, type, body, headers, fresh = 0 } = answer
  const tag = `"${createHash('sha1').update(body).digest('base64url')}"`
  const cached = status === 200 && asked(request.headers['if-none-match'], tag)
  const all = {
    ...guard,
    'Content-Type': type,
    'Cache-Control':
      status !== 200
        ? 'no-store'
        : fresh === 0
          ? 'no-cache'
          : `public, max-age=${Math.floor(fresh / 1000)}`,
    ...(status === 200 ? { ETag: tag } : {}),
    ...headers,
  }
  if (cached) {
    response.writeHead(304, all).end()
    return
  }
  response.writeHead(status, { ...all, 'Content-Length': String(Buffer.byteLength(body)) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** Nothing is loaded from elsewhere, nothing runs but our own files, and nobody frames a page but the one made for it. */
export const policy = (ancestors: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${ancestors}`,
  ].join('; ')

export const guard = {
  'Content-Security-Policy': policy("'none'"),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

const asked = (header: string | undefined, tag: string) =>
  header
    ?.split(',')
    .some(known => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag) ?? false
