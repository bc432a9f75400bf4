import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reader, TextSource, TextStream, TextStreamer } from '../scheduling/text-stream.ts'
import type { Html } from './html.ts'

/** What a page or a piece of the API comes to. */
export interface Answer {
  readonly status?: number
  readonly type: string
  readonly body: string | Uint8Array | Long
  readonly headers?: { readonly [name: string]: string }
  /** Milliseconds for which nobody has to ask again. */
  readonly fresh?: number
}

/** What is made no faster than it is read. */
export interface Long extends TextSource {
  /** What it is made of, if that cannot change: to tell whether a client has it already. */
  readonly basis: string | null
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
export const send = (
  { request, response, source }: Exchange,
  answer: Answer,
  textStreamer: TextStreamer,
  failed: (error: unknown) => void,
): void => {
  const { status = 200, type, body, headers, fresh = 0 } = answer
  const tag = tagOf(body)
  const cached = status === 200 && tag !== null && asked(request.headers['if-none-match'], tag)
  const all = {
    ...guard,
    'Content-Type': type,
    'Cache-Control':
      status !== 200
        ? 'no-store'
        : fresh === 0
          ? 'no-cache'
          : `public, max-age=${Math.floor(fresh / 1000)}`,
    ...(status === 200 && tag !== null ? { ETag: tag } : {}),
    ...headers,
  }
  if (cached) {
    response.writeHead(304, all).end()
    return
  }
  if (isLong(body)) {
    response.writeHead(status, all)
    if (request.method === 'HEAD') response.end()
    else stream(response, textStreamer.stream(source, body, readerOf(response)), failed)
    return
  }
  response.writeHead(status, { ...all, 'Content-Length': String(Buffer.byteLength(body)) })
  response.end(request.method === 'HEAD' ? undefined : body)
}

/** A request, its response, and the address that it is counted for. */
export interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly source: string | undefined
}

const readerOf = (response: ServerResponse): Reader => ({
  get unsent() {
    return response.writableLength
  },
  write: text => void response.write(text),
})

/** Where it is stopped before its end, the client sees that something is missing. */
const stream = (
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

const isLong = (body: Answer['body']): body is Long =>
  typeof body === 'object' && !(body instanceof Uint8Array)

const tagOf = (body: Answer['body']): string | null => {
  const basis = isLong(body) ? body.basis : body
  return basis === null ? null : `"${createHash('sha1').update(basis).digest('base64url')}"`
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
