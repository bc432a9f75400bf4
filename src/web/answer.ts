import { createHash } from 'node:crypto'
import type { Pieces } from '../scheduling/text-stream.ts'
import type { Html } from './html.ts'

/** The answer to an HTTP request. */
export interface Answer {
  readonly status?: number
  readonly type: string
  readonly body: string | Uint8Array | LongBody
  readonly headers?: { readonly [name: string]: string }
  /** How long caches may use it, in milliseconds. */
  readonly maxAge?: number
}

/** A long body, made in pieces no faster than the client reads it. */
export interface LongBody {
  /** How much memory it takes while it lasts, in characters. */
  readonly holds: number
  readonly begin: () => Pieces
  /** The text to hash for the ETag; null if the body may change. */
  readonly tagSource: string | null
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

/** What an answer depends on besides its route. */
export interface Asked {
  readonly method: string | undefined
  /** The header `If-None-Match`. */
  readonly known: string | undefined
}

/** An answer as it is sent. */
export interface Ready<Body = Uint8Array | LongBody> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  /** Null for 304, and for HEAD. */
  readonly body: Body | null
}

/** The answer with all its headers; 304 if the client already has it. */
export const ready = (answer: Answer, { method, known }: Asked): Ready => {
  const { status = 200, type, body, headers, maxAge = 0 } = answer
  const tag = tagOf(body)
  const isCached = status === 200 && tag !== null && matchesTag(known, tag)
  const allHeaders = {
    ...securityHeaders,
    'Content-Type': type,
    'Cache-Control':
      status !== 200
        ? 'no-store'
        : maxAge === 0
          ? 'no-cache'
          : `public, max-age=${Math.floor(maxAge / 1000)}`,
    ...(status === 200 && tag !== null ? { ETag: tag } : {}),
    ...headers,
  }
  const isHead = method === 'HEAD'
  if (isCached) return { status: 304, headers: allHeaders, body: null }
  if (isLong(body)) return { status, headers: allHeaders, body: isHead ? null : body }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return {
    status,
    headers: { ...allHeaders, 'Content-Length': String(bytes.length) },
    body: isHead ? null : bytes,
  }
}

const isLong = (body: Answer['body']): body is LongBody =>
  typeof body === 'object' && !(body instanceof Uint8Array)

const tagOf = (body: Answer['body']): string | null => {
  const source = isLong(body) ? body.tagSource : body
  return source === null ? null : `"${createHash('sha1').update(source).digest('base64url')}"`
}

/** A content security policy: only files of this host load and run, and only `ancestors` may frame the page. */
export const contentSecurityPolicy = (ancestors: string) =>
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

export const securityHeaders = {
  'Content-Security-Policy': contentSecurityPolicy("'none'"),
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'same-origin',
}

const matchesTag = (header: string | undefined, tag: string) =>
  header
    ?.split(',')
    .some(known => known.trim() === '*' || known.trim().replace(/^W\//, '') === tag) ?? false
