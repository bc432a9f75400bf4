import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { HttpEnv } from '../protocols/routes.ts'
import { SlicedText } from '../scheduling/sliced-text.ts'
import type { Pieces, Reader, TextStream, TextStreamer } from '../scheduling/text-stream.ts'
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

/**
 * Sends an answer, or 304 if the client already has it. It writes to Node's response: a body that is as long as a page costs
 * less so than through a `Response`, and a long body is made no faster than the client reads it.
 */
export const send = (
  { incoming, outgoing, source }: HttpEnv['Bindings'],
  answer: Answer,
  textStreamer: TextStreamer,
  failed: (error: unknown) => void,
): Response => {
  const { status = 200, type, body, headers, maxAge = 0 } = answer
  const tag = tagOf(body)
  const isCached =
    status === 200 && tag !== null && matchesTag(incoming.headers['if-none-match'], tag)
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
  const isHead = incoming.method === 'HEAD'
  if (isCached) outgoing.writeHead(304, allHeaders).end()
  else if (isLong(body)) {
    outgoing.writeHead(status, allHeaders)
    if (isHead) outgoing.end()
    else {
      const text = new SlicedText(body.holds, body.begin)
      streamBody(outgoing, textStreamer.stream(source, text, readerOf(outgoing)), failed)
    }
  } else {
    outgoing.writeHead(status, { ...allHeaders, 'Content-Length': String(Buffer.byteLength(body)) })
    outgoing.end(isHead ? undefined : body)
  }
  return RESPONSE_ALREADY_SENT
}

const readerOf = (response: ServerResponse): Reader => ({
  get unsent() {
    return response.writableLength
  },
  write: text => void response.write(text),
})

/** Streams a body. If it stops before its end, the connection is cut, so that the client sees an incomplete body. */
const streamBody = (
  response: ServerResponse,
  textStream: TextStream,
  failed: (error: unknown) => void,
): void => {
  response.on('drain', () => textStream.drained())
  response.on('close', () => textStream.gone())
  textStream.done.then(
    stopped => void (stopped === null ? response.end() : response.destroy()),
    error => {
      failed(error)
      response.destroy()
    },
  )
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
